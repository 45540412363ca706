/*
 * The heads of MessagePack items, read one by one from bytes. Private to proto.
 * The format: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
#ifndef CATMOUSE_PROTO_MSGPACK_ITEM_H
#define CATMOUSE_PROTO_MSGPACK_ITEM_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The others, whose first byte is 0xc0 to 0xdf: the rest of msgpack_item_read(). */
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

#endif
