/*
 * The happy path: the next file is opened, its first bytes say whether it is gzip (1f 8b) or zstd (28 b5 2f fd), and
 * its bytes are handed on or unpacked until it ends. Both formats may have several members in one file.
 * A file that cannot be opened or read, or ends within a member, ends the stream with a sentence that names it.
 */
#include "client/batch/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { PACKED_BYTES = 128 << 10, MAGIC_BYTES = 4, GZIP_ANY_WINDOW = 15 + 16 };

enum packing { PACKING_UNKNOWN, PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

struct input {
  const char *const *names;
  int count, next; /* the file to open next */
  int fd;          /* -1 between files */
  const char *name;
  uint64_t total;
  atomic_uint_fast64_t taken; /* asked for by other threads than the reader's */

  enum packing packing;
  bool ended;            /* the file under way has no more bytes */
  bool in_member;        /* something of a packed member was read, and not its end */
  bool wants_break;      /* a file came before, and its last byte was no line end */
  unsigned char *packed; /* PACKED_BYTES of the file as it is, owned */
  size_t begin, end;     /* what of them is not used yet */
  z_stream gzip;
  bool gzip_open;
  ZSTD_DStream *zstd; /* owned, NULL until it is needed */
  char error[INPUT_ERROR_BYTES];
};

static const char *const standard_input[] = {"-"};

static bool is_standard_input(const char *name)
{
  return strcmp(name, "-") == 0;
}

static void find_total(struct input *input)
{
  struct stat about;
  for (int i = 0; i < input->count; i++) {
    const char *name = input->names[i];
    int result = is_standard_input(name) ? fstat(STDIN_FILENO, &about) : stat(name, &about);
    if (result < 0 || !S_ISREG(about.st_mode)) {
      input->total = 0;
      return;
    }
    input->total += (uint64_t)about.st_size;
  }
}

struct input *input_new(const char *const *names, int count)
{
  struct input *input = calloc(1, sizeof *input);
  if (!input)
    return NULL;
  input->packed = malloc(PACKED_BYTES);
  if (!input->packed) {
    free(input);
    return NULL;
  }
  input->names = count > 0 ? names : standard_input;
  input->count = count > 0 ? count : 1;
  input->fd = -1;
  find_total(input);
  return input;
}

static void close_file(struct input *input)
{
  if (input->fd > STDIN_FILENO)
    close(input->fd);
  input->fd = -1;
}

void input_free(struct input *input)
{
  if (!input)
    return;
  close_file(input);
  if (input->gzip_open)
    inflateEnd(&input->gzip);
  ZSTD_freeDStream(input->zstd);
  free(input->packed);
  free(input);
}

const char *input_error(const struct input *input)
{
  return input->error;
}

uint64_t input_total(const struct input *input)
{
  return input->total;
}

uint64_t input_taken(const struct input *input)
{
  return atomic_load_explicit(&input->taken, memory_order_relaxed);
}

static int fail(struct input *input, int error, const char *what)
{
  snprintf(input->error, sizeof input->error, "%s %s%s%s", what,
           is_standard_input(input->name) ? "standard input" : input->name,
           error == -EBADMSG ? "" : ": ", error == -EBADMSG ? "" : strerror(-error));
  close_file(input);
  input->next = input->count;
  return error;
}

/* 1, or 0 where there is none. */
static int open_next(struct input *input)
{
  if (input->next == input->count)
    return 0;
  input->name = input->names[input->next++];
  input->fd =
      is_standard_input(input->name) ? STDIN_FILENO : open(input->name, O_RDONLY | O_CLOEXEC);
  if (input->fd < 0)
    return fail(input, -errno, "cannot open");
  input->packing = PACKING_UNKNOWN;
  input->ended = input->in_member = false;
  input->begin = input->end = 0;
  return 1;
}

/* Bytes of the file as it is. How many, 0 at its end. */
static ssize_t read_file(struct input *input, void *bytes, size_t size, int wait_ms)
{
  struct pollfd ready = {.fd = input->fd, .events = POLLIN};
  int polled = poll(&ready, 1, wait_ms);
  if (polled == 0)
    return -EAGAIN;
  if (polled < 0)
    return errno == EINTR ? -EINTR : fail(input, -errno, "cannot wait for");
  ssize_t got = read(input->fd, bytes, size);
  if (got < 0)
    return errno == EINTR || errno == EAGAIN ? -errno : fail(input, -errno, "cannot read");
  atomic_fetch_add_explicit(&input->taken, (uint64_t)got, memory_order_relaxed);
  return got;
}

/* More packed bytes behind those that are not used yet. 0, also where the file ended. */
static int fill(struct input *input, int wait_ms)
{
  if (input->begin > 0) {
    memmove(input->packed, input->packed + input->begin, input->end - input->begin);
    input->end -= input->begin;
    input->begin = 0;
  }
  ssize_t got = read_file(input, input->packed + input->end, PACKED_BYTES - input->end, wait_ms);
  if (got < 0)
    return (int)got;
  input->end += (size_t)got;
  input->ended = got == 0;
  return 0;
}

/* As soon as there are enough bytes to tell. */
static int find_packing(struct input *input, int wait_ms)
{
  static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
  while (input->packing == PACKING_UNKNOWN) {
    size_t length = input->end;
    bool may_be_gzip =
        memcmp(input->packed, gzip, length < sizeof gzip ? length : sizeof gzip) == 0;
    bool may_be_zstd =
        memcmp(input->packed, zstd, length < sizeof zstd ? length : sizeof zstd) == 0;
    if (may_be_gzip && length >= sizeof gzip)
      input->packing = PACKING_GZIP;
    else if (may_be_zstd && length >= sizeof zstd)
      input->packing = PACKING_ZSTD;
    else if (input->ended || (length > 0 && !may_be_gzip && !may_be_zstd))
      input->packing = PACKING_NONE;
    else {
      int error = fill(input, wait_ms);
      if (error)
        return error;
    }
  }
  return 0;
}

static ssize_t unpack_gzip(struct input *input, void *bytes, size_t size)
{
  if (!input->in_member) {
    int begun =
        input->gzip_open ? inflateReset(&input->gzip) : inflateInit2(&input->gzip, GZIP_ANY_WINDOW);
    if (begun != Z_OK)
      return fail(input, -ENOMEM, "cannot unpack");
    input->gzip_open = input->in_member = true;
  }
  input->gzip.next_in = input->packed + input->begin;
  input->gzip.avail_in = (uInt)(input->end - input->begin);
  input->gzip.next_out = bytes;
  input->gzip.avail_out = size > UINT32_MAX ? UINT32_MAX : (uInt)size;
  uInt room = input->gzip.avail_out;
  int result = inflate(&input->gzip, Z_NO_FLUSH);
  input->begin = input->end - input->gzip.avail_in;
  if (result == Z_STREAM_END)
    input->in_member = false;
  else if (result != Z_OK && result != Z_BUF_ERROR)
    return fail(input, -EBADMSG, "damaged gzip data in");
  return (ssize_t)(room - input->gzip.avail_out);
}

static ssize_t unpack_zstd(struct input *input, void *bytes, size_t size)
{
  if (!input->zstd) {
    input->zstd = ZSTD_createDStream();
    if (!input->zstd)
      return fail(input, -ENOMEM, "cannot unpack");
  }
  ZSTD_inBuffer in = {input->packed, input->end, input->begin};
  ZSTD_outBuffer out = {bytes, size, 0};
  if (!input->in_member)
    ZSTD_initDStream(input->zstd);
  size_t left = ZSTD_decompressStream(input->zstd, &out, &in);
  input->begin = in.pos;
  if (ZSTD_isError(left))
    return fail(input, -EBADMSG, "damaged zstd data in");
  input->in_member = left != 0;
  return (ssize_t)out.pos;
}

/* Unpacks what there is, and reads more where that gives nothing. */
static ssize_t read_packed(struct input *input, void *bytes, size_t size, int wait_ms)
{
  for (;;) {
    if (input->begin < input->end || input->in_member) {
      ssize_t got = input->packing == PACKING_GZIP ? unpack_gzip(input, bytes, size)
                                                   : unpack_zstd(input, bytes, size);
      if (got != 0)
        return got;
    }
    if (input->begin < input->end)
      continue; /* the next member */
    if (input->ended && input->in_member)
      return fail(input, -EBADMSG, "compressed data ends too early in");
    if (input->ended)
      return 0;
    int error = fill(input, wait_ms);
    if (error)
      return error;
  }
}

static ssize_t read_plain(struct input *input, void *bytes, size_t size, int wait_ms)
{
  size_t held = input->end - input->begin;
  if (held == 0)
    return input->ended ? 0 : read_file(input, bytes, size, wait_ms);
  size_t count = held < size ? held : size;
  memcpy(bytes, input->packed + input->begin, count);
  input->begin += count;
  return (ssize_t)count;
}

static ssize_t read_open(struct input *input, void *bytes, size_t size, int wait_ms)
{
  int error = find_packing(input, wait_ms);
  if (error)
    return error;
  return input->packing == PACKING_NONE ? read_plain(input, bytes, size, wait_ms)
                                        : read_packed(input, bytes, size, wait_ms);
}

ssize_t input_read(struct input *input, void *bytes, size_t size, int wait_ms)
{
  for (;;) {
    if (input->fd < 0) {
      int opened = open_next(input);
      if (opened <= 0)
        return opened;
    }
    ssize_t got = read_open(input, bytes, size, wait_ms);
    if (got > 0)
      input->wants_break = ((char *)bytes)[got - 1] != '\n';
    if (got != 0)
      return got;
    close_file(input);
    if (!input->wants_break)
      continue;
    input->wants_break = false;
    *(char *)bytes = '\n';
    return 1;
  }
}
