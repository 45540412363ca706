/* Entries of a cache, as small as they get, and the end of those that it drops. What cannot be done fails the test. */
#ifndef CATMOUSE_TESTS_DAEMON_CACHE_ENTRIES_H
#define CATMOUSE_TESTS_DAEMON_CACHE_ENTRIES_H

#include "daemon/cache/cache.h"

enum { ENTRY_NODES = 3 };

/* With one reference, the caller's. The table's cells are `width` bytes wide. */
struct solved *entry_add(struct cache *cache, const struct id *id, uint32_t width);

/* Frees what the cache has dropped, as the daemon does once a round of its loop. */
void entries_give_back(struct cache *cache);

#endif
