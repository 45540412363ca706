#include "proto/msgpack_item.h"

#include <string.h>

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
