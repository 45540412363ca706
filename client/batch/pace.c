#include "client/batch/pace.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "client/terminal.h"
#include "proto/units.h"

enum { PATIENCE_MS = 500, EVERY_MS = 200, LINE_BYTES = 128 };

uint64_t pace_now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void pace_begin(struct pace *pace, bool wanted, uint64_t records_before)
{
  *pace = (struct pace){.wanted = wanted && isatty(STDERR_FILENO),
                        .began_ms = pace_now_ms(),
                        .records_before = records_before};
}

/* Seconds, or a negative number where nobody knows. */
static double time_left(const struct pace *pace, uint64_t taken, uint64_t total, uint64_t passed_ms)
{
  double done = (double)(taken - pace->taken_before);
  return total > taken && done > 0 ? (double)passed_ms / 1e3 * (double)(total - taken) / done : -1;
}

void pace_tell(struct pace *pace, uint64_t records, uint64_t taken, uint64_t total)
{
  uint64_t now_ms = pace_now_ms(), passed_ms = now_ms - pace->began_ms;
  if (!pace->under_way && pace->records_before > 0)
    pace->taken_before = taken;
  pace->under_way = true;
  if (!pace->wanted || passed_ms < PATIENCE_MS || now_ms - pace->told_ms < EVERY_MS)
    return;
  char words[LINE_BYTES], left[UNIT_WORDS + 8] = "", time[UNIT_WORDS];
  double left_s = time_left(pace, taken, total, passed_ms);
  if (left_s >= 0)
    snprintf(left, sizeof left, ", %s left", time_words((uint64_t)(left_s * 1e3), time));
  snprintf(words, sizeof words, "%" PRIu64 " done, %.0f a second%s", records,
           (double)(records - pace->records_before) * 1e3 / (double)passed_ms, left);
  uint32_t columns = terminal_columns(STDERR_FILENO);
  fprintf(stderr, "\r\033[K%.*s", columns ? (int)columns - 1 : LINE_BYTES, words);
  pace->told_ms = now_ms;
  pace->shown = true;
}

void pace_end(struct pace *pace)
{
  if (pace->shown)
    fputs("\r\033[K", stderr);
  pace->shown = false;
}
