/* UTF-8 as RFC 3629 has it. Private to proto. */
#ifndef CATMOUSE_PROTO_UTF8_H
#define CATMOUSE_PROTO_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of the character that `text` begins with, or 0 where it begins with none. */
size_t utf8_character(const char *text, size_t length);

enum { UTF8_BYTES_MAX = 4 };

/* Writes a character that is no surrogate, and returns its bytes. */
size_t utf8_write(uint32_t code, char bytes[static UTF8_BYTES_MAX]);

#endif
