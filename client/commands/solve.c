/* Who wins from each puzzle's own start? */
#include <stdio.h>

#include "client/client.h"
#include "client/puzzle_input.h"
#include "client/subject.h"
#include "proto/limits.h"

struct solve_options {
  bool leetcode;
};

static const struct option_kind own_options[] = {
    {.name = "leetcode",
     .take = take_flag,
     .field = offsetof(struct solve_options, leetcode),
     .meaning = "print what LeetCode asks for: 0, 1, 2 or true, false"},
    {0}};

static int solve_puzzle(struct task *task, const struct puzzle_input *input, uint32_t index)
{
  const struct solve_options *own = task->own;
  const struct cm_puzzle puzzle = {.puzzle = input->text->puzzles[index].puzzle};
  char name[LAST_NAME_MAX];
  struct cm_solved solved;
  struct fault fault;
  int status;
  if (puzzle_check_limits(&puzzle.puzzle, &message_limits_default, &fault))
    return task_fail(task, EXIT_REFUSED, "E_LIMIT", fault.text, NULL);
  int result = cm_solve(task->client, &puzzle, &solved);
  if (result == 0) {
    puzzle_input_name(input, index, name);
    subject_note(&puzzle, name, solved.id, &(struct cm_verdict){solved.outcome, solved.plies});
  }
  if (!task_answered(task, result, &status))
    return status;
  if (own->leetcode) {
    show_leetcode(&solved);
    return EXIT_ANSWERED;
  }
  if (input->text->puzzles_count > 1)
    printf("%scase %u\n", index > 0 ? "\n" : "", (unsigned)index + 1);
  style_set_puzzle(&task->style, &puzzle);
  show_solved(&task->style, &solved);
  style_set_puzzle(&task->style, NULL);
  return EXIT_ANSWERED;
}

/* Every puzzle is answered that can be, and whatever is wrong is told; the first failure is the command's. */
static int solve_text(struct task *task, const struct puzzle_input *input)
{
  const struct text *text = input->text;
  int first = EXIT_ANSWERED;
  for (uint32_t i = 0; i < text->puzzles_count; i++) {
    const struct text_puzzle *puzzle = &text->puzzles[i];
    int status = puzzle->faults.count > 0 ? puzzle_input_tell(task, input, &puzzle->faults)
                                          : solve_puzzle(task, input, i);
    first = first ? first : status;
    if (status == EXIT_UNREACHABLE)
      return first;
  }
  if (text->faults.count > 0) {
    int status = puzzle_input_tell(task, input, &text->faults);
    first = first ? first : status;
  }
  return first;
}

static int solve_file(struct task *task, const char *path)
{
  struct puzzle_input input;
  int status = puzzle_input_read(task, path, &input);
  if (status == 0)
    status = solve_text(task, &input);
  puzzle_input_deinit(&input);
  return status;
}

static int run(struct task *task)
{
  const struct solve_options *own = task->own;
  int first = EXIT_ANSWERED;
  if (own->leetcode && task->options->json)
    return task_misuse(task, "give --json or --leetcode, not both");
  if (task->arguments_count == 0)
    return solve_file(task, "-");
  for (int i = 0; i < task->arguments_count; i++) {
    if (task->arguments_count > 1 && !own->leetcode && !task->options->json)
      printf("%s%s:\n", i > 0 ? "\n" : "", task->arguments[i]);
    int status = solve_file(task, task->arguments[i]);
    first = first ? first : status;
    if (status == EXIT_UNREACHABLE)
      break;
  }
  return first;
}

const struct command command_solve = {
    .name = "solve",
    .details =
        "Says who wins from the start of each puzzle, in how many plies, and the puzzle's id. "
        "Several\n"
        "puzzles in one text are numbered. What is wrong with one is shown with its line and what\n"
        "would be right. What commands without a puzzle are about from then on is the last of "
        "them.",
    .example = "$ cmclient solve examples/puzzles/graph-list.json\n"
               "The mouse wins in 7 plies.\n"
               "graph of 13 nodes, 338 states, table of 338 bytes, solved in 11 µs\n"
               "start 1,2,mouse\n"
               "id a97b718de8ee4fd862748986896c44ba34c3aac06f24b9b20dd0a5722f4fbc4b\n",
    .arguments = "[FILE|-]...",
    .arguments_max = INT_MAX,
    .meaning = "solve puzzles: who wins from their starts?",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct solve_options),
    .run = run,
};
