/* What the store's tests share: a folder of their own, puzzles with tables, files to be spoilt. */
#ifndef CATMOUSE_TESTS_DAEMON_STORE_STORE_TEST_H
#define CATMOUSE_TESTS_DAEMON_STORE_STORE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "daemon/store/folder.h"
#include "solver/id.h"
#include "solver/table.h"

enum { TEST_PATH_MAX = 64 };

struct test_folder {
  char path[TEST_PATH_MAX];  /* of a temporary folder */
  char store[TEST_PATH_MAX]; /* in it, not made yet */
};

void test_folder_init(struct test_folder *folder);
/* Removes the store. */
void test_folder_remove(const struct test_folder *folder);

void test_folder_deinit(struct test_folder *folder);

/* Opens the store's folder there. */
void test_folder_open(const struct test_folder *test, struct store_folder *folder);

struct test_puzzle {
  struct arena *arena;
  struct table *table;
  struct id id;
};

/* The same for the same seed, another for another. */
void test_puzzle_init(struct test_puzzle *puzzle, uint64_t seed);
void test_puzzle_deinit(struct test_puzzle *puzzle);

/* Of a file in a subfolder. */
size_t file_size(const struct store_folder *folder, enum subfolder subfolder, const char *name);
void file_flip(const struct store_folder *folder, enum subfolder subfolder, const char *name,
               size_t offset, uint8_t mask);
void file_cut(const struct store_folder *folder, enum subfolder subfolder, const char *name,
              size_t length);
void file_write(const struct store_folder *folder, enum subfolder subfolder, const char *name,
                const void *bytes, size_t length);

/* All of it, to be freed by the caller. */
uint8_t *file_read(const struct store_folder *folder, enum subfolder subfolder, const char *name);

/* Files in a subfolder. */
unsigned file_count(const struct store_folder *folder, enum subfolder subfolder);

#endif
