/*
 * Which way each block of rows and each column takes in a layer: the cheapest by estimate. The
 * costs are in nanoseconds, measured with AVX-512 on the families of bench/; only their ratios
 * matter.
 *
 * forall, for a block of 512 rows:
 *   lists   frontier bits * moves of a place * LIST_STEP
 *   shifts  frontier words * groups of shifts of a word * GROUP_STEP
 *   tiles   3 * tiles * TRANSPOSE + moves * LINE_STEP
 *   union   frontier records * lines * ln(nodes) / density * LINE_STEP
 * exists, for a column: pull from half of its rows being in the frontier on, else push. By sets,
 * pull where a push would look at more than PULLED_LINES lines a row.
 */
#include "solver/engine/level.h"

#include "solver/engine/choose.h"

static const double LIST_STEP = 8, GROUP_STEP = 6, TRANSPOSE = 2500, LINE_STEP = 2;

/* What pulling by sets costs a row, in lines that a push looks at. */
static const double PULLED_LINES = 8;

struct frontier {
  double bits, records;
};

static struct frontier frontier_of(const struct side *side, uint32_t unit)
{
  struct frontier sum = {0};
  for (uint32_t tile = side->unit_tile[unit]; tile; tile = side->logs[tile - 1].next_active) {
    sum.bits += side->logs[tile - 1].frontier_bits;
    sum.records += side->logs[tile - 1].frontier_records;
  }
  return sum;
}

static double log2_of(uint32_t count)
{
  return 32 - __builtin_clz(count);
}

static enum engine_forall choose_forall(const struct attractor *attractor, uint32_t block)
{
  if (attractor->options->forall)
    return attractor->options->forall;
  struct frontier frontier = frontier_of(&attractor->exists, block);
  double nodes = attractor->nodes, edges = (double)attractor->lists->edges[attractor->loser];
  double rows = frontier.bits * edges / nodes * LIST_STEP;
  enum engine_forall way = ENGINE_FORALL_LISTS;
  if (attractor->plan.masks) {
    double words = frontier.bits < 8 * frontier.records ? frontier.bits : 8 * frontier.records;
    const struct shift_plan *plan = &attractor->plan;
    double shifts = words * plan->group_count * GROUP_STEP / plan->words;
    rows = shifts < rows ? shifts : rows;
  }
  double tiles = 3 * attractor->lines * TRANSPOSE + edges * LINE_STEP;
  double best = rows;
  if (tiles < best) {
    best = tiles;
    way = ENGINE_FORALL_TILES;
  }
  if (attractor->sets->made) {
    double visits = 0.7 * log2_of(attractor->nodes) * nodes * nodes / (edges + 1);
    if (frontier.records * attractor->lines * visits * LINE_STEP < best)
      way = ENGINE_FORALL_UNION;
  }
  return way;
}

static bool choose_pull(const struct attractor *attractor, uint32_t column)
{
  if (attractor->options->exists)
    return attractor->options->exists == ENGINE_EXISTS_PULL;
  double records = frontier_of(&attractor->forall, column).records, nodes = attractor->nodes;
  double pushed = records * (double)attractor->lists->edges[attractor->winner] / nodes;
  return records * 2 > nodes || (attractor->sets->made && pushed > PULLED_LINES * nodes);
}

void choose_ways(struct attractor *attractor)
{
  const struct side *exists = &attractor->exists, *forall = &attractor->forall;
  for (uint32_t at = 0; at < exists->unit_count; at++)
    attractor->way[exists->units[at]] = choose_forall(attractor, exists->units[at]);
  for (uint32_t at = 0; at < forall->unit_count; at++)
    attractor->pulls[forall->units[at]] = choose_pull(attractor, forall->units[at]);
}
