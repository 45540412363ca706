/* Files that cannot be used are set aside, and what is whole in them is saved. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/segment.h"
#include "tests/daemon/store/side.h"

static void test_damaged_table_is_set_aside(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id id;
  struct table *table = NULL;
  uint64_t solve_us;
  char name[ID_TEXT + 1];
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 4, &id);
  side_settle(&side);
  id_format(&id, name);
  file_flip(&side.store->folder, SUBFOLDER_TABLES, name, 200, 4);
  uint32_t nodes = store_find(side.store, &id)->nodes;
  int result = store_read_table(side.store, &id, nodes, UINT64_MAX, NULL, &table, &solve_us);
  assert_int_equal(result, -EBADMSG);
  store_table_was_read(side.store, &id, result);
  assert_false(store_may_have_table(side.store, &id));
  assert_int_equal(side_damaged(&side), 1);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_DAMAGED), 1);
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_TABLES), 0);
  stop_one(&folder, &side);
}

/* The record that was hit is lost, the others move, and the file is set aside. */
static void test_damaged_segment_is_rescued(void **state)
{
  (void)state;
  struct test_folder folder;
  struct side side;
  struct id ids[6];
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_settle(&side);
  for (uint64_t seed = 0; seed < 6; seed++)
    side_keep(&side, seed, &ids[seed]);
  side_settle(&side);
  uint32_t offset = store_find(side.store, &ids[2])->place.offset;
  file_flip(&side.store->folder, SUBFOLDER_PUZZLES, "00000001", offset + RECORD_HEAD_BYTES + 3, 1);
  for (int restart = 0; restart < 2; restart++) {
    side_restart(&side, &folder);
    assert_int_equal(side_damaged(&side), restart == 0);
    assert_null(store_find(side.store, &ids[2]));
    for (uint64_t seed = 0; seed < 6; seed++) {
      if (seed != 2)
        side_assert_kept(&side, seed);
    }
  }
  assert_int_equal(file_count(&side.store->folder, SUBFOLDER_DAMAGED), 1);
  side_keep(&side, 2, &ids[2]);
  side_settle(&side);
  side_assert_kept(&side, 2);
  stop_one(&folder, &side);
}

static void test_foreign_files_are_set_aside(void **state)
{
  (void)state;
  struct test_folder folder;
  struct store_folder files;
  struct side side;
  struct id id;
  static const char nobodys[200];
  char name[ID_TEXT + 1];
  test_folder_init(&folder);
  side_init(&side, &folder);
  side_keep(&side, 1, &id);
  side_stop(&side);
  test_folder_open(&folder, &files);
  file_write(&files, SUBFOLDER_TABLES, "notes.txt", "hello", 5);
  file_write(&files, SUBFOLDER_PUZZLES, "notes.txt", "hello", 5);
  file_write(&files, SUBFOLDER_PUZZLES, "00000007", "not a segment of puzzles", 24);
  assert_int_equal(mkdirat(files.fd[SUBFOLDER_TABLES], "folder", 0700), 0);
  assert_int_equal(symlinkat("/etc/passwd", files.fd[SUBFOLDER_PUZZLES], "00000009"), 0);
  file_write(&files, SUBFOLDER_PUZZLES, "00000008", "", 0);
  assert_int_equal(mkfifoat(files.fd[SUBFOLDER_UNFINISHED], "pipe", 0600), 0);
  file_write(&files, SUBFOLDER_UNFINISHED, "of a daemon that is gone", "half", 4);
  id.bytes[0] ^= 1;
  id_format(&id, name);
  file_write(&files, SUBFOLDER_TABLES, name, nobodys, sizeof nobodys);
  file_write(&files, SUBFOLDER_ROOT, "current", "garbage", 7);
  side_start(&side, &folder);
  side_settle(&side);
  assert_int_equal(side_damaged(&side), 5);
  assert_int_equal(file_count(&files, SUBFOLDER_TABLES), 1);
  assert_int_equal(file_count(&files, SUBFOLDER_PUZZLES), 1);
  assert_int_equal(file_count(&files, SUBFOLDER_UNFINISHED), 0);
  side_assert_kept(&side, 1);
  store_folder_deinit(&files);
  stop_one(&folder, &side);
}

/* Sparse, with a record where offsets of records begin anew at 0 in 32 bits, and another before that. */
static void write_huge_segment(const struct store_folder *folder)
{
  static const off_t at[] = {SEGMENT_HEAD_BYTES, ((off_t)1 << 32) + SEGMENT_HEAD_BYTES};
  uint8_t head[SEGMENT_HEAD_BYTES];
  segment_head_write(head);
  file_write(folder, SUBFOLDER_PUZZLES, "00000001", head, sizeof head);
  int fd = openat(folder->fd[SUBFOLDER_PUZZLES], "00000001", O_WRONLY | O_CLOEXEC);
  assert_true(fd >= 0);
  for (uint64_t seed = 0; seed < 2; seed++) {
    struct test_puzzle puzzle;
    test_puzzle_init(&puzzle, seed);
    uint32_t length = record_bytes(puzzle.arena);
    uint8_t *bytes = malloc(length);
    assert_non_null(bytes);
    record_write(bytes, puzzle.arena, &puzzle.id, store_now_s());
    assert_int_equal(pwrite(fd, bytes, length, at[seed]), length);
    free(bytes);
    test_puzzle_deinit(&puzzle);
  }
  close(fd);
}

/* No daemon wrote it: its offsets would fit no place, and all of it no memory. */
static void test_huge_segment_is_set_aside(void **state)
{
  (void)state;
  struct test_folder folder;
  struct store_folder files;
  struct side side;
  struct id id;
  test_folder_init(&folder);
  test_folder_open(&folder, &files);
  write_huge_segment(&files);
  side_init(&side, &folder);
  side_settle(&side);
  assert_int_equal(side_state(&side), STORE_ON);
  assert_int_equal(side_damaged(&side), 1);
  assert_int_equal(store_count(side.store), 0);
  side_keep(&side, 2, &id);
  side_restart(&side, &folder);
  side_assert_kept(&side, 2);
  store_folder_deinit(&files);
  stop_one(&folder, &side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_damaged_table_is_set_aside),
      cmocka_unit_test(test_damaged_segment_is_rescued),
      cmocka_unit_test(test_foreign_files_are_set_aside),
      cmocka_unit_test(test_huge_segment_is_set_aside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
