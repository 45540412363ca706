/*
 * The loser to move, row by row: a state is won once every move leads into the winner's row of
 * `exists`. For each frontier line of a row,
 * - mark the candidates: places from which a move leads to a fresh bit;
 * - confirm them: all other moves lead to set bits too;
 * - commit those that pass.
 *
 * By move lists both take a step a bit and move. With a shift plan all that waits in a word with a
 * move to a fresh word is a candidate, and nothing is marked but the word: where all moves win, one
 * of them leads to a fresh bit, or an earlier layer would have found the state. A step is then a
 * group of shifts, for up to 64 places at once; a word of many groups, such as a hub makes, and few
 * candidates is confirmed by lists.
 *
 * Time O(frontier bits * moves^2) by lists at worst, as a candidate may fail once for each move.
 * With a plan O(nodes^2) steps in all where words have few groups: in a row each is gone through at
 * most 64 times for each word its groups lead to.
 */
#include "solver/engine/level.h"

#include "solver/engine/forall.h"

/*
 * Functions that are compiled twice, with a shift plan and without. Code for lists in one loop with
 * code for shifts would take the registers that the latter needs.
 */
#define EACH_WAY inline __attribute__((always_inline))

/* The cost of a bit by lists, in groups of shifts; a branch is mispredicted now and then. */
enum { GROUPS_PER_BIT = 4 };

struct row_work {
  struct attractor *attractor;
  struct worker *worker;
  struct candidates *candidates;
  uint32_t row;
  const uint64_t *winning; /* the row of `exists`; word w of it is at word_at() */
};

static inline size_t word_at(const struct attractor *attractor, uint32_t word)
{
  return (size_t)(word / LINE_WORDS) * attractor->nodes * LINE_WORDS + word % LINE_WORDS;
}

static inline void touch(struct candidates *candidates, uint32_t word, uint64_t bits)
{
  candidates->words[word] |= bits;
  candidates->touched[word / 64] |= UINT64_C(1) << word % 64;
}

static inline void mark_by_lists(struct row_work *work, uint32_t word, uint64_t fresh)
{
  const struct moves *before = &work->attractor->lists->before[work->attractor->loser];
  for (; fresh; fresh &= fresh - 1) {
    uint32_t lead = word * 64 + (uint32_t)__builtin_ctzll(fresh);
    for (uint32_t at = before->begin[lead]; at < before->end[lead]; at++)
      touch(work->candidates, before->to[at] / 64, UINT64_C(1) << before->to[at] % 64);
  }
}

/* Marks the words from which moves lead to words of the line. */
static inline void mark_by_plan(struct row_work *work, uint32_t column, unsigned presence)
{
  const struct shift_plan *plan = &work->attractor->plan;
  const uint64_t *starts = plan->starts + (size_t)column * LINE_WORDS * plan->start_words;
  for (uint32_t at = 0; at < plan->start_words; at++) {
    uint64_t touched = 0;
    for (unsigned left = presence; left; left &= left - 1)
      touched |= starts[(unsigned)__builtin_ctz(left) * plan->start_words + at];
    work->candidates->touched[at] |= touched;
  }
}

static inline bool all_moves_win(const struct row_work *work, uint32_t start)
{
  const struct moves *moves = &work->attractor->lists->moves[work->attractor->loser];
  for (uint32_t at = moves->begin[start]; at < moves->end[start]; at++) {
    uint32_t lead = moves->to[at];
    if (!(work->winning[word_at(work->attractor, lead / 64)] >> lead % 64 & 1))
      return false;
  }
  return true;
}

/* Not inlined: it would take those registers too. */
static __attribute__((noinline)) uint64_t confirm_by_lists(const struct row_work *work,
                                                           uint32_t word, uint64_t candidates)
{
  uint64_t confirmed = 0;
  for (; candidates; candidates &= candidates - 1) {
    uint32_t start = word * 64 + (uint32_t)__builtin_ctzll(candidates);
    confirmed |= all_moves_win(work, start) ? candidates & -candidates : 0;
  }
  return confirmed;
}

/* The states of a word that are neither decided nor closed. */
static inline uint64_t waiting_word(const struct row_work *work, uint32_t word, uint64_t decided)
{
  uint64_t waiting = ~decided & work->attractor->forall.open[word];
  if (work->attractor->winner == PLAYER_MOUSE && work->row / 64 == word)
    waiting &= ~(UINT64_C(1) << work->row % 64);
  return waiting;
}

/* The states of a touched word that are won. */
static EACH_WAY uint64_t find(const struct row_work *work, uint32_t word, uint64_t decided,
                              bool planned)
{
  const struct shift_plan *plan = &work->attractor->plan;
  uint64_t waiting = waiting_word(work, word, decided);
  if (!planned)
    return confirm_by_lists(work, word, waiting & work->candidates->words[word]);
  if (plan->first[word + 1] - plan->first[word] <=
      GROUPS_PER_BIT * (unsigned)__builtin_popcountll(waiting))
    return waiting & ~shift_blocked(plan, word, work->winning);
  return confirm_by_lists(work, word, waiting);
}

