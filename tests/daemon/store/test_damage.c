/* Damaged databases: nothing wrong is answered, what can be read is carried over, and the store goes on. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/folder.h"
#include "tests/daemon/store/side.h"
#include "tests/solver/random_puzzle.h"

enum { PUZZLES = 400, PAGE = 4096 };

static off_t size_of(const struct side *side, const char *name)
{
  struct stat status;
  assert_int_equal(stat(side_file(side, name), &status), 0);
  return status.st_size;
}

static void write_at(const struct side *side, const char *name, off_t at, const void *bytes,
                     size_t length)
{
  int fd = open(side_file(side, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  assert_true(fd >= 0);
  assert_int_equal(pwrite(fd, bytes, length, at), length);
  close(fd);
}

static void flip_bit(const struct side *side, const char *name, struct chance *chance)
{
  uint8_t byte;
  off_t at = chance_below(chance, (uint32_t)size_of(side, name));
  int fd = open(side_file(side, name), O_RDWR | O_CLOEXEC);
  assert_int_equal(pread(fd, &byte, 1, at), 1);
  byte ^= (uint8_t)(1 << chance_below(chance, 8));
  assert_int_equal(pwrite(fd, &byte, 1, at), 1);
  close(fd);
}

/*
 * Whatever it was, the store answers rightly, and keeps what is new. Returns how many of the old ones
 * are there.
 */
static uint64_t check_goes_on(struct side *side)
{
  uint64_t there = side_has_of(side, 0, PUZZLES);
  side_keep_all(side, PUZZLES, 10);
  assert_int_equal(side_has_of(side, PUZZLES, 10), 10);
  side_reopen(side);
  assert_int_equal(side_has_of(side, PUZZLES, 10), 10);
  return there;
}

/* A filled store that is closed; its database lies in one file. */
static void fill(struct side *side)
{
  side_init(side);
  side_keep_all(side, 0, PUZZLES);
  side_close(side);
}

static void copy_file(const struct side *side, const char *from, const char *to)
{
  char command[512], source[160];
  snprintf(source, sizeof source, "%s", side_file(side, from));
  snprintf(command, sizeof command, "cp '%s' '%s'", source, side_file(side, to));
  assert_int_equal(system(command), 0);
}

static void test_flipped_bits(void **state)
{
  (void)state;
  enum { ROUNDS = 60 };
  struct side side;
  struct chance chance = {22};
  uint64_t there = 0;
  fill(&side);
  copy_file(&side, "puzzles.db", "whole");
  for (int round = 0; round < ROUNDS; round++) {
    copy_file(&side, "whole", "puzzles.db");
    for (int i = 0; i <= round % 4; i++)
      flip_bit(&side, "puzzles.db", &chance);
    side_open(&side);
    there += check_goes_on(&side);
    side_close(&side);
    remove(side_file(&side, "puzzles.db")); /* of another version, should that bit be flipped */
    remove(side_file(&side, "puzzles.version-1.db"));
  }
  printf("# %llu of %d puzzles in %d rounds\n", (unsigned long long)there, ROUNDS * PUZZLES,
         ROUNDS);
  assert_true(there > ROUNDS * PUZZLES * 9 / 10);
  assert_non_null(strstr(side.log, "damaged"));
  side_deinit(&side);
}

/* Bits of the log: what was committed after them is lost, what came before is not. */
static void test_flipped_bits_of_the_log(void **state)
{
  (void)state;
  struct side side;
  struct chance chance = {23};
  for (int round = 0; round < 20; round++) {
    fill(&side);
    side_open(&side);
    side_keep_all(&side, 1000, 20);
    copy_file(&side, "puzzles.db", "database");
    copy_file(&side, "puzzles.db-wal", "log");
    side_close(&side);
    copy_file(&side, "database", "puzzles.db");
    copy_file(&side, "log", "puzzles.db-wal");
    flip_bit(&side, "puzzles.db-wal", &chance);
    side_open(&side);
    assert_int_equal(check_goes_on(&side), PUZZLES);
    side_deinit(&side);
  }
}

/* Pages in the midst are gone: the rows of all others are carried over. */
static void test_zeroed_pages(void **state)
{
  (void)state;
  static const uint8_t zeros[PAGE];
  struct side side;
  fill(&side);
  copy_file(&side, "puzzles.db", "whole");
  int64_t pages = size_of(&side, "puzzles.db") / PAGE, least = PUZZLES;
  for (int64_t page = 1; page < pages; page += 2) {
    copy_file(&side, "whole", "puzzles.db");
    write_at(&side, "puzzles.db", page * PAGE, zeros, PAGE);
    side_open(&side);
    int64_t there = (int64_t)check_goes_on(&side);
    least = there < least && there > 0 ? there : least;
    if (there < PUZZLES && there > 0)
      assert_true(there >= PUZZLES - 60); /* those of one page */
    side_close(&side);
    remove(side_file(&side, "puzzles.db"));
  }
  assert_true(least < PUZZLES);
  assert_non_null(strstr(side.log, "were carried over"));
  side_deinit(&side);
}

static void test_cut_files(void **state)
{
  (void)state;
  struct side side;
  fill(&side);
  copy_file(&side, "puzzles.db", "whole");
  off_t size = size_of(&side, "puzzles.db");
  for (off_t length = 0; length < size; length += size / 12 + 1) {
    copy_file(&side, "whole", "puzzles.db");
    assert_int_equal(truncate(side_file(&side, "puzzles.db"), length), 0);
    side_open(&side);
    check_goes_on(&side);
    side_close(&side);
    remove(side_file(&side, "puzzles.db"));
  }
  side_deinit(&side);
}

