#include "client/subject.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/client.h"
#include "client/names.h"
#include "client/puzzle_input.h"
#include "client/state_text.h"

/* Where a grid's players stand; the solver has found one of each by then. */
static void find_marks(const struct puzzle *puzzle, struct cm_state *start)
{
  uint32_t node = 0;
  for (uint32_t row = 0; row < puzzle->grid.rows; row++) {
    for (uint32_t col = 0; col < puzzle->grid.row_length[row]; col++, node++) {
      if (puzzle->grid.row[row][col] == 'M')
        start->mouse = node;
      else if (puzzle->grid.row[row][col] == 'C')
        start->cat = node;
    }
  }
}

static void describe(const struct cm_puzzle *puzzle, const char *name, struct last *last)
{
  const struct puzzle *read = &puzzle->puzzle;
  *last = (struct last){.game = cm_puzzle_game(puzzle), .start = {.mouse = 1, .cat = 2}};
  snprintf(last->name, sizeof last->name, "%s", name);
  if (read->game == GAME_GRAPH) {
    last->nodes = read->graph.nodes;
    return;
  }
  last->cols = read->grid.row_length[0];
  last->nodes = read->grid.rows * last->cols;
  find_marks(read, &last->start);
}

/* Asking about the same puzzle again tells nothing new. */
void subject_note(const struct cm_puzzle *puzzle, const char *name, const char *id,
                  const struct cm_verdict *verdict)
{
  struct last before, last;
  const bool is_known = last_read(&before) == 0 && strcmp(before.id, id) == 0;
  describe(puzzle, name, &last);
  memcpy(last.id, id, sizeof last.id);
  last_write(&last);
  if (verdict || !is_known)
    names_add(id, &last.start, verdict, name);
}

/* An id says nothing of where a grid's players start, but this user may have had the puzzle before. */
static void find_by_id(const char *id, struct subject *subject)
{
  struct names names;
  subject->which.id = id;
  subject->knows_start =
      last_read(&subject->last) == 0 && strncasecmp(subject->last.id, id, strlen(id)) == 0;
  if (subject->knows_start || names_read(&names) < 0)
    return;
  const struct named *named = names_find(&names, id);
  if (named)
    subject->last.start = named->start;
  subject->knows_start = named != NULL;
  names_deinit(&names);
}

static int find_last(struct task *task, struct subject *subject)
{
  if (last_read(&subject->last))
    return task_misuse(task,
                       "no puzzle is given and none was solved yet: name a FILE, pipe one in, "
                       "or give --id");
  subject->is_last = subject->knows_start = true;
  subject->which.id = subject->last.id;
  return 0;
}

static int solve_first(struct task *task, struct subject *subject)
{
  struct cm_solved solved;
  int result = cm_solve(task->client, task->puzzle, &solved);
  if (result < 0)
    return task_call_failed(task, result);
  memcpy(subject->solved_id, solved.id, sizeof subject->solved_id);
  subject->which = (struct cm_which){.id = subject->solved_id};
  return 0;
}

/* What is wrong with the command line is said before anything is read. */
static int check_state(struct task *task)
{
  struct cm_state state;
  char why[STATE_WHY_MAX];
  if (task->options->state && task->options->start)
    return task_misuse(task, "give --state or --start, not both");
  if (task->options->state && state_parse(task->options->state, &state, why))
    return task_misuse(task, "%s", why);
  return 0;
}

int subject_read(struct task *task, bool may_be_input, struct subject *subject)
{
  const char *id = task->options->id;
  *subject = (struct subject){0};
  int status = check_state(task);
  if (status)
    return status;
  if (id && task->arguments_count > 0)
    return task_misuse(task, "give a FILE or --id, not both");
  if (!id && (task->arguments_count > 0 || may_be_input))
    status = puzzle_input_take(task, task->arguments_count ? task->arguments[0] : NULL);
  if (status)
    return status;
  if (id)
    find_by_id(id, subject);
  else if (!task->puzzle)
    return find_last(task, subject);
  if (!task->puzzle)
    return 0;
  describe(task->puzzle, task->puzzle_name, &subject->last);
  subject->knows_start = true;
  subject->which.puzzle = task->puzzle;
  return 0;
}

int subject_find(struct task *task, bool by_id, struct subject *subject)
{
  int status = subject_read(task, true, subject);
  if (status || !task->puzzle)
    return status;
  return by_id || progress_line_wanted() ? solve_first(task, subject) : 0;
}

int subject_state(struct task *task, const struct subject *subject, struct cm_state *state)
{
  char why[STATE_WHY_MAX];
  if (task->options->state)
    return state_parse(task->options->state, state, why) ? task_misuse(task, "%s", why) : 0;
  if (!subject->knows_start)
    return task_misuse(task,
                       "no puzzle that you solved has id %.64s, and an id does not say where the "
                       "players start: give --state M,C,T",
                       task->options->id);
  *state = subject->last.start;
  return 0;
}

/* The daemon may have forgotten what this user solved last, or never have known it. */
int subject_failed(struct task *task, const struct subject *subject, int result)
{
  char words[160], details[256];
  if (!subject->is_last || task->client->error_kind != ERROR_UNKNOWN_ID)
    return task_call_failed(task, result);
  last_words(&subject->last, words);
  snprintf(details, sizeof details, "The last %s, is no longer kept: solve it again.\n", words);
  return task_fail(task, EXIT_REFUSED, cm_error_name(task->client), cm_error(task->client),
                   details);
}

void subject_tell(const struct subject *subject, FILE *to)
{
  char words[160];
  if (!subject->is_last)
    return;
  last_words(&subject->last, words);
  fprintf(to, "%s\n", words);
}

bool subject_answered(struct task *task, struct subject *subject, int result, const char *id,
                      int *status)
{
  if (result < 0) {
    *status = subject_failed(task, subject, result);
    return false;
  }
  if (task->puzzle)
    subject_note(task->puzzle, task->puzzle_name, id, NULL);
  if (!task_answered(task, result, status))
    return false;
  subject_tell(subject, stdout);
  return true;
}
