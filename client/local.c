/*
 * The happy path: the library reads the puzzle, as it would for the daemon, and the solver solves it here. A puzzle
 * that is known by its id alone comes from the daemon, in the certificate of a proof's beginning. What is wrong with a
 * puzzle or a state is said in the daemon's words.
 */
#include "client/local.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/client.h"
#include "client/puzzle_input.h"
#include "proto/certificate.h"
#include "proto/units.h"
#include "solver/solve.h"

int local_refused(struct task *task, enum error error, const char *text)
{
  return task_fail(task, EXIT_REFUSED, error_kinds[error].name, text, NULL);
}

static int make_arena(struct task *task, struct local *local)
{
  struct complaint complaint;
  int error = arena_new(&task->puzzle->puzzle, &local->arena, &complaint);
  if (error == -ENOMEM)
    return task_misuse(task, "out of memory for the puzzle");
  return error ? local_refused(task, ERROR_BAD_PUZZLE, complaint.text) : 0;
}

int local_read(struct task *task, const char *path, struct local *local)
{
  *local = (struct local){0};
  int status = puzzle_input_take(task, path);
  return status ? status : make_arena(task, local);
}

int local_find(struct task *task, bool may_be_input, struct local *local)
{
  *local = (struct local){0};
  int status = subject_read(task, may_be_input, &local->subject);
  return status || !task->puzzle ? status : make_arena(task, local);
}

/* Takes the puzzle out of the certificate. */
static int take_puzzle(struct task *task, struct certificate *certificate)
{
  task->puzzle = calloc(1, sizeof *task->puzzle);
  if (!task->puzzle)
    return task_misuse(task, "out of memory for the puzzle");
  task->puzzle->puzzle = certificate->puzzle;
  task->puzzle->memory = certificate->memory;
  certificate->memory = NULL;
  style_set_puzzle(&task->style, task->puzzle);
  return 0;
}

/* A grid's id says nothing of where its players start. */
static int read_puzzle(struct task *task, const char *json, struct local *local)
{
  const struct last *last = &local->subject.last;
  struct certificate certificate;
  struct fault fault;
  if (certificate_from_json(json, strlen(json), &message_limits_default, &certificate, &fault))
    return local_refused(task, fault.error, fault.text);
  int status = take_puzzle(task, &certificate);
  certificate_deinit(&certificate);
  if (status == 0)
    status = make_arena(task, local);
  if (status == 0 && local->subject.knows_start)
    local->arena->start =
        (struct state){last->start.mouse, last->start.cat, (enum player)last->start.turn};
  return status;
}

static int fetch(struct task *task, struct local *local)
{
  struct cm_state state;
  struct cm_explain explain;
  int status = subject_state(task, &local->subject, &state);
  if (status)
    return status;
  int result =
      cm_explain(task->client, &local->subject.which, &state, CM_LIMIT_OF_GAME, 1, &explain);
  return result ? subject_failed(task, &local->subject, result)
                : read_puzzle(task, explain.certificate, local);
}

/* A solve that took all of the machine's memory would take the machine with it. */
static uint64_t memory_to_use(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : 0;
}

static int make_table(struct task *task, struct local *local)
{
  signal(SIGINT, SIG_DFL); /* no call is under way that could be cancelled */
  const struct solve_options options = {.max_bytes = memory_to_use()};
  int error = solve(local->arena, &options, &local->table);
  if (error == -EFBIG) {
    char words[128], bytes[UNIT_WORDS];
    snprintf(words, sizeof words, "solving takes %s, more than half of the memory",
             bytes_words(solve_bytes(local->arena), bytes));
    return local_refused(task, ERROR_TOO_LARGE, words);
  }
  return error ? task_misuse(task, "out of memory for the solve") : 0;
}

static int find_cell(struct task *task, const struct arena *arena, const char *who, uint32_t row,
                     uint32_t *node)
{
  char words[160];
  if (arena->cols > 0 && row < arena->rows && *node < arena->cols) {
    *node += row * arena->cols;
    return 0;
  }
  if (arena->cols == 0)
    snprintf(words, sizeof words, "state.%s is a row and a column, but the puzzle is a graph", who);
  else
    snprintf(words, sizeof words,
             "state.%s is row %u, column %u, but the grid has %u rows and %u columns", who, row,
             *node, arena->rows, arena->cols);
  return local_refused(task, ERROR_BAD_STATE, words);
}

static int read_state(struct task *task, const struct local *local, struct state *state)
{
  const struct arena *arena = local->arena;
  struct cm_state written;
  struct complaint complaint;
  int status = subject_state(task, &local->subject, &written);
  if (status == 0 && written.by_row)
    status = find_cell(task, arena, "mouse", written.mouse_row, &written.mouse);
  if (status == 0 && written.by_row)
    status = find_cell(task, arena, "cat", written.cat_row, &written.cat);
  if (status)
    return status;
  *state = (struct state){written.mouse, written.cat, (enum player)written.turn};
  return arena_check_state(arena, state, &complaint) < 0
             ? local_refused(task, ERROR_BAD_STATE, complaint.text)
             : 0;
}

int local_solve(struct task *task, struct local *local, struct state *state)
{
  int status = local->arena ? 0 : fetch(task, local);
  if (status == 0)
    status = make_table(task, local);
  return status ? status : read_state(task, local, state);
}

void local_deinit(struct local *local)
{
  table_free(local->table);
  arena_free(local->arena);
}

uint32_t local_limit(const struct task *task, const struct arena *arena)
{
  uint32_t limit = task->options->limit_plies;
  return limit == CM_LIMIT_OF_GAME ? arena->limit_plies : limit;
}
