#include "tests/daemon/solves/paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct arena *path_arena(uint32_t nodes)
{
  uint32_t *first = calloc((size_t)nodes + 1, sizeof *first), count = 0;
  int32_t *neighbour = calloc(2 * (size_t)nodes, sizeof *neighbour);
  assert_non_null(first);
  assert_non_null(neighbour);
  for (uint32_t node = 0; node < nodes; node++) {
    first[node] = count;
    if (node > 0)
      neighbour[count++] = (int32_t)node - 1;
    if (node + 1 < nodes)
      neighbour[count++] = (int32_t)node + 1;
  }
  first[nodes] = count;
  struct puzzle puzzle = {
      .game = GAME_GRAPH,
      .graph = {.nodes = nodes, .first = first, .neighbour = neighbour},
  };
  struct arena *arena;
  struct complaint complaint;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  free(neighbour);
  free(first);
  return arena;
}
