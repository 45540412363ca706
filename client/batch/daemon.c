#include "client/batch/daemon.h"

#include <errno.h>

#include "client/client.h"

static void *open_client(void *context)
{
  struct cm_client *client;
  return cm_open(context, &client) == 0 ? client : NULL;
}

static void close_client(void *remote)
{
  cm_close(remote);
}

struct remotes daemon_remotes(const struct cm_options *options)
{
  return (struct remotes){open_client, close_client, (void *)options};
}

int daemon_ask(void *context, struct item *item, const struct puzzle *puzzle,
               const struct state *state, uint32_t limit_plies, bool best, struct answer *answer)
{
  struct cm_client *client = context;
  struct cm_puzzle whole = {.puzzle = *puzzle};
  const struct cm_which which = {.puzzle = &whole};
  const struct cm_state from = {state->mouse, state->cat, (enum cm_player)state->turn,
                                .by_row = false};
  struct cm_query query;
  int error = cm_query(client, &which, &from, limit_plies, &query);
  if (error < 0) {
    item_refuse(item, "%s", cm_error(client));
    return error == -EREMOTEIO ? -EINVAL : -EREMOTEIO;
  }
  answer->outcome = (enum outcome)query.outcome;
  answer->plies = query.plies;
  answer->best = best && query.moves_count > 0 ? query.moves[0].to : NO_MOVE;
  return 0;
}
