/* How many states of a puzzle each player wins, and in how many plies. */
#include "client/subject.h"

static int run(struct task *task)
{
  struct subject subject;
  struct cm_stats stats;
  int status = subject_find(task, true, &subject);
  if (status)
    return status;
  int result = cm_stats(task->client, subject.which.id, &stats);
  if (subject_answered(task, &subject, result, stats.id, &status))
    show_stats(&task->style, &stats);
  return status;
}

const struct command command_stats = {
    .name = "stats",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "count the outcomes of every state",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(ID) | OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
