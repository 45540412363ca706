/*
 * A timer that repeats, kept by the kernel. Where all that a loop has to do by the clock is a ticker's, it waits
 * for its peers without a time limit, and no request pays for setting and clearing one.
 */
#ifndef CATMOUSE_DAEMON_TICKER_H
#define CATMOUSE_DAEMON_TICKER_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

struct ticker;
typedef void ticker_call(struct ticker *ticker);

struct ticker {
  uv_poll_t poll;
  ticker_call *call;
  int fd;
  bool runs;
};

/* Its handle is closed with the others of the loop, its descriptor by ticker_deinit(). 0 or a negative errno. */
int ticker_init(struct ticker *ticker, uv_loop_t *loop, ticker_call *call);

/* After the loop has closed. */
void ticker_deinit(struct ticker *ticker);

/* Calls every `interval_ms` from now on, until it is stopped; 0 is taken for 1. */
void ticker_start(struct ticker *ticker, uint64_t interval_ms);
void ticker_stop(struct ticker *ticker);

#endif
