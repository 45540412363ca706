/*
 * A stream from its input to standard output: threads answer its chunks, and what they say comes out in the order of the
 * records. There are a fixed number of chunks, so memory is bounded however long the stream is.
 */
#ifndef CATMOUSE_CLIENT_BATCH_STREAM_H
#define CATMOUSE_CLIENT_BATCH_STREAM_H

#include <signal.h>
#include <stdatomic.h>

#include "client/batch/chunk.h"
#include "client/batch/input.h"

struct stream;

struct stream_options {
  struct answering how; /* the question's `stop` is the stream's to set */
  uint32_t longest;     /* how many of the longest wins the tally lists */
  unsigned threads;
  const volatile sig_atomic_t *interrupted;

  /*
   * Told after each chunk is out, in order, with the stream's lock held, and as time goes on. NULL: not told.
   */
  void (*on_tick)(void *context, const struct stream *stream);
  void *context;
};

/* What is done so far; to be read within on_tick() and after stream_run(). */
struct stream {
  struct tally tally;
  uint64_t bytes_read;       /* of the stream, unpacked, that the tally covers */
  uint64_t checksum;         /* XXH3 of these bytes */
  uint64_t bytes_out;        /* lines written to stdout */
  char bad[CHUNK_BAD_BYTES]; /* the first bad record, with its number; empty where there is none */
  char why[CHUNK_BAD_BYTES]; /* where the daemon cannot be asked */
  bool stopped;              /* before the end: interrupted, or strict and bad */
};

/*
 * Goes on from `*stream`, whose tally is made; at first all else is 0. 0 also where it was stopped; -ESTALE where the
 * input does not begin with the bytes that the stream has read before; -ENOMEM; what the input failed with, which
 * input_error() tells; what writing to stdout failed with; -EREMOTEIO where the daemon cannot be asked, as `why` says.
 * What was done until then is in `*stream`.
 */
int stream_run(struct input *input, const struct stream_options *options, struct stream *stream);

#endif
