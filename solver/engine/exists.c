/*
 * The winner to move: a state is won as soon as one move leads to a won state.
 *
 * Push: each frontier line of the loser's side is or-ed into the lines of the places from which the
 * winner gets to its row. Time O(frontier lines * moves into them).
 * Pull: each line that still misses something looks through its own moves until nothing is missing.
 * Time O(moves) a column, much less where most is won; better once most lines are in the frontier.
 *
 * Where moves are dense, a line looks through those of its moves alone that lead to a row of the
 * frontier, and for bits that are fresh in some row: a set of moves is a row of bits, so that is
 * O(nodes / 512) steps and the moves that it looks at, never more than a push would take.
 *
 * Pulling reads all of `forall`, so it must come before the layer's `forall` step; and as that step
 * may not see what is pulled, the finds are only logged and put in later, by
 * exists_settle_column().
 */
#include "solver/engine/level.h"

#include "solver/engine/exists.h"

/*
 * A move may lead anywhere in a column, and a column of each side with what is pushed is more than
 * the nearer caches hold: the lines of some records, or rows, ahead are sent for. Beyond so many
 * moves the processor has enough to do meanwhile.
 */
enum { RECORDS_AHEAD = 16, ROWS_AHEAD = 12, MOVES_FETCHED = 4 };

/* In line, as compilers drop a call of what only fetches. */
static inline __attribute__((always_inline)) void fetch_moves(const struct attractor *attractor,
                                                              const struct side *side,
                                                              const struct moves *moves,
                                                              uint32_t row, uint32_t column)
{
  uint32_t at = moves->begin[row], end = moves->end[row];
  for (end = end - at < MOVES_FETCHED ? end : at + MOVES_FETCHED; at < end; at++)
    __builtin_prefetch(side_line(attractor, side, moves->to[at], column));
}

static uint64_t *pushed_line(struct worker *worker, uint32_t row)
{
  uint32_t at = worker->pushed_at[row];
  if (at == NOT_PUSHED) {
    at = worker->pushed_count++;
    worker->pushed_at[row] = at;
    worker->pushed_rows[at] = row;
    line_store(worker->pushed + (size_t)at * LINE_WORDS, (bit_line){0});
  }
  return worker->pushed + (size_t)at * LINE_WORDS;
}

/* Collects what a record wins, so that each line is logged once, however many moves lead to it. */
static void push_record(struct attractor *attractor, struct worker *worker, uint32_t column,
                        const struct record *record)
{
  const struct moves *before = &attractor->lists->before[attractor->winner];
  bit_line fresh = line_unpack(record->words, record->presence);
  for (uint32_t at = before->begin[record->row]; at < before->end[record->row]; at++) {
    uint32_t row = before->to[at];
    uint64_t *words = side_line(attractor, &attractor->exists, row, column);
    bit_line decided = line_load(words);
    bit_line found = fresh & side_missing(attractor, &attractor->exists, row, column, decided);
    if (!line_any(found))
      continue;
    line_store(words, decided | found);
    uint64_t *pushed = pushed_line(worker, row);
    line_store(pushed, line_load(pushed) | found);
  }
}

static void log_pushed(struct attractor *attractor, struct worker *worker, uint32_t column)
{
  for (uint32_t at = 0; at < worker->pushed_count && !solving_over(attractor->solving); at++) {
    uint32_t row = worker->pushed_rows[at];
    bit_line found = line_load(worker->pushed + (size_t)at * LINE_WORDS);
    side_log(attractor, worker, &attractor->exists, row, column, found);
    worker->pushed_at[row] = NOT_PUSHED;
  }
  worker->pushed_count = 0;
}

static unsigned fetch_records(const struct attractor *attractor, uint32_t column,
                              struct cursor *cursor, const struct cursor *stop,
                              struct record records[static RECORDS_AHEAD])
{
  unsigned count = 0;
  while (count < RECORDS_AHEAD && tile_log_read(cursor, stop, &records[count]))
    fetch_moves(attractor, &attractor->exists, &attractor->lists->before[attractor->winner],
                records[count++].row, column);
  return count;
}

static void push_tile(struct attractor *attractor, struct worker *worker, uint32_t column,
                      const struct tile_log *log)
{
  struct cursor cursor = log->begin;
  struct record records[RECORDS_AHEAD];
  unsigned count = RECORDS_AHEAD;
  while (count == RECORDS_AHEAD && !solving_over(attractor->solving)) {
    count = fetch_records(attractor, column, &cursor, &log->stop, records);
    for (unsigned at = 0; at < count; at++)
      push_record(attractor, worker, column, &records[at]);
  }
}

