/* Is each state of a table what its successors say? */
#include "client/subject.h"

static int run(struct task *task)
{
  struct subject subject;
  struct cm_verify verify;
  int status = subject_find(task, true, &subject);
  if (status)
    return status;
  int result = cm_verify(task->client, subject.which.id, &verify);
  if (subject_answered(task, &subject, result, verify.id, &status))
    show_verify(&verify);
  return status;
}

const struct command command_verify = {
    .name = "verify",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "check every state against its successors",
    .details = "Goes through the whole table: each state must be what the rules make of the states "
               "that its\n"
               "moves lead to.",
    .example = "$ cmclient verify examples/puzzles/graph-list.json\n"
               "Correct: 312 states agree with their successors.\n",
    .needs = NEEDS_DAEMON,
    .shared = OPTION(ID) | OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
