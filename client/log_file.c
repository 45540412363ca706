#include "client/log_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAST_BYTES = 4096 };

/* The last `most` bytes behind the first `from`, which the caller free()s. NULL where there are none to be had. */
static char *read_end(int fd, off_t from, size_t most, size_t *length)
{
  struct stat about;
  if (fd < 0 || fstat(fd, &about) || !S_ISREG(about.st_mode) || about.st_size <= from)
    return NULL;
  const size_t size = (size_t)(about.st_size - from), wanted = size < most ? size : most;
  char *bytes = malloc(wanted + 1);
  const ssize_t got = bytes ? pread(fd, bytes, wanted, about.st_size - (off_t)wanted) : -1;
  if (got <= 0) {
    free(bytes);
    return NULL;
  }
  bytes[got] = '\0';
  *length = (size_t)got;
  return bytes;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
  while (length > 0) {
    const ssize_t written = write(fd, bytes, length);
    if (written < 0 && errno != EINTR)
      return false;
    bytes += written > 0 ? written : 0;
    length -= written > 0 ? (size_t)written : 0;
  }
  return true;
}

void log_keep_end(const char *path)
{
  char beside[PATH_MAX];
  struct stat about;
  size_t length;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  char *end = fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 2 * LOG_BYTES_KEPT
                  ? read_end(fd, 0, LOG_BYTES_KEPT, &length)
                  : NULL;
  if (fd >= 0)
    close(fd);
  if (!end || snprintf(beside, sizeof beside, "%s.XXXXXX", path) >= (int)sizeof beside) {
    free(end);
    return;
  }
  const char *newline = memchr(end, '\n', length);
  const char *from = newline ? newline + 1 : end;
  fd = mkostemp(beside, O_CLOEXEC);
  if (fd >= 0) {
    bool written = write_all(fd, from, length - (size_t)(from - end));
    if (close(fd) || !written || rename(beside, path))
      unlink(beside);
  }
  free(end);
}

off_t log_length(const char *path)
{
  struct stat about;
  return lstat(path, &about) ? 0 : about.st_size;
}

void log_last_line(const char *path, off_t from, size_t size, char line[])
{
  size_t length = 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  char *end = read_end(fd, from, LAST_BYTES, &length);
  line[0] = '\0';
  while (length > 0 && end[length - 1] == '\n')
    end[--length] = '\0';
  if (length > 0) {
    const char *newline = memrchr(end, '\n', length);
    snprintf(line, size, "%s", newline ? newline + 1 : end);
  }
  free(end);
  if (fd >= 0)
    close(fd);
}