void exists_push_column(struct attractor *attractor, struct worker *worker, uint32_t column)
{
  const struct tile_log *logs = attractor->forall.logs;
  for (uint32_t tile = attractor->forall.unit_tile[column]; tile; tile = logs[tile - 1].next_active)
    push_tile(attractor, worker, column, &logs[tile - 1]);
  log_pushed(attractor, worker, column);
}

static bit_line pull_line(const struct attractor *attractor, uint32_t row, uint32_t column,
                          bit_line missing)
{
  const struct moves *moves = &attractor->lists->moves[attractor->winner];
  bit_line left = missing;
  for (uint32_t at = moves->begin[row]; at < moves->end[row] && line_any(left); at++)
    left &= ~line_load(side_line(attractor, &attractor->forall, moves->to[at], column));
  return missing & ~left;
}

/* The same by sets. `active` has the rows of the frontier. */
static bit_line pull_line_by_sets(const struct attractor *attractor, uint32_t row, uint32_t column,
                                  bit_line missing, const uint64_t *active)
{
  const uint64_t *moves =
      attractor->sets->moves[attractor->winner] + (size_t)row * attractor->lines * LINE_WORDS;
  bit_line left = missing;
  for (uint32_t word = 0; word < attractor->lines * LINE_WORDS; word++)
    for (uint64_t leads = moves[word] & active[word]; leads; leads &= leads - 1) {
      uint32_t lead = word * 64 + (uint32_t)__builtin_ctzll(leads);
      left &= ~line_load(side_line(attractor, &attractor->forall, lead, column));
      if (!line_any(left))
        return missing;
    }
  return missing & ~left;
}

/* Marks the rows of a column's frontier. Which bits are fresh in any of them. */
static bit_line mark_active(const struct attractor *attractor, uint32_t column, uint64_t *active)
{
  const struct tile_log *logs = attractor->forall.logs;
  bit_line fresh = {0};
  for (uint32_t tile = attractor->forall.unit_tile[column]; tile;
       tile = logs[tile - 1].next_active) {
    struct cursor cursor = logs[tile - 1].begin;
    struct record record = {0};
    while (tile_log_read(&cursor, &logs[tile - 1].stop, &record)) {
      fresh |= line_unpack(record.words, record.presence);
      active[record.row / 64] |= UINT64_C(1) << record.row % 64;
    }
  }
  return fresh;
}

/* `active` is NULL where there are no sets. */
static void pull_row(struct attractor *attractor, struct worker *worker, uint32_t row,
                     uint32_t column, bit_line fresh, const uint64_t *active)
{
  bit_line decided = line_load(side_line(attractor, &attractor->exists, row, column));
  bit_line missing = fresh & side_missing(attractor, &attractor->exists, row, column, decided);
  if (!line_any(missing))
    return;
  bit_line found = active ? pull_line_by_sets(attractor, row, column, missing, active)
                          : pull_line(attractor, row, column, missing);
  if (line_any(found))
    side_log(attractor, worker, &attractor->exists, row, column, found);
}

void exists_pull_column(struct attractor *attractor, struct worker *worker, uint32_t column)
{
  uint64_t *active = worker->candidates[0].words;
  bit_line fresh = mark_active(attractor, column, active);
  bool by_sets = attractor->sets->made;
  for (uint32_t row = 0; row < attractor->nodes && !solving_over(attractor->solving); row++) {
    if (!by_sets && row + ROWS_AHEAD < attractor->nodes)
      fetch_moves(attractor, &attractor->forall, &attractor->lists->moves[attractor->winner],
                  row + ROWS_AHEAD, column);
    pull_row(attractor, worker, row, column, fresh, by_sets ? active : NULL);
  }
  memset(active, 0, (size_t)attractor->lines * LINE_BYTES);
}

void exists_settle_column(struct attractor *attractor, uint32_t column)
{
  for (uint32_t block = 0; block < attractor->lines && !solving_over(attractor->solving); block++) {
    const struct tile_log *log = &attractor->exists.logs[block * attractor->lines + column];
    if (log->layer != attractor->layer)
      continue;
    struct cursor cursor = log->fresh, end = tile_log_end(log);
    struct record record = {0};
    while (tile_log_read(&cursor, &end, &record)) {
      uint64_t *words = side_line(attractor, &attractor->exists, record.row, column);
      line_store(words, line_load(words) | line_unpack(record.words, record.presence));
    }
  }
}
