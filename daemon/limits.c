/* The limits as values and by name. */
#include "daemon/limits.h"

#include <stdio.h>

const struct daemon_limits daemon_limits_default = {
#define X(field, flag, value, ...) .field = value,
    DAEMON_LIMITS(X)
#undef X
};

void limits_name(const struct message_limits *messages, const struct daemon_limits *limits,
                 struct named_limit named[static LIMITS_COUNT])
{
#define X(field, ...) *named++ = (struct named_limit){#field, messages->field};
  PROTO_LIMITS(X)
#undef X
#define X(field, ...) *named++ = (struct named_limit){#field, limits->field};
  DAEMON_LIMITS(X)
#undef X
}

const char *limit_bytes_words(uint64_t bytes, char words[static LIMIT_WORDS])
{
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  double number = (double)bytes;
  int unit = 0;
  for (; number >= 1000; number /= 1000)
    unit++;
  snprintf(words, LIMIT_WORDS, "%.*f %s", unit > 0, number, units[unit]);
  return words;
}

const char *limit_ms_words(uint64_t time_ms, char words[static LIMIT_WORDS])
{
  if (time_ms < 1000)
    snprintf(words, LIMIT_WORDS, "%u ms", (unsigned)time_ms);
  else
    snprintf(words, LIMIT_WORDS, "%.1f s", (double)time_ms / 1000);
  return words;
}
