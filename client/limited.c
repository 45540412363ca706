#include "client/limited.h"

#include <inttypes.h>
#include <stdio.h>

#include "client/words.h"

bool limited_is_wanted(const struct task *task)
{
  const uint32_t limit = task->options->limit_plies;
  return limit != CM_LIMIT_OF_GAME && limit != CM_LIMIT_NONE && !task->options->json;
}

int limited_ask(struct task *task, const struct subject *subject, const struct cm_state *state,
                struct limited *limited)
{
  struct cm_query query;
  int result = cm_query(task->client, &subject->which, state, CM_LIMIT_NONE, &query);
  if (result == 0)
    *limited = (struct limited){task->options->limit_plies, {query.outcome, query.plies}};
  return result;
}

static void part_words(const struct cm_verdict *verdict, char words[static WORDS_MAX])
{
  char plies[WORDS_MAX];
  count_words(verdict->plies, "ply", "plies", plies);
  if (verdict->outcome == CM_DRAW)
    snprintf(words, WORDS_MAX, "a draw");
  else if (verdict->plies == CM_PLIES_NONE)
    snprintf(words, WORDS_MAX, "the %s wins, as nobody can force the end",
             player_name((enum cm_player)verdict->outcome));
  else
    snprintf(words, WORDS_MAX, "the %s wins in %.40s",
             player_name((enum cm_player)verdict->outcome), plies);
}

void limited_words(const struct limited *limited, const struct cm_verdict *within,
                   char words[static LIMITED_WORDS_MAX])
{
  char plies[WORDS_MAX], inside[WORDS_MAX], without[WORDS_MAX];
  const bool same =
      within->outcome == limited->without.outcome && within->plies == limited->without.plies;
  count_words(limited->limit_plies, "ply", "plies", plies);
  part_words(within, inside);
  part_words(&limited->without, without);
  snprintf(words, LIMITED_WORDS_MAX, "Within %.20s: %.60s%s%.60s.", plies, inside,
           same ? ", as without a limit" : "; without a limit ", same ? "" : without);
}
