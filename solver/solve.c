#include "solver/solve.h"

#include "solver/engine.h"

/*
 * Beside the table, as shares of the states: the bits of both attractors and what else is as large;
 * what the logs have taken on the families of bench/; and what even a small puzzle takes.
 */
enum { BITS_SHARE = 3, LOGS_SHARE = 2, FIXED_BYTES = 1 << 20 };

uint64_t solve_bytes(const struct arena *arena)
{
  uint64_t states = table_bytes(arena->nodes, 1);
  return 2 * states + states / BITS_SHARE + states / LOGS_SHARE + FIXED_BYTES;
}

int solve(const struct arena *arena, const struct solve_options *options, struct table **table)
{
  static const struct engine_options unforced;
  return engine_solve(arena, options, &unforced, table);
}
