/*
 * The segment to append to is opened with the first record: the last one that has room and that no daemon
 * holds, without what was cut at its end, or else a new one.
 */
#include "daemon/store/own_segment.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "daemon/store/segment.h"

enum { CREATE_TRIES = 100 };

void own_segment_close(struct puzzle_log *log)
{
  if (log->fd >= 0)
    close(log->fd);
  log->fd = -1;
  log->segment = 0;
}

static int find_last(void *context, const char *name)
{
  uint32_t *last = context, number = segment_number(name);
  if (number > *last)
    *last = number;
  return 0;
}

static int skip_record(void *context, const struct record *record, const struct place *place)
{
  (void)context;
  (void)record;
  (void)place;
  return 0;
}

/* Keeps a locked descriptor of a segment that may be appended to. */
static int hold(struct puzzle_log *log, uint32_t segment, int fd, uint64_t end)
{
  log->fd = fd;
  log->segment = segment;
  log->end = end;
  return 0;
}

static int take_over(struct puzzle_log *log, uint32_t segment)
{
  struct segment_scan scan = {.segment = segment};
  int fd = segment_open(log->folder, segment, O_RDWR);
  if (fd < 0)
    return fd;
  int result = segment_lock(fd);
  if (result == 0)
    result = segment_visit_fd(fd, &scan, skip_record, NULL);
  if (result == 0 && (scan.damaged || scan.end >= SEGMENT_BYTES))
    result = -EBADMSG;
  if (result == 0 && ftruncate(fd, (off_t)scan.end) < 0)
    result = -errno;
  if (result < 0) {
    close(fd);
    return result;
  }
  return hold(log, segment, fd, scan.end);
}

/* Whoever looks at the folder before it is locked takes it for one that was never finished. */
static int create(struct puzzle_log *log, uint32_t segment)
{
  uint8_t head[SEGMENT_HEAD_BYTES];
  char name[SEGMENT_NAME_BYTES];
  int fd = segment_open(log->folder, segment, O_RDWR | O_CREAT | O_EXCL);
  if (fd < 0)
    return fd;
  if (segment_lock(fd) < 0) {
    close(fd);
    return -EEXIST;
  }
  segment_head_write(head);
  errno = ENOSPC; /* of a write that comes short */
  if (write(fd, head, sizeof head) == sizeof head && fsync(log->folder->fd[SUBFOLDER_PUZZLES]) == 0)
    return hold(log, segment, fd, SEGMENT_HEAD_BYTES);
  int result = -errno;
  segment_name(segment, name);
  unlinkat(log->folder->fd[SUBFOLDER_PUZZLES], name, 0);
  close(fd);
  return result;
}

int own_segment_find_last(struct puzzle_log *log, uint32_t *last)
{
  int result = store_folder_visit(log->folder, SUBFOLDER_PUZZLES, find_last, last);
  if (log->last < *last)
    log->last = *last;
  return result;
}

int own_segment_create(struct puzzle_log *log)
{
  int result = -EEXIST;
  for (int i = 0; (result == -EEXIST || result == -ENOENT) && i < CREATE_TRIES; i++) {
    if (log->last == UINT32_MAX)
      return -EOVERFLOW;
    result = create(log, ++log->last);
  }
  return result;
}

int own_segment_open(struct puzzle_log *log)
{
  uint32_t last = 0;
  int result = own_segment_find_last(log, &last);
  if (result < 0)
    return result;
  if (last > 0 && take_over(log, last) == 0)
    return 0;
  if (last > 1 && take_over(log, last - 1) == 0)
    return 0;
  return own_segment_create(log);
}
