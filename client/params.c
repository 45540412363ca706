/*
 * What a caller of the library gave, as parameters of the request. What could be no id or state of any puzzle
 * ends the call with -EINVAL here; the rest the daemon judges.
 */
#include "client/params.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "solver/id.h"

/* Nothing is asked, and what the last call left goes as if something had been. */
static int refuse(struct cm_client *client, const char *sentence)
{
  client_forget(client);
  return client_fail(client, -EINVAL, "%s", sentence);
}

int params_set_id(struct cm_client *client, struct request *request, const char *id)
{
  if (!id)
    return refuse(client, "no id is given");
  const size_t digits = strspn(id, "0123456789abcdefABCDEF");
  if (id[digits] != '\0' || digits < ID_PREFIX_MIN || digits > ID_TEXT) {
    client_forget(client);
    return client_fail(client, -EINVAL,
                       "'%.70s' is no id: that is %d to %d digits, 0 to 9 and a to f", id,
                       ID_PREFIX_MIN, ID_TEXT);
  }
  for (size_t i = 0; id[i]; i++)
    request->puzzle_id[i] = (char)tolower((unsigned char)id[i]);
  request->given |= P(ID);
  return 0;
}

void params_set_puzzle(struct request *request, const struct cm_puzzle *puzzle)
{
  request->puzzle = puzzle->puzzle;
  request->given |= P(PUZZLE);
}

int params_set_which(struct cm_client *client, struct request *request,
                     const struct cm_which *which)
{
  if (which && which->puzzle)
    params_set_puzzle(request, which->puzzle);
  return which && which->id ? params_set_id(client, request, which->id) : 0;
}

int params_set_state(struct cm_client *client, struct request *request,
                     const struct cm_state *state, uint32_t limit_plies)
{
  if (state->turn != CM_MOUSE && state->turn != CM_CAT)
    return refuse(client, "a state's turn is neither the mouse's nor the cat's");
  request->state = (struct state){state->mouse, state->cat, (enum player)state->turn};
  request->by_row = state->by_row;
  request->mouse_row = state->mouse_row;
  request->cat_row = state->cat_row;
  request->given |= P(STATE);
  if (limit_plies == CM_LIMIT_OF_GAME)
    return 0;
  request->limit_plies = limit_plies;
  request->given |= P(LIMIT);
  return 0;
}
