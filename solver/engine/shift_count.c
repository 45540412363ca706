#include "solver/engine/level.h"

#include "solver/engine/shift_count.h"

int shift_count(struct solving *solving, const struct moves *moves, uint32_t nodes,
                const uint32_t *node_at, const uint32_t *place_of, uint64_t *shifts)
{
  uint32_t *last =
      solving_alloc(solving, shift_slot_bytes(nodes)); /* by slot: 1 + the last start word */
  if (!last)
    return solving->error;
  uint64_t count = 0;
  for (uint32_t start = 0; start < nodes && !solving_over(solving); start++) {
    uint32_t node = node_at ? node_at[start] : start;
    for (uint32_t at = moves->begin[node]; at < moves->end[node]; at++) {
      uint32_t slot = shift_slot(start, place_of ? place_of[moves->to[at]] : moves->to[at]);
      count += last[slot] != start / 64 + 1;
      last[slot] = start / 64 + 1;
    }
  }
  solving_free(solving, last, shift_slot_bytes(nodes));
  *shifts = count;
  return solving_over(solving) ? solving->error : 0;
}
