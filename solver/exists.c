/*
 * The winner to move: a state is won as soon as one move leads to a won state.
 *
 * Push: each frontier line of the loser's side is or-ed into the lines of the places from which the
 * winner gets to its row. Time O(frontier lines * moves into them).
 * Pull: each line that still misses something looks through its own moves until nothing is missing.
 * Time O(moves) a column, much less where most is won; better once most lines are in the frontier.
 *
 * Pulling reads all of `forall`, so it must come before the layer's `forall` step; and as that step
 * may not see what is pulled, the finds are only logged and put in later, by exists_settle_column().
 */
#include "solver/level.h"

#include "solver/attractor.h"

/* Collects what a record wins, so that each line is logged once, however many moves lead to it. */
static void push_record(struct attractor *attractor, struct worker *worker, uint32_t column,
                        const struct record *record)
{
  const struct moves *before = &attractor->lists->before[attractor->winner];
  line fresh = line_unpack(record->words, record->presence);
  for (uint32_t at = before->begin[record->row]; at < before->end[record->row]; at++) {
    uint32_t row = before->to[at];
    uint64_t *words = side_line(attractor, &attractor->exists, row, column);
    line decided = line_load(words);
    line found = fresh & side_missing(attractor, &attractor->exists, row, column, decided);
    if (!line_any(found))
      continue;
    uint64_t *pushed = worker->pushed + (size_t)row * LINE_WORDS;
    line_store(words, decided | found);
    line_store(pushed, line_load(pushed) | found);
    if (!worker->is_pushed[row])
      worker->pushed_rows[worker->pushed_count++] = row;
    worker->is_pushed[row] = true;
  }
}

static void log_pushed(struct attractor *attractor, struct worker *worker, uint32_t column)
{
  for (uint32_t at = 0; at < worker->pushed_count; at++) {
    uint32_t row = worker->pushed_rows[at];
    uint64_t *pushed = worker->pushed + (size_t)row * LINE_WORDS;
    side_log(attractor, worker, &attractor->exists, row, column, line_load(pushed));
    line_store(pushed, (line){0});
    worker->is_pushed[row] = false;
  }
  worker->pushed_count = 0;
}

void exists_push_column(struct attractor *attractor, struct worker *worker, uint32_t column)
{
  const struct log *logs = attractor->forall.logs;
  for (uint32_t tile = attractor->forall.unit_tile[column]; tile;
       tile = logs[tile - 1].next_active) {
    struct cursor cursor = logs[tile - 1].begin;
    struct record record = {0};
    while (log_read(&cursor, &logs[tile - 1].stop, &record) && !job_over(attractor->job))
      push_record(attractor, worker, column, &record);
  }
  log_pushed(attractor, worker, column);
}

static line pull_line(const struct attractor *attractor, uint32_t row, uint32_t column,
                      line missing)
{
  const struct moves *moves = &attractor->lists->moves[attractor->winner];
  line left = missing;
  for (uint32_t at = moves->begin[row]; at < moves->end[row] && line_any(left); at++)
    left &= ~line_load(side_line(attractor, &attractor->forall, moves->to[at], column));
  return missing & ~left;
}

void exists_pull_column(struct attractor *attractor, struct worker *worker, uint32_t column)
{
  for (uint32_t row = 0; row < attractor->nodes && !job_over(attractor->job); row++) {
    line decided = line_load(side_line(attractor, &attractor->exists, row, column));
    line missing = side_missing(attractor, &attractor->exists, row, column, decided);
    line found = pull_line(attractor, row, column, missing);
    if (line_any(found))
      side_log(attractor, worker, &attractor->exists, row, column, found);
  }
}

void exists_settle_column(struct attractor *attractor, uint32_t column)
{
  for (uint32_t block = 0; block < attractor->lines; block++) {
    const struct log *log = &attractor->exists.logs[block * attractor->lines + column];
    if (log->layer != attractor->layer)
      continue;
    struct cursor cursor = log->fresh, end = log_end(log);
    struct record record = {0};
    while (log_read(&cursor, &end, &record)) {
      uint64_t *words = side_line(attractor, &attractor->exists, record.row, column);
      line_store(words, line_load(words) | line_unpack(record.words, record.presence));
    }
  }
}
