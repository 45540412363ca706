/* What the daemon keeps. */
#include "client/commands/task.h"

static int run(struct task *task)
{
  struct cm_list list;
  int status;
  if (task_answered(task, cm_list(task->client, &list), &status))
    show_list(&list);
  return status;
}

const struct command command_list = {
    .name = "list",
    .arguments = "",
    .meaning = "list the solved puzzles",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
