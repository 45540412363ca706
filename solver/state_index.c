/* Linear probing; grows by doubling. Fails only for want of memory. */
#include "solver/state_index.h"

#include <errno.h>
#include <stdlib.h>

enum { CAPACITY_FIRST = 64 };

static uint64_t key_of(uint32_t nodes, struct state state)
{
  return 1 + ((uint64_t)state.turn * nodes + state.mouse) * nodes + state.cat;
}

static size_t slot_of(const struct state_index *index, uint64_t key)
{
  size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (index->capacity - 1);
  while (index->slots[at].key != 0 && index->slots[at].key != key)
    at = (at + 1) & (index->capacity - 1);
  return at;
}

static int grow(struct state_index *index)
{
  struct state_index larger = {.capacity = index->capacity ? 2 * index->capacity : CAPACITY_FIRST};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (!larger.slots)
    return -ENOMEM;
  for (size_t i = 0; i < index->capacity; i++) {
    if (index->slots[i].key != 0)
      larger.slots[slot_of(&larger, index->slots[i].key)] = index->slots[i];
  }
  larger.count = index->count;
  free(index->slots);
  *index = larger;
  return 0;
}

void state_index_deinit(struct state_index *index)
{
  free(index->slots);
  *index = (struct state_index){0};
}

int state_index_add(struct state_index *index, uint32_t nodes, struct state state, uint32_t *at)
{
  if (2 * (size_t)index->count >= index->capacity && grow(index) < 0)
    return -ENOMEM;
  uint64_t key = key_of(nodes, state);
  struct state_slot *slot = &index->slots[slot_of(index, key)];
  bool is_new = slot->key == 0;
  if (is_new)
    *slot = (struct state_slot){key, index->count++};
  *at = slot->at;
  return is_new;
}

bool state_index_find(const struct state_index *index, uint32_t nodes, struct state state,
                      uint32_t *at)
{
  if (index->capacity == 0)
    return false;
  const struct state_slot *slot = &index->slots[slot_of(index, key_of(nodes, state))];
  *at = slot->at;
  return slot->key != 0;
}
