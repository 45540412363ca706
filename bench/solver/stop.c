/*
 * Another thread sleeps for a share of the time that the whole solve takes, then sets the stop flag
 * and looks at the clock; when solve() has returned, everything given back, the clock is read again.
 * Memory is kept from stop to stop, as the daemon keeps it: the first meets fresh memory, those after it where they
 * come further. On a busy machine the clock is the processor time of the thread that solves.
 */
#include "bench/solver/stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "bench/measure.h"
#include "bench/solver/contestants.h"
#include "solver/solve.h"

/* A smaller solve is over before one can stop it. */
static const uint64_t states_to_stop = 1000000;

enum { MOMENTS = 12 };

struct alarm {
  atomic_bool stop;
  double after_ms;
  clockid_t clock; /* of the thread that solves, or everyone's */
  uint64_t rang_ns;
};

static uint64_t read_clock(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *ring(void *argument)
{
  struct alarm *alarm = argument;
  uint64_t after_ns = (uint64_t)(alarm->after_ms * 1e6);
  struct timespec after = {.tv_sec = (time_t)(after_ns / 1000000000u),
                           .tv_nsec = (long)(after_ns % 1000000000u)};
  nanosleep(&after, NULL);
  alarm->rang_ns = read_clock(alarm->clock);
  atomic_store(&alarm->stop, true);
  return NULL;
}

/* 0 where the solve was done before it could be stopped. */
static double stop_once(const struct arena *arena, const struct bench_options *bench,
                        unsigned threads, double after_ms)
{
  struct alarm alarm = {.after_ms = after_ms, .clock = CLOCK_MONOTONIC};
  struct solve_options options = {.threads = threads, .stop = &alarm.stop};
  struct table *table = NULL;
  pthread_t ringer;
  if (bench->cpu_time)
    pthread_getcpuclockid(pthread_self(), &alarm.clock);
  if (pthread_create(&ringer, NULL, ring, &alarm) != 0)
    die("cannot start a thread");
  int status = contest_solve(arena, bench, &options, &table);
  uint64_t end_ns = read_clock(alarm.clock);
  pthread_join(ringer, NULL);
  table_free(table);
  return status < 0 ? (double)(end_ns - alarm.rang_ns) / 1e6 : 0;
}

void stop_measure(struct row *row, const struct bench_options *options)
{
  if (row->states < states_to_stop)
    return;
  struct arena *arena = contest_arena(row, options);
  for (unsigned threads = 1; threads <= (options->threads > 1 ? options->threads : 1); threads++) {
    double whole_ms = row->runs[threads > 1 ? CONTESTANT_THREADS : CONTESTANT_OURS].ms;
    for (int moment = 0; moment < MOMENTS; moment++) {
      double took_ms = stop_once(arena, options, threads, whole_ms * moment / MOMENTS);
      row->stop_ms = took_ms > row->stop_ms ? took_ms : row->stop_ms;
    }
  }
  arena_free(arena);
}
