/*
 * MessagePack heads, and the walk over a message.
 *
 * Every open item takes at least one byte, so a count or a length is a lie as soon as the bytes walked
 * over and the items still open exceed the limit on the message: it is refused there and then.
 * Getting past a refused message takes no stack, only the number of its open items. A message that
 * claims to be absurdly long cannot be got past: waiting for its end would be waiting for ever.
 */
#include "proto/msgpack_scan.h"

#include <errno.h>
#include <string.h>

static const uint64_t SKIP_MAX = 1u << 30; /* bytes of a refused message that are waited for */

struct head {
  uint8_t kind;
  uint8_t width; /* bytes of the number after the first byte */
};

/* First bytes 0xc0 to 0xdf. */
static const struct head heads[32] = {
    {ITEM_NIL, 0},       {ITEM_NONE, 0},      {ITEM_BOOLEAN, 0},   {ITEM_BOOLEAN, 0},
    {ITEM_BINARY, 1},    {ITEM_BINARY, 2},    {ITEM_BINARY, 4},    {ITEM_EXTENSION, 1},
    {ITEM_EXTENSION, 2}, {ITEM_EXTENSION, 4}, {ITEM_REAL, 4},      {ITEM_REAL, 8},
    {ITEM_UNSIGNED, 1},  {ITEM_UNSIGNED, 2},  {ITEM_UNSIGNED, 4},  {ITEM_UNSIGNED, 8},
    {ITEM_SIGNED, 1},    {ITEM_SIGNED, 2},    {ITEM_SIGNED, 4},    {ITEM_SIGNED, 8},
    {ITEM_EXTENSION, 0}, {ITEM_EXTENSION, 0}, {ITEM_EXTENSION, 0}, {ITEM_EXTENSION, 0},
    {ITEM_EXTENSION, 0}, {ITEM_TEXT, 1},      {ITEM_TEXT, 2},      {ITEM_TEXT, 4},
    {ITEM_LIST, 2},      {ITEM_LIST, 4},      {ITEM_MAP, 2},       {ITEM_MAP, 4},
};

static uint64_t read_big_endian(const uint8_t *bytes, uint32_t width)
{
  uint64_t number = 0;
  for (uint32_t i = 0; i < width; i++)
    number = number << 8 | bytes[i];
  return number;
}

static int64_t sign_extend(uint64_t number, uint32_t width)
{
  switch (width) {
  case 1: return (int8_t)number;
  case 2: return (int16_t)number;
  case 4: return (int32_t)number;
  default: return (int64_t)number;
  }
}

static double real_from_bits(uint64_t bits, uint32_t width)
{
  double wide;
  float narrow;
  uint32_t narrow_bits = (uint32_t)bits;
  memcpy(&wide, &bits, sizeof wide);
  memcpy(&narrow, &narrow_bits, sizeof narrow);
  return width == 4 ? (double)narrow : wide;
}

static void take_argument(struct msgpack_item *item, uint8_t first, uint64_t argument,
                          uint32_t width)
{
  switch (item->kind) {
  case ITEM_BOOLEAN: item->number = first & 1; break;
  case ITEM_UNSIGNED: item->number = argument; break;
  case ITEM_SIGNED:
    item->negative = sign_extend(argument, width);
    item->kind = item->negative < 0 ? ITEM_SIGNED : ITEM_UNSIGNED;
    break;
  case ITEM_REAL: item->real = real_from_bits(argument, width); break;
  case ITEM_TEXT:
  case ITEM_BINARY: item->payload_bytes = argument; break;
  case ITEM_EXTENSION: /* the type is one byte more */
    item->payload_bytes = 1 + (width ? argument : 1u << (first - 0xd4));
    break;
  case ITEM_LIST: item->children = argument; break;
  case ITEM_MAP: item->children = 2 * argument; break;
  default: break;
  }
}

int msgpack_long_item_read(const char *bytes, size_t length, struct msgpack_item *item)
{
  uint8_t first = (uint8_t)bytes[0];
  struct head head = heads[first - 0xc0];
  if (head.kind == ITEM_NONE)
    return -EBADMSG;
  if (length <= head.width)
    return -EAGAIN;
  item->kind = (enum item_kind)head.kind;
  item->head_bytes = 1u + head.width;
  take_argument(item, first, read_big_endian((const uint8_t *)bytes + 1, head.width), head.width);
  return 0;
}

void msgpack_scan_init(struct msgpack_scan *scan)
{
  *scan = (struct msgpack_scan){.open_items = 1};
}

static enum scan_result not_a_message(uint8_t first, struct fault *fault)
{
  fault_set(fault, ERROR_PARSE, "byte 0x%02x begins no message, which is a list of 3 or 4 items",
            first);
  return SCAN_BROKEN;
}

