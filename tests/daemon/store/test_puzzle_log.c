/* The log of puzzles: torn at every byte, flipped at every byte, and still right. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "daemon/store/puzzle_log.h"
#include "daemon/store/segment.h"
#include "solver/packed.h"
#include "tests/daemon/store/store_test.h"
#include "tests/support/failing_alloc.h"

enum { PUZZLES = 5, NOW_S = 1000 };

struct fixture {
  struct test_folder test;
  struct store_folder folder;
  struct puzzle_log log;
  struct test_puzzle puzzles[PUZZLES];
  struct place places[PUZZLES];
};

static void fixture_init(struct fixture *fixture)
{
  test_folder_init(&fixture->test);
  test_folder_open(&fixture->test, &fixture->folder);
  puzzle_log_init(&fixture->log, &fixture->folder);
  for (int i = 0; i < PUZZLES; i++) {
    struct test_puzzle *puzzle = &fixture->puzzles[i];
    test_puzzle_init(puzzle, (uint64_t)i);
    assert_int_equal(puzzle_log_append(&fixture->log, puzzle->arena, &puzzle->id,
                                       NOW_S + (uint64_t)i, &fixture->places[i]),
                     0);
  }
}

/* As if its daemon had been started again. */
static void start_again(struct fixture *fixture)
{
  puzzle_log_deinit(&fixture->log);
  puzzle_log_init(&fixture->log, &fixture->folder);
}

static void fixture_deinit(struct fixture *fixture)
{
  for (int i = 0; i < PUZZLES; i++)
    test_puzzle_deinit(&fixture->puzzles[i]);
  puzzle_log_deinit(&fixture->log);
  store_folder_deinit(&fixture->folder);
  test_folder_deinit(&fixture->test);
}

/* What a scan found: which of the fixture's puzzles, in order. */
struct seen {
  struct fixture *fixture;
  unsigned count;
  bool whole[PUZZLES];
  uint64_t used_s[PUZZLES];
};

static int on_found(void *context, const struct record *record, const struct place *place)
{
  struct seen *seen = context;
  struct arena *arena = NULL;
  assert_int_equal(arena_unpack(record->packed, record->packed_bytes, &record->id, &arena), 0);
  arena_free(arena);
  for (int i = 0; i < PUZZLES; i++) {
    if (memcmp(&record->id, &seen->fixture->puzzles[i].id, sizeof record->id) != 0)
      continue;
    assert_int_equal(place->offset, seen->fixture->places[i].offset);
    seen->whole[i] = true;
    seen->used_s[i] = record->used_s;
    seen->count++;
    return 0;
  }
  fail_msg("a record of no puzzle");
  return -1;
}

static int scan(struct fixture *fixture, struct segment_scan *segment, struct seen *seen)
{
  *seen = (struct seen){.fixture = fixture};
  *segment = (struct segment_scan){.segment = 1};
  return segment_visit(&fixture->folder, segment, on_found, seen);
}

static void test_read_and_marked(void **state)
{
  (void)state;
  struct fixture fixture;
  struct segment_scan segment;
  struct seen seen;
  fixture_init(&fixture);
  for (int i = 0; i < PUZZLES; i++) {
    struct arena *arena = NULL;
    const struct id *id = &fixture.puzzles[i].id;
    assert_int_equal(puzzle_log_read(&fixture.folder, &fixture.places[i], id, &arena), 0);
    assert_int_equal(arena->nodes, fixture.puzzles[i].arena->nodes);
    arena_free(arena);
  }
  assert_int_equal(puzzle_log_mark(&fixture.folder, &fixture.places[1], &fixture.puzzles[1].id, 0),
                   0);
  assert_int_equal(puzzle_log_mark(&fixture.folder, &fixture.places[2], &fixture.puzzles[2].id, 77),
                   0);
  assert_int_equal(puzzle_log_mark(&fixture.folder, &fixture.places[3], &fixture.puzzles[4].id, 0),
                   -EBADMSG);
  struct arena *forgotten = NULL;
  assert_int_equal(
      puzzle_log_read(&fixture.folder, &fixture.places[1], &fixture.puzzles[1].id, &forgotten),
      -ENOENT);
  assert_int_equal(puzzle_log_mark(&fixture.folder, &fixture.places[1], &fixture.puzzles[1].id, 78),
                   -ENOENT);
  assert_int_equal(scan(&fixture, &segment, &seen), 0);
  assert_int_equal(seen.count, PUZZLES);
  assert_false(segment.damaged);
  assert_int_equal(seen.used_s[0], NOW_S);
  assert_int_equal(seen.used_s[1], 0);
  assert_int_equal(seen.used_s[2], 77);
  assert_int_equal(seen.used_s[3], NOW_S + 3);
  fixture_deinit(&fixture);
}

