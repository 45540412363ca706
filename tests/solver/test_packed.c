/* Packed arenas: what comes back is what went in, and nothing else is let through. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/packed.h"
#include "tests/solver/random_puzzle.h"
#include "tests/support/failing_alloc.h"

enum { PUZZLES = 2000, FLIPS = 20000, NODES_MAX = 40 };

struct packed {
  uint8_t *bytes;
  size_t length;
  struct id id;
};

static struct packed pack(const struct arena *arena)
{
  struct packed packed = {.length = arena_packed_bytes(arena)};
  packed.bytes = malloc(packed.length);
  assert_non_null(packed.bytes);
  arena_pack(arena, packed.bytes);
  arena_id(arena, &packed.id);
  return packed;
}

static struct arena *random_game(struct chance *chance)
{
  return chance_below(chance, 2) ? random_graph(chance, NODES_MAX) : random_grid(chance, NODES_MAX);
}

static void assert_same_moves(const struct moves *left, const struct moves *right, uint32_t nodes)
{
  for (uint32_t node = 0; node < nodes; node++) {
    uint32_t count = left->end[node] - left->begin[node];
    assert_int_equal(count, right->end[node] - right->begin[node]);
    assert_memory_equal(left->to + left->begin[node], right->to + right->begin[node],
                        count * sizeof *left->to);
  }
}

static void assert_same_arena(const struct arena *left, const struct arena *right)
{
  assert_int_equal(left->game, right->game);
  assert_int_equal(left->nodes, right->nodes);
  assert_int_equal(left->rows, right->rows);
  assert_int_equal(left->cols, right->cols);
  assert_int_equal(left->mirrored, right->mirrored);
  assert_int_equal(left->endless, right->endless);
  assert_int_equal(left->limit_plies, right->limit_plies);
  assert_int_equal(left->bytes, right->bytes);
  for (int player = 0; player < 2; player++) {
    size_t set_bytes = (left->nodes / 64 + 1) * sizeof(uint64_t);
    assert_same_moves(&left->moves[player], &right->moves[player], left->nodes);
    assert_memory_equal(left->home[player], right->home[player], set_bytes);
    assert_memory_equal(left->barred[player], right->barred[player], set_bytes);
  }
}

static void test_comes_back_the_same(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < PUZZLES; seed++) {
    struct chance chance = {seed};
    struct arena *arena = random_game(&chance), *back = NULL;
    struct packed packed = pack(arena);
    assert_int_equal(arena_unpack(packed.bytes, packed.length, &packed.id, &back), 0);
    assert_same_arena(arena, back);
    free(packed.bytes);
    arena_free(back);
    arena_free(arena);
  }
}

/* A star: node numbers and counts of more than one byte. */
static void test_large_numbers(void **state)
{
  (void)state;
  enum { NODES = 70000 };
  uint32_t *first = calloc(NODES + 1, sizeof *first);
  int32_t *neighbour = calloc(2 * NODES, sizeof *neighbour);
  assert_true(first && neighbour);
  uint32_t count = 0;
  for (uint32_t node = 0; node < NODES; node++) {
    first[node] = count;
    if (node == 0) {
      for (int32_t other = NODES - 1; other > 0; other--)
        neighbour[count++] = other;
    } else {
      neighbour[count++] = 0;
    }
  }
  first[NODES] = count;
  struct puzzle puzzle = {.game = GAME_GRAPH,
                          .graph = {.nodes = NODES, .first = first, .neighbour = neighbour}};
  struct arena *arena = NULL, *back = NULL;
  struct complaint complaint;
  assert_int_equal(arena_new(&puzzle, &arena, &complaint), 0);
  struct packed packed = pack(arena);
  assert_int_equal(arena_unpack(packed.bytes, packed.length, &packed.id, &back), 0);
  assert_same_arena(arena, back);
  arena_free(back);
  arena_free(arena);
  free(packed.bytes);
  free(neighbour);
  free(first);
}

/* A copy of its own size, so that a read beyond the end is seen by a sanitizer. */
static int unpack_copy(const uint8_t *bytes, size_t length, const struct id *id)
{
  struct arena *back = NULL;
  uint8_t *copy = malloc(length + (length == 0));
  assert_non_null(copy);
  memcpy(copy, bytes, length);
  int status = arena_unpack(copy, length, id, &back);
  free(copy);
  arena_free(back);
  return status;
}

