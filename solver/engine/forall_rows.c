/*
 * The loser to move, row by row: a state is won once every move leads into the winner's row of
 * `exists`. For each frontier line of a row,
 * - mark the candidates: places from which a move leads to a fresh bit;
 * - confirm them: all other moves lead to set bits too;
 * - commit those that pass.
 * Marking and confirming go word by word, by move lists (a step a bit and move) or by the shift plan
 * (a step a group of shifts, for up to 64 places at once), whichever has fewer steps for that word.
 *
 * Of a narrow word all that waits is a candidate, and nothing is marked but the word: where all moves win, one of
 * them leads to a fresh bit, or an earlier layer would have found the state.
 *
 * Time O(frontier bits * moves^2) by lists at worst, as a candidate may fail once for each move. In narrow words
 * O(nodes^2) steps in all: in a row each is gone through at most 64 times for each word its few groups lead to.
 */
#include "solver/engine/level.h"

#include "solver/engine/row_words.h"

/* Words are not mixed with lines here: a line could not be loaded until its words are stored. */
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

/* Moves may lead anywhere: the lines that finishing a row needs are sent for. */
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
    mark_word(work, column * LINE_WORDS + (uint32_t)__builtin_ctz(presence), fresh);
  }
}

static void mark_record(struct row_work *work, uint32_t column, const struct record *record)
{
  const struct shift_plan *plan = &work->attractor->plan;
  work->row = record->row;
  work->winning = work->attractor->exists.bits + (size_t)record->row * LINE_WORDS;
  if (plan->masks)
    mark_narrow(work, column, record->presence);
  if (!plan->masks || shift_any_wide(plan, column))
    mark_words(work, column, record);
  fetch_row(work);
}

/* A row is finished once the next one is marked, so that what it needs has time to come. */
static void rows_tile(struct row_work rows[static 2], const struct log *log, uint32_t column)
{
  struct attractor *attractor = rows[0].attractor;
  struct cursor cursor = log->begin;
  struct record record = {0};
  unsigned at = 0;
  while (log_read(&cursor, &log->stop, &record) && !job_over(attractor->job)) {
    mark_record(&rows[at], column, &record);
    at ^= 1;
    finish_row(&rows[at]);
  }
  finish_row(&rows[at ^ 1]);
}

void forall_rows_block(struct attractor *attractor, struct worker *worker, uint32_t block)
{
  const struct log *logs = attractor->exists.logs;
  struct row_work rows[2];
  for (unsigned at = 0; at < 2; at++)
    rows[at] = (struct row_work){
        .attractor = attractor, .worker = worker, .candidates = &worker->candidates[at]};
  for (uint32_t tile = attractor->exists.unit_tile[block]; tile; tile = logs[tile - 1].next_active)
    rows_tile(rows, &logs[tile - 1], (tile - 1) % attractor->lines);
}
