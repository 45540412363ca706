/*
 * A table's file, read as the input is, and once more with the checksum and id that it should have: so far
 * a flaw behind the checksum is reached, too. The first byte says of how many nodes the puzzle is.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/bytes.h"
#include "daemon/store/table_file.h"
#include "tests/fuzz/target.h"

enum { ID_OFFSET = 32, CHECKSUM_OFFSET = 80, CELLS_MAX = 1 << 16 };

static struct store_folder folder;
static char place[64];

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
  (void)status;
  (void)type;
  (void)at;
  return remove(path);
}

static void remove_folder(void)
{
  nftw(place, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_folder(void)
{
  if (place[0])
    return;
  snprintf(place, sizeof place, "/tmp/catmouse-fuzz-XXXXXX");
  MUST(mkdtemp(place));
  atexit(remove_folder);
  MUST(store_folder_init(&folder, place) == 0);
  MUST(store_folder_open(&folder) == 0);
}

static void read_back(const uint8_t *bytes, size_t length, uint32_t nodes)
{
  struct table_file file = {.id = {{0}}};
  struct table *table = NULL;
  char name[ID_TEXT + 1];
  id_format(&file.id, name);
  int fd = openat(folder.fd[SUBFOLDER_TABLES], name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  MUST(fd >= 0 && write(fd, bytes, length) == (ssize_t)length);
  close(fd);
  int result = table_file_read(&folder, &file, nodes, CELLS_MAX, NULL, &table);
  MUST(result == 0 || result == -EBADMSG || result == -EFBIG);
  MUST(result != 0 || table->nodes == nodes);
  table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  if (length < 1 + TABLE_FILE_HEAD_BYTES || length > CELLS_MAX)
    return 0;
  uint32_t nodes = bytes[0];
  uint8_t *file = malloc(--length);
  MUST(file);
  memcpy(file, bytes + 1, length);
  make_folder();
  read_back(file, length, nodes);

  XXH3_state_t hash;
  memset(file + ID_OFFSET, 0, ID_BYTES);
  XXH3_128bits_reset(&hash);
  XXH3_128bits_update(&hash, file, CHECKSUM_OFFSET);
  XXH3_128bits_update(&hash, file + TABLE_FILE_HEAD_BYTES, length - TABLE_FILE_HEAD_BYTES);
  put_checksum(file + CHECKSUM_OFFSET, XXH3_128bits_digest(&hash));
  read_back(file, length, nodes);
  free(file);
  return 0;
}