static void test_cut_or_longer_is_refused(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 50; seed++) {
    struct chance chance = {seed};
    struct arena *arena = random_game(&chance);
    struct packed packed = pack(arena);
    for (size_t length = 0; length < packed.length; length++)
      assert_int_equal(unpack_copy(packed.bytes, length, &packed.id), -EBADMSG);
    uint8_t *longer = calloc(1, packed.length + 1);
    assert_non_null(longer);
    memcpy(longer, packed.bytes, packed.length);
    assert_int_equal(unpack_copy(longer, packed.length + 1, &packed.id), -EBADMSG);
    free(longer);
    free(packed.bytes);
    arena_free(arena);
  }
}

static void test_flips_are_refused(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < FLIPS; seed++) {
    struct chance chance = {seed};
    struct arena *arena = random_game(&chance);
    struct packed packed = pack(arena);
    uint8_t *flipped = &packed.bytes[chance_below(&chance, (uint32_t)packed.length)];
    *flipped ^= (uint8_t)(1u << chance_below(&chance, 8));
    assert_int_equal(unpack_copy(packed.bytes, packed.length, &packed.id), -EBADMSG);
    free(packed.bytes);
    arena_free(arena);
  }
}

static void test_another_id_is_refused(void **state)
{
  (void)state;
  struct chance chance = {1};
  struct arena *arena = random_game(&chance);
  struct packed packed = pack(arena);
  packed.id.bytes[ID_BYTES - 1] ^= 1;
  assert_int_equal(unpack_copy(packed.bytes, packed.length, &packed.id), -EBADMSG);
  free(packed.bytes);
  arena_free(arena);
}

static void assert_refused(const struct arena *arena)
{
  struct packed packed = pack(arena);
  assert_int_equal(unpack_copy(packed.bytes, packed.length, &packed.id), -EBADMSG);
  free(packed.bytes);
}

/* Changes what is const to everybody else: the arena is a block of our own. */
static void test_a_graph_with_another_home_is_refused(void **state)
{
  (void)state;
  struct chance chance = {1};
  struct arena *arena = random_graph(&chance, NODES_MAX);
  for (int player = 0; player < 2; player++) {
    *(uint64_t *)arena->home[player] ^= 2;
    assert_refused(arena);
    *(uint64_t *)arena->home[player] ^= 2;
  }
  arena_free(arena);
}

/* Each must be refused before its numbers are believed, whatever the id. */
static void test_lies_are_refused(void **state)
{
  (void)state;
  static const uint8_t no_game[] = {2, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0};
  static const uint8_t many_nodes[] = {0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 2, 0, 1, 1};
  static const uint8_t many_moves[] = {0, 3, 0, 0, 2, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1};
  static const uint8_t beyond_32_bits[] = {0, 0xff, 0xff, 0xff, 0xff, 0x1f};
  static const uint8_t endless_number[] = {0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
  static const uint8_t unmirrored[] = {0, 3, 0, 0, 2, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
  static const uint8_t itself[] = {0, 3, 0, 0, 2, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
  static const uint8_t no_rows[] = {1, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0,
                                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  static const uint8_t member_beyond[] = {0, 3, 0, 0, 2, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 0};
#define LIE(bytes)         \
  {                        \
    (bytes), sizeof(bytes) \
  }
  static const struct {
    const uint8_t *bytes;
    size_t length;
  } lies[] = {LIE(no_game),        LIE(many_nodes),     LIE(many_moves),
              LIE(beyond_32_bits), LIE(endless_number), LIE(unmirrored),
              LIE(itself),         LIE(no_rows),        LIE(member_beyond)};
#undef LIE
  const struct id none = {{0}};
  for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
    failing_alloc_arm(-1);
    int status = unpack_copy(lies[i].bytes, lies[i].length, &none);
    failing_alloc_disarm();
    if (status != -EBADMSG)
      fail_msg("lie %zu gave %d", i, status);
    assert_int_equal(failing_alloc_outstanding(), 0);
  }
}

static void test_without_memory(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < 8; seed++) {
    struct chance chance = {seed};
    struct arena *arena = random_game(&chance);
    struct packed packed = pack(arena);
    bool failed = true;
    for (long nth = 0; failed; nth++) {
      struct arena *back = NULL;
      failing_alloc_arm(nth);
      int status = arena_unpack(packed.bytes, packed.length, &packed.id, &back);
      arena_free(back);
      failed = failing_alloc_disarm();
      assert_int_equal(failing_alloc_outstanding(), 0);
      assert_int_equal(status, failed ? -ENOMEM : 0);
    }
    free(packed.bytes);
    arena_free(arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comes_back_the_same),
      cmocka_unit_test(test_large_numbers),
      cmocka_unit_test(test_cut_or_longer_is_refused),
      cmocka_unit_test(test_flips_are_refused),
      cmocka_unit_test(test_another_id_is_refused),
      cmocka_unit_test(test_lies_are_refused),
      cmocka_unit_test(test_a_graph_with_another_home_is_refused),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
