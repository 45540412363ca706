/* Damaged databases: nothing wrong is answered, what can be read is carried over, and the store goes on. */
#include <sys/stat.h>

#include "tests/daemon/store/side.h"
#include "tests/solver/random_puzzle.h"

enum { PUZZLES = 400, PAGE = 4096 };

/* A filled store that is closed; its database lies in one file, and in a copy. */
static void fill(struct side *side)
{
  side_keep(side, 0, PUZZLES);
  side_close(side);
  side_shell(side, "cp puzzles.db whole");
}

static void write_at(const struct side *side, const char *name, int64_t at, const void *bytes,
                     size_t length)
{
  char path[160];
  snprintf(path, sizeof path, "%s/%s", side->folder, name);
  FILE *file = fopen(path, "r+");
  assert_non_null(file);
  assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
  assert_int_equal(fwrite(bytes, length, 1, file), 1);
  fclose(file);
}

static void flip_bit(const struct side *side, const char *name, struct chance *chance)
{
  char path[160];
  int64_t at = chance_below(chance, (uint32_t)side_size(side, name));
  snprintf(path, sizeof path, "%s/%s", side->folder, name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
  const char byte = (char)(fgetc(file) ^ 1 << chance_below(chance, 8));
  fclose(file);
  write_at(side, name, at, &byte, 1);
}

/*
 * Opens the spoilt store. Whatever it is, it answers rightly, and keeps what is new. Returns how many of
 * the old puzzles are there, and has the folder as it was filled.
 */
static uint64_t check_goes_on(struct side *side)
{
  if (!side->store)
    side_open(side);
  uint64_t there = side_has(side, 0, PUZZLES);
  side_keep(side, PUZZLES, 10);
  assert_int_equal(side_has(side, PUZZLES, 10), 10);
  side_reopen(side);
  assert_int_equal(side_has(side, PUZZLES, 10), 10);
  side_close(side);
  side_shell(side, "rm -f puzzles.version*; mv puzzles.db last.db; cp whole puzzles.db");
  return there;
}

static void test_flipped_bits(void **state)
{
  enum { ROUNDS = 60 };
  struct side *side = *state;
  struct chance chance = {22};
  uint64_t there = 0;
  fill(side);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i <= round % 4; i++)
      flip_bit(side, "puzzles.db", &chance);
    there += check_goes_on(side);
  }
  printf("# %llu of %d puzzles in %d rounds\n", (unsigned long long)there, ROUNDS * PUZZLES,
         ROUNDS);
  assert_true(there > ROUNDS * PUZZLES * 9 / 10);
  assert_true(side_says(side, "damaged") > 0);
}

/* Bits of the log: what was committed after them is lost, what came before is not. */
static void test_flipped_bits_of_the_log(void **state)
{
  struct side *side = *state;
  struct chance chance = {23};
  fill(side);
  for (int round = 0; round < 20; round++) {
    side_open(side);
    side_keep(side, 1000, 20);
    side_shell(side, "cp puzzles.db kept; cp puzzles.db-wal log");
    side_close(side);
    side_shell(side, "mv kept puzzles.db; mv log puzzles.db-wal");
    flip_bit(side, "puzzles.db-wal", &chance);
    side_open(side);
    uint64_t late = side_has(side, 1000, 20);
    assert_int_equal(side_has(side, 0, PUZZLES), PUZZLES);
    side_close(side);
    assert_int_equal(side_sql(side, "SELECT count(*) FROM puzzles"), PUZZLES + late);
    side_shell(side, "cp whole puzzles.db");
  }
}

/* Pages in the midst are gone: the rows of all others are carried over. */
static void test_zeroed_pages(void **state)
{
  static const char zeros[PAGE];
  struct side *side = *state;
  fill(side);
  int64_t pages = side_size(side, "puzzles.db") / PAGE;
  uint64_t least = PUZZLES;
  for (int64_t page = 1; page < pages; page += 2) {
    write_at(side, "puzzles.db", page * PAGE, zeros, PAGE);
    uint64_t there = check_goes_on(side);
    if (there > 0 && there < PUZZLES)
      assert_true(there >= PUZZLES - 60); /* those of one page */
    least = there < least && there > 0 ? there : least;
  }
  assert_true(least < PUZZLES);
  assert_true(side_says(side, "were carried over") > 0);
}

static void test_cut_files(void **state)
{
  struct side *side = *state;
  fill(side);
  int64_t size = side_size(side, "puzzles.db");
  for (int64_t length = 0; length < size; length += size / 12 + 1) {
    side_shell(side, "truncate -s %lld puzzles.db", (long long)length);
    check_goes_on(side);
  }
}