static enum scan_result take_top(struct msgpack_scan *scan, const struct msgpack_item *item,
                                 uint8_t first, struct fault *fault)
{
  if (item->kind != ITEM_LIST)
    return not_a_message(first, fault);
  if (item->children != 3 && item->children != 4) {
    fault_set(fault, ERROR_PARSE, "a list of %llu items is no message, which has 3 or 4",
              (unsigned long long)item->children);
    return SCAN_BROKEN;
  }
  scan->top_items = (uint32_t)item->children;
  return SCAN_MORE;
}

static void note_type_and_id(struct msgpack_scan *scan, const struct msgpack_item *item)
{
  uint64_t index = scan->top_items - scan->remaining[0];
  if (index == 0)
    scan->type = item->kind == ITEM_UNSIGNED ? item->number : UINT64_MAX;
  if (index != 1 || scan->type > 1 || item->kind != ITEM_UNSIGNED || item->number > UINT32_MAX)
    return;
  scan->message_id = item->number;
  scan->has_message_id = true;
}

static enum scan_result too_large(const struct msgpack_scan *scan, const struct msgpack_item *item,
                                  const struct message_limits *limits, struct fault *fault)
{
  unsigned long long limit = limits->message_bytes;
  if (item->kind == ITEM_LIST || item->kind == ITEM_MAP)
    fault_set(fault, ERROR_LIMIT, "a %s of %llu items does not fit into a message of %llu bytes",
              item->kind == ITEM_LIST ? "list" : "map",
              (unsigned long long)item->children / (item->kind == ITEM_LIST ? 1 : 2), limit);
  else if (item->payload_bytes > 0)
    fault_set(fault, ERROR_LIMIT, "a text of %llu bytes does not fit into a message of %llu bytes",
              (unsigned long long)item->payload_bytes, limit);
  else
    fault_set(fault, ERROR_LIMIT, "the message is longer than the %llu bytes allowed", limit);
  return scan->at + scan->open_items > SKIP_MAX ? SCAN_BROKEN : SCAN_LIMIT;
}

static bool is_deeper(const struct msgpack_scan *scan, const struct msgpack_item *item,
                      const struct message_limits *limits)
{
  return item->kind >= ITEM_LIST &&
         (scan->depth >= limits->depth || scan->depth >= MSGPACK_DEPTH_MAX);
}

static enum scan_result too_deep(const struct message_limits *limits, struct fault *fault)
{
  fault_set(fault, ERROR_LIMIT, "lists and maps lie more than the %llu deep allowed",
            (unsigned long long)limits->depth);
  return SCAN_LIMIT;
}

static inline void step_into_or_over(struct msgpack_scan *scan, uint64_t children)
{
  if (children > 0) {
    scan->remaining[scan->depth++] = children;
    return;
  }
  while (scan->depth > 0 && --scan->remaining[scan->depth - 1] == 0)
    scan->depth--;
}

enum scan_result msgpack_scan(struct msgpack_scan *scan, const struct message_limits *limits,
                              const char *bytes, size_t length, struct fault *fault)
{
  while (scan->open_items > 0 && scan->at < length) {
    struct msgpack_item item;
    uint8_t first = (uint8_t)bytes[scan->at];
    int error = msgpack_item_read(bytes + scan->at, length - scan->at, &item);
    if (error == -EAGAIN)
      return SCAN_MORE;
    if (error)
      return not_a_message(first, fault);
    if (scan->top_items == 0 && take_top(scan, &item, first, fault) == SCAN_BROKEN)
      return SCAN_BROKEN;
    if (scan->depth == 1)
      note_type_and_id(scan, &item);
    scan->at += item.head_bytes + item.payload_bytes;
    scan->open_items += item.children - 1;
    if (scan->at + scan->open_items > limits->message_bytes)
      return too_large(scan, &item, limits, fault);
    if (is_deeper(scan, &item, limits))
      return too_deep(limits, fault);
    step_into_or_over(scan, item.children);
  }
  return scan->open_items == 0 && scan->at <= length ? SCAN_WHOLE : SCAN_MORE;
}

size_t msgpack_scan_give_up(struct msgpack_scan *scan, size_t length)
{
  size_t passed = scan->at < length ? scan->at : length;
  scan->at -= passed;
  return passed;
}

static enum scan_result endless(struct fault *fault)
{
  fault_set(fault, ERROR_LIMIT, "the message claims to go on for more than %llu bytes",
            (unsigned long long)SKIP_MAX);
  return SCAN_BROKEN;
}

enum scan_result msgpack_scan_skip(struct msgpack_scan *scan, const char *bytes, size_t length,
                                   struct fault *fault)
{
  while (scan->at + scan->open_items <= SKIP_MAX + length) {
    struct msgpack_item item;
    if (scan->at > length || (scan->open_items > 0 && scan->at == length))
      return SCAN_MORE;
    if (scan->open_items == 0)
      return SCAN_WHOLE;
    int error = msgpack_item_read(bytes + scan->at, length - scan->at, &item);
    if (error == -EAGAIN)
      return SCAN_MORE;
    if (error)
      return not_a_message((uint8_t)bytes[scan->at], fault);
    scan->at += item.head_bytes + item.payload_bytes;
    scan->open_items += item.children - 1;
  }
  return endless(fault);
}
