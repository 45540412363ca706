/*
 * Cells are written and read in chunks, each hashed while it is in the processor's cache. The head comes
 * last of all when writing, since it holds the checksum; the file gets its name after fdatasync().
 *
 * They are not compressed: expanding a table takes longer than solving it again (`./dev bench store`).
 */
#include "daemon/store/table_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/bytes.h"
#include "daemon/store/piece.h"

enum { CHUNK_BYTES = 256 << 10 };

/* Where each field lies. */
enum {
  AT_MAGIC = 0,
  AT_VERSION = 16,
  AT_GAME = 20,
  AT_NODES = 24,
  AT_WIDTH = 28,
  AT_ID = 32,
  AT_CELL_BYTES = 64,
  AT_SOLVE_US = 72,
  AT_CHECKSUM = 80,
};

static const char magic[16] = "catmouse table";

static bool is_stopped(const atomic_bool *stop)
{
  return stop && atomic_load(stop);
}

bool table_file_can_hold(const struct table *table)
{
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ || table->width == 1;
}

static void head_write(uint8_t head[static TABLE_FILE_HEAD_BYTES], const struct table_file *file,
                       const struct table *table)
{
  memcpy(head + AT_MAGIC, magic, sizeof magic);
  put_u32(head + AT_VERSION, TABLE_FILE_VERSION);
  put_u32(head + AT_GAME, file->game);
  put_u32(head + AT_NODES, table->nodes);
  put_u32(head + AT_WIDTH, table->width);
  memcpy(head + AT_ID, file->id.bytes, ID_BYTES);
  put_u64(head + AT_CELL_BYTES, table_bytes(table->nodes, table->width));
  put_u64(head + AT_SOLVE_US, file->solve_us);
}

static int write_cells(int fd, const struct table *table, const atomic_bool *stop,
                       XXH3_state_t *hash)
{
  const uint8_t *cells = table->cells;
  uint64_t bytes = table_bytes(table->nodes, table->width);
  for (uint64_t at = 0; at < bytes; at += CHUNK_BYTES) {
    size_t length = bytes - at < CHUNK_BYTES ? (size_t)(bytes - at) : CHUNK_BYTES;
    int result = is_stopped(stop) ? -ECANCELED
                                  : piece_write(fd, cells + at, length, TABLE_FILE_HEAD_BYTES + at);
    if (result < 0)
      return result;
    XXH3_128bits_update(hash, cells + at, length);
  }
  return 0;
}

static int read_cells(int fd, struct table *table, const atomic_bool *stop, XXH3_state_t *hash)
{
  uint8_t *cells = table->cells;
  uint64_t bytes = table_bytes(table->nodes, table->width);
  for (uint64_t at = 0; at < bytes; at += CHUNK_BYTES) {
    size_t length = bytes - at < CHUNK_BYTES ? (size_t)(bytes - at) : CHUNK_BYTES;
    int result = is_stopped(stop) ? -ECANCELED
                                  : piece_read(fd, cells + at, length, TABLE_FILE_HEAD_BYTES + at);
    if (result < 0)
      return result;
    XXH3_128bits_update(hash, cells + at, length);
  }
  return 0;
}

static int write_file(int fd, const struct table_file *file, const struct table *table,
                      const atomic_bool *stop)
{
  uint8_t head[TABLE_FILE_HEAD_BYTES];
  XXH3_state_t hash;
  head_write(head, file, table);
  XXH3_128bits_reset(&hash);
  XXH3_128bits_update(&hash, head, AT_CHECKSUM);
  int result = write_cells(fd, table, stop, &hash);
  if (result < 0)
    return result;
  put_checksum(head + AT_CHECKSUM, XXH3_128bits_digest(&hash));
  result = piece_write(fd, head, sizeof head, 0);
  if (result == 0 && fdatasync(fd) < 0)
    result = -errno;
  return result;
}

/* The lock tells others that whoever writes the file is still there. */
static int create(int folder, const char *name)
{
  int fd = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return -errno;
  flock(fd, LOCK_EX | LOCK_NB);
  return fd;
}

int table_file_write(const struct store_folder *folder, const struct table_file *file,
                     const struct table *table, const atomic_bool *stop)
{
  int unfinished = folder->fd[SUBFOLDER_UNFINISHED], tables = folder->fd[SUBFOLDER_TABLES];
  char name[ID_TEXT + 1], temporary[ID_TEXT + 16];
  id_format(&file->id, name);
  snprintf(temporary, sizeof temporary, "%s.%ld", name, (long)getpid());
  int fd = create(unfinished, temporary);
  if (fd < 0)
    return fd;
  int result = write_file(fd, file, table, stop);
  if (result == 0 && renameat(unfinished, temporary, tables, name) < 0)
    result = -errno;
  if (result < 0)
    unlinkat(unfinished, temporary, 0);
  else
    result = fsync(tables) < 0 ? -errno : 0;
  close(fd);
  return result;
}

