/* What the daemon keeps, by the names that this user knows. */
#include <stdio.h>

#include "client/commands/task.h"
#include "client/show_daemon.h"

struct list_options {
  bool ids;
};

static const struct option_kind own_options[] = {
    {.name = "ids",
     .take = take_flag,
     .field = offsetof(struct list_options, ids),
     .meaning = "print the ids alone, twelve digits of each"},
    {0}};

static void print_ids(const struct cm_list *list)
{
  for (uint32_t i = 0; i < list->tables_count; i++)
    printf("%.12s\n", list->tables[i].id);
}

static int run(struct task *task)
{
  const struct list_options *own = task->own;
  struct cm_list list;
  struct names names;
  int status;
  if (!task_answered(task, cm_list(task->client, &list), &status))
    return status;
  if (own->ids) {
    print_ids(&list);
    return EXIT_ANSWERED;
  }
  if (names_read(&names) < 0)
    status = task_misuse(task, "out of memory for the list");
  else
    show_list(&task->style, &list, &names);
  names_deinit(&names);
  return status;
}

const struct command command_list = {
    .name = "list",
    .details = "Lists what the daemon keeps, in memory and on disk: id, what this user called it, "
               "nodes, who\n"
               "wins from the start and in how many plies, and when it was last used.",
    .arguments = "",
    .meaning = "list the solved puzzles",
    .example = "$ cmclient list\n"
               "id     name                     nodes start     used\n"
               "a97b71 graph-list.json             13 mouse 7   now\n",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct list_options),
    .run = run,
};
