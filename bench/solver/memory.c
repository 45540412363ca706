/*
 * Resident memory as the kernel counts it: the high-water mark is reset just before the solve
 * (/proc/self/clear_refs, see proc(5)) and read after it. The arena is there before and not counted.
 */
#include "bench/solver/memory.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "bench/measure.h"
#include "bench/solver/contestants.h"

/* The kernel's counters are off by some dozens of pages. */
static const uint64_t states_to_tell = 1000000;

static double status_bytes(const char *field)
{
  FILE *file = fopen("/proc/self/status", "r");
  if (!file)
    die("cannot read /proc/self/status");
  char line[256];
  unsigned long kilobytes = 0;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, field, strlen(field)) == 0)
      sscanf(line + strlen(field), ":%lu", &kilobytes);
  fclose(file);
  return 1024.0 * (double)kilobytes;
}

static void reset_peak(void)
{
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file || fputs("5", file) < 0 || fclose(file) != 0)
    die("cannot reset the high-water mark in /proc/self/clear_refs");
}

void memory_measure(struct row *row, const struct bench_options *options)
{
  struct arena *arena = contest_arena(row, options);
  if (arena_states(arena) < states_to_tell)
    return;
  malloc_trim(0);
  reset_peak();
  double before = status_bytes("VmRSS");
  struct table *table;
  struct solve_options one_thread = {.threads = 1};
  if (contest_solve(arena, options, &one_thread, &table) < 0)
    die("%s at n = %u cannot be solved", row->family->name, row->asked_nodes);
  row->peak_bytes = (status_bytes("VmHWM") - before) / (double)arena_states(arena);
}
