/* verify() on a table of ours: at n = 10,000 it reads each of 2 * 10^8 states and all its successors. */
#include "bench/solver/proof.h"

#include "bench/measure.h"
#include "bench/solver/contestants.h"
#include "solver/solve.h"
#include "solver/verify.h"

/* Less is over too soon to be worth a figure. */
static const uint64_t states_to_time = 1000000;

enum { RUNS = 3 };

static double prove_once(const struct arena *arena, const struct table *table,
                         const struct row *row)
{
  struct verification verification;
  uint64_t begin = cpu_ns();
  int status = verify(arena, table, NULL, &verification);
  uint64_t end = cpu_ns();
  if (status < 0 || verification.faults > 0)
    die("%s at n = %u: %llu states are at odds with their successors", row->family->name,
        row->asked_nodes, (unsigned long long)verification.faults);
  return (double)(end - begin) / 1e6;
}

void proof_measure(struct row *row, const struct bench_options *options)
{
  if (row->states < states_to_time)
    return;
  struct arena *arena = contest_arena(row, options);
  struct table *table;
  if (solve(arena, NULL, &table) < 0)
    die("%s at n = %u cannot be solved", row->family->name, row->asked_nodes);
  double times_ms[RUNS];
  for (int run = 0; run < RUNS; run++)
    times_ms[run] = prove_once(arena, table, row);
  row->verify_ms = median(times_ms, RUNS);
  table_free(table);
  arena_free(arena);
}
