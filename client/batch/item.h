/*
 * What a record says: a puzzle, and perhaps a question about it. A worker has one item and reads record after record
 * into it; its memory grows to what the largest took, so a stream of small puzzles allocates nothing.
 */
#ifndef CATMOUSE_CLIENT_BATCH_ITEM_H
#define CATMOUSE_CLIENT_BATCH_ITEM_H

#include <stdint.h>

#include "client/batch/record.h"
#include "proto/request.h"
#include "solver/puzzle.h"
#include "solver/verdict.h"

enum { ITEM_BAD_BYTES = 400 };

struct text;

/* Memory that is kept from record to record. */
struct room {
  void *data; /* owned */
  size_t bytes;
};

struct item {
  uint32_t nodes;
  enum game game;

  /* A checked graph of up to VERDICT_NODES_MAX nodes; else `puzzle` holds what is still to be checked. */
  bool is_sets;
  uint64_t neighbours[VERDICT_NODES_MAX];
  struct puzzle puzzle;
  void *memory;      /* of `puzzle`, owned; NULL where that borrows from elsewhere */
  struct text *text; /* the same */

  /* What JSON may ask beside the puzzle. */
  bool has_state, has_limit;
  struct request question; /* its state and limit */
  const char *tag; /* as it was written, borrowed from the record; NULL where there is none */
  size_t tag_length;

  char bad[ITEM_BAD_BYTES]; /* why it is bad: one sentence without a full stop */

  struct room pairs, lists, moves; /* edges as they came; the lists made of them; moves to rank */
  size_t pairs_count;
};

void item_init(struct item *item);
void item_deinit(struct item *item);

/* For the next record. What the rooms hold is kept, unless it is much. */
void item_clear(struct item *item);

/* `bad`, printf style; returns false. */
bool item_refuse(struct item *item, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* At least so many bytes, or NULL with `bad`. What the room held is kept. */
void *item_room(struct item *item, struct room *room, size_t bytes);

/* Begins a graph that comes as edges, which may come twice. */
bool item_begin_edges(struct item *item, uint64_t nodes);
bool item_add_edge(struct item *item, uint64_t a, uint64_t b);
bool item_end_edges(struct item *item);

/* Makes sets of the lists of `puzzle` where that is a small graph with nothing wrong. */
void item_find_sets(struct item *item);

#endif