/* Works on words alone: a line could only be loaded once all of its words are stored. */
static EACH_WAY void finish_line(struct row_work *work, uint32_t column, unsigned touched,
                                 bool planned)
{
  struct attractor *attractor = work->attractor;
  uint64_t *words = side_line(attractor, &attractor->forall, work->row, column);
  uint64_t found[LINE_WORDS];
  unsigned presence = 0;
  for (; touched; touched &= touched - 1) {
    unsigned at = (unsigned)__builtin_ctz(touched);
    uint32_t word = column * LINE_WORDS + at;
    found[at] = find(work, word, words[at], planned);
    work->candidates->words[word] = 0;
    words[at] |= found[at];
    presence |= (unsigned)(found[at] != 0) << at;
  }
  if (presence)
    side_log_words(attractor, work->worker, &attractor->forall, work->row, column, presence, found);
}

/* Prefetches the lines that finishing a row needs: moves may lead anywhere. */
static void fetch_row(const struct row_work *work)
{
  const struct attractor *attractor = work->attractor;
  const uint64_t *touched = work->candidates->touched;
  for (uint32_t at = 0; at <= (attractor->lines - 1) / LINE_WORDS; at++) {
    uint64_t lines = touched[at];
    while (lines) {
      unsigned column = (unsigned)__builtin_ctzll(lines) / LINE_WORDS;
      lines &= ~(UINT64_C(0xff) << column * LINE_WORDS);
      column += at * LINE_WORDS;
      __builtin_prefetch(side_line(attractor, &attractor->forall, work->row, column), 1);
      __builtin_prefetch(side_line(attractor, &attractor->exists, work->row, column));
    }
  }
}

static EACH_WAY void finish_lines(struct row_work *work, bool planned)
{
  uint64_t *touched = work->candidates->touched;
  for (uint32_t at = 0; at <= (work->attractor->lines - 1) / LINE_WORDS; at++)
    while (touched[at]) {
      unsigned column = (unsigned)__builtin_ctzll(touched[at]) / LINE_WORDS;
      unsigned presence = touched[at] >> column * LINE_WORDS & 0xff;
      touched[at] &= ~(UINT64_C(0xff) << column * LINE_WORDS);
      finish_line(work, at * LINE_WORDS + column, presence, planned);
    }
}

static __attribute__((noinline)) void finish_by_lists(struct row_work *work)
{
  finish_lines(work, false);
}

static __attribute__((noinline)) void finish_by_plan(struct row_work *work)
{
  finish_lines(work, true);
}

static void finish_row(struct row_work *work)
{
  if (work->attractor->plan.masks)
    finish_by_plan(work);
  else
    finish_by_lists(work);
}

static void mark_words(struct row_work *work, uint32_t column, const struct record *record)
{
  const uint8_t *packed = record->words;
  for (unsigned presence = record->presence; presence; presence &= presence - 1) {
    uint64_t fresh;
    memcpy(&fresh, packed, sizeof fresh);
    packed += sizeof fresh;
    mark_by_lists(work, column * LINE_WORDS + (uint32_t)__builtin_ctz(presence), fresh);
  }
}

static void mark_record(struct row_work *work, uint32_t column, const struct record *record)
{
  work->row = record->row;
  work->winning = work->attractor->exists.bits + (size_t)record->row * LINE_WORDS;
  if (work->attractor->plan.masks)
    mark_by_plan(work, column, record->presence);
  else
    mark_words(work, column, record);
  fetch_row(work);
}

/* A row is finished after the next one is marked, so that its lines have time to come. */
static void rows_tile(struct row_work rows[static 2], const struct tile_log *log, uint32_t column)
{
  struct attractor *attractor = rows[0].attractor;
  struct cursor cursor = log->begin;
  struct record record = {0};
  unsigned at = 0;
  while (tile_log_read(&cursor, &log->stop, &record) && !solving_over(attractor->solving)) {
    mark_record(&rows[at], column, &record);
    at ^= 1;
    finish_row(&rows[at]);
  }
  finish_row(&rows[at ^ 1]);
}

void forall_rows_block(struct attractor *attractor, struct worker *worker, uint32_t block)
{
  const struct tile_log *logs = attractor->exists.logs;
  struct row_work rows[2];
  for (unsigned at = 0; at < 2; at++)
    rows[at] = (struct row_work){
        .attractor = attractor, .worker = worker, .candidates = &worker->candidates[at]};
  for (uint32_t tile = attractor->exists.unit_tile[block]; tile; tile = logs[tile - 1].next_active)
    rows_tile(rows, &logs[tile - 1], (tile - 1) % attractor->lines);
}
