/* Who wins from a state, and by which moves? */
#include "client/commands/task.h"
#include "client/state_text.h"

static int run(struct task *task)
{
  struct subject subject;
  struct cm_state state;
  struct cm_query query;
  if (!task->options->state)
    return task_misuse(task, "query needs --state M,C,T");
  int status = state_parse(task->options->state, &state);
  if (status == 0)
    status = task_find_subject(task, false, &subject);
  if (status)
    return status;
  int result = cm_query(task->client, &subject.which, &state, task->options->limit_plies, &query);
  if (task_answered(task, result, &status))
    show_query(&task->style, &query);
  return status;
}

const struct command command_query = {
    .name = "query",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "who wins from a state, and by which moves?",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(STATE) | OPTION(ID) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
