/*
 * Retrograde analysis in layers. Layer 0 is where the game is over; a state belongs to layer k
 * - with the winner to move, when some move leads into layer k - 1 and none leads lower (exists.c);
 * - with the loser to move, when every move leads into a lower layer and one into k - 1 (forall_*).
 *
 * A state that is in neither player's attractor is undecided. There are no counters: the bits say
 * whether all moves lead in.
 *
 * Each layer reads the frontier, which is what the layer before has logged, so a layer costs what
 * it changes. Both sides change in every layer: a stuck corner makes odd and even plies mix.
 *
 * Order within a layer: `forall` may only see `exists` as the last layer left it, so it goes first,
 * or else `exists` pulls first and its finds are put in afterwards (pulling reads all of `forall`).
 *
 * Memory: 2 * nodes^2 bits, and the logs. Time: at worst O(nodes * moves) steps of `exists`, each
 * for up to 512 states at once, and what the ways of `forall` cost.
 * Source: the attractor of a reachability game, as in Graedel, Thomas, Wilke, "Automata, Logics,
 * and Infinite Games", chapter 2; bits a word at a time after Knuth, TAOCP 4A, 7.1.3.
 */
#include "solver/engine/level.h"

#include "solver/engine/layers.h"

#include "solver/engine/choose.h"
#include "solver/engine/exists.h"
#include "solver/engine/forall.h"

/* In order, layer after layer: so each of two threads gets much the same ones. */
static void side_list_units(struct side *side, uint32_t lines)
{
  side->unit_count = 0;
  for (uint32_t unit = 0; unit < lines; unit++)
    if (side->unit_tile[unit])
      side->units[side->unit_count++] = unit;
}

static void tile_advance(const struct attractor *attractor, struct side *side, uint32_t tile)
{
  struct tile_log *log = &side->logs[tile];
  uint32_t unit = side->name == SIDE_EXISTS ? tile / attractor->lines : tile % attractor->lines;
  log->begin = log->fresh;
  log->stop = tile_log_end(log);
  log->frontier_bits = log->fresh_bits;
  log->frontier_records = log->fresh_records;
  log->bits += log->fresh_bits;
  log->next_active = side->unit_tile[unit];
  side->unit_tile[unit] = tile + 1;
  side->frontier_records += log->fresh_records;
}

/* What was fresh becomes the frontier, its tiles chained by unit. */
static void side_advance(const struct attractor *attractor, struct side *side, struct team *team)
{
  for (uint32_t unit = 0; unit < side->unit_count; unit++)
    side->unit_tile[side->units[unit]] = 0;
  side->frontier_records = 0;
  for (unsigned thread = 0; thread < team->count; thread++) {
    struct worker *worker = &team->workers[thread];
    for (uint32_t at = 0; at < worker->fresh_count[side->name]; at++)
      tile_advance(attractor, side, worker->fresh[side->name][at]);
    worker->fresh_count[side->name] = 0;
  }
  side_list_units(side, attractor->lines);
}

/* Memory that only one of the ways needs is taken when that way is first chosen. */
static void tiles_ready(struct attractor *attractor, struct team *team)
{
  bool needed = false;
  for (uint32_t at = 0; at < attractor->exists.unit_count; at++)
    needed |= attractor->way[attractor->exists.units[at]] == ENGINE_FORALL_TILES;
  if (!needed)
    return;
  for (unsigned thread = 0; thread < team->count; thread++)
    if (!team->workers[thread].tiles)
      team->workers[thread].tiles =
          solving_alloc_dirty(attractor->solving, forall_tiles_worker_bytes(attractor->lists));
}

/* The steps of a layer, as pieces for two threads. */
struct layer {
  struct attractor *attractor;
  struct worker *workers;
  bool tiles_by_column; /* they are done before the other blocks */
};

static void pull_piece(void *context, unsigned thread, uint32_t piece)
{
  const struct layer *layer = context;
  uint32_t column = layer->attractor->forall.units[piece];
  if (layer->attractor->pulls[column])
    exists_pull_column(layer->attractor, &layer->workers[thread], column);
}

