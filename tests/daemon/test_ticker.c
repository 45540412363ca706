/* Tickers in a loop of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "daemon/list.h"
#include "daemon/ticker.h"

struct counted {
  struct ticker ticker;
  unsigned calls, stops_after;
};

static uv_loop_t loop;
static struct counted first, second;

static void on_tick(struct ticker *ticker)
{
  struct counted *counted = container_of(ticker, struct counted, ticker);
  if (++counted->calls == counted->stops_after)
    ticker_stop(ticker);
}

static int start(void **state)
{
  (void)state;
  first.calls = second.calls = first.stops_after = second.stops_after = 0;
  return uv_loop_init(&loop) || ticker_init(&first.ticker, &loop, on_tick) ||
         ticker_init(&second.ticker, &loop, on_tick);
}

static int stop(void **state)
{
  (void)state;
  uv_close((uv_handle_t *)&first.ticker.poll, NULL);
  uv_close((uv_handle_t *)&second.ticker.poll, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  ticker_deinit(&first.ticker);
  ticker_deinit(&second.ticker);
  return uv_loop_close(&loop);
}

static void run_until(const struct counted *counted, unsigned calls)
{
  while (counted->calls < calls)
    uv_run(&loop, UV_RUN_ONCE);
}

/* The point of tickers. */
static void test_loop_waits_without_a_limit(void **state)
{
  (void)state;
  ticker_start(&first.ticker, 1000);
  uv_run(&loop, UV_RUN_NOWAIT);
  assert_int_equal(uv_backend_timeout(&loop), -1);
}

static void test_calls_again_and_again(void **state)
{
  (void)state;
  uint64_t began_ms = uv_hrtime() / 1000000;
  ticker_start(&first.ticker, 2);
  run_until(&first, 5);
  assert_true(uv_hrtime() / 1000000 - began_ms >= 9);
}

static void test_stopped_within_its_call(void **state)
{
  (void)state;
  first.stops_after = 3;
  ticker_start(&first.ticker, 1);
  ticker_start(&second.ticker, 1);
  run_until(&first, 3);
  assert_false(first.ticker.runs);
  run_until(&second, second.calls + 20);
  assert_int_equal(first.calls, 3);
}

static void test_starts_again(void **state)
{
  (void)state;
  first.stops_after = 1;
  ticker_start(&first.ticker, 1);
  run_until(&first, 1);
  ticker_start(&first.ticker, 0);
  assert_true(first.ticker.runs);
  run_until(&first, 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_loop_waits_without_a_limit, start, stop),
      cmocka_unit_test_setup_teardown(test_calls_again_and_again, start, stop),
      cmocka_unit_test_setup_teardown(test_stopped_within_its_call, start, stop),
      cmocka_unit_test_setup_teardown(test_starts_again, start, stop),
  };
  return cmocka_run_group_tests_name("ticker", tests, NULL, NULL);
}
