/*
 * What is on disk, in memory: each puzzle's id, where it lies, how large its table's file is, and when
 * it was last used. About a hundred bytes a puzzle. For one thread alone.
 */
#ifndef CATMOUSE_DAEMON_STORE_INDEX_H
#define CATMOUSE_DAEMON_STORE_INDEX_H

#include "daemon/id_map.h"
#include "daemon/list.h"
#include "daemon/store/puzzle_log.h"

/* A puzzle on disk. */
struct stored {
  struct id_node node;  /* private to index.c but for the id */
  struct link recency;  /* of all puzzles */
  struct link by_table; /* of those that have a table on disk, or alone */
  struct place place;
  uint32_t nodes;
  enum game game;
  uint32_t used_s;      /* when it was last asked for, in seconds since 1970 */
  uint32_t marked_s;    /* the same, as it is on disk */
  uint64_t table_bytes; /* of its table's file, 0 where there is none */
};

struct segment_use {
  uint32_t segment;
  uint64_t bytes;      /* of the file, as far as it was looked at or written */
  uint64_t read_bytes; /* of the file, as far as no record is unknown */
  uint64_t live_bytes; /* of the records that the index points to */
  bool damaged;        /* what is whole in it should move, and the file be set aside */
  bool left; /* it could not be cleaned: another daemon appends to it, or the disk fails */
};

struct index {
  struct id_map map;
  struct link recency;          /* the most recently used first */
  struct link by_table;         /* likewise */
  struct segment_use *segments; /* owned, by number */
  uint32_t segment_count;
  uint32_t table_count;
  unsigned tables_gone; /* how often it came to know that there was one no longer */
  uint64_t table_bytes;
  uint64_t live_bytes; /* of records */
};

/* What a scan finds: a puzzle, or in `table_bytes` a table's file. */
struct found {
  struct id id;
  struct place place;
  uint32_t nodes;
  enum game game;
  uint32_t used_s;
  uint64_t table_bytes;
};

/* 0 or -ENOMEM. */
int index_init(struct index *index);
void index_deinit(struct index *index);

/* Forgets everything; the entries are moved to `entries`, for index_free_entries() on whatever thread has the time. */
void index_clear(struct index *index, struct link *entries);
void index_free_entries(struct link *entries);

struct stored *index_find(const struct index *index, const struct id *id);
uint32_t index_find_prefix(const struct index *index, const char *digits, struct stored **stored);

/* The puzzle is not in the index yet. It becomes the most recently used. NULL when out of memory. */
struct stored *index_add(struct index *index, const struct found *found);
void index_remove(struct index *index, struct stored *stored);

/* The same, but it is the caller's own from now on, to be freed. */
void index_take(struct index *index, struct stored *stored);

/* Makes it the most recently used. */
void index_touch(struct index *index, struct stored *stored, uint32_t now_s);

/* 0 where there is no table any longer. */
void index_set_table(struct index *index, struct stored *stored, uint64_t bytes);

/* Another record of it is meant from now on. 0 or -ENOMEM. */
int index_move(struct index *index, struct stored *stored, const struct place *place);

/* What is known of a segment, added where it lacks. NULL when out of memory. Valid until one is added. */
struct segment_use *index_segment(struct index *index, uint32_t segment);
void index_drop_segment(struct index *index, uint32_t segment);
void index_drop_segments_before(struct index *index, uint32_t segment);

/* Of all segments. */
uint64_t index_log_bytes(const struct index *index);

#endif
