/* The best moves of both players from a state on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/show_line.h"

/* Each ply's alternatives are asked for; past so many nobody reads on. */
enum { PLIES_LOOKED_INTO = 1000 };

struct line_options {
  uint32_t max; /* 0 where not given */
  uint32_t pictures;
};

static const struct option_kind own_options[] = {
    {.name = "max",
     .argument = "N",
     .take = take_number,
     .field = offsetof(struct line_options, max),
     .meaning = "at most N moves of a line, 0 for all"},
    {.name = "pictures",
     .argument = "N",
     .take = take_number,
     .field = offsetof(struct line_options, pictures),
     .meaning = "draw a grid that is given again after every N plies"},
    {0}};

/* Is the first of the moves the only one that comes to the same outcome? */
static bool is_only(const struct cm_query *query)
{
  return query->moves_count == 1 ||
         (query->moves_count > 1 && query->moves[1].outcome != query->moves[0].outcome);
}

/* The limit that holds after so many plies. */
static uint32_t limit_after(const struct task *task, uint32_t ply)
{
  const uint32_t limit = task->options->limit_plies;
  return limit == CM_LIMIT_OF_GAME || limit == CM_LIMIT_NONE ? limit : limit - ply;
}

static int look_into(struct task *task, struct shown_line *shown)
{
  struct cm_state state = shown->line.state;
  const struct cm_which which = {.id = shown->line.id};
  for (uint32_t ply = 0; ply < shown->line.moves_count && ply < PLIES_LOOKED_INTO; ply++) {
    struct cm_query query;
    int result = cm_query(task->client, &which, &state, limit_after(task, ply), &query);
    if (result < 0)
      return result;
    shown->only[ply] = is_only(&query);
    shown->known_count = ply + 1;
    *(state.turn == CM_MOUSE ? &state.mouse : &state.cat) = shown->moves[ply];
    state.turn = state.turn == CM_MOUSE ? CM_CAT : CM_MOUSE;
  }
  return 0;
}

static int copy_moves(struct shown_line *shown)
{
  const size_t count = shown->line.moves_count;
  shown->moves = malloc((count + 1) * sizeof *shown->moves);
  shown->only = calloc(count + 1, sizeof *shown->only);
  if (!shown->moves || !shown->only)
    return -ENOMEM;
  if (count > 0)
    memcpy(shown->moves, shown->line.moves, count * sizeof *shown->moves);
  return 0;
}

static int show(struct task *task, struct shown_line *shown)
{
  const struct line_options *own = task->own;
  int status = EXIT_ANSWERED;
  shown->pictures = own->pictures;
  shown->limit_plies = task->options->limit_plies;
  int result = copy_moves(shown);
  if (result == 0)
    result = look_into(task, shown);
  if (result == -ENOMEM)
    status = task_misuse(task, "out of memory for the line");
  else if (result < 0)
    status = task_call_failed(task, result);
  else
    show_line(&task->style, shown);
  free(shown->moves);
  free(shown->only);
  return status;
}

static int run(struct task *task)
{
  const struct line_options *own = task->own;
  struct subject subject;
  struct cm_state state;
  struct limited limited;
  struct shown_line shown = {0};
  int result = 0;
  int status = subject_find(task, false, &subject);
  if (status == 0)
    status = subject_state(task, &subject, &state);
  if (status)
    return status;
  if (limited_is_wanted(task)) {
    result = limited_ask(task, &subject, &state, &limited);
    shown.limited = &limited;
  }
  if (result == 0)
    result = cm_line(task->client, &subject.which, &state, task->options->limit_plies, own->max,
                     &shown.line);
  if (!subject_answered(task, &subject, result, shown.line.id, &status))
    return status;
  return show(task, &shown);
}

const struct command command_line = {
    .name = "line",
    .details = "Plays best moves until the game is over, a state comes again, or a limit is "
               "reached. Each ply\n"
               "is shown with the state that it leads to, as --state takes it, and with \"only "
               "move\" where no\n"
               "other comes to the same outcome.",
    .example = "$ cmclient line examples/puzzles/grid-leetcode.txt\n"
               "The mouse wins in 5 plies.\n"
               "mouse at 2:0, cat at 1:1, the mouse to move\n"
               "  1. mouse to 2:2       2:2,1:1,cat      only move\n"
               "  2. cat   stays at 1:1 2:2,1:1,mouse\n"
               "  3. mouse to 2:4       2:4,1:1,cat\n"
               "  4. cat   stays at 1:1 2:4,1:1,mouse\n"
               "  5. mouse to 0:4       0:4,1:1,cat\n"
               "     home\n",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "play best moves from a state to the end",
    .needs = NEEDS_DAEMON,
    .shared =
        OPTION(STATE) | OPTION(START) | OPTION(ID) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct line_options),
    .run = run,
};
