/*
 * One puzzle in a segment of the log: docs/STORE.md says byte by byte. Bytes in memory only; any thread.
 */
#ifndef CATMOUSE_DAEMON_STORE_RECORD_H
#define CATMOUSE_DAEMON_STORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "solver/id.h"

enum {
  RECORD_HEAD_BYTES = 64,
  RECORD_ALIGNMENT = 8, /* every record begins and ends at a multiple of it */
  RECORD_USED_OFFSET =
      8 /* in the head; the one field that changes, and that the checksum leaves out */
};

/* Borrows from the bytes it was read from. */
struct record {
  struct id id;
  uint64_t used_s; /* when it was last asked for, in seconds since 1970; 0 where it was forgotten */
  uint32_t bytes;  /* of the whole record */
  const uint8_t *packed;
  uint32_t packed_bytes;
};

enum record_status {
  RECORD_WHOLE,
  RECORD_CUT,     /* it may go on beyond the bytes at hand */
  RECORD_DAMAGED, /* these bytes are no record */
};

/* 0 where the arena is too large for a record. */
uint32_t record_bytes(const struct arena *arena);

/* Writes record_bytes() bytes. */
void record_write(uint8_t *bytes, const struct arena *arena, const struct id *id, uint64_t used_s);

/* Do these RECORD_HEAD_BYTES begin a record of that puzzle? */
bool record_is_of(const uint8_t *head, const struct id *id);

/* When it was last asked for, as in struct record. */
uint64_t record_used_s(const uint8_t *head);

enum record_status record_read(const uint8_t *bytes, size_t length, struct record *record);

#endif
