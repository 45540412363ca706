/*
 * The loser to move, where moves are dense: a place is lost hold of as soon as one move leads
 * outside the winner's row of `exists`. So from all that is undecided in a row, the predecessor
 * sets of places outside are taken away, one after the other, until nothing is left or no place is.
 * With a share d of all moves present, about ln(nodes) / d sets empty a row, however many places
 * there are.
 *
 * Where a graph is dense in some parts alone, or its nodes have many twins, candidates are left
 * after that. Each is then looked at by itself: its moves, as a set, must lie within the row. Twins
 * have the same moves.
 *
 * Time for a row: O(nodes * nodes / 512) at worst.
 */
#include "solver/engine/level.h"

#include "solver/engine/forall.h"

/*
 * So many sets are taken away before candidates are looked at one by one; and a place of so few
 * moves is looked at quicker by its list than by its set.
 */
enum { TAKEN_MAX = 64, FEW_MOVES = 32 };

static const uint64_t *set_of(const struct attractor *attractor, uint64_t *const sets[2],
                              uint32_t place)
{
  return sets[attractor->loser] + (size_t)place * attractor->lines * LINE_WORDS;
}

/* What is found of several places: none, more than one, or the one of this number. */
#define NOWHERE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)
#define UNKNOWN (UINT32_MAX - 2)

static uint32_t with_another(uint32_t found, uint32_t place)
{
  return found == NOWHERE ? place : SEVERAL;
}

/* Takes a set away from the candidates. False once they are empty. */
static bool take_away(const struct attractor *attractor, uint64_t *candidates, uint32_t place)
{
  const uint64_t *set = set_of(attractor, attractor->sets->before, place);
  bit_line any = {0};
  for (uint32_t column = 0; column < attractor->lines; column++) {
    bit_line left = line_load(candidates + (size_t)column * LINE_WORDS) &
                    ~line_load(set + (size_t)column * LINE_WORDS);
    line_store(candidates + (size_t)column * LINE_WORDS, left);
    any |= left;
  }
  return line_any(any);
}

/* All that waits in the row, or where only one bit of it is fresh, what has a move there. */
static bool collect_candidates(const struct attractor *attractor, uint32_t row, uint32_t fresh,
                               uint64_t *candidates)
{
  const uint64_t *before =
      fresh < attractor->nodes ? set_of(attractor, attractor->sets->before, fresh) : NULL;
  bit_line any = {0};
  for (uint32_t column = 0; column < attractor->lines; column++) {
    bit_line decided = line_load(side_line(attractor, &attractor->forall, row, column));
    bit_line missing = side_missing(attractor, &attractor->forall, row, column, decided);
    if (before)
      missing &= line_load(before + (size_t)column * LINE_WORDS);
    line_store(candidates + (size_t)column * LINE_WORDS, missing);
    any |= missing;
  }
  return line_any(any);
}

/* A row of `exists`, its lines one after the other. */
static void copy_winning(const struct attractor *attractor, uint32_t row, uint64_t *winning)
{
  for (uint32_t column = 0; column < attractor->lines; column++)
    line_store(winning + (size_t)column * LINE_WORDS,
               line_load(side_line(attractor, &attractor->exists, row, column)));
}

/* The places of a word that do not win for the row. */
static uint64_t outside_word(const struct attractor *attractor, const uint64_t *winning,
                             uint32_t word)
{
  uint32_t first = word * 64;
  if (first >= attractor->nodes)
    return 0;
  uint32_t count = attractor->nodes - first;
  return ~winning[word] & (count < 64 ? ~UINT64_C(0) >> (64 - count) : ~UINT64_C(0));
}

enum left { NONE_LEFT, ALL_WON, SOME_LEFT };

/*
 * What is left of the candidates: none, those that are won, or some that are won and some that are
 * not.
 */
static enum left take_outside(const struct attractor *attractor, const uint64_t *winning,
                              uint64_t *candidates)
{
  unsigned taken = 0;
  for (uint32_t word = 0; word < attractor->lines * LINE_WORDS; word++)
    for (uint64_t outside = outside_word(attractor, winning, word); outside;
         outside &= outside - 1) {
      if (!take_away(attractor, candidates, word * 64 + (uint32_t)__builtin_ctzll(outside)))
        return NONE_LEFT;
      if (++taken == TAKEN_MAX)
        return SOME_LEFT;
    }
  return ALL_WON;
}

/* Where moves lead that do not win. */
static uint32_t find_blocker_by_list(const struct attractor *attractor, const uint64_t *winning,
                                     uint32_t place)
{
  const struct moves *moves = &attractor->lists->moves[attractor->loser];
  uint32_t blocker = NOWHERE;
  for (uint32_t at = moves->begin[place]; at < moves->end[place] && blocker != SEVERAL; at++)
    if (!node_in(winning, moves->to[at]))
      blocker = with_another(blocker, moves->to[at]);
  return blocker;
}

