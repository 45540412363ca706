#include "client/batch/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int whole_file_read(const char *path, size_t most, struct buffer *text)
{
  enum { PIECE = 64 << 10 };
  bool piped = strcmp(path, "-") == 0;
  int fd = piped ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  int error = fd < 0 ? -errno : 0;
  while (error == 0) {
    char *room = buffer_reserve(text, PIECE);
    ssize_t got = room ? read(fd, room, PIECE) : 0;
    if (!room)
      error = -ENOMEM;
    else if (got < 0 && errno != EINTR)
      error = -errno;
    else if (got == 0)
      break;
    text->length += got > 0 ? (size_t)got : 0;
    if (text->length > most)
      error = -EFBIG;
  }
  if (!piped && fd >= 0)
    close(fd);
  return error;
}
