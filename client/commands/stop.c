/* Has the daemon finish what it was asked, and end. */
#include <stdio.h>

#include "client/commands/task.h"

static int run(struct task *task)
{
  int status;
  if (task_answered(task, cm_shutdown(task->client, NULL), &status))
    puts("The daemon has ended.");
  return status;
}

const struct command command_stop = {
    .name = "stop",
    .arguments = "",
    .meaning = "have the daemon finish and end",
    .details = "The daemon takes nothing new, finishes what it was asked and ends. The next "
               "command that needs\n"
               "one starts it again.",
    .example = "$ cmclient stop\n"
               "The daemon has ended.\n",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
