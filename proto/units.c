/* Each table of units goes from the smallest to the largest. */
#include "proto/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

struct unit {
  const char *name;
  uint64_t factor;
};

/* The first name of each factor is the one that is written. */
static const struct unit size_units[] = {{"", 1},
                                         {"K", 1 << 10},
                                         {"kB", 1 << 10},
                                         {"KiB", 1 << 10},
                                         {"M", 1 << 20},
                                         {"MB", 1 << 20},
                                         {"MiB", 1 << 20},
                                         {"G", 1 << 30},
                                         {"GB", 1 << 30},
                                         {"GiB", 1 << 30},
                                         {"T", 1ll << 40},
                                         {"TB", 1ll << 40},
                                         {"TiB", 1ll << 40},
                                         {0}};
static const struct unit time_units[] = {{"ms", 1},    {"", 1},        {"s", 1000}, {"min", 60000},
                                         {"m", 60000}, {"h", 3600000}, {0}};

static bool read_amount(const char *text, const struct unit *units, uint64_t max, uint64_t *amount)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || errno != 0)
    return false;
  while (units->name && strcasecmp(end, units->name) != 0)
    units++;
  if (!units->name || number > max / units->factor)
    return false;
  *amount = number * units->factor;
  return true;
}

bool number_read(const char *text, uint64_t max, uint64_t *number)
{
  static const struct unit none[] = {{"", 1}, {0}};
  return read_amount(text, none, max, number);
}

bool bytes_read(const char *text, uint64_t max, uint64_t *bytes)
{
  return read_amount(text, size_units, max, bytes);
}

bool ms_read(const char *text, uint64_t max, uint64_t *time_ms)
{
  return read_amount(text, time_units, max, time_ms);
}

const char *bytes_words(uint64_t bytes, char words[static UNIT_WORDS])
{
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  double size = (double)bytes;
  int unit = 0;
  for (; size >= 999.95; unit++) /* would be rounded to 1000.0 */
    size /= 1000;
  snprintf(words, UNIT_WORDS, unit == 0 ? "%.0f %s" : "%.1f %s", size, units[unit]);
  return words;
}

const char *time_words(uint64_t time_ms, char words[static UNIT_WORDS])
{
  static const struct unit units[] = {{"day", 86400000}, {"hour", 3600000}, {"minute", 60000}, {0}};
  const struct unit *unit = units;
  while (unit->name && time_ms < unit->factor)
    unit++;
  if (time_ms < 1000)
    snprintf(words, UNIT_WORDS, "%" PRIu64 " ms", time_ms);
  else if (!unit->name)
    snprintf(words, UNIT_WORDS, "%" PRIu64 ".%" PRIu64 " s", time_ms / 1000, time_ms / 100 % 10);
  else
    snprintf(words, UNIT_WORDS, "%" PRIu64 " %s%s", time_ms / unit->factor, unit->name,
             time_ms / unit->factor == 1 ? "" : "s");
  return words;
}

const char *us_words(uint64_t time_us, char words[static UNIT_WORDS])
{
  const bool in_ms = time_us < 1000000;
  const double amount = (double)time_us / (in_ms ? 1e3 : 1e6);
  if (time_us >= 60000000)
    return time_words(time_us / 1000, words);
  if (time_us < 1000)
    snprintf(words, UNIT_WORDS, "%" PRIu64 " \xc2\xb5s", time_us);
  else
    snprintf(words, UNIT_WORDS, "%.*f %s",
             amount < 10    ? 2
             : amount < 100 ? 1
                            : 0,
             amount, in_ms ? "ms" : "s");
  return words;
}

static const char *write_amount(uint64_t amount, const struct unit *units,
                                char words[static UNIT_WORDS])
{
  const struct unit *fits = units;
  for (; units->name; units++)
    if (units->factor > fits->factor && amount % units->factor == 0)
      fits = units;
  snprintf(words, UNIT_WORDS, amount ? "%" PRIu64 "%s" : "0", amount / fits->factor, fits->name);
  return words;
}

const char *bytes_option(uint64_t bytes, char words[static UNIT_WORDS])
{
  return write_amount(bytes, size_units, words);
}

const char *ms_option(uint64_t time_ms, char words[static UNIT_WORDS])
{
  return write_amount(time_ms, time_units, words);
}
