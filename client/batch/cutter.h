/* Cuts a stream into chunks of whole records. */
#ifndef CATMOUSE_CLIENT_BATCH_CUTTER_H
#define CATMOUSE_CLIENT_BATCH_CUTTER_H

#include <signal.h>
#include <xxhash.h>

#include "client/batch/chunk.h"
#include "client/batch/input.h"

/* Its fields are the cutter's own, but for `bytes` and `error`. */
struct cutter {
  struct input *input; /* borrowed */
  enum record_form from;
  size_t chunk_bytes; /* a chunk has no more records once it has so many */
  struct buffer rest; /* read, but not cut yet */
  size_t wanted;      /* bytes of it to cut at */
  size_t bytes;   /* of the chunk that was found; 0 where that is one record, too long to be held */
  uint64_t found; /* records in it */
  uint64_t records;   /* in the chunks before it */
  uint64_t position;  /* where it begins */
  XXH3_state_t *hash; /* of all before it */
  bool at_end;
  bool too_long; /* the record at hand, which is passed over */
  struct long_record passed;
  int error; /* what reading the input failed with */
};

/* 0 or -ENOMEM; to be ended either way. */
int cutter_init(struct cutter *cutter, struct input *input, enum record_form from,
                size_t chunk_bytes);
void cutter_deinit(struct cutter *cutter);

/*
 * Passes so many bytes, which hold so many records. 0; -ESTALE where these are not the bytes of that checksum; -EINTR
 * where `interrupted` says so; what reading failed with.
 */
int cutter_pass(struct cutter *cutter, uint64_t bytes, uint64_t checksum, uint64_t records,
                const volatile sig_atomic_t *interrupted);

enum cutter_found {
  CUTTER_FOUND, /* a chunk; cutter_take() takes it */
  CUTTER_NOTHING_YET,
  CUTTER_END,
};

/* Reads on, for a fraction of a second at most. */
enum cutter_found cutter_look(struct cutter *cutter);

/* Puts what was found into a chunk that is clear. */
void cutter_take(struct cutter *cutter, struct chunk *chunk);

#endif
