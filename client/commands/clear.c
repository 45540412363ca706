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
    .details = "Forgets all that is kept, in memory and on disk.",
    .example = "$ cmclient clear\n"
               "Forgot 1 puzzle, 1.1 kB.\n",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
