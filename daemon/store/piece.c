/* Whole pieces of files, however the system splits them. */
#include "daemon/store/piece.h"

#include <errno.h>
#include <unistd.h>

int piece_read(int fd, uint8_t *bytes, size_t length, uint64_t offset)
{
  while (length > 0) {
    ssize_t got = pread(fd, bytes, length, (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return got < 0 ? -errno : -EBADMSG;
    bytes += got;
    offset += (uint64_t)got;
    length -= (size_t)got;
  }
  return 0;
}

int piece_write(int fd, const uint8_t *bytes, size_t length, uint64_t offset)
{
  while (length > 0) {
    ssize_t written = pwrite(fd, bytes, length, (off_t)offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return written < 0 ? -errno : -ENOSPC;
    bytes += written;
    offset += (uint64_t)written;
    length -= (size_t)written;
  }
  return 0;
}