/* What was whole before the cut is found; the next daemon writes on from there. */
static void test_torn_at_every_byte(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  start_again(&fixture);
  size_t size = file_size(&fixture.folder, SUBFOLDER_PUZZLES, "00000001");
  for (size_t length = size - 1; length >= SEGMENT_HEAD_BYTES; length--) {
    struct segment_scan segment;
    struct seen seen;
    struct place place;
    unsigned whole = 0;
    while (whole < PUZZLES && fixture.places[whole].offset + fixture.places[whole].bytes <= length)
      whole++;
    file_cut(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", length);
    assert_int_equal(scan(&fixture, &segment, &seen), 0);
    assert_false(segment.damaged);
    assert_int_equal(seen.count, whole);
    for (unsigned i = whole; i < PUZZLES; i++) {
      assert_int_equal(puzzle_log_append(&fixture.log, fixture.puzzles[i].arena,
                                         &fixture.puzzles[i].id, NOW_S, &place),
                       0);
      assert_int_equal(place.offset, fixture.places[i].offset);
    }
    assert_int_equal(scan(&fixture, &segment, &seen), 0);
    assert_int_equal(seen.count, PUZZLES);
    start_again(&fixture);
  }
  fixture_deinit(&fixture);
}

static void test_torn_head(void **state)
{
  (void)state;
  for (size_t length = 0; length < SEGMENT_HEAD_BYTES; length++) {
    struct fixture fixture;
    struct segment_scan segment;
    struct seen seen;
    struct place place;
    fixture_init(&fixture);
    start_again(&fixture);
    file_cut(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", length);
    assert_int_equal(scan(&fixture, &segment, &seen), -EBADMSG);
    const struct test_puzzle *puzzle = &fixture.puzzles[0];
    assert_int_equal(puzzle_log_append(&fixture.log, puzzle->arena, &puzzle->id, NOW_S, &place), 0);
    assert_int_equal(place.segment, 2);
    fixture_deinit(&fixture);
  }
}

/* At most the record that was hit is lost, and where the time of use was hit not even that. */
static void test_flipped_at_every_byte(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  size_t size = file_size(&fixture.folder, SUBFOLDER_PUZZLES, "00000001");
  for (size_t offset = SEGMENT_HEAD_BYTES; offset < size; offset++) {
    struct segment_scan segment;
    struct seen seen;
    int hit = 0;
    while (offset >= fixture.places[hit].offset + fixture.places[hit].bytes)
      hit++;
    file_flip(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", offset, (uint8_t)(1u << offset % 8));
    assert_int_equal(scan(&fixture, &segment, &seen), 0);
    for (int i = 0; i < PUZZLES; i++)
      assert_true(seen.whole[i] || i == hit);
    if (seen.whole[hit])
      assert_in_range(offset - fixture.places[hit].offset, RECORD_USED_OFFSET,
                      RECORD_USED_OFFSET + 7);
    else if (hit < PUZZLES - 1)
      assert_true(segment.damaged);
    file_flip(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", offset, (uint8_t)(1u << offset % 8));
  }
  for (size_t offset = 0; offset < SEGMENT_HEAD_BYTES; offset++) {
    struct segment_scan segment;
    struct seen seen;
    file_flip(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", offset, 1);
    assert_int_equal(scan(&fixture, &segment, &seen), -EBADMSG);
    file_flip(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", offset, 1);
  }
  fixture_deinit(&fixture);
}

static void test_two_logs_write_to_two_segments(void **state)
{
  (void)state;
  struct fixture fixture;
  struct puzzle_log other;
  struct place place;
  fixture_init(&fixture);
  const struct test_puzzle *puzzle = &fixture.puzzles[0];
  puzzle_log_init(&other, &fixture.folder);
  assert_int_equal(puzzle_log_append(&other, puzzle->arena, &puzzle->id, NOW_S, &place), 0);
  assert_int_equal(place.segment, 2);
  assert_int_equal(segment_hold(&fixture.folder, 1), -EBUSY);
  start_again(&fixture);
  int held = segment_hold(&fixture.folder, 1);
  assert_true(held >= 0);
  close(held);
  puzzle_log_deinit(&other);
  fixture_deinit(&fixture);
}

/* It may have been finished since somebody saw that it was not, and whoever did that may have left. */
static void test_only_without_a_head_is_one_unfinished(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  start_again(&fixture);
  assert_int_equal(segment_remove_unfinished(&fixture.folder, 1), -EBUSY);
  assert_int_equal(file_count(&fixture.folder, SUBFOLDER_PUZZLES), 1);
  file_cut(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", SEGMENT_HEAD_BYTES - 1);
  int making = segment_hold(&fixture.folder, 1);
  assert_int_equal(segment_remove_unfinished(&fixture.folder, 1), -EBUSY);
  close(making);
  assert_int_equal(segment_remove_unfinished(&fixture.folder, 1), 0);
  assert_int_equal(file_count(&fixture.folder, SUBFOLDER_PUZZLES), 0);
  fixture_deinit(&fixture);
}

/* A number comes back neither where the last segment goes alone, nor where all go. */
static void test_numbers_do_not_come_back(void **state)
{
  (void)state;
  struct fixture fixture;
  struct place place;
  uint32_t first;
  fixture_init(&fixture);
  const struct test_puzzle *puzzle = &fixture.puzzles[0];
  assert_int_equal(puzzle_log_append_after(&fixture.log, 1), 0);
  assert_int_equal(puzzle_log_append_after(&fixture.log, 1), 0);
  assert_int_equal(segment_unlink(&fixture.folder, 1), 0);
  assert_int_equal(puzzle_log_append(&fixture.log, puzzle->arena, &puzzle->id, NOW_S, &place), 0);
  assert_int_equal(place.segment, 2);
  assert_int_equal(puzzle_log_clear(&fixture.log, &first), 0);
  assert_int_equal(first, 3);
  start_again(&fixture);
  assert_int_equal(puzzle_log_append(&fixture.log, puzzle->arena, &puzzle->id, NOW_S, &place), 0);
  assert_int_equal(place.segment, 3);
  assert_int_equal(file_count(&fixture.folder, SUBFOLDER_PUZZLES), 1);
  fixture_deinit(&fixture);
}

static void test_removed_under_the_writer(void **state)
{
  (void)state;
  struct fixture fixture;
  struct place place;
  struct arena *arena = NULL;
  fixture_init(&fixture);
  const struct test_puzzle *puzzle = &fixture.puzzles[3];
  assert_int_equal(store_folder_empty(&fixture.folder, SUBFOLDER_PUZZLES), 0);
  assert_int_equal(puzzle_log_read(&fixture.folder, &fixture.places[3], &puzzle->id, &arena),
                   -ENOENT);
  assert_int_equal(puzzle_log_append(&fixture.log, puzzle->arena, &puzzle->id, NOW_S, &place), 0);
  assert_int_equal(puzzle_log_read(&fixture.folder, &place, &puzzle->id, &arena), 0);
  arena_free(arena);
  fixture_deinit(&fixture);
}

/* Wherever writing stops, what was there stays, and writing goes on once there is room. */
static void test_file_too_large(void **state)
{
  (void)state;
  struct fixture fixture;
  struct rlimit kept, small;
  struct segment_scan segment;
  struct seen seen;
  struct place place;
  fixture_init(&fixture);
  const struct test_puzzle *puzzle = &fixture.puzzles[PUZZLES - 1];
  const struct place *last = &fixture.places[PUZZLES - 1];
  file_cut(&fixture.folder, SUBFOLDER_PUZZLES, "00000001", last->offset);
  start_again(&fixture);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
  for (rlim_t bytes = last->offset; bytes < last->offset + last->bytes; bytes++) {
    small = (struct rlimit){bytes, kept.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    int result = puzzle_log_append(&fixture.log, puzzle->arena, &puzzle->id, NOW_S, &place);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_int_equal(result, -EFBIG);
    assert_int_equal(scan(&fixture, &segment, &seen), 0);
    assert_int_equal(seen.count, PUZZLES - 1);
    assert_false(segment.damaged);
  }
  assert_int_equal(puzzle_log_append(&fixture.log, puzzle->arena, &puzzle->id, NOW_S, &place), 0);
  assert_int_equal(scan(&fixture, &segment, &seen), 0);
  assert_int_equal(seen.count, PUZZLES);
  fixture_deinit(&fixture);
}

static void test_without_memory(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  const struct test_puzzle *puzzle = &fixture.puzzles[1];
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    struct arena *arena = NULL;
    struct place place;
    failing_alloc_arm(nth);
    int result = puzzle_log_append(&fixture.log, puzzle->arena, &puzzle->id, NOW_S, &place);
    if (result == 0)
      result = puzzle_log_read(&fixture.folder, &place, &puzzle->id, &arena);
    arena_free(arena);
    failed = failing_alloc_disarm();
    assert_int_equal(failing_alloc_outstanding(), 0);
    assert_int_equal(result, failed ? -ENOMEM : 0);
  }
  fixture_deinit(&fixture);
}

static void test_names(void **state)
{
  (void)state;
  char name[SEGMENT_NAME_BYTES];
  segment_name(0x1a2b, name);
  assert_string_equal(name, "00001a2b");
  assert_int_equal(segment_number(name), 0x1a2b);
  static const char *const foreign[] = {"",         "00000000", "0000001",  "000000001", "0000000G",
                                        "0000000A", "-0000001", " 0000001", "notes.txt"};
  for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
    assert_int_equal(segment_number(foreign[i]), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read_and_marked),
      cmocka_unit_test(test_torn_at_every_byte),
      cmocka_unit_test(test_torn_head),
      cmocka_unit_test(test_flipped_at_every_byte),
      cmocka_unit_test(test_two_logs_write_to_two_segments),
      cmocka_unit_test(test_only_without_a_head_is_one_unfinished),
      cmocka_unit_test(test_numbers_do_not_come_back),
      cmocka_unit_test(test_removed_under_the_writer),
      cmocka_unit_test(test_file_too_large),
      cmocka_unit_test(test_without_memory),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
