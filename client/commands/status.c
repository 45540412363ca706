/* How the daemon is doing. */
#include "client/commands/task.h"

static int run(struct task *task)
{
  struct cm_status daemon;
  int status;
  if (task_answered(task, cm_status(task->client, &daemon), &status))
    show_status(&daemon);
  return status;
}

const struct command command_status = {
    .name = "status",
    .arguments = "",
    .meaning = "say how the daemon is doing",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
