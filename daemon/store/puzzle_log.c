/*
 * Appending. The segment to append to is opened with the first record: the last one that has room and that
 * no daemon holds, without what was cut at its end, or else a new one. A record is written where the last
 * whole one ends, so that one that failed half-way is written over by the next. Another daemon may clear the
 * folder at any time: a record is kept once its segment is seen to have a name after the write, and is written
 * again elsewhere until then.
 */
#include "daemon/store/puzzle_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/segment.h"

enum { SEGMENT_TRIES = 100 };

void puzzle_log_init(struct puzzle_log *log, const struct store_folder *folder)
{
  *log = (struct puzzle_log){.folder = folder, .fd = -1};
  pthread_mutex_init(&log->mutex, NULL);
}

static void close_segment(struct puzzle_log *log)
{
  if (log->fd >= 0)
    close(log->fd);
  log->fd = -1;
  log->segment = 0;
}

void puzzle_log_deinit(struct puzzle_log *log)
{
  close_segment(log);
  pthread_mutex_destroy(&log->mutex);
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
  if (write(fd, head, sizeof head) == sizeof head)
    return hold(log, segment, fd, SEGMENT_HEAD_BYTES);
  int result = errno ? -errno : -ENOSPC;
  segment_name(segment, name);
  unlinkat(log->folder->fd[SUBFOLDER_PUZZLES], name, 0);
  close(fd);
  return result;
}

static int find_last_segment(struct puzzle_log *log, uint32_t *last)
{
  int result = store_folder_visit(log->folder, SUBFOLDER_PUZZLES, find_last, last);
  if (log->last < *last)
    log->last = *last;
  return result;
}

static int create_next(struct puzzle_log *log)
{
  int result = -EEXIST;
  for (int i = 0; (result == -EEXIST || result == -ENOENT) && i < SEGMENT_TRIES; i++) {
    if (log->last == UINT32_MAX)
      return -EOVERFLOW;
    result = create(log, ++log->last);
  }
  return result;
}

static int open_segment(struct puzzle_log *log)
{
  uint32_t last = 0;
  int result = find_last_segment(log, &last);
  if (result < 0)
    return result;
  if (last > 0 && take_over(log, last) == 0)
    return 0;
  if (last > 1 && take_over(log, last - 1) == 0)
    return 0;
  return create_next(log);
}

static int write_at_end(struct puzzle_log *log, const uint8_t *bytes, uint32_t length)
{
  for (uint32_t done = 0; done < length;) {
    ssize_t written = pwrite(log->fd, bytes + done, length - done, (off_t)(log->end + done));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      int result = written < 0 ? -errno : -ENOSPC;
      if (ftruncate(log->fd, (off_t)log->end) < 0)
        close_segment(log);
      return result;
    }
    done += (uint32_t)written;
  }
  return 0;
}

static bool has_name(int fd)
{
  struct stat status;
  return fstat(fd, &status) == 0 && status.st_nlink > 0;
}

static int make_room(struct puzzle_log *log)
{
  if (log->fd >= 0 && log->end < SEGMENT_BYTES)
    return 0;
  if (log->fd >= 0)
    fdatasync(log->fd);
  close_segment(log);
  return open_segment(log);
}

static int append_locked(struct puzzle_log *log, const uint8_t *bytes, uint32_t length,
                         struct place *place)
{
  for (int i = 0; i < SEGMENT_TRIES; i++) {
    int result = make_room(log);
    if (result == 0)
      result = write_at_end(log, bytes, length);
    if (result < 0)
      return result;
    if (has_name(log->fd)) {
      *place = (struct place){log->segment, (uint32_t)log->end, length};
      log->end += length;
      return 0;
    }
    close_segment(log);
  }
  return -ENOENT;
}

int puzzle_log_append_record(struct puzzle_log *log, const uint8_t *bytes, uint32_t length,
                             struct place *place)
{
  pthread_mutex_lock(&log->mutex);
  int result = append_locked(log, bytes, length, place);
  pthread_mutex_unlock(&log->mutex);
  return result;
}

int puzzle_log_append(struct puzzle_log *log, const struct arena *arena, const struct id *id,
                      uint64_t used_s, struct place *place)
{
  uint32_t length = record_bytes(arena);
  if (length == 0)
    return -E2BIG;
  uint8_t *bytes = malloc(length);
  if (!bytes)
    return -ENOMEM;
  record_write(bytes, arena, id, used_s);
  int result = puzzle_log_append_record(log, bytes, length, place);
  free(bytes);
  return result;
}

int puzzle_log_sync(struct puzzle_log *log)
{
  pthread_mutex_lock(&log->mutex);
  int fd = log->fd >= 0 ? fcntl(log->fd, F_DUPFD_CLOEXEC, 0) : -1;
  pthread_mutex_unlock(&log->mutex);
  if (fd < 0)
    return 0;
  int result = fdatasync(fd) < 0 ? -errno : 0;
  close(fd);
  return result;
}

static int remove_before(void *context, const char *name)
{
  const struct puzzle_log *log = context;
  uint32_t segment = segment_number(name);
  if (segment >= log->last)
    return 0;
  if (unlinkat(log->folder->fd[SUBFOLDER_PUZZLES], name, 0) < 0 && errno != ENOENT &&
      errno != EISDIR)
    return -errno;
  return 0;
}

/* On a full disk there is no room for the empty one before the others have gone. */
static int clear_locked(struct puzzle_log *log)
{
  uint32_t last = 0;
  close_segment(log);
  int result = find_last_segment(log, &last);
  if (result < 0)
    return result;
  int created = create_next(log);
  result = store_folder_visit(log->folder, SUBFOLDER_PUZZLES, remove_before, log);
  if (result == 0 && created < 0)
    result = create_next(log);
  return result;
}

int puzzle_log_clear(struct puzzle_log *log, uint32_t *first)
{
  pthread_mutex_lock(&log->mutex);
  int result = clear_locked(log);
  *first = log->last;
  pthread_mutex_unlock(&log->mutex);
  return result;
}

uint32_t puzzle_log_segment(struct puzzle_log *log)
{
  pthread_mutex_lock(&log->mutex);
  uint32_t segment = log->segment;
  pthread_mutex_unlock(&log->mutex);
  return segment;
}

int puzzle_log_append_after(struct puzzle_log *log, uint32_t segment)
{
  uint32_t last = 0;
  pthread_mutex_lock(&log->mutex);
  int result = log->segment > segment ? 0 : find_last_segment(log, &last);
  if (result == 0 && log->segment <= segment) {
    close_segment(log);
    result = create_next(log);
  }
  pthread_mutex_unlock(&log->mutex);
  return result;
}
