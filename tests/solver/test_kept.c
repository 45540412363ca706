/* Memory given back and kept: what it holds when it is taken again, how much, and solves that find it dirty. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/kept.h"
#include "solver/pages.h"
#include "tests/solver/arenas.h"
#include "tests/support/failing_alloc.h"

enum { PIECES = 3, BYTES = PIECES * PAGES_PIECE_BYTES, DIRT = 0xa5 };

static uint8_t *dirty_pages(size_t bytes)
{
  uint8_t *pages = pages_alloc(bytes);
  assert_non_null(pages);
  for (size_t at = 0; at < bytes; at += PAGES_PIECE_BYTES)
    pages_fill(pages + at, PAGES_PIECE_BYTES);
  return memset(pages, DIRT, bytes);
}

static int allow_all(void **state)
{
  (void)state;
  kept_allow(UINT64_MAX);
  return 0;
}

static int drop_all(void **state)
{
  (void)state;
  kept_allow(0);
  kept_drop();
  return (int)kept_bytes();
}

static void test_nothing_is_kept_unasked(void **state)
{
  (void)state;
  kept_allow(0);
  pages_free(dirty_pages(BYTES), BYTES);
  assert_int_equal(kept_bytes(), 0);
}

static void test_taken_as_it_was_left(void **state)
{
  (void)state;
  pages_free(dirty_pages(BYTES), BYTES);
  assert_int_equal(kept_bytes(), BYTES);
  uint8_t *pages = pages_alloc(BYTES);
  assert_false(pages_fill(pages + PAGES_PIECE_BYTES, PAGES_PIECE_BYTES));
  assert_int_equal(kept_bytes(), BYTES - PAGES_PIECE_BYTES);
  assert_int_equal(pages[PAGES_PIECE_BYTES + 1], DIRT);
  assert_int_equal(pages[0], 0);
  kept_drop();
  assert_true(pages_fill(pages, PAGES_PIECE_BYTES));
  assert_int_equal(pages[1], 0);
  assert_int_equal(pages[PAGES_PIECE_BYTES + 1], DIRT);
  pages_free(pages, BYTES);
}

static void test_no_more_than_allowed(void **state)
{
  (void)state;
  kept_allow(2 * PAGES_PIECE_BYTES + 1);
  pages_free(dirty_pages(BYTES), BYTES);
  assert_int_equal(kept_bytes(), 2 * PAGES_PIECE_BYTES);
}

static void test_trimmed_of_what_was_not_needed(void **state)
{
  (void)state;
  pages_free(dirty_pages(BYTES), BYTES);
  kept_trim();
  assert_int_equal(kept_bytes(), BYTES);
  uint8_t *piece = pages_alloc(PAGES_PIECE_BYTES);
  pages_fill(piece, PAGES_PIECE_BYTES);
  pages_free(piece, PAGES_PIECE_BYTES);
  kept_trim();
  assert_int_equal(kept_bytes(), PAGES_PIECE_BYTES);
  kept_trim();
  assert_int_equal(kept_bytes(), 0);
}

static void test_given_up_where_mapping_fails(void **state)
{
  (void)state;
  pages_free(dirty_pages(BYTES), BYTES);
  failing_alloc_arm(0);
  void *pages = pages_alloc(BYTES);
  assert_true(failing_alloc_disarm());
  assert_non_null(pages);
  assert_int_equal(kept_bytes(), 0);
  pages_free(pages, BYTES);
}

static struct table *solve_with(const struct specimen *specimen,
                                const struct engine_options *forced, unsigned threads)
{
  struct solve_options options = {.threads = threads};
  struct table *table;
  assert_int_equal(engine_solve(&specimen->arena, &options, forced, &table), 0);
  return table;
}

/* The peer has fresh memory. */
static void check_dirty(const struct specimen *specimen, const struct engine_options *forced,
                        unsigned threads)
{
  enum { DIRTY_BYTES = 24 * PAGES_PIECE_BYTES };
  kept_drop();
  struct table *fresh = solve_with(specimen, forced, threads);
  kept_drop();
  pages_free(dirty_pages(DIRTY_BYTES), DIRTY_BYTES);
  struct table *again = solve_with(specimen, forced, threads);
  assert_true(kept_bytes() < DIRTY_BYTES);
  assert_int_equal(fresh->width, again->width);
  assert_memory_equal(fresh->cells, again->cells, table_bytes(fresh->nodes, fresh->width));
  table_free(fresh);
  table_free(again);
  assert_true(kept_bytes() > DIRTY_BYTES);
}

static void test_solves_in_dirty_memory(void **state)
{
  (void)state;
  struct random random = {17};
  for (uint32_t nodes = 800; nodes <= 1700; nodes += 300) {
    struct specimen specimen;
    make_mirrored(&specimen, &random, nodes);
    for (unsigned threads = 1; threads <= 2; threads++) {
      struct engine_options forced = random_options(&random, nodes);
      check_dirty(&specimen, &forced, threads);
    }
    specimen_deinit(&specimen);
  }
}

static void test_stopped_solves_leave_nothing_wrong(void **state)
{
  (void)state;
  struct random random = {19};
  struct specimen specimen;
  make_mirrored(&specimen, &random, 1000);
  struct engine_options forced = {.share_always = true};
  for (long nth = 0, stopped = 1; stopped; nth++) {
    atomic_bool stop = false;
    struct solve_options options = {.threads = 1, .stop = &stop};
    struct table *table = NULL;
    failing_alloc_arm_flag(nth, &stop);
    stopped = engine_solve(&specimen.arena, &options, &forced, &table) < 0;
    failing_alloc_disarm();
    table_free(table);
  }
  check_dirty(&specimen, &forced, 2);
  specimen_deinit(&specimen);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_nothing_is_kept_unasked, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_taken_as_it_was_left, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_no_more_than_allowed, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_trimmed_of_what_was_not_needed, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_given_up_where_mapping_fails, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_solves_in_dirty_memory, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_stopped_solves_leave_nothing_wrong, allow_all, drop_all),
  };
  return cmocka_run_group_tests_name("kept", tests, NULL, NULL);
}
