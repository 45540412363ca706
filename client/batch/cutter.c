/*
 * A chunk is cut where it is full, or where nothing more came for some milliseconds, so that a slow stream is answered
 * at once. A record that is too long to be held is dropped as it comes, and counts when it has ended, so that every
 * chunk ends where a record does.
 */
#include "client/batch/cutter.h"

#include <errno.h>
#include <string.h>
#include <time.h>

enum {
  READ_BYTES = 64 << 10,
  PATIENCE_MS = 5, /* what is there is cut once nothing more came for so long, */
  HURRY_MS = 20,   /* or once it has waited for so long */
  LOOK_MS = 200,
};

int cutter_init(struct cutter *cutter, struct input *input, enum record_form from,
                size_t chunk_bytes)
{
  *cutter = (struct cutter){.input = input,
                            .from = from,
                            .chunk_bytes = chunk_bytes,
                            .wanted = chunk_bytes,
                            .hash = XXH3_createState()};
  buffer_init(&cutter->rest);
  if (!cutter->hash)
    return -ENOMEM;
  XXH3_64bits_reset(cutter->hash);
  return 0;
}

void cutter_deinit(struct cutter *cutter)
{
  buffer_deinit(&cutter->rest);
  XXH3_freeState(cutter->hash);
}

int cutter_pass(struct cutter *cutter, uint64_t bytes, uint64_t checksum, uint64_t records,
                const volatile sig_atomic_t *interrupted)
{
  char passed[READ_BYTES];
  for (uint64_t left = bytes; left > 0;) {
    ssize_t got =
        input_read(cutter->input, passed, left < sizeof passed ? left : sizeof passed, -1);
    if (got == -EINTR && *interrupted)
      return -EINTR;
    if (got == -EINTR || got == -EAGAIN)
      continue;
    if (got <= 0)
      return got < 0 ? (int)got : -ESTALE;
    XXH3_64bits_update(cutter->hash, passed, (size_t)got);
    left -= (uint64_t)got;
  }
  cutter->position = bytes;
  cutter->records = records;
  return bytes == 0 || XXH3_64bits_digest(cutter->hash) == checksum ? 0 : -ESTALE;
}

static void end_with(struct cutter *cutter, int error)
{
  cutter->error = error;
  cutter->at_end = true;
}

/* Returns false where nothing came in time; `at_end` says that nothing ever will. */
static bool read_more(struct cutter *cutter, int wait_ms)
{
  char *room = buffer_reserve(&cutter->rest, READ_BYTES);
  ssize_t got = room ? input_read(cutter->input, room, READ_BYTES, wait_ms) : -ENOMEM;
  if (got > 0)
    cutter->rest.length += (size_t)got;
  else if (got != -EAGAIN && got != -EINTR)
    end_with(cutter, (int)got);
  return got > 0;
}

/* Takes bytes from the front. */
static void consume(struct cutter *cutter, size_t bytes)
{
  if (bytes == 0)
    return;
  XXH3_64bits_update(cutter->hash, cutter->rest.data, bytes);
  cutter->position += bytes;
  buffer_consume(&cutter->rest, bytes);
}

/* A stream that broke off has no whole record at its end. */
static bool is_last(const struct cutter *cutter)
{
  return cutter->at_end && cutter->error == 0;
}

/* Drops what has come of a record that is too long. */
static void pass_over(struct cutter *cutter)
{
  const char *text = cutter->rest.data;
  consume(cutter,
          long_record_pass(&cutter->passed, text, text + cutter->rest.length, is_last(cutter)));
}

static int64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads until there is what is wanted, or until it is time to cut what there is. */
static void gather(struct cutter *cutter)
{
  const int64_t began_ms = now_ms();
  while (!cutter->at_end && cutter->rest.length < cutter->wanted) {
    bool came = read_more(cutter, cutter->rest.length ? PATIENCE_MS : LOOK_MS);
    if (cutter->too_long && !cutter->passed.ended)
      pass_over(cutter);
    if (!came || now_ms() - began_ms > HURRY_MS)
      return;
  }
}

/* How much of the rest is whole records, up to the size of a chunk. */
static void find_records(struct cutter *cutter)
{
  const char *at = cutter->rest.data, *end = at + cutter->rest.length;
  struct record record;
  cutter->found = 0;
  while (at < cutter->rest.data + cutter->chunk_bytes &&
         record_next(&at, end, is_last(cutter), cutter->from, &record) == RECORD_FOUND)
    cutter->found++;
  cutter->bytes = (size_t)(at - cutter->rest.data);
}

enum cutter_found cutter_look(struct cutter *cutter)
{
  const struct buffer *rest = &cutter->rest;
  gather(cutter);
  cutter->bytes = 0;
  if (cutter->too_long)
    return cutter->passed.ended || cutter->at_end ? CUTTER_FOUND : CUTTER_NOTHING_YET;
  if (rest->length == 0)
    return cutter->at_end ? CUTTER_END : CUTTER_NOTHING_YET;
  find_records(cutter);
  if (cutter->bytes > 0 || cutter->at_end)
    return cutter->bytes > 0 ? CUTTER_FOUND : CUTTER_END;
  if (rest->length >= RECORD_BYTES_MAX) {
    cutter->too_long = true;
    cutter->wanted = cutter->chunk_bytes;
    long_record_begin(rest->data, rest->data + rest->length, cutter->from, &cutter->passed);
    pass_over(cutter);
  } else if (rest->length >= cutter->wanted)
    cutter->wanted *= 2;
  else
    read_more(cutter, LOOK_MS);
  return CUTTER_NOTHING_YET;
}

void cutter_take(struct cutter *cutter, struct chunk *chunk)
{
  chunk->too_long = cutter->too_long;
  chunk->first_number = cutter->records + 1;
  buffer_append(&chunk->text, cutter->rest.data, cutter->bytes);
  consume(cutter, cutter->bytes);
  chunk->position = cutter->position;
  chunk->checksum = XXH3_64bits_digest(cutter->hash);
  chunk->error = chunk->text.failed ? -ENOMEM : 0;
  cutter->records += chunk->too_long ? 1 : cutter->found;
  cutter->too_long = false;
  cutter->wanted = cutter->chunk_bytes;
  if (cutter->rest.length == 0)
    chunk_empty(&cutter->rest);
}