static void forall_piece(void *context, unsigned thread, uint32_t piece)
{
  const struct layer *layer = context;
  uint32_t block = layer->attractor->exists.units[piece];
  switch (layer->attractor->way[block]) {
  case ENGINE_FORALL_TILES:
    if (!layer->tiles_by_column)
      forall_tiles_block(layer->attractor, layer->workers, thread, NULL, block);
    break;
  case ENGINE_FORALL_UNION:
    forall_union_block(layer->attractor, &layer->workers[thread], block);
    break;
  default: forall_rows_block(layer->attractor, &layer->workers[thread], block);
  }
}

static void push_piece(void *context, unsigned thread, uint32_t piece)
{
  const struct layer *layer = context;
  uint32_t column = layer->attractor->forall.units[piece];
  if (layer->attractor->pulls[column])
    exists_settle_column(layer->attractor, column);
  else
    exists_push_column(layer->attractor, &layer->workers[thread], column);
}

static uint32_t count_tiles(const struct attractor *attractor)
{
  uint32_t count = 0;
  for (uint32_t at = 0; at < attractor->exists.unit_count; at++)
    count += attractor->way[attractor->exists.units[at]] == ENGINE_FORALL_TILES;
  return count;
}

/*
 * Fewer blocks of tiles, which take longest, are shared column by column: one thread would wait for
 * the other.
 */
enum { SHARE_FROM_BLOCKS = 4 };

static void run_forall(struct layer *layer, struct thread_pair *pair, unsigned thread)
{
  struct attractor *attractor = layer->attractor;
  const struct side *exists = &attractor->exists;
  layer->tiles_by_column = count_tiles(attractor) < SHARE_FROM_BLOCKS;
  for (uint32_t at = 0; at < exists->unit_count && layer->tiles_by_column; at++)
    if (attractor->way[exists->units[at]] == ENGINE_FORALL_TILES)
      forall_tiles_block(attractor, layer->workers, thread, pair, exists->units[at]);
  thread_pair_step(pair, thread, forall_piece, layer, exists->unit_count);
}

/*
 * A step with a frontier of fewer records is not worth that half of its lines come to lie in the
 * other processor's cache. `forall` does more with a record.
 */
enum { SHARE_EXISTS_FROM = 256, SHARE_FORALL_FROM = 128 };

static struct thread_pair *pair_for(const struct attractor *attractor, const struct team *team,
                                    const struct side *frontier, uint32_t share_from)
{
  bool share = frontier->frontier_records >= share_from || attractor->options->share_always;
  return share ? team->pair : NULL;
}

static void run_layer(struct attractor *attractor, struct team *team)
{
  const struct side *exists = &attractor->exists, *forall = &attractor->forall;
  struct layer layer = {.attractor = attractor, .workers = team->workers};
  struct thread_pair *for_exists = pair_for(attractor, team, forall, SHARE_EXISTS_FROM);
  struct thread_pair *for_forall = pair_for(attractor, team, exists, SHARE_FORALL_FROM);
  choose_ways(attractor);
  tiles_ready(attractor, team);
  if (solving_over(attractor->solving))
    return;
  thread_pair_step(for_exists, team->thread, pull_piece, &layer, forall->unit_count);
  run_forall(&layer, for_forall, team->thread);
  thread_pair_step(for_exists, team->thread, push_piece, &layer, forall->unit_count);
}

static void report_decided(struct attractor *attractor, struct team *team)
{
  for (unsigned thread = 0; thread < team->count; thread++) {
    solving_count(attractor->solving, team->workers[thread].decided);
    team->workers[thread].decided = 0;
  }
}

int layers_run(struct attractor *attractor, struct team *team)
{
  attractor_decide_over(attractor, &team->workers[team->thread]);
  for (;;) {
    side_advance(attractor, &attractor->exists, team);
    side_advance(attractor, &attractor->forall, team);
    report_decided(attractor, team);
    if (solving_over(attractor->solving))
      return attractor->solving->error;
    if (!attractor->exists.unit_count && !attractor->forall.unit_count)
      return 0;
    solving_layer(attractor->solving, attractor->layer);
    attractor->layer++;
    run_layer(attractor, team);
  }
}
