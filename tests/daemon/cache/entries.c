/* Nobody can move in these puzzles. */
#include "tests/daemon/cache/entries.h"
#include "tests/daemon/case.h"

struct solved *entry_add(struct cache *cache, const struct id *id, uint32_t width)
{
  const uint32_t begin[ENTRY_NODES] = {0}, end[ENTRY_NODES] = {0}, to[1] = {0};
  const uint64_t none[1] = {0};
  struct arena parts = {
      .nodes = ENTRY_NODES,
      .moves = {{begin, end, to}, {begin, end, to}},
      .home = {none, none},
      .barred = {none, none},
  };
  struct arena *arena;
  assert_int_equal(arena_new_from_parts(&parts, &arena), 0);
  struct table *table = table_new(ENTRY_NODES, width);
  assert_non_null(table);
  struct solved *solved = solved_new(id, arena);
  assert_non_null(solved);
  cache_add(cache, solved, table);
  return solved;
}

void entries_give_back(struct cache *cache)
{
  struct link dropped;
  cache_take_dropped(cache, &dropped);
  solved_free_all(&dropped);
}
