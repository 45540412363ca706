/* Solves and the memory they take, without a daemon's loop. What cannot be done fails the test. */
#ifndef CATMOUSE_TESTS_DAEMON_SOLVES_FIXTURE_H
#define CATMOUSE_TESTS_DAEMON_SOLVES_FIXTURE_H

#include <semaphore.h>

#include "daemon/solves/solves.h"
#include "tests/daemon/case.h"

enum { THREADS = 2 };

struct fixture {
  sem_t woken; /* posted when a thread has finished something */
  struct cache cache;
  struct memory memory;
  struct workers *workers, *helpers;
  struct solves solves;
  struct daemon_limits limits;
  uint64_t message_bytes;
};

/* For cmocka: `*state` is the fixture. At the end what is still solved is given up, and every byte was given back. */
int fixture_setup(void **state);
int fixture_teardown(void **state);

/* Posts `woken` of a fixture. */
void fixture_wake(void *fixture);

/* A path, as slow to solve as puzzles of its size get. The caller's own. */
struct arena *path_arena(uint32_t nodes);

#endif
