/* The best moves of both players from a state on. */
#include "client/commands/task.h"
#include "client/state_text.h"

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
  if (!task->options->state)
    return task_misuse(task, "line needs --state M,C,T");
  int status = state_parse(task->options->state, &state);
  if (status == 0)
    status = task_find_subject(task, false, &subject);
  if (status)
    return status;
  int result =
      cm_line(task->client, &subject.which, &state, task->options->limit_plies, own->max, &line);
  if (task_answered(task, result, &status))
    show_line(&task->style, &line);
  return status;
}

const struct command command_line = {
    .name = "line",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "play best moves from a state to the end",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(STATE) | OPTION(ID) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct line_options),
    .run = run,
};
