/* Gives every file of a corpus to the target it is linked with, as a test. A crash names the file before. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/target.h"

enum { INPUT_MAX = 1 << 20 };

static void replay_file(const char *folder, const char *name)
{
  static uint8_t room[INPUT_MAX];
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "cannot open %s: %s\n", path, strerror(errno));
    exit(1);
  }
  size_t length = fread(room, 1, sizeof room, file);
  fclose(file);
  fprintf(stderr, "%s\n", name);
  uint8_t *bytes =
      malloc(length ? length : 1); /* of the exact size, so that a byte too far is seen */
  if (!bytes)
    exit(1);
  memcpy(bytes, room, length);
  LLVMFuzzerTestOneInput(bytes, length);
  free(bytes);
}

static int is_input(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
  struct dirent **entries;
  int count = argc == 2 ? scandir(argv[1], &entries, is_input, alphasort) : -1;
  if (count <= 0) {
    fprintf(stderr, "no corpus in %s\n", argc == 2 ? argv[1] : "no folder");
    return 1;
  }
  for (int i = 0; i < count; i++) {
    replay_file(argv[1], entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
  printf("1..1\nok 1 - %d inputs\n", count);
  return 0;
}
