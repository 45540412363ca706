/*
 * Waiting for the next message awake, where that is quicker than asleep. A processor that sleeps takes up to
 * tens of microseconds to wake, within a virtual machine above all, and a peer that asks on and on has often
 * asked again by then. Which is quicker depends on the machine and on where the kernel puts both, so it is
 * measured: of every SPIN_PERIOD waits the first few are spent asleep, the next few awake, and the others
 * the way that took clearly less. After the idea of KVM's halt polling.
 *
 * A wait is spent awake for `most_ns` only, and asleep from then on; where peers are slower than that, all waits
 * but a few are spent asleep. All functions belong to the loop's thread.
 */
#ifndef CATMOUSE_DAEMON_PEERS_SPIN_H
#define CATMOUSE_DAEMON_PEERS_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

enum { SPIN_PERIOD = 1024, SPIN_SAMPLES = 4 };

struct spin {
  uv_prepare_t before;    /* each look for messages */
  uv_idle_t awake;        /* runs while the loop is not to sleep */
  const unsigned *solves; /* running now, borrowed: the processors are theirs */
  uint64_t most_ns;
  uint64_t since_ns; /* when the wait began */
  bool waiting;
  unsigned waits;               /* of this period */
  uint64_t asleep_ns, awake_ns; /* of its samples */
};

/* Its handles are closed with the others of the loop. `most_us` 0: never awake. */
void spin_init(struct spin *spin, uv_loop_t *loop, uint64_t most_us, const unsigned *solves);

/* A wait has ended after so long: whether to spend the next one awake. For spin.c and its test. */
bool spin_learn(struct spin *spin, uint64_t waited_ns);

/* A message, or part of one, has come. */
void spin_message(struct spin *spin);

#endif
