/*
 * Reads MessagePack item by item without allocating, so that what a message claims is checked before
 * any decoder believes it. The format: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
#ifndef CATMOUSE_PROTO_MSGPACK_SCAN_H
#define CATMOUSE_PROTO_MSGPACK_SCAN_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/errors.h"
#include "proto/limits.h"

enum item_kind {
  ITEM_NONE, /* 0xc1, which begins nothing */
  ITEM_NIL,
  ITEM_BOOLEAN,
  ITEM_UNSIGNED,
  ITEM_SIGNED, /* below 0 */
  ITEM_REAL,
  ITEM_TEXT,
  ITEM_BINARY,
  ITEM_EXTENSION,
  ITEM_LIST,
  ITEM_MAP,
};

/* One item's head: what comes before its payload or its children. */
struct msgpack_item {
  enum item_kind kind;
  uint32_t head_bytes;
  uint64_t payload_bytes; /* that follow the head */
  uint64_t children;      /* items that follow the head; two for each entry of a map */
  union {
    uint64_t number;  /* ITEM_UNSIGNED, ITEM_BOOLEAN */
    int64_t negative; /* ITEM_SIGNED */
    double real;
  };
};

/* The kinds whose first byte holds the number too: most items, so this is in line. */
static inline bool msgpack_short_item_read(uint8_t first, struct msgpack_item *item)
{
  *item = (struct msgpack_item){.head_bytes = 1};
  if (first < 0x80) {
    item->kind = ITEM_UNSIGNED;
    item->number = first;
  } else if (first < 0x90) {
    item->kind = ITEM_MAP;
    item->children = 2 * (uint64_t)(first & 0x0f);
  } else if (first < 0xa0) {
    item->kind = ITEM_LIST;
    item->children = first & 0x0f;
  } else if (first < 0xc0) {
    item->kind = ITEM_TEXT;
    item->payload_bytes = first & 0x1f;
  } else if (first >= 0xe0) {
    item->kind = ITEM_SIGNED;
    item->negative = first - 256;
  } else {
    return false;
  }
  return true;
}

/* The others: msgpack_item_read() where the first byte is 0xc0 to 0xdf. */
int msgpack_long_item_read(const char *bytes, size_t length, struct msgpack_item *item);

/* 0, -EAGAIN when the head is not complete, or -EBADMSG for the byte that begins nothing. */
static inline int msgpack_item_read(const char *bytes, size_t length, struct msgpack_item *item)
{
  if (length == 0)
    return -EAGAIN;
  if (msgpack_short_item_read((uint8_t)bytes[0], item))
    return 0;
  return msgpack_long_item_read(bytes, length, item);
}

enum { MSGPACK_DEPTH_MAX = 32 }; /* what msgpack-c itself can unpack */

/*
 * A walk over one message, which is a list of 3 or 4 items. It remembers the id of a request or a
 * response, for an error that must be answered before the message is whole.
 */
struct msgpack_scan {
  size_t at;           /* bytes walked over; a payload may reach past what has come */
  uint64_t open_items; /* still to come, all levels together */
  uint64_t remaining[MSGPACK_DEPTH_MAX]; /* still to come at each level */
  uint32_t depth;
  uint32_t top_items;  /* of the message itself; 0 before its head */
  uint64_t type;       /* 0 request, 1 response, 2 notification */
  uint64_t message_id; /* valid when has_message_id */
  bool has_message_id;
};

enum scan_result {
  SCAN_MORE,   /* the message goes on after `length` */
  SCAN_WHOLE,  /* it ends at `at` */
  SCAN_LIMIT,  /* it breaks a limit; msgpack_scan_skip() gets past it */
  SCAN_BROKEN, /* no message at all, or one that claims more than anybody would send */
};

void msgpack_scan_init(struct msgpack_scan *scan);

/* Goes on from where the last call stopped; `bytes` is where the message begins. `fault` says what is wrong. */
enum scan_result msgpack_scan(struct msgpack_scan *scan, const struct message_limits *limits,
                              const char *bytes, size_t length, struct fault *fault);

/*
 * After SCAN_LIMIT: walks over the rest of the message with no regard to depth or size. `bytes` is
 * where the last call stopped, `at` is set to how far this one came. SCAN_MORE, SCAN_WHOLE, or
 * SCAN_BROKEN when more is claimed than anybody would send.
 */
enum scan_result msgpack_scan_skip(struct msgpack_scan *scan, const char *bytes, size_t length,
                                   struct fault *fault);

/* After SCAN_LIMIT with `length` bytes at hand: turns to skipping, and says how many of them are walked over. */
size_t msgpack_scan_give_up(struct msgpack_scan *scan, size_t length);

#endif
