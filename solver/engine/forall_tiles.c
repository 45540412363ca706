/*
 * The loser to move, 512 rows at a time: for a block of the winner's places, `exists` is transposed
 * tile by tile, so that a line holds one place of the loser and a bit one of the winner's. A place
 * of the loser is then won where the lines of all its moves have a bit: one "and" a move decides up
 * to 512 states, and stops early where nothing is left. What is found is transposed back.
 *
 * What is decided already is transposed too, so that it is not found again: to keep it transposed
 * would take longer, since memory is slower to give it back. Time for a block: O(moves) lines, and
 * 3 * nodes / 512 transpositions. Best where a layer changes much of every row, as in graphs
 * without locality.
 */
#include "solver/engine/level.h"

#include "solver/engine/forall.h"
#include "solver/engine/tile.h"

struct block_work {
  struct attractor *attractor;
  struct worker *workers; /* by thread */
  uint32_t block;
  uint64_t *winning; /* a line for each place of the loser */
};

static size_t column_words(const struct lists *lists)
{
  return (size_t)lists->lines * TILE_WORDS;
}

/* Two tiles of each worker's own, after what `winning` takes in one of them. */
static uint64_t *tile_of(const struct block_work *work, unsigned thread, unsigned tile)
{
  return work->workers[thread].tiles + column_words(work->attractor->lists) + tile * TILE_WORDS;
}

/* How many of 512 places from unit * 512 on there are. */
static uint32_t places_of(const struct block_work *work, uint32_t unit)
{
  return least(work->attractor->nodes - unit * LINE_BITS, LINE_BITS);
}

/* Those of `missing` where all moves of one place of the loser lead in. */
static bit_line all_moves_win(const struct block_work *work, uint32_t place, bit_line missing)
{
  const struct moves *moves = &work->attractor->lists->moves[work->attractor->loser];
  bit_line won = missing;
  for (uint32_t at = moves->begin[place]; at < moves->end[place] && line_any(won); at++)
    won &= line_load(work->winning + (size_t)moves->to[at] * LINE_WORDS);
  return won;
}

/*
 * What is decided of one tile, a line for each place of the loser; rows there are none of count as
 * decided.
 */
static void load_decided(const struct block_work *work, uint32_t column, uint64_t *spare,
                         uint64_t *decided)
{
  const struct attractor *attractor = work->attractor;
  const uint64_t *lines = side_line(attractor, &attractor->forall, work->block * LINE_BITS, column);
  size_t words = (size_t)places_of(work, work->block) * LINE_WORDS;
  if (words < TILE_WORDS) {
    memcpy(spare, lines, words * sizeof *lines);
    memset(spare + words, 0xff, (TILE_WORDS - words) * sizeof *lines);
    lines = spare;
  }
  tile_transpose(lines, decided, places_of(work, column));
}

/* Fills `found` for one tile of the loser's places. False where nothing is. */
static bool find_tile(const struct block_work *work, uint32_t column, const uint64_t *decided,
                      uint64_t *found)
{
  const uint64_t *open = work->attractor->forall.open + (size_t)column * LINE_WORDS;
  uint32_t places = places_of(work, column);
  bit_line any = {0};
  for (uint32_t at = 0; at < places; at++) {
    bit_line won = {0};
    if (node_in(open, at))
      won = all_moves_win(work, column * LINE_BITS + at,
                          ~line_load(decided + (size_t)at * LINE_WORDS));
    line_store(found + (size_t)at * LINE_WORDS, won);
    any |= won;
  }
  return line_any(any);
}

static void commit_tile(const struct block_work *work, struct worker *worker, uint32_t column,
                        const uint64_t *found_tile)
{
  struct attractor *attractor = work->attractor;
  uint32_t first = work->block * LINE_BITS, places = places_of(work, work->block);
  for (uint32_t at = 0; at < places; at++) {
    uint32_t row = first + at;
    uint64_t *words = side_line(attractor, &attractor->forall, row, column);
    bit_line decided = line_load(words);
    bit_line found = line_load(found_tile + (size_t)at * LINE_WORDS) &
                     side_missing(attractor, &attractor->forall, row, column, decided);
    if (!line_any(found))
      continue;
    line_store(words, decided | found);
    side_log(attractor, worker, &attractor->forall, row, column, found);
  }
}

static void transpose_piece(void *context, unsigned thread, uint32_t column)
{
  (void)thread;
  const struct block_work *work = context;
  const struct attractor *attractor = work->attractor;
  if (!solving_over(attractor->solving))
    tile_transpose(side_line(attractor, &attractor->exists, work->block * LINE_BITS, column),
                   work->winning + (size_t)column * TILE_WORDS, places_of(work, column));
}

static void find_piece(void *context, unsigned thread, uint32_t column)
{
  const struct block_work *work = context;
  uint64_t *found = tile_of(work, thread, 0), *back = tile_of(work, thread, 1);
  if (solving_over(work->attractor->solving))
    return;
  load_decided(work, column, found, back);
  if (!find_tile(work, column, back, found))
    return;
  tile_transpose(found, back, places_of(work, work->block));
  commit_tile(work, &work->workers[thread], column, back);
}

void forall_tiles_block(struct attractor *attractor, struct worker *workers, unsigned thread,
                        struct thread_pair *pair, uint32_t block)
{
  struct block_work work = {
      .attractor = attractor,
      .workers = workers,
      .block = block,
      .winning = workers[thread].tiles,
  };
  thread_pair_step(pair, thread, transpose_piece, &work, attractor->lines);
  thread_pair_step(pair, thread, find_piece, &work, attractor->lines);
}

size_t forall_tiles_worker_bytes(const struct lists *lists)
{
  return (size_t)(lists->lines + 2) * TILE_WORDS * sizeof(uint64_t);
}
