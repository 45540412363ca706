/* Where the daemon listens, whether one does or not. */
#include <errno.h>
#include <stdio.h>

#include "client/commands/task.h"

static int run(struct task *task)
{
  const char *path = cm_socket(task->client);
  if (!path)
    return task_call_failed(task, -EINVAL);
  puts(path);
  return EXIT_ANSWERED;
}

const struct command command_sockname = {
    .name = "sockname",
    .arguments = "",
    .meaning = "print where the daemon listens",
    .details = "Nobody need listen there.",
    .example = "$ cmclient sockname\n"
               "/run/user/1000/catmouse/daemon.sock\n",
    .needs = NEEDS_CLIENT,
    .run = run,
};
