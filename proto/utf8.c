#include "proto/utf8.h"

#include <stdbool.h>

/* No overlong form, no surrogate, nothing past U+10FFFF. */
size_t utf8_character(const char *text, size_t length)
{
  const uint8_t *byte = (const uint8_t *)text;
  if (length == 0)
    return 0;
  if (byte[0] < 0x80)
    return 1;
  size_t size = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
  if (byte[0] < 0xc2 || byte[0] > 0xf4 || length < size)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((byte[i] & 0xc0) != 0x80)
      return 0;
  bool overlong = (byte[0] == 0xe0 && byte[1] < 0xa0) || (byte[0] == 0xf0 && byte[1] < 0x90);
  bool surrogate = byte[0] == 0xed && byte[1] > 0x9f;
  bool too_high = byte[0] == 0xf4 && byte[1] > 0x8f;
  return overlong || surrogate || too_high ? 0 : size;
}

size_t utf8_write(uint32_t code, char bytes[static UTF8_BYTES_MAX])
{
  static const uint8_t lead[] = {0, 0x00, 0xc0, 0xe0, 0xf0};
  size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = size - 1; i > 0; i--, code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(lead[size] | code);
  return size;
}
