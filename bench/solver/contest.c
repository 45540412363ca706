/*
 * Rounds: each runs the contestants once, on a small puzzle many times over, and checks their tables.
 * A run's time is from the arena to the finished table; giving the table back is not counted, and each
 * run begins with fresh memory. The times of a row are medians over the rounds, its ratios medians of the
 * rounds' ratios.
 */
#include "bench/solver/contest.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/solver/limit.h"
#include "bench/solver/memory.h"
#include "bench/solver/textbook.h"

enum { ROUNDS_MAX = 1000, REPEATS_MAX = 1000 };

/* A round's share of a small contestant lasts about so long. */
static const double round_ns = 10e6;

struct time {
  double wall, cpu; /* nanoseconds */
};

struct rounds {
  double ours[ROUNDS_MAX], textbook[ROUNDS_MAX], limit[ROUNDS_MAX], threads[ROUNDS_MAX];
  double times_textbook[ROUNDS_MAX], times_limit[ROUNDS_MAX], times_threads[ROUNDS_MAX];
  uint32_t count, with_textbook;
};

struct contest {
  struct row *row;
  const struct bench_options *options;
  struct arena *arena;
  struct table *ours;     /* of the last one-thread run */
  struct table *threaded; /* of the last run with several */
  struct textbook textbook;
};

/* What each touches, at most, in bytes a state. */
enum { OURS_BYTES = 4, TEXTBOOK_BYTES = 10, LIMIT_BYTES = 2 };

struct arena *contest_arena(const struct row *row, const struct bench_options *options)
{
  struct specimen specimen;
  family_make(row->family, row->asked_nodes, options->seed, &specimen);
  struct arena *arena;
  struct complaint complaint = {.text = "out of memory"};
  if (arena_new(&specimen.puzzle, &arena, &complaint) < 0)
    die("%s at n = %u: %s", row->family->name, row->asked_nodes, complaint.text);
  specimen_deinit(&specimen);
  return arena;
}

int contest_solve(const struct arena *arena, const struct bench_options *bench,
                  const struct solve_options *options, struct table **table)
{
  return engine_solve(arena, options, &bench->forced, table);
}

static struct time time_now(void)
{
  return (struct time){(double)wall_ns(), (double)cpu_ns()};
}

static void time_add(struct time *sum, struct time since, struct time until)
{
  sum->wall += until.wall - since.wall;
  sum->cpu += until.cpu - since.cpu;
}

static struct time solve_once(const struct contest *contest, unsigned threads, struct table **table)
{
  table_free(*table);
  solve_drop_memory();
  struct solve_options options = {.threads = threads};
  struct time begin = time_now(), sum = {0};
  int status = contest_solve(contest->arena, contest->options, &options, table);
  time_add(&sum, begin, time_now());
  if (status < 0)
    die("solving %s at n = %u: %s", contest->row->family->name, contest->row->asked_nodes,
        strerror(-status));
  return sum;
}

static struct time ours_once(struct contest *contest)
{
  return solve_once(contest, 1, &contest->ours);
}

static struct time threads_once(struct contest *contest)
{
  return solve_once(contest, contest->options->threads, &contest->threaded);
}

static struct time textbook_once(struct contest *contest)
{
  textbook_deinit(&contest->textbook);
  contest->textbook = (struct textbook){0};
  struct time begin = time_now(), sum = {0};
  int status = textbook_solve(contest->arena, &contest->textbook);
  time_add(&sum, begin, time_now());
  if (status < 0)
    die("the textbook on %s at n = %u: %s", contest->row->family->name, contest->row->asked_nodes,
        strerror(-status));
  return sum;
}

static struct time limit_once(struct contest *contest)
{
  size_t bytes = table_bytes(contest->ours->nodes, contest->ours->width);
  struct time begin = time_now(), sum = {0};
  void *written = limit_do(contest->arena, bytes);
  time_add(&sum, begin, time_now());
  if (!written)
    die("out of memory for a table of %zu bytes", bytes);
  limit_undo(written, bytes);
  return sum;
}

/*
 * The mean time of a round's runs, each by `once`, which touches so many bytes a state; the last one's
 * outcome stays in the contest.
 */
static struct time run_repeatedly(struct contest *contest, struct time (*once)(struct contest *),
                                  unsigned state_bytes)
{
  memory_warm(arena_states(contest->arena) * state_bytes);
  struct time first = once(contest);
  double repeats = round_ns / (first.wall + 1);
  if (repeats < 1)
    return first; /* long enough by itself; else it has warmed the caches, and others are timed */
  struct time sum = {0};
  uint32_t count = repeats > REPEATS_MAX ? REPEATS_MAX : (uint32_t)ceil(repeats);
  for (uint32_t i = 0; i < count; i++)
    time_add(&sum, (struct time){0}, once(contest));
  return (struct time){sum.wall / count, sum.cpu / count};
}

