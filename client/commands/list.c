/* What the daemon keeps, by the names that this user knows. */
#include "client/commands/task.h"
#include "client/show_daemon.h"

static int run(struct task *task)
{
  struct cm_list list;
  struct names names;
  int status;
  if (!task_answered(task, cm_list(task->client, &list), &status))
    return status;
  if (names_read(&names) < 0)
    status = task_misuse(task, "out of memory for the list");
  else
    show_list(&task->style, &list, &names);
  names_deinit(&names);
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
