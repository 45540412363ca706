/* What looking at the folder finds: made on the loop's thread, filled on the writers', merged on the loop's. */
#ifndef CATMOUSE_DAEMON_STORE_SCAN_H
#define CATMOUSE_DAEMON_STORE_SCAN_H

#include "daemon/store/inside.h"

struct table_entry {
  struct id id;
  uint64_t bytes;
  bool claimed; /* by a puzzle */
};

struct scan {
  struct job job;
  struct store *store;
  bool reopen;
  unsigned clears, tables_gone; /* the store's and its index's, when it began */
  bool whole;                   /* from the beginning: nothing is known yet */
  struct link waiters;          /* who came before it began */
  struct link entries;          /* of an index that is no longer true, to be freed */
  struct segment_use *segments; /* owned: what was known, then what was found */
  uint32_t segment_count;
  struct found *found; /* owned; the least recently used first */
  size_t found_count, found_room, merged;
  struct table_entry *tables; /* owned, by id */
  size_t table_count, table_room;
  uint64_t damaged_bytes;
  bool was_read;   /* the folder could be opened, and all of it listed */
  bool incomplete; /* a segment could not be read */
  bool lacked;     /* memory to take all over */
  bool has_current;
  struct id current;
};

/* The job's run(). */
void scan_run(struct job *job);

#endif
