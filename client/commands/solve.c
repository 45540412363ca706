/* Who wins from the puzzle's own start? */
#include "client/commands/task.h"

struct solve_options {
  bool leetcode;
};

static const struct option_kind own_options[] = {
    {.name = "leetcode",
     .take = take_flag,
     .field = offsetof(struct solve_options, leetcode),
     .meaning = "print what LeetCode asks for: 0, 1, 2 or true, false"},
    {0}};

static int run(struct task *task)
{
  const struct solve_options *own = task->own;
  struct cm_solved solved;
  if (own->leetcode && task->options->json)
    return task_misuse(task, "give --json or --leetcode, not both");
  int status = task_read_puzzle(task, task->arguments_count > 0 ? task->arguments[0] : NULL);
  if (status || !task_answered(task, cm_solve(task->client, task->puzzle, &solved), &status))
    return status;
  if (own->leetcode)
    show_leetcode(&solved);
  else
    show_solved(&task->style, &solved);
  return EXIT_ANSWERED;
}

const struct command command_solve = {
    .name = "solve",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "solve a puzzle: who wins from its start?",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct solve_options),
    .run = run,
};
