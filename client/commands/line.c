/* The best moves of both players from a state on. */
#include "client/subject.h"

struct line_options {
  uint32_t max; /* 0 where not given */
};

static const struct option_kind own_options[] = {
    {.name = "max",
     .argument = "N",
     .take = take_number,
     .field = offsetof(struct line_options, max),
     .meaning = "at most N moves of a line, 0 for all"},
    {0}};

static int run(struct task *task)
{
  const struct line_options *own = task->own;
  struct subject subject;
  struct cm_state state;
  struct cm_line line;
  int status = subject_find(task, false, &subject);
  if (status == 0)
    status = subject_state(task, &subject, &state);
  if (status)
    return status;
  int result =
      cm_line(task->client, &subject.which, &state, task->options->limit_plies, own->max, &line);
  if (subject_answered(task, &subject, result, line.id, &status))
    show_line(&task->style, &line);
  return status;
}

const struct command command_line = {
    .name = "line",
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
