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
    .needs = NEEDS_DAEMON,
    .shared =
        OPTION(STATE) | OPTION(START) | OPTION(ID) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .run = run,
};
