#include "solver/engine/level.h"

#include "solver/engine/move_sets.h"

#include <string.h>

#include "solver/engine/bit_line.h"

/* From this share of all moves on. */
enum { DENSE_SHARE = 32 };

static size_t row_words(const struct lists *lists)
{
  return (size_t)lists->lines * LINE_WORDS;
}

static size_t set_bytes(const struct lists *lists)
{
  return lists->nodes * row_words(lists) * sizeof(uint64_t);
}

static bool is_dense(const struct engine_options *options, const struct lists *lists)
{
  double nodes = lists->nodes;
  uint64_t mouse = lists->edges[PLAYER_MOUSE], cat = lists->edges[PLAYER_CAT];
  if (options->forall)
    return options->forall == ENGINE_FORALL_UNION;
  return (double)(mouse > cat ? mouse : cat) * DENSE_SHARE >= nodes * nodes;
}

/* A place that the player is barred from is neither left nor reached. */
static uint64_t *make_sets(struct solving *solving, const struct lists *lists,
                           const struct moves *from, enum player player)
{
  uint64_t *sets = solving_alloc(solving, set_bytes(lists));
  for (uint32_t place = 0; sets && place < lists->nodes && !solving_over(solving); place++) {
    uint64_t *set = sets + place * row_words(lists);
    if (!node_in(lists->barred[player], place))
      for (uint32_t at = from->begin[place]; at < from->end[place]; at++)
        set[from->to[at] / 64] |= UINT64_C(1) << from->to[at] % 64;
  }
  return sets;
}

static uint64_t hash_row(const uint64_t *row, size_t words)
{
  uint64_t hash = 0;
  for (size_t at = 0; at < words; at++)
    hash = (hash ^ row[at]) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
  return hash >> 32;
}

/* A hash table with open addressing, at most half full, of the first place with each set. */
struct first_places {
  uint32_t *slots;
  uint32_t mask;
};

static uint32_t find_first(const struct first_places *firsts, const uint64_t *sets, size_t words,
                           uint32_t place)
{
  const uint64_t *set = sets + place * words;
  uint32_t at = (uint32_t)hash_row(set, words) & firsts->mask;
  uint32_t *slots = firsts->slots;
  while (slots[at] != UINT32_MAX && memcmp(sets + slots[at] * words, set, words * sizeof *set) != 0)
    at = (at + 1) & firsts->mask;
  if (slots[at] == UINT32_MAX)
    slots[at] = place;
  return slots[at];
}

/* Then, of the places that have none, those that are twins once each place is in its own set. */
static void find_twins(const struct lists *lists, uint64_t *sets, uint32_t *twin,
                       const struct first_places *firsts)
{
  size_t words = row_words(lists), slots_bytes = (firsts->mask + (size_t)1) * sizeof *firsts->slots;
  memset(firsts->slots, 0xff, slots_bytes);
  for (uint32_t place = 0; place < lists->nodes; place++) {
    twin[place] = find_first(firsts, sets, words, place);
    if (twin[place] != place)
      twin[twin[place]] |= TWIN_ADJACENT; /* for now: has a twin */
  }
  memset(firsts->slots, 0xff, slots_bytes);
  for (uint32_t place = 0; place < lists->nodes; place++) {
    uint64_t *word = sets + place * words + place / 64, self = UINT64_C(1) << place % 64;
    if (twin[place] != place || *word & self) {
      twin[place] &= ~TWIN_ADJACENT;
      continue;
    }
    *word |= self;
    twin[place] = find_first(firsts, sets, words, place) | TWIN_ADJACENT;
  }
  for (uint32_t place = 0; place < lists->nodes; place++)
    if (twin[place] & TWIN_ADJACENT)
      sets[place * words + place / 64] &= ~(UINT64_C(1) << place % 64);
}

static uint32_t *make_twins(struct solving *solving, const struct lists *lists, uint64_t *sets)
{
  uint32_t slots = UINT32_C(1) << (33 - __builtin_clz(lists->nodes));
  uint32_t *twin = solving_alloc_dirty(solving, lists->nodes * sizeof *twin);
  struct first_places firsts = {solving_alloc_dirty(solving, slots * sizeof *twin), slots - 1};
  if (firsts.slots && twin)
    find_twins(lists, sets, twin, &firsts);
  solving_free(solving, firsts.slots, slots * sizeof *twin);
  return twin;
}

int move_sets_init(struct move_sets *sets, struct solving *solving,
                   const struct engine_options *options, const struct lists *lists)
{
  *sets = (struct move_sets){.made = is_dense(options, lists)};
  for (int player = 0; player < 2 && sets->made && !solving_over(solving); player++) {
    const struct moves *moves = &lists->moves[player], *before = &lists->before[player];
    sets->moves[player] = make_sets(solving, lists, moves, (enum player)player);
    sets->before[player] = moves->to == before->to
                               ? sets->moves[player]
                               : make_sets(solving, lists, before, (enum player)player);
    if (!solving_over(solving))
      sets->twin[player] = make_twins(solving, lists, sets->moves[player]);
  }
  return solving_over(solving) ? solving->error : 0;
}

void move_sets_deinit(struct move_sets *sets, struct solving *solving, const struct lists *lists)
{
  for (int player = 0; player < 2; player++) {
    if (sets->before[player] != sets->moves[player])
      solving_free(solving, sets->before[player], set_bytes(lists));
    solving_free(solving, sets->moves[player], set_bytes(lists));
    solving_free(solving, sets->twin[player], lists->nodes * sizeof *sets->twin[player]);
  }
}