/* What is no database at all is put away: one of it, and none that is larger than what may be kept. */
static void test_junk(void **state)
{
  struct side *side = *state;
  fill(side);
  for (int i = 0; i < 3; i++) {
    side->options.bytes_max = i < 2 ? 1 << 20 : 10000;
    side_shell(side, "yes %d | head -c 12345 >puzzles.db", i);
    side_open(side);
    assert_int_equal(side_has(side, 0, 10), 0);
    assert_int_equal(side_numbers(side).damaged, 1);
    side_close(side);
    assert_int_equal(side_size(side, "damaged/puzzles.db"), i < 2 ? 12345 : -1);
    assert_int_equal(side_size(side, "salvage.db"), -1);
  }
  side_shell(side, "test -z \"$(ls damaged)\"");
}

/* A link is not followed, nor is a pipe opened. */
static void test_other_kinds_of_files(void **state)
{
  static const char *const kinds[] = {"ln -s whole puzzles.db", "mkfifo puzzles.db",
                                      "mkdir puzzles.db", "ln -s whole puzzles.db"};
  struct side *side = *state;
  fill(side);
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    side_shell(side, "rm -f puzzles.db; %s", kinds[kind]);
    side_open(side);
    side_keep(side, 1, 1);
    side_close(side);
    side_shell(side, "test -f puzzles.db -a ! -h puzzles.db");
    assert_int_equal(side_sql(side, "SELECT count(*) FROM puzzles"), 1);
  }
}

/* The bytes of one puzzle are spoilt, of which SQLite knows nothing: it is not found until it is kept again. */
static void test_spoilt_puzzle(void **state)
{
  struct side *side = *state;
  fill(side);
  side_sql(side,
           "UPDATE puzzles SET puzzle = CAST(zeroblob(length(puzzle)) AS BLOB) WHERE number = 6");
  side_sql(side, "UPDATE puzzles SET puzzle = (SELECT puzzle FROM puzzles WHERE number = 9) "
                 "WHERE number = 8");
  side_open(side);
  assert_int_equal(side_has(side, 5, 1) + side_has(side, 7, 1), 0);
  assert_int_equal(side_numbers(side).damaged, 2);
  assert_int_equal(side_says(side, "is damaged on disk"), 2);
  side_keep(side, 5, 1);
  assert_int_equal(check_goes_on(side), PUZZLES - 1);
}

/* Damage that comes while the store is open is noticed by the reader as by the writer. */
static void test_damage_while_open(void **state)
{
  char junk[PAGE];
  struct side *side = *state;
  memset(junk, 'j', sizeof junk);
  fill(side);
  for (int reads = 0; reads < 2; reads++) {
    side_open(side);
    side_settle(side);
    int64_t pages = side_size(side, "puzzles.db") / PAGE;
    for (int64_t page = 1; page < pages; page += 3)
      write_at(side, "puzzles.db", page * PAGE, junk, PAGE);
    if (!reads)
      side_keep(side, 1000, 100);
    side_has(side, 0, PUZZLES);
    assert_int_equal(side_numbers(side).damaged, 1);
    assert_int_equal(side_has(side, 1000, 100), reads ? 0 : 100);
    side_close(side);
    side_shell(side, "cp whole puzzles.db");
  }
}

/* It was interrupted while it carried over, with nothing, or damage again, in the new database: it is done again. */
static void test_salvage_is_resumed(void **state)
{
  static const char *const ways[] = {"true", "yes | head -c 12345 >puzzles.db", "mkdir puzzles.db"};
  struct side *side = *state;
  fill(side);
  for (int i = 0; i < 3; i++) {
    side_sql(side, "INSERT INTO arrivals SELECT * FROM puzzles WHERE number > 300");
    side_sql(side, "DELETE FROM puzzles WHERE number > 350");
    side_shell(side, "mv puzzles.db salvage.db; %s", ways[i]);
    assert_int_equal(check_goes_on(side), PUZZLES);
    assert_int_equal(side_size(side, "salvage.db"), -1);
    assert_true(side_size(side, "damaged/puzzles.db") > 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      STORE_TEST(test_flipped_bits),
      STORE_TEST(test_flipped_bits_of_the_log),
      STORE_TEST(test_zeroed_pages),
      STORE_TEST(test_cut_files),
      STORE_TEST(test_junk),
      STORE_TEST(test_other_kinds_of_files),
      STORE_TEST(test_spoilt_puzzle),
      STORE_TEST(test_damage_while_open),
      STORE_TEST(test_salvage_is_resumed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
