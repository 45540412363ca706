#include "bench/solver/summary.h"

#include <stdio.h>

#include "bench/machine.h"

static const struct {
  const char *family, *words;
} puzzles[] = {
    {"degree4", "random, degree 4"},
    {"degree16", "random, degree 16"},
    {"regular3", "random 3-regular"},
    {"grid", "grid, 20 % walls"},
    {"maze", "maze"},
    {"tree", "random tree"},
    {"path", "path"},
};
static const uint32_t sizes[] = {50, 1000, 5000};
static const struct {
  enum engine_level level;
  const char *words;
} levels[] = {
    {ENGINE_LEVEL_AVX512, "AVX-512"}, {ENGINE_LEVEL_AVX2, "AVX2"}, {ENGINE_LEVEL_PLAIN, "plain"}};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* At most two: this machine's widest first. */
static bool is_shown(size_t level)
{
  bool last = level == COUNT(levels) - 1;
  return engine_level_works(levels[level].level) &&
         !(last && engine_level_works(ENGINE_LEVEL_AVX512));
}

static void print_head(void)
{
  printf("| puzzle |");
  for (size_t level = 0; level < COUNT(levels); level++)
    if (is_shown(level))
      printf(" %s: 50 nodes | 1,000 | 5,000 | faster than the textbook |", levels[level].words);
  printf("\n|---|");
  for (size_t level = 0; level < COUNT(levels); level++)
    if (is_shown(level))
      printf("---|---|---|---|");
  printf("\n");
}

static void print_time(double ms)
{
  if (ms < 1)
    printf(" %.1f µs |", ms * 1000);
  else
    printf(ms < 10 ? " %.1f ms |" : " %.0f ms |", ms);
}

/* The textbook runs beside the largest size alone. */
static void print_sizes(const struct family *family, const struct bench_options *options)
{
  struct row row;
  for (size_t at = 0; at < COUNT(sizes); at++) {
    struct bench_options asked = *options;
    asked.no_textbook = at + 1 < COUNT(sizes);
    row = (struct row){.family = family, .asked_nodes = sizes[at]};
    row_measure(&row, &asked);
    print_time(row.runs[CONTESTANT_OURS].ms);
    fflush(stdout);
  }
  printf(" %.1f times |", row.runs[CONTESTANT_TEXTBOOK].ratio);
}

void summary_print(const struct bench_options *options)
{
  struct bench_options asked = *options;
  struct machine machine;
  asked.threads = 1;
  asked.cpu_time = true;
  machine_describe(&machine);
  machine_print(&machine);
  print_head();
  for (size_t at = 0; at < COUNT(puzzles); at++) {
    printf("| %s |", puzzles[at].words);
    for (size_t level = 0; level < COUNT(levels); level++)
      if (is_shown(level)) {
        asked.forced.level = levels[level].level;
        print_sizes(family_named(puzzles[at].family), &asked);
      }
    printf("\n");
  }
}