static int head_read(int fd, const uint8_t head[static TABLE_FILE_HEAD_BYTES],
                     struct table_file *file, uint32_t nodes, uint32_t *width)
{
  struct stat status;
  uint32_t game = get_u32(head + AT_GAME);
  *width = get_u32(head + AT_WIDTH);
  bool known = memcmp(head + AT_MAGIC, magic, sizeof magic) == 0 &&
               get_u32(head + AT_VERSION) == TABLE_FILE_VERSION && game <= GAME_GRID &&
               (*width == 1 || *width == 2 || *width == 4);
  if (!known || get_u32(head + AT_NODES) != nodes ||
      memcmp(head + AT_ID, file->id.bytes, ID_BYTES) != 0)
    return -EBADMSG;
  uint64_t bytes = table_bytes(nodes, *width);
  if (fstat(fd, &status) < 0)
    return -errno;
  if (get_u64(head + AT_CELL_BYTES) != bytes ||
      (uint64_t)status.st_size != TABLE_FILE_HEAD_BYTES + bytes || !S_ISREG(status.st_mode))
    return -EBADMSG;
  file->game = (enum game)game;
  file->solve_us = get_u64(head + AT_SOLVE_US);
  return 0;
}

/* Reads cells of a head that makes sense, and looks whether the checksum agrees. */
static int read_table(int fd, const uint8_t head[static TABLE_FILE_HEAD_BYTES],
                      const atomic_bool *stop, struct table *table)
{
  uint8_t checksum[CHECKSUM_BYTES];
  XXH3_state_t hash;
  XXH3_128bits_reset(&hash);
  XXH3_128bits_update(&hash, head, AT_CHECKSUM);
  int result = read_cells(fd, table, stop, &hash);
  if (result < 0)
    return result;
  put_checksum(checksum, XXH3_128bits_digest(&hash));
  return memcmp(checksum, head + AT_CHECKSUM, sizeof checksum) == 0 ? 0 : -EBADMSG;
}

/* A piece may take long to come: where there are many, the flag is looked at between them. */
static int fill(struct table *table, const atomic_bool *stop)
{
  for (uint32_t piece = 0; piece < table_pieces(table); piece++) {
    if (is_stopped(stop))
      return -ECANCELED;
    int result = table_fill(table, piece);
    if (result < 0)
      return result;
  }
  return 0;
}

static int read_file(int fd, struct table_file *file, uint32_t nodes, uint64_t max_bytes,
                     const atomic_bool *stop, struct table **table)
{
  uint8_t head[TABLE_FILE_HEAD_BYTES];
  uint32_t width = 0;
  int result = piece_read(fd, head, sizeof head, 0);
  if (result == 0)
    result = head_read(fd, head, file, nodes, &width);
  if (result < 0)
    return result;
  if (table_bytes(nodes, width) > max_bytes)
    return -EFBIG;
  struct table *read = table_new(nodes, width);
  if (!read)
    return -ENOMEM;
  result = table_file_can_hold(read) ? fill(read, stop) : -EBADMSG;
  if (result == 0)
    result = read_table(fd, head, stop, read);
  if (result < 0)
    table_free(read);
  else
    *table = read;
  return result;
}

int table_file_read(const struct store_folder *folder, struct table_file *file, uint32_t nodes,
                    uint64_t max_bytes, const atomic_bool *stop, struct table **table)
{
  char name[ID_TEXT + 1];
  id_format(&file->id, name);
  int fd =
      openat(folder->fd[SUBFOLDER_TABLES], name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return errno == ELOOP ? -EBADMSG : -errno;
  int result = read_file(fd, file, nodes, max_bytes, stop, table);
  close(fd);
  return result;
}

int table_file_remove(const struct store_folder *folder, const struct id *id)
{
  char name[ID_TEXT + 1];
  id_format(id, name);
  return unlinkat(folder->fd[SUBFOLDER_TABLES], name, 0) < 0 && errno != ENOENT ? -errno : 0;
}

static int digit_value(char digit)
{
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

bool table_file_id(const char *text, struct id *id)
{
  if (strlen(text) != ID_TEXT)
    return false;
  for (size_t i = 0; i < ID_BYTES; i++) {
    int high = digit_value(text[2 * i]), low = digit_value(text[2 * i + 1]);
    if (high < 0 || low < 0)
      return false;
    id->bytes[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}
