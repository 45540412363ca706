/*
 * The happy path: the library reads the puzzle, as it would for the daemon, and the solver solves it here. What is
 * wrong with a puzzle or a state is said in the daemon's words.
 */
#include "client/local.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "client/client.h"
#include "client/state_text.h"
#include "solver/solve.h"

int local_refused(enum error error, const char *text)
{
  fprintf(stderr, "%s: %s\n", error_kinds[error].name, text);
  return EXIT_REFUSED;
}

int local_read(struct task *task, const char *path, struct local *local)
{
  struct complaint complaint;
  *local = (struct local){0};
  int status = task_read_puzzle(task, path);
  if (status)
    return status;
  if (!task->puzzle)
    return task_misuse(task, "%s needs a FILE with the puzzle, or one on standard input",
                       task->command->name);
  int error = arena_new(&task->puzzle->puzzle, &local->arena, &complaint);
  if (error == -ENOMEM)
    return usage_error("out of memory for the puzzle");
  return error ? local_refused(ERROR_BAD_PUZZLE, complaint.text) : 0;
}

/* A solve that took all of the machine's memory would take the machine with it. */
static uint64_t memory_to_use(void)
{
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / 2 : 0;
}

int local_solve(struct task *task, struct local *local)
{
  int status = local_read(task, task->arguments_count ? task->arguments[0] : NULL, local);
  if (status)
    return status;
  const struct solve_options options = {.max_bytes = memory_to_use()};
  int error = solve(local->arena, &options, &local->table);
  if (error == -EFBIG) {
    char words[128];
    snprintf(words, sizeof words, "solving takes %" PRIu64 " bytes, more than half of the memory",
             solve_bytes(local->arena));
    return local_refused(ERROR_TOO_LARGE, words);
  }
  return error ? usage_error("out of memory for the solve") : 0;
}

void local_deinit(struct local *local)
{
  table_free(local->table);
  arena_free(local->arena);
}

static int find_cell(const struct arena *arena, const char *who, uint32_t row, uint32_t *node)
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
  return local_refused(ERROR_BAD_STATE, words);
}

int local_state(struct task *task, const struct arena *arena, struct state *state)
{
  struct cm_state written;
  struct complaint complaint;
  char why[STATE_WHY_MAX];
  *state = arena->start;
  if (!task->options->state)
    return 0;
  if (state_parse(task->options->state, &written, why))
    return task_misuse(task, "%s", why);
  int status = 0;
  if (written.by_row)
    status = find_cell(arena, "mouse", written.mouse_row, &written.mouse);
  if (status == 0 && written.by_row)
    status = find_cell(arena, "cat", written.cat_row, &written.cat);
  if (status)
    return status;
  *state = (struct state){written.mouse, written.cat, (enum player)written.turn};
  return arena_check_state(arena, state, &complaint) < 0
             ? local_refused(ERROR_BAD_STATE, complaint.text)
             : 0;
}

uint32_t local_limit(const struct task *task, const struct arena *arena)
{
  uint32_t limit = task->options->limit_plies;
  return limit == CM_LIMIT_OF_GAME ? arena->limit_plies : limit;
}
