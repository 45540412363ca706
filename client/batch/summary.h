/* A summary as JSON, which `cmclient merge` adds up: what was counted, and which part of a larger stream it was. */
#ifndef CATMOUSE_CLIENT_BATCH_SUMMARY_H
#define CATMOUSE_CLIENT_BATCH_SUMMARY_H

#include "client/batch/tally.h"

/* Part `res` of `mod`, as nauty counts them: 0 of 1 is all. `mod` is 0 where nobody said. */
struct part {
  uint32_t res, mod;
};

struct summary {
  struct part part;
  bool complete;       /* the stream was read to its end */
  uint64_t bytes_read; /* unpacked */
  uint64_t checksum;   /* XXH3 of them */
  char asked[256];     /* what was answered, in words */
  struct tally tally;
};

/* One line. */
void summary_write(const struct summary *summary, struct buffer *out);

/* Into a summary whose tally is made. 0, -ENOMEM, or -EINVAL where it is none. */
int summary_read(struct json_span text, struct summary *summary);

/* "3/8". -EINVAL where it is no such thing. */
int part_read(const char *text, struct part *part);

#endif
