/* Clocks and medians; failures end the bench with one sentence. */
#include "bench/measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t clock_ns(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t wall_ns(void)
{
  return clock_ns(CLOCK_MONOTONIC);
}

uint64_t cpu_ns(void)
{
  return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int compare_doubles(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double median(double *values, size_t count)
{
  qsort(values, count, sizeof *values, compare_doubles);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

uint32_t quantile(const uint32_t *ascending, size_t count, double share)
{
  size_t at = (size_t)(share * (double)count);
  return ascending[at < count ? at : count - 1];
}

void *need_memory(size_t count, size_t size)
{
  void *memory = calloc(count ? count : 1, size);
  if (!memory)
    die("out of memory: %zu times %zu bytes", count, size);
  return memory;
}

void die(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}