/* What is no database at all is put away, and no more of it than is bounded. */
static void test_junk(void **state)
{
  (void)state;
  char junk[3 * PAGE], name[32];
  struct side side;
  fill(&side);
  memset(junk, 'j', sizeof junk);
  for (int i = 0; i < DAMAGED_MAX + 2; i++) {
    remove(side_file(&side, "puzzles.db"));
    write_at(&side, "puzzles.db", 0, junk, sizeof junk);
    side_open(&side);
    assert_int_equal(check_goes_on(&side), 0);
    side_close(&side);
  }
  for (int i = 1; i <= DAMAGED_MAX + 2; i++) {
    snprintf(name, sizeof name, "damaged/%d.db", i);
    assert_int_equal(side_file_exists(&side, name), i <= DAMAGED_MAX);
  }
  side.options.bytes_max = 2 * sizeof junk;
  remove(side_file(&side, "puzzles.db"));
  write_at(&side, "puzzles.db", 0, junk, sizeof junk);
  side_open(&side);
  side_keep(&side, 1);
  side_close(&side);
  assert_true(side_file_exists(&side, "damaged/2.db"));
  assert_false(side_file_exists(&side, "damaged/3.db"));
  side_deinit(&side);
}

/* A link is not followed, nor is a pipe opened. */
static void test_other_kinds_of_files(void **state)
{
  (void)state;
  struct side side;
  struct stat status;
  side_init(&side);
  side_close(&side);
  copy_file(&side, "puzzles.db", "elsewhere.db");
  off_t size = size_of(&side, "elsewhere.db");
  for (int kind = 0; kind < 3; kind++) {
    remove(side_file(&side, "puzzles.db"));
    if (kind == 0)
      assert_int_equal(symlink("elsewhere.db", side_file(&side, "puzzles.db")), 0);
    else if (kind == 1)
      assert_int_equal(mkfifo(side_file(&side, "puzzles.db"), 0600), 0);
    else
      assert_int_equal(mkdir(side_file(&side, "puzzles.db"), 0700), 0);
    side_open(&side);
    side_keep(&side, 1);
    side_close(&side);
    assert_int_equal(lstat(side_file(&side, "puzzles.db"), &status), 0);
    assert_true(S_ISREG(status.st_mode));
  }
  assert_int_equal(size_of(&side, "elsewhere.db"), size);
  side_deinit(&side);
}

/*
 * The bytes of one puzzle are spoilt, of which SQLite knows nothing: that one is forgotten, and can be
 * kept again.
 */
static void test_spoilt_puzzle(void **state)
{
  (void)state;
  struct side side;
  fill(&side);
  side_sql(&side,
           "UPDATE puzzles SET puzzle = CAST(zeroblob(length(puzzle)) AS BLOB) WHERE number = 6");
  side_sql(&side, "UPDATE puzzles SET puzzle = (SELECT puzzle FROM puzzles WHERE number = 9) "
                  "WHERE number = 8");
  side_open(&side);
  assert_false(side_has(&side, 5));
  assert_false(side_has(&side, 7));
  side_wait_for_count(&side, PUZZLES - 2);
  assert_int_equal(side_numbers(&side).damaged, 2);
  assert_non_null(strstr(side.log, "is damaged on disk"));
  side_keep(&side, 5);
  assert_true(side_has(&side, 5));
  assert_int_equal(check_goes_on(&side), PUZZLES - 1);
  side_deinit(&side);
}

/* Damage that comes while the store is open is noticed by the reader as by the writer. */
static void test_damage_while_open(void **state)
{
  (void)state;
  char junk[PAGE];
  struct side side;
  memset(junk, 'j', sizeof junk);
  for (int reads = 0; reads < 2; reads++) {
    fill(&side);
    side_open(&side);
    side_wait_for_count(&side, PUZZLES);
    off_t pages = size_of(&side, "puzzles.db") / PAGE;
    for (off_t page = 1; page < pages; page += 3)
      write_at(&side, "puzzles.db", page * PAGE, junk, PAGE);
    if (!reads)
      side_keep_all(&side, 1000, 100);
    check_goes_on(&side);
    assert_int_equal(side_has_of(&side, 1000, 100), reads ? 0 : 100);
    side_deinit(&side);
  }
}

/* It was interrupted while it carried over: it is done again. */
static void test_salvage_is_resumed(void **state)
{
  (void)state;
  struct side side;
  fill(&side);
  assert_int_equal(system(NULL) != 0, 1);
  copy_file(&side, "puzzles.db", "salvage.db");
  remove(side_file(&side, "puzzles.db"));
  side_open(&side);
  assert_int_equal(check_goes_on(&side), PUZZLES);
  side_close(&side);
  assert_false(side_file_exists(&side, "salvage.db"));
  assert_true(side_file_exists(&side, "damaged/1.db"));
  side_deinit(&side);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_flipped_bits),
      cmocka_unit_test(test_flipped_bits_of_the_log),
      cmocka_unit_test(test_zeroed_pages),
      cmocka_unit_test(test_cut_files),
      cmocka_unit_test(test_junk),
      cmocka_unit_test(test_other_kinds_of_files),
      cmocka_unit_test(test_spoilt_puzzle),
      cmocka_unit_test(test_damage_while_open),
      cmocka_unit_test(test_salvage_is_resumed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
