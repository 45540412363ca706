/*
 * A round runs the contestants once and checks their tables. The times of a row are medians over the rounds, its
 * ratios medians of the rounds' ratios.
 */
#include "bench/solver/contest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/solver/contestants.h"

enum { ROUNDS_MAX = 1000 };

/* Solves apart are for puzzles where several threads are worth something. */
static const uint64_t states_apart = 1000000;

struct rounds {
  double ns[CONTESTANTS][ROUNDS_MAX];
  double ratio[CONTESTANTS][ROUNDS_MAX]; /* as a row has them, of the same round */
  uint32_t count[CONTESTANTS];           /* the textbook may have had fewer */
};

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

static void add(struct rounds *rounds, enum contestant contestant, double ns, double ratio)
{
  uint32_t at = rounds->count[contestant]++;
  rounds->ns[contestant][at] = ns;
  rounds->ratio[contestant][at] = ratio;
}

static void run_threads(struct contest *contest, struct rounds *rounds, struct time ours)
{
  struct time threads = contestant_run(contest, CONTESTANT_THREADS);
  check_threads(contest);
  add(rounds, CONTESTANT_THREADS, threads.wall, ours.wall / threads.wall);
  if (arena_states(contest->arena) < states_apart)
    return;
  struct time apart = contestant_run(contest, CONTESTANT_APART);
  add(rounds, CONTESTANT_APART, apart.wall, contest->options->threads * ours.wall / apart.wall);
}

static double ns_of(const struct contest *contest, struct time time)
{
  return contest->options->cpu_time ? time.cpu : time.wall;
}

/* False where one run has to do. */
static bool run_textbook(struct contest *contest, struct rounds *rounds, double ours_ns)
{
  struct time textbook = contestant_run(contest, CONTESTANT_TEXTBOOK);
  check_textbook(contest);
  double ns = ns_of(contest, textbook);
  add(rounds, CONTESTANT_TEXTBOOK, ns, ns / ours_ns);
  return textbook.wall < contest->options->textbook_max_s * 1e9;
}

static void run_rounds(struct contest *contest, struct rounds *rounds)
{
  bool with_textbook = !contest->options->no_textbook;
  for (uint32_t i = 0; i < contest->options->pairs && i < ROUNDS_MAX; i++) {
    struct time ours = contestant_run(contest, CONTESTANT_OURS);
    double ns = ns_of(contest, ours);
    add(rounds, CONTESTANT_OURS, ns, 1);
    if (contest->options->threads > 1)
      run_threads(contest, rounds, ours);
    double limit_ns = ns_of(contest, contestant_run(contest, CONTESTANT_LIMIT));
    add(rounds, CONTESTANT_LIMIT, limit_ns, ns / limit_ns);
    with_textbook = with_textbook && run_textbook(contest, rounds, ns);
  }
}

static void summarize(const struct contest *contest, struct rounds *rounds)
{
  struct row *row = contest->row;
  assert(contest->ours);
  row->nodes = contest->arena->nodes;
  row->states = arena_states(contest->arena);
  row->width = contest->ours->width;
  row->longest_plies = longest_plies(contest->ours);
  for (int i = 0; i < CONTESTANTS; i++)
    if (rounds->count[i])
      row->runs[i] = (struct runs){
          .count = rounds->count[i],
          .ms = median(rounds->ns[i], rounds->count[i]) / 1e6,
          .ratio = median(rounds->ratio[i], rounds->count[i]),
      };
}

void contest_measure(struct row *row, const struct bench_options *options)
{
  struct contest contest = {.row = row, .options = options, .arena = contest_arena(row, options)};
  struct rounds *rounds = need_memory(1, sizeof *rounds);
  run_rounds(&contest, rounds);
  summarize(&contest, rounds);
  free(rounds);
  contestants_deinit(&contest);
}
