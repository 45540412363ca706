/* The whole solver behind its small header: engine.c chooses how. */
#include "solver/solve.h"

#include <errno.h>

#include "solver/engine/engine.h"
#include "solver/engine/small.h"
#include "solver/page_pool.h"
#include "solver/system.h"

/*
 * Beside the table, above SMALL_NODES_MAX nodes: the bits of both attractors and what else is as
 * large, and the logs (on the families of bench/, never more than these shares of a byte a state);
 * what each thread needs for its columns and rows; and what even a small puzzle takes.
 */
enum {
  BITS_SHARE = 3,
  LOGS_SHARE = 1,
  BYTES_A_NODE = 4096,
  FIXED_BYTES = 2 << 20,
};

/* By malloc(), of each thread that solves. */
enum { KEPT_BYTES = 8 << 20 };

uint64_t solve_bytes(const struct arena *arena)
{
  uint64_t states = table_bytes(arena->nodes, 1), table = 2 * states;
  if (arena->nodes <= SMALL_NODES_MAX)
    return table;
  return table + states / BITS_SHARE + states / LOGS_SHARE + BYTES_A_NODE * (uint64_t)arena->nodes +
         FIXED_BYTES;
}

unsigned solve_processors(void)
{
  return system_processors();
}

int solve(const struct arena *arena, const struct solve_options *options, struct table **table)
{
  static const struct engine_options unforced;
  if (options && options->max_bytes && solve_bytes(arena) > options->max_bytes)
    return -EFBIG;
  return engine_solve(arena, options, &unforced, table);
}

void solve_keep_memory(uint64_t most_bytes)
{
  page_pool_limit(most_bytes);
  system_keep_small_blocks(KEPT_BYTES, PAGES_FROM_BYTES);
}

uint64_t solve_kept_bytes(void)
{
  return page_pool_bytes();
}

void solve_drop_memory(void)
{
  page_pool_drop();
}

void solve_trim_memory(void)
{
  page_pool_trim();
}
