/*
 * Huge pages used before: what they hold when they are used again, how many, and solves that find
 * them dirty.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/page_pool.h"
#include "tests/solver/arenas.h"
#include "tests/support/failing_alloc.h"

enum { PIECES = 3, BYTES = PIECES * PAGES_PIECE_BYTES, DIRT = 0xa5 };

static uint8_t *dirty_pages(size_t bytes)
{
  uint8_t *pages = pages_alloc(bytes);
  assert_non_null(pages);
  for (size_t at = 0; at < bytes; at += PAGES_PIECE_BYTES)
    assert_int_equal(pages_fill(pages + at, PAGES_PIECE_BYTES, NULL), 0);
  return memset(pages, DIRT, bytes);
}

enum filled { PIECE_MOVED, PIECE_FRESH };

static enum filled fill_piece(uint8_t *piece)
{
  bool zeroed;
  assert_int_equal(pages_fill(piece, PAGES_PIECE_BYTES, &zeroed), 0);
  return zeroed ? PIECE_FRESH : PIECE_MOVED;
}

static int allow_all(void **state)
{
  (void)state;
  page_pool_limit(UINT64_MAX);
  return 0;
}

static int drop_all(void **state)
{
  (void)state;
  page_pool_limit(0);
  page_pool_drop();
  return (int)page_pool_bytes();
}

static void test_nothing_is_kept_unasked(void **state)
{
  (void)state;
  page_pool_limit(0);
  pages_free(dirty_pages(BYTES), BYTES);
  assert_int_equal(page_pool_bytes(), 0);
}

static void test_taken_as_it_was_left(void **state)
{
  (void)state;
  pages_free(dirty_pages(BYTES), BYTES);
  assert_int_equal(page_pool_bytes(), BYTES);
  uint8_t *pages = pages_alloc(BYTES);
  assert_int_equal(fill_piece(pages + PAGES_PIECE_BYTES), PIECE_MOVED);
  assert_int_equal(page_pool_bytes(), BYTES - PAGES_PIECE_BYTES);
  assert_int_equal(pages[PAGES_PIECE_BYTES + 1], DIRT);
  assert_int_equal(pages[0], 0);
  page_pool_drop();
  assert_int_equal(fill_piece(pages), PIECE_FRESH);
  assert_int_equal(pages[1], 0);
  assert_int_equal(pages[PAGES_PIECE_BYTES + 1], DIRT);
  pages_free(pages, BYTES);
}

static void test_no_more_than_allowed(void **state)
{
  (void)state;
  page_pool_limit(2 * PAGES_PIECE_BYTES + 1);
  pages_free(dirty_pages(BYTES), BYTES);
  assert_int_equal(page_pool_bytes(), 2 * PAGES_PIECE_BYTES);
}

static void test_trimmed_of_what_was_not_needed(void **state)
{
  (void)state;
  pages_free(dirty_pages(BYTES), BYTES);
  page_pool_trim();
  assert_int_equal(page_pool_bytes(), BYTES);
  uint8_t *piece = pages_alloc(PAGES_PIECE_BYTES);
  assert_int_equal(fill_piece(piece), PIECE_MOVED);
  pages_free(piece, PAGES_PIECE_BYTES);
  page_pool_trim();
  assert_int_equal(page_pool_bytes(), PAGES_PIECE_BYTES);
  page_pool_trim();
  assert_int_equal(page_pool_bytes(), 0);
}

static void test_given_up_where_mapping_fails(void **state)
{
  (void)state;
  pages_free(dirty_pages(BYTES), BYTES);
  failing_alloc_arm(0);
  void *pages = pages_alloc(BYTES);
  assert_true(failing_alloc_disarm());
  assert_non_null(pages);
  assert_int_equal(page_pool_bytes(), 0);
  pages_free(pages, BYTES);
}

/* The system has unmapped the piece when it fails to move a page there. */
static void test_mapped_anew_where_moving_fails(void **state)
{
  (void)state;
  pages_free(dirty_pages(BYTES), BYTES);
  uint8_t *pages = pages_alloc(BYTES);
  failing_alloc_arm(0);
  enum filled filled = fill_piece(pages + PAGES_PIECE_BYTES);
  assert_true(failing_alloc_disarm());
  assert_int_equal(filled, PIECE_FRESH);
  assert_int_equal(pages[PAGES_PIECE_BYTES], 0);
  memset(pages, DIRT, BYTES);
  assert_int_equal(page_pool_bytes(), 0);
  pages_free(pages, BYTES);
  assert_int_equal(page_pool_bytes(), 0);
}

static void test_reported_where_mapping_anew_fails_too(void **state)
{
  (void)state;
  bool zeroed;
  pages_free(dirty_pages(BYTES), BYTES);
  uint8_t *pages = pages_alloc(BYTES);
  failing_alloc_arm_from(0);
  int status = pages_fill(pages, PAGES_PIECE_BYTES, &zeroed);
  assert_true(failing_alloc_disarm());
  assert_int_equal(status, -ENOMEM);
  pages_free(pages, BYTES);
  assert_int_equal(page_pool_bytes(), 0);
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
  page_pool_drop();
  struct table *fresh = solve_with(specimen, forced, threads);
  page_pool_drop();
  pages_free(dirty_pages(DIRTY_BYTES), DIRTY_BYTES);
  struct table *again = solve_with(specimen, forced, threads);
  assert_true(page_pool_bytes() < DIRTY_BYTES);
  assert_int_equal(fresh->width, again->width);
  assert_memory_equal(fresh->cells, again->cells, table_bytes(fresh->nodes, fresh->width));
  table_free(fresh);
  table_free(again);
  assert_true(page_pool_bytes() > DIRTY_BYTES);
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

/*
 * Whichever allocation, mapping or move fails, alone or with all after it: the solve fails, or its
 * table is right.
 */
static void test_solves_where_moving_fails(void **state)
{
  (void)state;
  struct random random = {23};
  struct specimen specimen;
  make_mirrored(&specimen, &random, 1100);
  struct solve_options options = {.threads = 1};
  struct engine_options forced = {0};
  struct table *fresh = solve_with(&specimen, &forced, 1);
  for (long nth = 0, failed = 1; failed; nth++) {
    struct table *table = NULL;
    page_pool_limit(UINT64_MAX);
    pages_free(dirty_pages(4 * BYTES), 4 * BYTES);
    (nth % 2 ? failing_alloc_arm_from : failing_alloc_arm)(nth / 2);
    int status = engine_solve(&specimen.arena, &options, &forced, &table);
    failed = failing_alloc_disarm();
    assert_true(status == 0 || status == -ENOMEM);
    if (status == 0)
      assert_memory_equal(fresh->cells, table->cells, table_bytes(fresh->nodes, fresh->width));
    table_free(table);
  }
  table_free(fresh);
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
      cmocka_unit_test_setup_teardown(test_mapped_anew_where_moving_fails, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_reported_where_mapping_anew_fails_too, allow_all,
                                      drop_all),
      cmocka_unit_test_setup_teardown(test_solves_in_dirty_memory, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_solves_where_moving_fails, allow_all, drop_all),
      cmocka_unit_test_setup_teardown(test_stopped_solves_leave_nothing_wrong, allow_all, drop_all),
  };
  return cmocka_run_group_tests_name("page_pool", tests, NULL, NULL);
}
