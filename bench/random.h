/* Seeded random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood 2014). */
#ifndef CATMOUSE_BENCH_RANDOM_H
#define CATMOUSE_BENCH_RANDOM_H

#include <stdint.h>

struct random {
  uint64_t state;
};

static inline uint64_t random_next(struct random *random)
{
  uint64_t mixed = random->state += 0x9e3779b97f4a7c15u;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
  return mixed ^ mixed >> 31;
}

/* 0 .. bound - 1, with a bias below 2^-32. */
static inline uint32_t random_below(struct random *random, uint32_t bound)
{
  return (uint32_t)((random_next(random) >> 32) * bound >> 32);
}

/* Uniform in (0, 1]. */
static inline double random_unit(struct random *random)
{
  return (double)((random_next(random) >> 11) + 1) * 0x1p-53;
}

static inline void random_shuffle(struct random *random, uint32_t *values, uint32_t count)
{
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = random_below(random, i), value = values[i - 1];
    values[i - 1] = values[j];
    values[j] = value;
  }
}

#endif
