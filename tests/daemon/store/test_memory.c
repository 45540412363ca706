/* Without memory a request is refused; nothing leaks or breaks, and nobody waits for ever. */
#include <errno.h>

#include "solver/packed.h"
#include "tests/daemon/store/side.h"
#include "tests/support/failing_alloc.h"

enum { ALLOCATIONS_MAX = 100 };

static void on_done(struct store_request *request)
{
  ((struct asked *)request)->done = true;
}

static void test_opening(void **state)
{
  (void)state;
  struct side side;
  bool failed = true;
  side_init(&side);
  side_close(&side);
  for (long nth = 0; failed; nth++) {
    assert_in_range(nth, 0, ALLOCATIONS_MAX);
    struct store *store;
    failing_alloc_arm(nth);
    int result = store_open(&side.options, &store);
    failed = failing_alloc_disarm();
    if (result == 0)
      store_close(store);
    else
      assert_in_set(-result, ((unsigned long[]){ENOMEM, EAGAIN}), 2);
  }
  side_open(&side);
  side_keep(&side, 1);
  side_deinit(&side);
}

/* Asks for everything; what is refused is refused at once. */
static void ask(struct side *side, long nth, bool *failed)
{
  struct asked asked[5];
  int results[5];
  struct id id;
  char digits[ID_TEXT + 1];
  struct arena *arena = puzzle_of(2, &id);
  size_t length = arena_packed_bytes(arena);
  uint8_t *packed = malloc(length);
  assert_non_null(packed);
  arena_pack(arena, packed);
  id_format(&id, digits);
  for (int i = 0; i < 5; i++)
    asked[i] = (struct asked){.request.done = on_done};
  failing_alloc_arm(nth);
  results[0] = store_keep(side->store, &asked[0].request, packed, length, &id, 20, GAME_GRAPH);
  results[1] = store_find(side->store, &asked[1].request, digits);
  results[2] = store_list(side->store, &asked[2].request, 10);
  results[3] = store_forget(side->store, &asked[3].request, &id);
  results[4] = store_clear(side->store, &asked[4].request);
  *failed = failing_alloc_disarm();
  for (int i = 0; i < 5; i++) {
    if (results[i] == 0)
      assert_int_equal(side_wait(side, &asked[i]), 0);
    else
      assert_int_equal(results[i], -ENOMEM);
    free(asked[i].request.rows);
    arena_free(asked[i].request.arena);
  }
  arena_free(arena);
}

static void test_asking(void **state)
{
  (void)state;
  struct side side;
  bool failed = true;
  side_init(&side);
  for (long nth = 0; failed; nth++) {
    assert_in_range(nth, 0, ALLOCATIONS_MAX);
    ask(&side, nth, &failed);
  }
  side_keep(&side, 1);
  assert_true(side_has(&side, 1));
  side_deinit(&side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_opening), cmocka_unit_test(test_asking)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