static uint32_t find_blocker_by_set(const struct attractor *attractor, const uint64_t *winning,
                                    uint32_t place)
{
  const uint64_t *set = set_of(attractor, attractor->sets->moves, place);
  uint32_t blocker = NOWHERE;
  for (uint32_t column = 0; column < attractor->lines && blocker != SEVERAL; column++) {
    bit_line outside = line_load(set + (size_t)column * LINE_WORDS) &
                       ~line_load(winning + (size_t)column * LINE_WORDS);
    if (!line_any(outside))
      continue;
    unsigned word = (unsigned)__builtin_ctz(line_presence(outside));
    uint64_t bits = line_union(outside);
    blocker = line_count(outside) > 1 ? SEVERAL
                                      : with_another(blocker, column * LINE_BITS + word * 64 +
                                                                  (uint32_t)__builtin_ctzll(bits));
  }
  return blocker;
}

/* Of a place's moves, and of the place itself where its twins are adjacent. */
static uint32_t find_blocker(const struct attractor *attractor, const uint64_t *winning,
                             uint32_t place, bool itself)
{
  const struct moves *moves = &attractor->lists->moves[attractor->loser];
  bool few = moves->end[place] - moves->begin[place] <= FEW_MOVES;
  uint32_t blocker = few ? find_blocker_by_list(attractor, winning, place)
                         : find_blocker_by_set(attractor, winning, place);
  return itself && !node_in(winning, place) ? with_another(blocker, place) : blocker;
}

/*
 * Takes away what is not won, one by one. `blockers` has room for one of each place: twins share
 * theirs.
 */
static void confirm(const struct attractor *attractor, const uint64_t *winning,
                    uint64_t *candidates, uint32_t *blockers)
{
  const uint32_t *twins = attractor->sets->twin[attractor->loser];
  for (uint32_t place = 0; place < attractor->nodes; place++)
    blockers[place] = UNKNOWN;
  for (uint32_t word = 0; word < attractor->lines * LINE_WORDS; word++)
    for (uint64_t left = candidates[word]; left; left &= left - 1) {
      uint32_t place = word * 64 + (uint32_t)__builtin_ctzll(left), twin = twins[place];
      uint32_t *blocker = &blockers[twin & ~TWIN_ADJACENT];
      if (*blocker == UNKNOWN)
        *blocker = find_blocker(attractor, winning, place, twin & TWIN_ADJACENT);
      bool only_itself = (twin & TWIN_ADJACENT) && *blocker == place;
      if (*blocker != NOWHERE && !only_itself)
        candidates[word] &= ~(left & -left);
    }
}

static void commit(struct attractor *attractor, struct worker *worker, uint32_t row,
                   const uint64_t *won)
{
  for (uint32_t column = 0; column < attractor->lines; column++) {
    bit_line found = line_load(won + (size_t)column * LINE_WORDS);
    if (!line_any(found))
      continue;
    uint64_t *words = side_line(attractor, &attractor->forall, row, column);
    line_store(words, line_load(words) | found);
    side_log(attractor, worker, &attractor->forall, row, column, found);
  }
}

static void union_row(struct attractor *attractor, struct worker *worker, uint32_t row,
                      uint32_t fresh)
{
  uint64_t *candidates = worker->candidates[0].words, *winning = worker->candidates[1].words;
  enum left left = NONE_LEFT;
  copy_winning(attractor, row, winning);
  if (collect_candidates(attractor, row, fresh, candidates))
    left = take_outside(attractor, winning, candidates);
  if (left == SOME_LEFT)
    confirm(attractor, winning, candidates, (uint32_t *)worker->pushed);
  if (left != NONE_LEFT)
    commit(attractor, worker, row, candidates);
  memset(candidates, 0, (size_t)attractor->lines * LINE_BYTES);
  memset(winning, 0, (size_t)attractor->lines * LINE_BYTES);
}

static uint32_t fresh_of(const struct record *record, uint32_t column)
{
  bit_line bits = line_unpack(record->words, record->presence);
  uint32_t word = column * LINE_WORDS + (uint32_t)__builtin_ctz(record->presence);
  return line_count(bits) > 1 ? SEVERAL : word * 64 + (uint32_t)__builtin_ctzll(line_union(bits));
}

void forall_union_block(struct attractor *attractor, struct worker *worker, uint32_t block)
{
  const struct tile_log *logs = attractor->exists.logs;
  uint32_t fresh[LINE_BITS]; /* by row of the block: where it has fresh bits */
  memset(fresh, 0xff, sizeof fresh);
  for (uint32_t tile = attractor->exists.unit_tile[block]; tile;
       tile = logs[tile - 1].next_active) {
    struct cursor cursor = logs[tile - 1].begin;
    struct record record = {0};
    while (tile_log_read(&cursor, &logs[tile - 1].stop, &record)) {
      uint32_t *of_row = &fresh[record.row % LINE_BITS];
      *of_row = with_another(*of_row, fresh_of(&record, (tile - 1) % attractor->lines));
    }
  }
  for (uint32_t at = 0; at < LINE_BITS && !solving_over(attractor->solving); at++)
    if (fresh[at] != NOWHERE)
      union_row(attractor, worker, block * LINE_BITS + at, fresh[at]);
}
