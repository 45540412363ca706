#include "tests/client/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/client/client_test.h"

static struct folder folder;

int folder_make(void **state)
{
  strcpy(folder.path, "/tmp/catmouse-test-XXXXXX");
  if (!mkdtemp(folder.path))
    return -1;
  snprintf(folder.socket, sizeof folder.socket, "%s/daemon.sock", folder.path);
  snprintf(folder.file, sizeof folder.file, "%s/file", folder.path);
  *state = &folder;
  return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
  (void)status;
  (void)kind;
  (void)where;
  return remove(path);
}

int folder_remove(void **state)
{
  (void)state;
  return nftw(folder.path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void folder_write(const struct folder *where, const char *text, unsigned mode)
{
  FILE *file = fopen(where->file, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(chmod(where->file, mode), 0);
}
