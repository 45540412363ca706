/* A table's memory made ready ahead: what is filled and held as the layers grow, and the table that it becomes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "solver/engine/blank.h"
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

static uint32_t fill_all(void)
{
  uint32_t pieces = 0;
  while (blank_fill_piece(&blank))
    pieces++;
  return pieces;
}

static uint32_t pieces_of(uint32_t width)
{
  return (uint32_t)(table_bytes(NODES, width) / PAGES_PIECE_BYTES);
}

static void settle(uint32_t width)
{
  struct table *table;
  assert_int_equal(blank_settle(&blank, &table), 0);
  assert_int_equal(table->nodes, NODES);
  assert_int_equal(table->width, width);
  assert_int_equal(atomic_load(&job.held_bytes), table_bytes(NODES, width));
  memset(table->cells, 1, table_bytes(NODES, width));
  assert_false(blank_fill_piece(&blank));
  table_free(table);
  job_release(&job, table_bytes(NODES, width));
}

static void test_fills_what_is_needed_for_sure(void **state)
{
  (void)state;
  job_layer(&job, NARROW_PLIES);
  assert_int_equal(fill_all(), pieces_of(1));
  assert_int_equal(atomic_load(&job.held_bytes), table_bytes(NODES, 1));
  job_layer(&job, WIDE_PLIES);
  assert_int_equal(fill_all(), pieces_of(2) - pieces_of(1));
  assert_int_equal(blank.filled, pieces_of(2));
  assert_int_equal(atomic_load(&job.held_bytes), table_bytes(NODES, 2));
  settle(2);
}

static void test_settles_wider_than_filled(void **state)
{
  (void)state;
  assert_true(blank_fill_piece(&blank));
  job_layer(&job, WIDE_PLIES);
  settle(2);
  assert_int_equal(blank.filled, 1);
}

static void test_settles_unfilled(void **state)
{
  (void)state;
  settle(1);
  assert_int_equal(blank.filled, 0);
}

static void test_never_settled(void **state)
{
  (void)state;
  assert_true(blank_fill_piece(&blank));
}

/* Nothing fails before it has to. */
static void test_bound_on_memory(void **state)
{
  (void)state;
  struct table *table;
  options.max_bytes = table_bytes(NODES, 2) - 1;
  assert_int_equal(fill_all(), pieces_of(1));
  job_layer(&job, WIDE_PLIES);
  assert_false(blank_fill_piece(&blank));
  assert_int_equal(job.error, 0);
  assert_int_equal(blank_settle(&blank, &table), -EFBIG);
}

static void test_stopped(void **state)
{
  (void)state;
  static const atomic_bool stop_flag = true;
  assert_true(blank_fill_piece(&blank));
  options.stop = &stop_flag;
  assert_false(blank_fill_piece(&blank));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_fills_what_is_needed_for_sure, start, stop),
      cmocka_unit_test_setup_teardown(test_settles_wider_than_filled, start, stop),
      cmocka_unit_test_setup_teardown(test_settles_unfilled, start, stop),
      cmocka_unit_test_setup_teardown(test_never_settled, start, stop),
      cmocka_unit_test_setup_teardown(test_bound_on_memory, start, stop),
      cmocka_unit_test_setup_teardown(test_stopped, start, stop),
  };
  return cmocka_run_group_tests_name("blank", tests, NULL, NULL);
}
