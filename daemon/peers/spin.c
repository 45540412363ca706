/*
 * An idle handle keeps libuv from sleeping: it looks for events, finds none, and looks again. Each look goes by
 * on_before(), which begins a wait and ends what has been awake for too long; the message ends the wait.
 */
#include "daemon/peers/spin.h"

#include "daemon/base/list.h"

static void on_awake(uv_idle_t *awake)
{
  (void)awake;
}

static void begin_period(struct spin *spin)
{
  spin->waits = 0;
  spin->asleep_ns = spin->awake_ns = 0;
}

static void on_before(uv_prepare_t *before)
{
  struct spin *spin = container_of(before, struct spin, before);
  bool awake = uv_is_active((uv_handle_t *)&spin->awake);
  if (spin->waiting && !awake)
    return;
  uint64_t now_ns = uv_hrtime();
  if (!spin->waiting)
    spin->since_ns = now_ns;
  spin->waiting = true;
  if (!awake || (now_ns - spin->since_ns < spin->most_ns && *spin->solves == 0))
    return;
  uv_idle_stop(&spin->awake);
  if (spin->waits >= 2 * SPIN_SAMPLES) /* peers do not ask that fast any longer: measure again */
    begin_period(spin);
}

void spin_init(struct spin *spin, uv_loop_t *loop, uint64_t most_us, const unsigned *solves)
{
  uint64_t most_ns = most_us < UINT64_MAX / 1000 ? most_us * 1000 : UINT64_MAX;
  *spin = (struct spin){.solves = solves, .most_ns = most_ns};
  uv_prepare_init(loop, &spin->before);
  uv_idle_init(loop, &spin->awake);
  if (most_us > 0)
    uv_prepare_start(&spin->before, on_before);
}

bool spin_learn(struct spin *spin, uint64_t waited_ns)
{
  uint64_t counted_ns = waited_ns < spin->most_ns ? waited_ns : spin->most_ns;
  if (spin->waits < SPIN_SAMPLES)
    spin->asleep_ns += counted_ns;
  else if (spin->waits < 2 * SPIN_SAMPLES)
    spin->awake_ns += counted_ns;
  if (++spin->waits == SPIN_PERIOD)
    begin_period(spin);
  if (spin->waits < 2 * SPIN_SAMPLES)
    return spin->waits >= SPIN_SAMPLES;
  /* A quarter less, lest chance decide between ways that take the same. */
  return spin->awake_ns < spin->asleep_ns - spin->asleep_ns / 4;
}

void spin_message(struct spin *spin)
{
  if (!spin->waiting)
    return;
  spin->waiting = false;
  if (spin_learn(spin, uv_hrtime() - spin->since_ns) && *spin->solves == 0)
    uv_idle_start(&spin->awake, on_awake);
  else
    uv_idle_stop(&spin->awake);
}
