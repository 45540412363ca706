/* Who wins from a state, and by which moves? */
#include "client/subject.h"

static int run(struct task *task)
{
  struct subject subject;
  struct cm_state state;
  struct cm_query query;
  int status = subject_find(task, false, &subject);
  if (status == 0)
    status = subject_state(task, &subject, &state);
  if (status)
    return status;
  int result = cm_query(task->client, &subject.which, &state, task->options->limit_plies, &query);
  if (subject_answered(task, &subject, result, query.id, &status))
    show_query(&task->style, &query);
  return status;
}

const struct command command_query = {
    .name = "query",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "who wins from a state, and by which moves?",
    .needs = NEEDS_DAEMON,
    .shared =
        OPTION(STATE) | OPTION(START) | OPTION(ID) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
