/*
 * The walk of msgpack_scan.c without its books: no level is told from another. A message of no more lists
 * and maps than may lie inside each other is not too deep, however they lie.
 */
#include "proto/msgpack_glance.h"

#include <stdbool.h>
#include <stdint.h>

enum { TEXT_8 = 0xd9 };

/* What items whose first byte is 0xc0 to 0xdf take in all; 0 for those that are worth a closer look. */
static const uint8_t item_bytes[32] = {
    1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 5, 9, 2, 3, 5, 9, /* nil, false, true, reals, numbers */
    2, 3, 5, 9,                                     /* numbers with a sign */
};

static size_t size_of(const uint8_t *bytes, size_t length)
{
  if (bytes[0] == TEXT_8)
    return length > 1 ? 2u + bytes[1] : 0;
  return item_bytes[bytes[0] - 0xc0];
}

size_t msgpack_glance(const char *bytes, size_t length, const struct message_limits *limits)
{
  size_t at = 0, open = 1, lists = 0;
  bool is_message = length > 0 && (bytes[0] == (char)0x93 || bytes[0] == (char)0x94);
  if (!is_message)
    return 0;
  while (open > 0 && at < length) {
    const uint8_t *item = (const uint8_t *)bytes + at;
    size_t size = 1;
    open--;
    if (*item >= 0x80 && *item < 0xa0) {
      lists++;
      open += *item < 0x90 ? 2u * (*item & 0x0f) : *item & 0x0f;
    } else if (*item >= 0xa0 && *item < 0xc0) {
      size += *item & 0x1f;
    } else if (*item >= 0xc0 && *item < 0xe0) {
      size = size_of(item, length - at);
      if (size == 0)
        return 0;
    }
    at += size;
  }
  bool is_within = at <= limits->message_bytes && lists <= limits->depth;
  return is_within && open == 0 && at <= length ? at : 0;
}
