/* Forgets all that the daemon keeps. */
#include "client/commands/task.h"
#include "client/show_daemon.h"

static int run(struct task *task)
{
  struct cm_evicted evicted;
  int status;
  if (task_answered(task, cm_clear(task->client, &evicted), &status))
    show_evicted(&evicted);
  return status;
}

const struct command command_clear = {
    .name = "clear",
    .arguments = "",
    .meaning = "forget every solved puzzle",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
