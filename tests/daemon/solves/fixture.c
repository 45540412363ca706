#include "tests/daemon/solves/fixture.h"

#include <stdlib.h>

void fixture_wake(void *context)
{
  struct fixture *fixture = context;
  sem_post(&fixture->woken);
}

int fixture_setup(void **state)
{
  struct fixture *fixture = calloc(1, sizeof *fixture);
  assert_non_null(fixture);
  sem_init(&fixture->woken, 0, 0);
  fixture->limits = daemon_limits_default;
  assert_int_equal(cache_init(&fixture->cache, fixture->limits.cache_bytes), 0);
  assert_int_equal(workers_new("test", THREADS, false, fixture_wake, fixture, &fixture->workers),
                   0);
  assert_int_equal(workers_new("help", 1, false, fixture_wake, fixture, &fixture->helpers), 0);
  memory_init(&fixture->memory, &fixture->cache, fixture->helpers, &fixture->limits,
              &fixture->message_bytes);
  assert_int_equal(solves_init(&fixture->solves, &fixture->memory, fixture->workers, THREADS,
                               &fixture->limits, NULL),
                   0);
  *state = fixture;
  return 0;
}

/* As the daemon leaves. */
int fixture_teardown(void **state)
{
  struct fixture *fixture = *state;
  solves_close(&fixture->solves);
  workers_free(fixture->workers);
  solves_deinit(&fixture->solves);
  memory_tend(&fixture->memory);
  workers_free(fixture->helpers);
  assert_int_equal(fixture->memory.charged_bytes, 0);
  cache_deinit(&fixture->cache);
  sem_destroy(&fixture->woken);
  free(fixture);
  return 0;
}

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
