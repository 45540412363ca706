#include "daemon/timers.h"

#include "daemon/notify.h"
#include "daemon/patience.h"

static void on_watchdog(struct ticker *ticker)
{
  struct server *server = container_of(ticker, struct server, watchdog);
  notifier_send(&server->notifier, "WATCHDOG=1");
}

static void on_store_tick(struct ticker *ticker)
{
  struct server *server = container_of(ticker, struct server, store_tick);
  store_tick(server->store, uv_now(&server->loop));
}

int timers_init(struct server *server)
{
  uv_timer_t *timers[] = {&server->tick, &server->deadline, &server->idle, &server->draining_timer,
                          &server->accept_retry};
  for (size_t i = 0; i < sizeof timers / sizeof timers[0]; i++)
    uv_timer_init(&server->loop, timers[i]);
  int result = ticker_init(&server->watchdog, &server->loop, on_watchdog);
  if (result == 0)
    result = ticker_init(&server->patience, &server->loop, patience_on_look);
  if (result == 0)
    result = ticker_init(&server->store_tick, &server->loop, on_store_tick);
  return result;
}

void timers_deinit(struct server *server)
{
  ticker_deinit(&server->watchdog);
  ticker_deinit(&server->patience);
  ticker_deinit(&server->store_tick);
}

void timers_start(struct server *server)
{
  uint64_t watchdog_ms = notify_watchdog_us() / 1000;
  if (watchdog_ms > 0) {
    on_watchdog(&server->watchdog);
    ticker_start(&server->watchdog, watchdog_ms / 2 + 1);
  }
  if (server->store)
    ticker_start(&server->store_tick, STORE_TICK_MS);
}
