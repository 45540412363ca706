/*
 * Reading segments, whoever wrote them. A damaged record is skipped: the next one is looked for at each
 * place where a record may begin. What is cut at the end is a record that was being written, and no damage.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/bytes.h"
#include "daemon/store/piece.h"
#include "daemon/store/puzzle_log.h"
#include "daemon/store/segment.h"
#include "solver/packed.h"

static const char magic[16] = "catmouse puzzles";

/* One that has room gets one more record. */
static const uint64_t segment_bytes_max = SEGMENT_BYTES + (uint64_t)INT32_MAX;

void segment_name(uint32_t segment, char name[static SEGMENT_NAME_BYTES])
{
  snprintf(name, SEGMENT_NAME_BYTES, "%08x", segment);
}

uint32_t segment_number(const char *name)
{
  char again[SEGMENT_NAME_BYTES], *end;
  unsigned long number = strlen(name) == SEGMENT_NAME_BYTES - 1 ? strtoul(name, &end, 16) : 0;
  if (number == 0 || number > UINT32_MAX)
    return 0;
  segment_name((uint32_t)number, again);
  return strcmp(name, again) == 0 ? (uint32_t)number : 0;
}

void segment_head_write(uint8_t head[static SEGMENT_HEAD_BYTES])
{
  memset(head, 0, SEGMENT_HEAD_BYTES);
  memcpy(head, magic, sizeof magic);
  put_u32(head + sizeof magic, SEGMENT_VERSION);
}

int segment_open(const struct store_folder *folder, uint32_t segment, int flags)
{
  char name[SEGMENT_NAME_BYTES];
  segment_name(segment, name);
  int fd = openat(folder->fd[SUBFOLDER_PUZZLES], name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
                  0600);
  return fd < 0 ? -errno : fd;
}

static int read_whole(int fd, uint64_t from, uint64_t to, uint8_t **bytes)
{
  uint8_t *read = malloc(to - from + 1);
  if (!read)
    return -ENOMEM;
  int result = piece_read(fd, read, to - from, from);
  if (result < 0)
    free(read);
  else
    *bytes = read;
  return result;
}

static int check_head(int fd, uint64_t size)
{
  uint8_t head[SEGMENT_HEAD_BYTES], expected[SEGMENT_HEAD_BYTES];
  if (size < SEGMENT_HEAD_BYTES || size > segment_bytes_max)
    return -EBADMSG;
  int result = piece_read(fd, head, sizeof head, 0);
  segment_head_write(expected);
  return result < 0 ? result : memcmp(head, expected, sizeof head) == 0 ? 0 : -EBADMSG;
}

typedef int record_found(void *context, const struct record *record, const struct place *place);

/* What is cut is damage only where whole records follow: else it was being written when its writer ended. */
static int visit_records(const uint8_t *bytes, size_t length, struct segment_scan *scan,
                         record_found *found, void *context)
{
  bool cut = false;
  size_t at = 0;
  while (at < length) {
    struct record record;
    enum record_status status = record_read(bytes + at, length - at, &record);
    if (status != RECORD_WHOLE) {
      scan->damaged |= status == RECORD_DAMAGED && !cut;
      cut |= status == RECORD_CUT;
      at += RECORD_ALIGNMENT;
      continue;
    }
    scan->damaged |= cut;
    struct place place = {scan->segment, (uint32_t)(scan->from + at), record.bytes};
    int result = found(context, &record, &place);
    if (result < 0)
      return result;
    at += record.bytes;
    scan->end = scan->from + at;
  }
  return 0;
}

int segment_visit_fd(int fd, struct segment_scan *scan, record_found *found, void *context)
{
  struct stat status;
  uint8_t *bytes;
  if (fstat(fd, &status) < 0)
    return -errno;
  scan->bytes = (uint64_t)status.st_size;
  scan->damaged = false;
  int result = S_ISREG(status.st_mode) ? check_head(fd, scan->bytes) : -EBADMSG;
  if (result < 0)
    return result;
  if (scan->from < SEGMENT_HEAD_BYTES || scan->from > scan->bytes)
    scan->from = SEGMENT_HEAD_BYTES;
  scan->end = scan->from;
  if (scan->from >= scan->bytes)
    return 0;
  result = read_whole(fd, scan->from, scan->bytes, &bytes);
  if (result < 0)
    return result == -EBADMSG ? -EBUSY : result;
  result = visit_records(bytes, scan->bytes - scan->from, scan, found, context);
  free(bytes);
  return result;
}

