/* Forgets a puzzle that the daemon keeps. */
#include "client/commands/task.h"

static int run(struct task *task)
{
  struct cm_evicted evicted;
  int status;
  if (task_answered(task, cm_evict(task->client, task->arguments[0], &evicted), &status))
    show_evicted(&evicted);
  return status;
}

const struct command command_evict = {
    .name = "evict",
    .arguments = "ID",
    .arguments_min = 1,
    .arguments_max = 1,
    .meaning = "forget a solved puzzle",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
