/*
 * The cache is looked at first, then the store: both may have the puzzle. Digits that begin the ids of several name
 * none, and that is told; so is that there is none.
 */
#include "daemon/named.h"

#include <string.h>

static int find_current(struct server *server, struct named *named, struct fault *fault)
{
  struct id id;
  named->solved = server->cache.current;
  if (!named->solved && store_current(server->store, &id))
    named->solved = cache_find(&server->cache, &id);
  if (named->solved)
    id = named->solved->node.id;
  else if (!store_current(server->store, &id))
    return fault_set(fault, ERROR_NO_PUZZLE,
                     "no puzzle was solved yet, so name one by puzzle or id");
  named->stored = store_find(server->store, &id);
  if (!named->solved && !named->stored)
    return fault_set(fault, ERROR_NO_PUZZLE,
                     "the puzzle last solved is gone, so name one by puzzle or id");
  return 0;
}

int find_named(struct server *server, const struct request *request, struct named *named,
               struct fault *fault)
{
  *named = (struct named){0};
  if (!request_has(request, PARAM_ID))
    return find_current(server, named, fault);
  const char *digits = request->puzzle_id;
  uint32_t solved = cache_find_prefix(&server->cache, digits, &named->solved);
  if (solved == 1 && strlen(digits) == ID_TEXT)
    return 0;
  uint32_t stored = store_find_prefix(server->store, digits, &named->stored);
  uint32_t fits = solved > stored ? solved : stored;
  if (named->solved && named->stored &&
      memcmp(&named->solved->node.id, &named->stored->node.id, sizeof(struct id)) != 0)
    fits = 2;
  if (fits == 1)
    return 0;
  if (fits == 0)
    return fault_set(fault, ERROR_UNKNOWN_ID, "no solved puzzle has id %s", digits);
  return fault_set(fault, ERROR_UNKNOWN_ID, "%u solved puzzles have ids that begin with %s", fits,
                   digits);
}
