/*
 * The loser to move, where moves are dense: a place is lost hold of as soon as one move leads outside
 * the winner's row of `exists`. So from all that is undecided in a row, the predecessor sets of the
 * places outside are taken away, one after the other, until nothing is left or no place is. With a
 * share d of all moves present, about ln(nodes) / d sets empty a row, however many places there are;
 * and once the row is nearly full, few places are outside.
 *
 * Time for a row: O(min(places outside, ln(nodes) / d) * nodes / 512). Memory: nodes^2 bits of sets.
 */
#include "solver/engine/level.h"

#include "solver/engine/forall_union.h"

static uint64_t *set_of(const struct attractor *attractor, uint32_t place)
{
  return attractor->sets + (size_t)place * attractor->lines * LINE_WORDS;
}

void forall_union_fill_sets(struct attractor *attractor)
{
  const struct moves *before = &attractor->lists->before[attractor->loser];
  for (uint32_t place = 0; place < attractor->nodes && !solving_over(attractor->solving); place++) {
    if (node_in(attractor->lists->barred[attractor->loser], place))
      continue;
    uint64_t *set = set_of(attractor, place);
    for (uint32_t at = before->begin[place]; at < before->end[place]; at++)
      set[before->to[at] / 64] |= UINT64_C(1) << before->to[at] % 64;
  }
}

/* Takes a set away from the candidates. False once they are empty. */
static bool take_away(const struct attractor *attractor, uint64_t *candidates, uint32_t place)
{
  const uint64_t *set = set_of(attractor, place);
  bit_line any = {0};
  for (uint32_t column = 0; column < attractor->lines; column++) {
    bit_line left = line_load(candidates + (size_t)column * LINE_WORDS) &
                    ~line_load(set + (size_t)column * LINE_WORDS);
    line_store(candidates + (size_t)column * LINE_WORDS, left);
    any |= left;
  }
  return line_any(any);
}

static bool collect_missing(const struct attractor *attractor, uint32_t row, uint64_t *candidates)
{
  bit_line any = {0};
  for (uint32_t column = 0; column < attractor->lines; column++) {
    bit_line decided = line_load(side_line(attractor, &attractor->forall, row, column));
    bit_line missing = side_missing(attractor, &attractor->forall, row, column, decided);
    line_store(candidates + (size_t)column * LINE_WORDS, missing);
    any |= missing;
  }
  return line_any(any);
}

/* The places of one line of `exists` that do not win for the row. */
static uint64_t outside_word(const struct attractor *attractor, const uint64_t *words,
                             uint32_t column, uint32_t word)
{
  uint32_t first = column * LINE_BITS + word * 64;
  if (first >= attractor->nodes)
    return 0;
  uint32_t count = attractor->nodes - first;
  return ~words[word] & (count < 64 ? ~UINT64_C(0) >> (64 - count) : ~UINT64_C(0));
}

/* False where no candidate is left. */
static bool take_outside(const struct attractor *attractor, uint32_t row, uint64_t *candidates)
{
  for (uint32_t column = 0; column < attractor->lines; column++) {
    const uint64_t *words = side_line(attractor, &attractor->exists, row, column);
    for (uint32_t word = 0; word < LINE_WORDS; word++)
      for (uint64_t outside = outside_word(attractor, words, column, word); outside;
           outside &= outside - 1) {
        uint32_t place = column * LINE_BITS + word * 64 + (uint32_t)__builtin_ctzll(outside);
        if (!take_away(attractor, candidates, place))
          return false;
      }
  }
  return true;
}

static void union_row(struct attractor *attractor, struct worker *worker, uint32_t row)
{
  uint64_t *candidates = worker->candidates[0].words;
  if (collect_missing(attractor, row, candidates) && take_outside(attractor, row, candidates))
    for (uint32_t column = 0; column < attractor->lines; column++) {
      bit_line found = line_load(candidates + (size_t)column * LINE_WORDS);
      if (!line_any(found))
        continue;
      uint64_t *words = side_line(attractor, &attractor->forall, row, column);
      line_store(words, line_load(words) | found);
      side_log(attractor, worker, &attractor->forall, row, column, found);
    }
  memset(candidates, 0, (size_t)attractor->lines * LINE_BYTES);
}

void forall_union_block(struct attractor *attractor, struct worker *worker, uint32_t block)
{
  const struct tile_log *logs = attractor->exists.logs;
  uint64_t rows[LINE_WORDS] = {0};
  for (uint32_t tile = attractor->exists.unit_tile[block]; tile;
       tile = logs[tile - 1].next_active) {
    struct cursor cursor = logs[tile - 1].begin;
    struct record record = {0};
    while (tile_log_read(&cursor, &logs[tile - 1].stop, &record))
      rows[record.row % LINE_BITS / 64] |= UINT64_C(1) << record.row % 64;
  }
  for (uint32_t word = 0; word < LINE_WORDS; word++)
    for (; rows[word] && !solving_over(attractor->solving); rows[word] &= rows[word] - 1)
      union_row(attractor, worker,
                block * LINE_BITS + word * 64 + (uint32_t)__builtin_ctzll(rows[word]));
}
