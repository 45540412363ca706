#include "client/batch/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/batch/append.h"
#include "client/batch/whole_file.h"

enum { CHECKPOINT_BYTES_MAX = 1 << 30, ASKED_BYTES = 512 };

static void describe(const char *asked, const struct stream *stream, struct buffer *out)
{
  append(out, "{\"catmouse_checkpoint\":1,\"asked\":");
  append_json_text(out, asked, strlen(asked));
  append_format(
      out, ",\"bytes_read\":%" PRIu64 ",\"checksum\":\"%016" PRIx64 "\",\"bytes_out\":%" PRIu64 ",",
      stream->bytes_read, stream->checksum, stream->bytes_out);
  tally_write(&stream->tally, out);
  append(out, "}\n");
}

static int write_whole(int fd, const struct buffer *text)
{
  for (size_t written = 0; written < text->length;) {
    ssize_t now = write(fd, text->data + written, text->length - written);
    if (now < 0 && errno != EINTR)
      return -errno;
    written += now > 0 ? (size_t)now : 0;
  }
  return fdatasync(fd) < 0 ? -errno : 0;
}

static int write_new(const char *path, const struct buffer *text)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return -errno;
  int error = write_whole(fd, text);
  if (close(fd) < 0 && error == 0)
    error = -errno;
  return error;
}

/* What it says is out must be there after a power cut too; pipes have nothing to make sure of. */
static int settle_output(void)
{
  return fdatasync(STDOUT_FILENO) < 0 && errno != EINVAL && errno != EROFS ? -errno : 0;
}

int checkpoint_write(const char *path, const char *asked, const struct stream *stream)
{
  struct buffer text;
  char *beside = NULL;
  buffer_init(&text);
  describe(asked, stream, &text);
  int error = text.failed || asprintf(&beside, "%s.new", path) < 0 ? -ENOMEM : settle_output();
  if (error == 0)
    error = write_new(beside, &text);
  if (error == 0 && rename(beside, path) < 0)
    error = -errno;
  free(beside);
  buffer_deinit(&text);
  return error;
}

static int read_checksum(struct json_span object, uint64_t *checksum)
{
  struct json_span value;
  char digits[20], *end;
  size_t length;
  if (!json_find(object, "checksum", &value) || !json_text(value, sizeof digits, digits, &length))
    return -EINVAL;
  *checksum = strtoull(digits, &end, 16);
  return *end || end == digits ? -EINVAL : 0;
}

static int understand(struct json_span object, const char *asked, struct stream *stream)
{
  struct json_span version, value, read, out;
  char was_asked[ASKED_BYTES];
  size_t length;
  if (!json_find(object, "catmouse_checkpoint", &version) || !json_find(object, "asked", &value) ||
      !json_text(value, sizeof was_asked, was_asked, &length))
    return -EINVAL;
  if (strcmp(asked, was_asked) != 0)
    return -EEXIST;
  if (!json_find(object, "bytes_read", &read) || !json_number(read, &stream->bytes_read) ||
      !json_find(object, "bytes_out", &out) || !json_number(out, &stream->bytes_out))
    return -EINVAL;
  int error = read_checksum(object, &stream->checksum);
  return error ? error : tally_read(object, &stream->tally);
}

int checkpoint_read(const char *path, const char *asked, struct stream *stream)
{
  struct buffer text;
  buffer_init(&text);
  int error = whole_file_read(path, CHECKPOINT_BYTES_MAX, &text);
  if (error == 0)
    error = understand((struct json_span){text.data, text.length}, asked, stream);
  buffer_deinit(&text);
  return error;
}
