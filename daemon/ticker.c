#include "daemon/ticker.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "daemon/list.h"

static void on_time(uv_poll_t *poll, int status, int events)
{
  struct ticker *ticker = container_of(poll, struct ticker, poll);
  uint64_t times;
  (void)status;
  (void)events;
  if (read(ticker->fd, &times, sizeof times) == sizeof times)
    ticker->call(ticker);
}

int ticker_init(struct ticker *ticker, uv_loop_t *loop, ticker_call *call)
{
  *ticker = (struct ticker){.call = call};
  ticker->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (ticker->fd < 0)
    return -errno;
  int result = uv_poll_init(loop, &ticker->poll, ticker->fd);
  return result < 0 ? result : uv_poll_start(&ticker->poll, UV_READABLE, on_time);
}

void ticker_deinit(struct ticker *ticker)
{
  close(ticker->fd);
}

static void set(struct ticker *ticker, uint64_t interval_ms)
{
  const struct timespec interval = {(time_t)(interval_ms / 1000),
                                    (long)(interval_ms % 1000) * 1000000};
  const struct itimerspec times = {interval, interval};
  timerfd_settime(ticker->fd, 0, &times, NULL);
  ticker->runs = interval_ms > 0;
}

void ticker_start(struct ticker *ticker, uint64_t interval_ms)
{
  set(ticker, interval_ms > 0 ? interval_ms : 1);
}

void ticker_stop(struct ticker *ticker)
{
  set(ticker, 0);
}
