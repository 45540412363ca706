/* A table's memory made ready ahead: what is touched and held as the layers grow, and the table that it becomes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/blank.h"
#include "solver/pages.h"

/* Cells of one byte take four pieces and a bit; 126 plies fit in them, 127 do not. */
enum { NODES = 2100, NARROW_PLIES = 126, WIDE_PLIES = 127 };

static struct job job;
static struct solve_options options;
static struct blank blank;

static int start(void **state)
{
  (void)state;
  options = (struct solve_options){0};
  job_init(&job, &options);
  blank_init(&blank, &job, NODES);
  return 0;
}

static int stop(void **state)
{
  (void)state;
  blank_deinit(&blank);
  return (int)atomic_load(&job.held_bytes);
}

static uint32_t touch_all(void)
{
  uint32_t pieces = 0;
  while (blank_touch_piece(&blank))
    pieces++;
  return pieces;
}

static uint32_t pieces_of(uint32_t width)
{
  return (uint32_t)((table_bytes(NODES, width) + PAGES_PIECE_BYTES - 1) / PAGES_PIECE_BYTES);
}

static void settle(uint32_t width)
{
  struct table *table;
  assert_int_equal(blank_settle(&blank, &table), 0);
  assert_int_equal(table->nodes, NODES);
  assert_int_equal(table->width, width);
  assert_int_equal(atomic_load(&job.held_bytes), table_bytes(NODES, width));
  const uint8_t *cells = table->cells;
  for (uint64_t at = 0; at < table_bytes(NODES, width); at++)
    assert_int_equal(cells[at], 0);
  assert_false(blank_touch_piece(&blank));
  table_free(table);
  job_release(&job, table_bytes(NODES, width));
}

static void test_touches_what_is_needed_for_sure(void **state)
{
  (void)state;
  job_layer(&job, NARROW_PLIES);
  assert_int_equal(touch_all(), pieces_of(1));
  assert_int_equal(atomic_load(&job.held_bytes), table_bytes(NODES, 1));
  job_layer(&job, WIDE_PLIES);
  assert_true(pieces_of(1) + touch_all() >= pieces_of(2));
  assert_int_equal(atomic_load(&job.held_bytes), table_bytes(NODES, 2));
  assert_int_equal(blank.ready_bytes, table_bytes(NODES, 2));
  settle(2);
}

static void test_settles_wider_than_touched(void **state)
{
  (void)state;
  assert_true(blank_touch_piece(&blank));
  job_layer(&job, WIDE_PLIES);
  settle(2);
  assert_int_equal(blank.ready_bytes, PAGES_PIECE_BYTES);
}

static void test_settles_untouched(void **state)
{
  (void)state;
  settle(1);
  assert_int_equal(blank.ready_bytes, 0);
}

static void test_never_settled(void **state)
{
  (void)state;
  assert_true(blank_touch_piece(&blank));
}

/* Nothing fails before it has to. */
static void test_bound_on_memory(void **state)
{
  (void)state;
  struct table *table;
  options.max_bytes = table_bytes(NODES, 2) - 1;
  assert_int_equal(touch_all(), pieces_of(1));
  job_layer(&job, WIDE_PLIES);
  assert_false(blank_touch_piece(&blank));
  assert_int_equal(job.error, 0);
  assert_int_equal(blank_settle(&blank, &table), -EFBIG);
}

static void test_stopped(void **state)
{
  (void)state;
  static const atomic_bool stop_flag = true;
  assert_true(blank_touch_piece(&blank));
  options.stop = &stop_flag;
  assert_false(blank_touch_piece(&blank));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_touches_what_is_needed_for_sure, start, stop),
      cmocka_unit_test_setup_teardown(test_settles_wider_than_touched, start, stop),
      cmocka_unit_test_setup_teardown(test_settles_untouched, start, stop),
      cmocka_unit_test_setup_teardown(test_never_settled, start, stop),
      cmocka_unit_test_setup_teardown(test_bound_on_memory, start, stop),
      cmocka_unit_test_setup_teardown(test_stopped, start, stop),
  };
  return cmocka_run_group_tests_name("blank", tests, NULL, NULL);
}