int segment_visit(const struct store_folder *folder, struct segment_scan *scan, record_found *found,
                  void *context)
{
  int fd = segment_open(folder, scan->segment, O_RDONLY);
  if (fd < 0)
    return fd == -ELOOP ? -EBADMSG : fd;
  int result = segment_visit_fd(fd, scan, found, context);
  close(fd);
  return result;
}

static int read_place(int fd, const struct place *place, const struct id *id, struct arena **arena)
{
  struct record record;
  uint8_t *bytes;
  int result = read_whole(fd, place->offset, (uint64_t)place->offset + place->bytes, &bytes);
  if (result < 0)
    return result;
  if (record_read(bytes, place->bytes, &record) != RECORD_WHOLE ||
      memcmp(&record.id, id, sizeof *id) != 0)
    result = -EBADMSG;
  else if (record.used_s == 0)
    result = -ENOENT;
  else
    result = arena_unpack(record.packed, record.packed_bytes, id, arena);
  free(bytes);
  return result;
}

int puzzle_log_read(const struct store_folder *folder, const struct place *place,
                    const struct id *id, struct arena **arena)
{
  int fd = segment_open(folder, place->segment, O_RDONLY);
  if (fd < 0)
    return fd;
  int result = read_place(fd, place, id, arena);
  close(fd);
  return result;
}

/* Eight aligned bytes at once: whoever reads them sees the old time or the new one. */
static int write_used(int fd, const struct place *place, uint64_t used_s)
{
  uint8_t used[8];
  put_u64(used, used_s);
  ssize_t written = pwrite(fd, used, sizeof used, (off_t)place->offset + RECORD_USED_OFFSET);
  return written < 0 ? -errno : written == sizeof used ? 0 : -EIO;
}

int puzzle_log_mark(const struct store_folder *folder, const struct place *place,
                    const struct id *id, uint64_t used_s)
{
  uint8_t head[RECORD_HEAD_BYTES];
  int fd = segment_open(folder, place->segment, O_RDWR);
  if (fd < 0)
    return fd;
  int result = piece_read(fd, head, sizeof head, place->offset);
  if (result == 0 && !record_is_of(head, id))
    result = -EBADMSG;
  if (result == 0 && record_used_s(head) == 0)
    result = -ENOENT;
  if (result == 0)
    result = write_used(fd, place, used_s);
  close(fd);
  return result;
}

/* It may have been removed after it was opened. */
int segment_lock(int fd)
{
  struct stat status;
  if (flock(fd, LOCK_EX | LOCK_NB) < 0)
    return errno == EWOULDBLOCK ? -EBUSY : -errno;
  if (fstat(fd, &status) < 0)
    return -errno;
  return status.st_nlink > 0 ? 0 : -ENOENT;
}

int segment_hold(const struct store_folder *folder, uint32_t segment)
{
  int fd = segment_open(folder, segment, O_RDONLY);
  int result = fd < 0 ? fd : segment_lock(fd);
  if (result == 0)
    return fd;
  if (fd >= 0)
    close(fd);
  return result;
}

int segment_unlink(const struct store_folder *folder, uint32_t segment)
{
  char name[SEGMENT_NAME_BYTES];
  segment_name(segment, name);
  if (unlinkat(folder->fd[SUBFOLDER_PUZZLES], name, 0) < 0 && errno != ENOENT)
    return -errno;
  return 0;
}

/* Its size is looked at once nobody else can write to it. */
int segment_remove_unfinished(const struct store_folder *folder, uint32_t segment)
{
  struct stat status;
  int fd = segment_hold(folder, segment);
  if (fd < 0)
    return fd;
  int result = fstat(fd, &status) < 0 ? -errno : 0;
  if (result == 0)
    result = status.st_size < SEGMENT_HEAD_BYTES ? segment_unlink(folder, segment) : -EBUSY;
  close(fd);
  return result;
}
