/*
 * Appending. A record is written where the last whole one ends, so that one that failed half-way is written over
 * by the next. Another daemon may clear the folder at any time: a record is kept once its segment is seen to have
 * a name after the write, and is written again elsewhere until then.
 */
#include "daemon/store/puzzle_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/store/own_segment.h"
#include "daemon/store/piece.h"

enum { APPEND_TRIES = 100 };

void puzzle_log_init(struct puzzle_log *log, const struct store_folder *folder)
{
  *log = (struct puzzle_log){.folder = folder, .fd = -1};
  pthread_mutex_init(&log->mutex, NULL);
}

void puzzle_log_deinit(struct puzzle_log *log)
{
  own_segment_close(log);
  pthread_mutex_destroy(&log->mutex);
}

static int write_at_end(struct puzzle_log *log, const uint8_t *bytes, uint32_t length)
{
  int result = piece_write(log->fd, bytes, length, log->end);
  if (result < 0 && ftruncate(log->fd, (off_t)log->end) < 0)
    own_segment_close(log);
  return result;
}

static bool has_name(int fd)
{
  struct stat status;
  return fstat(fd, &status) == 0 && status.st_nlink > 0;
}

/* puzzle_log_sync() reaches it no longer, but tells. */
static void leave_segment(struct puzzle_log *log)
{
  if (log->fd >= 0 && fdatasync(log->fd) < 0)
    log->left_error = -errno;
  own_segment_close(log);
}

static int make_room(struct puzzle_log *log)
{
  if (log->fd >= 0 && log->end < SEGMENT_BYTES)
    return 0;
  leave_segment(log);
  return own_segment_open(log);
}

static int append_locked(struct puzzle_log *log, const uint8_t *bytes, uint32_t length,
                         struct place *place)
{
  for (int i = 0; i < APPEND_TRIES; i++) {
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
    own_segment_close(log);
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

/* Others may append meanwhile, unless there is no descriptor to spare. */
int puzzle_log_sync(struct puzzle_log *log)
{
  pthread_mutex_lock(&log->mutex);
  int fd = log->fd >= 0 ? fcntl(log->fd, F_DUPFD_CLOEXEC, 0) : -1;
  int result = log->left_error;
  log->left_error = 0;
  if (fd < 0 && log->fd >= 0 && fdatasync(log->fd) < 0)
    result = -errno;
  pthread_mutex_unlock(&log->mutex);
  if (fd < 0)
    return result;
  if (fdatasync(fd) < 0)
    result = -errno;
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

/*
 * On a full disk there is no room for the empty one before the others have gone. Where there is none even then, we
 * know ourselves which numbers there were.
 */
static int clear_locked(struct puzzle_log *log)
{
  uint32_t last = 0;
  own_segment_close(log);
  int result = own_segment_find_last(log, &last);
  if (result < 0)
    return result;
  int created = own_segment_create(log);
  result = store_folder_visit(log->folder, SUBFOLDER_PUZZLES, remove_before, log);
  if (result == 0 && created < 0)
    own_segment_create(log);
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
  int result = log->segment > segment ? 0 : own_segment_find_last(log, &last);
  if (result == 0 && log->segment <= segment) {
    leave_segment(log);
    result = own_segment_create(log);
  }
  pthread_mutex_unlock(&log->mutex);
  return result;
}