static void check_textbook(const struct contest *contest)
{
  struct state state;
  if (!textbook_differs(&contest->textbook, contest->arena, contest->ours, &state))
    return;
  struct table_value value = table_value(contest->ours, state);
  die("%s at n = %u: the table says outcome %d in %u plies at mouse %u, cat %u, turn %d; the "
      "textbook differs",
      contest->row->family->name, contest->row->asked_nodes, (int)value.outcome, value.plies,
      state.mouse, state.cat, (int)state.turn);
}

static void check_threads(const struct contest *contest)
{
  const struct table *ours = contest->ours, *threaded = contest->threaded;
  if (threaded->width != ours->width ||
      memcmp(threaded->cells, ours->cells, table_bytes(ours->nodes, ours->width)) != 0)
    die("%s at n = %u: %u threads make another table than one", contest->row->family->name,
        contest->row->asked_nodes, contest->options->threads);
}

static void run_textbook(struct contest *contest, struct rounds *rounds, uint32_t at)
{
  struct time textbook = run_repeatedly(contest, textbook_once, TEXTBOOK_BYTES);
  check_textbook(contest);
  rounds->textbook[at] = contest->options->cpu_time ? textbook.cpu : textbook.wall;
  rounds->times_textbook[at] = rounds->textbook[at] / rounds->ours[at];
  if (textbook.wall < contest->options->textbook_max_s * 1e9)
    rounds->with_textbook++;
}

static void run_round(struct contest *contest, struct rounds *rounds)
{
  bool cpu = contest->options->cpu_time;
  uint32_t at = rounds->count++;
  struct time ours = run_repeatedly(contest, ours_once, OURS_BYTES);
  rounds->ours[at] = cpu ? ours.cpu : ours.wall;
  if (contest->options->threads > 1) {
    rounds->threads[at] = run_repeatedly(contest, threads_once, OURS_BYTES).wall;
    rounds->times_threads[at] = ours.wall / rounds->threads[at];
    check_threads(contest);
  }
  struct time limit = run_repeatedly(contest, limit_once, LIMIT_BYTES);
  rounds->limit[at] = cpu ? limit.cpu : limit.wall;
  rounds->times_limit[at] = rounds->ours[at] / rounds->limit[at];
  if (rounds->with_textbook == at && !contest->options->no_textbook)
    run_textbook(contest, rounds, at);
}

static uint32_t longest_plies(const struct table *table)
{
  size_t cells = 2 * (size_t)table->nodes * table->nodes;
  uint32_t largest = 0;
  for (size_t at = 0; at < cells; at++) {
    uint32_t cell = table->width == 1   ? ((const uint8_t *)table->cells)[at]
                    : table->width == 2 ? ((const uint16_t *)table->cells)[at]
                                        : ((const uint32_t *)table->cells)[at];
    largest = cell > largest ? cell : largest;
  }
  return largest ? (largest - 1) / 2 : 0;
}

static void summarize(const struct contest *contest, struct rounds *rounds)
{
  struct row *row = contest->row;
  assert(contest->ours);
  uint32_t textbooks = rounds->with_textbook ? rounds->with_textbook : 1;
  row->nodes = contest->arena->nodes;
  row->states = arena_states(contest->arena);
  row->width = contest->ours->width;
  row->longest_plies = longest_plies(contest->ours);
  row->pairs = contest->options->no_textbook ? 0 : textbooks;
  row->ours_ms = median(rounds->ours, rounds->count) / 1e6;
  row->limit_ms = median(rounds->limit, rounds->count) / 1e6;
  row->threads_ms = median(rounds->threads, rounds->count) / 1e6;
  row->textbook_ms = median(rounds->textbook, textbooks) / 1e6;
  row->times_limit = median(rounds->times_limit, rounds->count);
  row->times_threads = median(rounds->times_threads, rounds->count);
  row->times_textbook = median(rounds->times_textbook, textbooks);
}

void contest_measure(struct row *row, const struct bench_options *options)
{
  struct contest contest = {.row = row, .options = options, .arena = contest_arena(row, options)};
  struct rounds *rounds = need_memory(1, sizeof *rounds);
  for (uint32_t i = 0; i < options->pairs && i < ROUNDS_MAX; i++)
    run_round(&contest, rounds);
  summarize(&contest, rounds);
  free(rounds);
  textbook_deinit(&contest.textbook);
  table_free(contest.ours);
  table_free(contest.threaded);
  arena_free(contest.arena);
}
