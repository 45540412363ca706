/* Forgets puzzles that the daemon keeps, each named by its id or by the file that holds it. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "client/client.h"
#include "client/commands/task.h"
#include "client/puzzle_input.h"
#include "client/show_daemon.h"
#include "solver/arena.h"
#include "solver/id.h"

static bool is_id(const char *text)
{
  const size_t digits = strspn(text, "0123456789abcdefABCDEF");
  return text[digits] == '\0' && digits >= ID_PREFIX_MIN && digits <= ID_TEXT;
}

/* The id of the file's puzzle, which nobody need have solved. */
static int file_id(struct task *task, const char *path, char text[static ID_TEXT + 1])
{
  struct complaint complaint;
  struct arena *arena;
  struct id id;
  cm_puzzle_free(task->puzzle);
  task->puzzle = NULL;
  if (strcmp(path, "-") != 0 && access(path, F_OK) < 0)
    return task_misuse(task,
                       "%s is no file, and no id: that is %d digits or more, 0 to 9 and a to f",
                       path, ID_PREFIX_MIN);
  int status = puzzle_input_take(task, path);
  if (status)
    return status;
  if (arena_new(&task->puzzle->puzzle, &arena, &complaint))
    return task_misuse(task, "out of memory for the puzzle");
  arena_id(arena, &id);
  arena_free(arena);
  id_format(&id, text);
  return 0;
}

static int evict(struct task *task, const char *argument, struct cm_evicted *sum)
{
  char id[ID_TEXT + 1];
  struct cm_evicted evicted;
  int status = EXIT_ANSWERED;
  if (!is_id(argument)) {
    status = file_id(task, argument, id);
    if (status)
      return status;
    argument = id;
  }
  int result = cm_evict(task->client, argument, &evicted);
  if (task_answered(task, result, &status)) {
    sum->puzzles += evicted.puzzles;
    sum->bytes += evicted.bytes;
  }
  return status;
}

static int run(struct task *task)
{
  struct cm_evicted sum = {0};
  int first = EXIT_ANSWERED;
  for (int i = 0; i < task->arguments_count && first != EXIT_UNREACHABLE; i++) {
    int status = evict(task, task->arguments[i], &sum);
    first = first ? first : status;
  }
  if (!task->options->json && sum.puzzles > 0)
    show_evicted(&sum);
  return first;
}

const struct command command_evict = {
    .name = "evict",
    .arguments = "ID|FILE...",
    .arguments_min = 1,
    .arguments_max = INT_MAX,
    .meaning = "forget solved puzzles",
    .details =
        "Forgets puzzles in memory and on disk. An argument is an id, or a file with the puzzle.",
    .example = "$ cmclient evict a97b71\n"
               "Forgot 1 puzzle, 1.1 kB.\n",
    .needs = NEEDS_CLIENT,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
