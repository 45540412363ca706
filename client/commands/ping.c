/* Does the daemon answer? */
#include <stdio.h>

#include "client/commands/task.h"

static int run(struct task *task)
{
  int status;
  if (task_answered(task, cm_ping(task->client), &status))
    puts("pong");
  return status;
}

const struct command command_ping = {
    .name = "ping",
    .arguments = "",
    .meaning = "see whether the daemon answers",
    .details = "Starts a daemon where none runs, as the commands that ask about puzzles do.",
    .example = "$ cmclient ping\n"
               "pong\n",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
