/* Table files: what comes back is what went in; whatever is spoilt, cut or foreign is refused. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/table_file.h"
#include "tests/daemon/store/store_test.h"
#include "tests/solver/random_puzzle.h"
#include "tests/support/failing_alloc.h"

enum { SPOILS = 2000 };

struct fixture {
  struct test_folder test;
  struct store_folder folder;
  struct test_puzzle puzzle;
  char name[ID_TEXT + 1];
};

static int write_table(struct fixture *fixture)
{
  const struct table_file file = {fixture->puzzle.id, fixture->puzzle.arena->game, 1234};
  return table_file_write(&fixture->folder, &file, fixture->puzzle.table, NULL);
}

static int read_table(struct fixture *fixture, struct table **table)
{
  struct table_file file = {.id = fixture->puzzle.id};
  return table_file_read(&fixture->folder, &file, fixture->puzzle.arena->nodes, UINT64_MAX, NULL,
                         table);
}

static void fixture_init(struct fixture *fixture)
{
  test_folder_init(&fixture->test);
  test_folder_open(&fixture->test, &fixture->folder);
  test_puzzle_init(&fixture->puzzle, 2);
  id_format(&fixture->puzzle.id, fixture->name);
  assert_int_equal(write_table(fixture), 0);
}

static void fixture_deinit(struct fixture *fixture)
{
  test_puzzle_deinit(&fixture->puzzle);
  store_folder_deinit(&fixture->folder);
  test_folder_deinit(&fixture->test);
}

static void assert_refused(struct fixture *fixture)
{
  struct table *table = NULL;
  int result = read_table(fixture, &table);
  if (result != -EBADMSG)
    fail_msg("a spoilt table gave %d", result);
  assert_null(table);
}

static void test_comes_back(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  struct table *table = NULL;
  struct table_file file = {.id = fixture.puzzle.id};
  uint32_t nodes = fixture.puzzle.arena->nodes;
  assert_int_equal(table_file_read(&fixture.folder, &file, nodes, UINT64_MAX, NULL, &table), 0);
  assert_int_equal(file.solve_us, 1234);
  assert_int_equal(file.game, fixture.puzzle.arena->game);
  assert_int_equal(table->width, fixture.puzzle.table->width);
  assert_memory_equal(table->cells, fixture.puzzle.table->cells, table_bytes(nodes, table->width));
  table_free(table);
  assert_int_equal(file_count(&fixture.folder, SUBFOLDER_UNFINISHED), 0);
  fixture_deinit(&fixture);
}

static void test_every_width_in_several_chunks(void **state)
{
  (void)state;
  enum { NODES = 500 };
  struct fixture fixture;
  fixture_init(&fixture);
  for (uint32_t width = 1; width <= 4; width *= 2) {
    struct table_file file = {.id = {{(uint8_t)width}}};
    struct table *written = table_new(NODES, width), *read = NULL;
    assert_non_null(written);
    for (uint64_t i = 0; i < table_bytes(NODES, width); i++)
      ((uint8_t *)written->cells)[i] = (uint8_t)(i * 7 + i / 251);
    assert_int_equal(table_file_write(&fixture.folder, &file, written, NULL), 0);
    int result = table_file_read(&fixture.folder, &file, NODES, UINT64_MAX, NULL, &read);
    assert_int_equal(result, table_file_can_hold(written) ? 0 : -EBADMSG);
    if (read)
      assert_memory_equal(written->cells, read->cells, table_bytes(NODES, width));
    table_free(written);
    table_free(read);
  }
  fixture_deinit(&fixture);
}

static void test_every_bit_of_the_head(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  for (size_t bit = 0; bit < 8 * TABLE_FILE_HEAD_BYTES; bit++) {
    file_flip(&fixture.folder, SUBFOLDER_TABLES, fixture.name, bit / 8, (uint8_t)(1u << bit % 8));
    assert_refused(&fixture);
    file_flip(&fixture.folder, SUBFOLDER_TABLES, fixture.name, bit / 8, (uint8_t)(1u << bit % 8));
  }
  struct table *table = NULL;
  assert_int_equal(read_table(&fixture, &table), 0);
  table_free(table);
  fixture_deinit(&fixture);
}

static void test_flips_and_cuts_of_the_cells(void **state)
{
  (void)state;
  struct fixture fixture;
  struct chance chance = {7};
  fixture_init(&fixture);
  uint32_t size = (uint32_t)file_size(&fixture.folder, SUBFOLDER_TABLES, fixture.name);
  uint8_t *whole = file_read(&fixture.folder, SUBFOLDER_TABLES, fixture.name);
  for (int i = 0; i < SPOILS; i++) {
    uint32_t offset = TABLE_FILE_HEAD_BYTES + chance_below(&chance, size - TABLE_FILE_HEAD_BYTES);
    if (i % 2 == 0) {
      uint8_t mask = (uint8_t)(1 + chance_below(&chance, 255));
      file_flip(&fixture.folder, SUBFOLDER_TABLES, fixture.name, offset, mask);
      assert_refused(&fixture);
      file_flip(&fixture.folder, SUBFOLDER_TABLES, fixture.name, offset, mask);
    } else {
      file_cut(&fixture.folder, SUBFOLDER_TABLES, fixture.name, offset);
      assert_refused(&fixture);
      file_write(&fixture.folder, SUBFOLDER_TABLES, fixture.name, whole, size);
    }
  }
  file_cut(&fixture.folder, SUBFOLDER_TABLES, fixture.name, size + 1);
  assert_refused(&fixture);
  for (size_t length = 0; length < TABLE_FILE_HEAD_BYTES; length++) {
    file_cut(&fixture.folder, SUBFOLDER_TABLES, fixture.name, length);
    assert_refused(&fixture);
  }
  free(whole);
  fixture_deinit(&fixture);
}

static void test_of_another_puzzle(void **state)
{
  (void)state;
  struct fixture fixture;
  struct table *table = NULL;
  fixture_init(&fixture);
  struct table_file other = {.id = fixture.puzzle.id};
  other.id.bytes[5] ^= 1;
  char name[ID_TEXT + 1];
  id_format(&other.id, name);
  int tables = fixture.folder.fd[SUBFOLDER_TABLES];
  assert_int_equal(linkat(tables, fixture.name, tables, name, 0), 0);
  uint32_t nodes = fixture.puzzle.arena->nodes;
  assert_int_equal(table_file_read(&fixture.folder, &other, nodes, UINT64_MAX, NULL, &table),
                   -EBADMSG);
  other.id = fixture.puzzle.id;
  assert_int_equal(table_file_read(&fixture.folder, &other, nodes + 1, UINT64_MAX, NULL, &table),
                   -EBADMSG);
  assert_int_equal(table_file_read(&fixture.folder, &other, nodes, 10, NULL, &table), -EFBIG);
  fixture_deinit(&fixture);
}

static void test_what_is_no_file(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  int tables = fixture.folder.fd[SUBFOLDER_TABLES];
  assert_int_equal(unlinkat(tables, fixture.name, 0), 0);
  assert_int_equal(symlinkat("/etc/passwd", tables, fixture.name), 0);
  assert_refused(&fixture);
  assert_int_equal(unlinkat(tables, fixture.name, 0), 0);
  struct table *table = NULL;
  assert_int_equal(read_table(&fixture, &table), -ENOENT);
  assert_int_equal(mkfifoat(tables, fixture.name, 0600), 0);
  assert_true(read_table(&fixture, &table) < 0);
  fixture_deinit(&fixture);
}

static void test_file_too_large(void **state)
{
  (void)state;
  struct fixture fixture;
  struct rlimit kept, small;
  fixture_init(&fixture);
  assert_int_equal(table_file_remove(&fixture.folder, &fixture.puzzle.id), 0);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
  for (rlim_t bytes = 0; bytes < table_file_bytes(fixture.puzzle.table); bytes += 50) {
    small = (struct rlimit){bytes, kept.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    int result = write_table(&fixture);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_int_equal(result, -EFBIG);
    assert_int_equal(file_count(&fixture.folder, SUBFOLDER_UNFINISHED), 0);
    assert_int_equal(file_count(&fixture.folder, SUBFOLDER_TABLES), 0);
  }
  assert_int_equal(write_table(&fixture), 0);
  fixture_deinit(&fixture);
}

/* In /sys nobody, not even root, can make files. */
static void test_folder_that_takes_no_files(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  int sys = open("/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  assert_true(dup2(sys, fixture.folder.fd[SUBFOLDER_UNFINISHED]) >= 0);
  close(sys);
  int result = write_table(&fixture);
  assert_true(result == -EACCES || result == -EPERM || result == -EROFS);
  fixture_deinit(&fixture);
}

static void test_stopped(void **state)
{
  (void)state;
  struct fixture fixture;
  atomic_bool stop = true;
  struct table *table = NULL;
  fixture_init(&fixture);
  struct table_file file = {.id = fixture.puzzle.id};
  assert_int_equal(table_file_read(&fixture.folder, &file, fixture.puzzle.arena->nodes, UINT64_MAX,
                                   &stop, &table),
                   -ECANCELED);
  file.id.bytes[0] ^= 1;
  assert_int_equal(table_file_write(&fixture.folder, &file, fixture.puzzle.table, &stop),
                   -ECANCELED);
  assert_int_equal(file_count(&fixture.folder, SUBFOLDER_UNFINISHED), 0);
  assert_int_equal(file_count(&fixture.folder, SUBFOLDER_TABLES), 1);
  fixture_deinit(&fixture);
}

static void test_without_memory(void **state)
{
  (void)state;
  struct fixture fixture;
  fixture_init(&fixture);
  bool failed = true;
  for (long nth = 0; failed; nth++) {
    struct table *table = NULL;
    failing_alloc_arm(nth);
    int result = read_table(&fixture, &table);
    table_free(table);
    failed = failing_alloc_disarm();
    assert_int_equal(failing_alloc_outstanding(), 0);
    assert_int_equal(result, failed ? -ENOMEM : 0);
  }
  fixture_deinit(&fixture);
}

static void test_names(void **state)
{
  (void)state;
  struct id id;
  char name[ID_TEXT + 1], again[ID_TEXT + 1];
  for (int i = 0; i < ID_TEXT; i++)
    name[i] = "0123456789abcdef"[i % 16];
  name[ID_TEXT] = '\0';
  assert_true(table_file_id(name, &id));
  id_format(&id, again);
  assert_string_equal(name, again);
  name[3] = 'A';
  assert_false(table_file_id(name, &id));
  name[3] = '/';
  assert_false(table_file_id(name, &id));
  assert_false(table_file_id("abc", &id));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_comes_back),
      cmocka_unit_test(test_every_width_in_several_chunks),
      cmocka_unit_test(test_every_bit_of_the_head),
      cmocka_unit_test(test_flips_and_cuts_of_the_cells),
      cmocka_unit_test(test_of_another_puzzle),
      cmocka_unit_test(test_what_is_no_file),
      cmocka_unit_test(test_file_too_large),
      cmocka_unit_test(test_folder_that_takes_no_files),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_without_memory),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
