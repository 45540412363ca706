/* Who wins from a state, and by which moves? */
#include "client/limited.h"

static int run(struct task *task)
{
  struct subject subject;
  struct cm_state state;
  struct cm_query query;
  struct limited limited;
  char words[LIMITED_WORDS_MAX];
  int result = 0;
  int status = subject_find(task, false, &subject);
  if (status == 0)
    status = subject_state(task, &subject, &state);
  if (status)
    return status;
  const bool is_limited = limited_is_wanted(task);
  if (is_limited)
    result = limited_ask(task, &subject, &state, &limited);
  if (result == 0)
    result = cm_query(task->client, &subject.which, &state, task->options->limit_plies, &query);
  if (!subject_answered(task, &subject, result, query.id, &status))
    return status;
  if (is_limited)
    limited_words(&limited, &(struct cm_verdict){query.outcome, query.plies}, words);
  show_query(&task->style, &query, is_limited ? words : NULL);
  return EXIT_ANSWERED;
}

const struct command command_query = {
    .name = "query",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "who wins from a state, and by which moves?",
    .details = "Says who wins from a state when both play best, and ranks the moves there: winning "
               "ones by\n"
               "fewest plies, then endless ones, then losing ones by most plies. A grid that is "
               "given as text\n"
               "is drawn, with the best move as * and the others as o. With --limit, the verdict "
               "without a\n"
               "limit is told beside.",
    .example = "$ cmclient query --state 4,2,cat examples/puzzles/graph-list.json\n"
               "The mouse wins in 6 plies.\n"
               "mouse at 4, cat at 2, the cat to move\n"
               "  1. to 9        The mouse wins in 5 plies.\n"
               "  2. to 12       The mouse wins in 5 plies.\n",
    .needs = NEEDS_DAEMON,
    .shared =
        OPTION(STATE) | OPTION(START) | OPTION(ID) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
