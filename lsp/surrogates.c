#include "lsp/surrogates.h"

#include <stdlib.h>
#include <string.h>

enum { ESCAPE = 6 }; /* bytes of \uXXXX */

static int digit(char byte)
{
  if (byte >= '0' && byte <= '9')
    return byte - '0';
  byte |= 0x20;
  return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* The unit that an escape at `at` stands for, or -1 where there is none. */
static long unit_at(const char *at, const char *end)
{
  long unit = 0;
  if (end - at < ESCAPE || at[0] != '\\' || at[1] != 'u')
    return -1;
  for (int i = 2; i < ESCAPE; i++) {
    if (digit(at[i]) < 0)
      return -1;
    unit = unit * 16 + digit(at[i]);
  }
  return unit;
}

/* Passes a backslash and what it escapes, mending that. */
static char *pass_escape(char *at, const char *end)
{
  long unit = unit_at(at, end);
  if (unit < 0)
    return at + 2 < end ? at + 2 : at + (end - at);
  if (unit < 0xd800 || unit > 0xdfff)
    return at + ESCAPE;
  long next = unit < 0xdc00 ? unit_at(at + ESCAPE, end) : -1;
  if (next >= 0xdc00 && next <= 0xdfff)
    return at + 2 * ESCAPE;
  memcpy(at, "\\ufffd", ESCAPE);
  return at + ESCAPE;
}

char *surrogates_mend(const char *json, size_t length)
{
  char *copy = malloc(length + 1);
  if (!copy)
    return NULL;
  memcpy(copy, json, length);
  copy[length] = '\0';
  const char *end = copy + length;
  for (char *at = copy; at < end && (at = memchr(at, '\\', (size_t)(end - at)));)
    at = pass_escape(at, end);
  return copy;
}
