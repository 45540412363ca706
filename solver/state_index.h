/* Numbers states in the order in which they are met. */
#ifndef CATMOUSE_SOLVER_STATE_INDEX_H
#define CATMOUSE_SOLVER_STATE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/game.h"

struct state_slot {
  uint64_t key; /* 1 + what names the state, 0 where the slot is free */
  uint32_t at;
};

/* An open-addressed hash map, at most half full. All zeroes is an empty one. */
struct state_index {
  struct state_slot *slots; /* owned */
  size_t capacity;          /* a power of two, or 0 */
  uint32_t count;
};

void state_index_deinit(struct state_index *index);

/* 1 where the state is new, and gets the next number; 0 where it was there; -ENOMEM. */
int state_index_add(struct state_index *index, uint32_t nodes, struct state state, uint32_t *at);

bool state_index_find(const struct state_index *index, uint32_t nodes, struct state state,
                      uint32_t *at);

#endif
