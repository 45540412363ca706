/* Clocks and medians for every bench. */
#ifndef CATMOUSE_BENCH_MEASURE_H
#define CATMOUSE_BENCH_MEASURE_H

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
uint64_t wall_ns(void);

/* Nanoseconds of processor time that this thread has used. */
uint64_t cpu_ns(void);

/* The middle one of `count` > 0 values, the mean of the middle two where `count` is even. Sorts them. */
double median(double *values, size_t count);

/* The value that `share` (0..1) of `count` > 0 ascending values do not exceed. */
uint32_t quantile(const uint32_t *ascending, size_t count, double share);

/* calloc(), or the end of the program in one sentence: a bench without memory has no figures. */
void *need_memory(size_t count, size_t size);

/* Ends the program with a sentence (printf style) on stderr. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
