#include "tests/daemon/store/store_test.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solver/solve.h"
#include "tests/solver/random_puzzle.h"

enum { NODES_MAX = 30 };

void test_folder_init(struct test_folder *folder)
{
  snprintf(folder->path, sizeof folder->path, "/tmp/catmouse-store-XXXXXX");
  assert_non_null(mkdtemp(folder->path));
  snprintf(folder->store, sizeof folder->store, "%.40s/store", folder->path);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
  (void)status;
  (void)type;
  (void)at;
  return remove(path);
}

void test_folder_remove(const struct test_folder *folder)
{
  nftw(folder->store, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void test_folder_deinit(struct test_folder *folder)
{
  nftw(folder->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void test_folder_open(const struct test_folder *test, struct store_folder *folder)
{
  assert_int_equal(store_folder_init(folder, test->store), 0);
  assert_int_equal(store_folder_open(folder), 0);
}

void test_puzzle_init(struct test_puzzle *puzzle, uint64_t seed)
{
  struct chance chance = {seed};
  puzzle->arena = seed % 2 ? random_grid(&chance, NODES_MAX) : random_graph(&chance, NODES_MAX);
  arena_id(puzzle->arena, &puzzle->id);
  assert_int_equal(solve(puzzle->arena, &(struct solve_options){.threads = 1}, &puzzle->table), 0);
}

void test_puzzle_deinit(struct test_puzzle *puzzle)
{
  table_free(puzzle->table);
  arena_free(puzzle->arena);
}

static int open_file(const struct store_folder *folder, enum subfolder subfolder, const char *name,
                     int flags)
{
  int fd = openat(folder->fd[subfolder], name, flags | O_CLOEXEC, 0600);
  if (fd < 0)
    fail_msg("cannot open %s: %s", name, strerror(errno));
  return fd;
}

size_t file_size(const struct store_folder *folder, enum subfolder subfolder, const char *name)
{
  struct stat status;
  assert_int_equal(fstatat(folder->fd[subfolder], name, &status, 0), 0);
  return (size_t)status.st_size;
}

void file_flip(const struct store_folder *folder, enum subfolder subfolder, const char *name,
               size_t offset, uint8_t mask)
{
  uint8_t byte;
  int fd = open_file(folder, subfolder, name, O_RDWR);
  assert_int_equal(pread(fd, &byte, 1, (off_t)offset), 1);
  byte ^= mask;
  assert_int_equal(pwrite(fd, &byte, 1, (off_t)offset), 1);
  close(fd);
}

void file_cut(const struct store_folder *folder, enum subfolder subfolder, const char *name,
              size_t length)
{
  int fd = open_file(folder, subfolder, name, O_WRONLY);
  assert_int_equal(ftruncate(fd, (off_t)length), 0);
  close(fd);
}

void file_write(const struct store_folder *folder, enum subfolder subfolder, const char *name,
                const void *bytes, size_t length)
{
  int fd = open_file(folder, subfolder, name, O_WRONLY | O_CREAT | O_TRUNC);
  assert_int_equal(write(fd, bytes, length), (ssize_t)length);
  close(fd);
}

uint8_t *file_read(const struct store_folder *folder, enum subfolder subfolder, const char *name)
{
  size_t size = file_size(folder, subfolder, name);
  uint8_t *bytes = malloc(size);
  assert_non_null(bytes);
  int fd = open_file(folder, subfolder, name, O_RDONLY);
  assert_int_equal(read(fd, bytes, size), (ssize_t)size);
  close(fd);
  return bytes;
}

static int count_entry(void *context, const char *name)
{
  (void)name;
  ++*(unsigned *)context;
  return 0;
}

unsigned file_count(const struct store_folder *folder, enum subfolder subfolder)
{
  unsigned count = 0;
  assert_int_equal(store_folder_visit(folder, subfolder, count_entry, &count), 0);
  return count;
}
