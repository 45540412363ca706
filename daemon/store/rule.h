/*
 * Which tables are kept: those that took longer to solve than they take to read back. Reading is taken to
 * cost a start of its own and then to go at a rate that `--store-read-rate` sets; `./dev bench store` measures
 * both beside solving.
 */
#ifndef CATMOUSE_DAEMON_STORE_RULE_H
#define CATMOUSE_DAEMON_STORE_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum { READ_START_US = 1000 }; /* an asker doesn't notice a millisecond */

/* A rate of 0: every table pays. */
static inline bool table_pays(uint64_t solve_us, uint64_t table_bytes, uint64_t read_bytes_per_ms)
{
  if (read_bytes_per_ms == 0)
    return true;
  return solve_us > READ_START_US + table_bytes * 1000 / read_bytes_per_ms;
}

#endif
