/*
 * Puzzles that were forgotten while the folder is looked at, or a segment cleaned: the look may have found their
 * records before, or they may have been copied, which would bring them back. What was kept since lies higher, or is
 * in the index by itself.
 */
#include <stdlib.h>

#include "daemon/store/inside.h"

static struct stored *find(const struct store *store, const struct id *id)
{
  struct id_node *node = id_map_find(&store->dropped, id);
  return node ? container_of(node, struct stored, node) : NULL;
}

/* Of one that is forgotten twice, the higher place counts. */
static void remember(struct store *store, struct stored *stored)
{
  struct stored *before = find(store, &stored->node.id);
  list_append(&store->dropped_entries, &stored->recency);
  if (before && place_is_before(&stored->place, &before->place))
    return;
  if (before)
    id_map_remove(&store->dropped, &before->node);
  id_map_add(&store->dropped, &stored->node);
}

void store_drop(struct store *store, struct stored *stored)
{
  store_drop_current(store, &stored->node.id);
  index_take(&store->index, stored);
  if (store->scanning || store->cleaning)
    remember(store, stored);
  else
    free(stored);
}

/* Without memory for that it is listed until somebody asks for it. */
void store_drop_copy(struct store *store, const struct id *id, const struct place *place)
{
  store_mark(store, id, place, 0);
  struct stored *stored = store->scanning ? calloc(1, sizeof *stored) : NULL;
  if (!stored)
    return;
  stored->node.id = *id;
  stored->place = *place;
  remember(store, stored);
}

bool store_was_dropped(struct store *store, const struct found *found)
{
  const struct stored *dropped = find(store, &found->id);
  if (!dropped || place_is_before(&dropped->place, &found->place))
    return false;
  if (place_is_before(&found->place, &dropped->place))
    store_mark(store, &found->id, &found->place, 0);
  return true;
}

void store_undrop(struct store *store, const struct id *id)
{
  struct stored *dropped = find(store, id);
  if (dropped)
    id_map_remove(&store->dropped, &dropped->node);
}

void store_end_drops(struct store *store)
{
  if (store->scanning || store->cleaning)
    return;
  id_map_clear(&store->dropped);
  index_free_entries(&store->dropped_entries);
}
