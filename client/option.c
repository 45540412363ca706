/* What each kind of argument may look like. A wrong one is told with its option and with what would be right. */
#include "client/option.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/failure.h"

struct unit {
  const char *name;
  uint64_t factor;
};

int take_flag(const struct option_kind *kind, const char *text, void *field)
{
  (void)kind;
  (void)text;
  *(bool *)field = true;
  return 0;
}

int take_text(const struct option_kind *kind, const char *text, void *field)
{
  (void)kind;
  *(const char **)field = text;
  return 0;
}

/* Digits and one of `units`, whose first is what digits alone mean. False where it is no such thing or above `max`. */
static bool read_amount(const char *text, const struct unit *units, uint64_t max, uint64_t *amount)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || errno != 0)
    return false;
  for (; units->name; units++) {
    if (strcasecmp(end, units->name) != 0)
      continue;
    if (number > max / units->factor)
      return false;
    *amount = number * units->factor;
    return true;
  }
  return false;
}

int take_number(const struct option_kind *kind, const char *text, void *field)
{
  static const struct unit units[] = {{"", 1}, {0}};
  uint64_t number;
  if (!read_amount(text, units, OPTION_NUMBER_MAX, &number))
    return usage_error("--%s is %s, not a number from 0 to %u", kind->name, text,
                       (unsigned)OPTION_NUMBER_MAX);
  *(uint32_t *)field = (uint32_t)number;
  return 0;
}

int take_ms(const struct option_kind *kind, const char *text, void *field)
{
  static const struct unit units[] = {{"", 1},        {"ms", 1},      {"s", 1000}, {"m", 60000},
                                      {"min", 60000}, {"h", 3600000}, {0}};
  uint64_t ms;
  if (!read_amount(text, units, OPTION_NUMBER_MAX, &ms))
    return usage_error("--%s is %s, not a time such as 500ms, 2s or 10min, up to 49 days",
                       kind->name, text);
  *(uint32_t *)field = (uint32_t)ms;
  return 0;
}

int take_bytes(const struct option_kind *kind, const char *text, void *field)
{
  static const struct unit units[] = {{"", 1},
                                      {"k", 1 << 10},
                                      {"kB", 1 << 10},
                                      {"KiB", 1 << 10},
                                      {"M", 1 << 20},
                                      {"MB", 1 << 20},
                                      {"MiB", 1 << 20},
                                      {"G", 1 << 30},
                                      {"GB", 1 << 30},
                                      {"GiB", 1 << 30},
                                      {"T", 1ull << 40},
                                      {"TB", 1ull << 40},
                                      {0}};
  if (!read_amount(text, units, INT64_MAX, field))
    return usage_error("--%s is %s, not a size such as 4096, 500M or 8G", kind->name, text);
  return 0;
}

int take_choice(const struct option_kind *kind, const char *text, void *field)
{
  char all[160] = "";
  for (int choice = 0; kind->choices[choice]; choice++) {
    if (strcmp(kind->choices[choice], text) == 0) {
      *(int *)field = choice;
      return 0;
    }
    size_t length = strlen(all);
    snprintf(all + length, sizeof all - length, "%s%s",
             choice == 0                 ? ""
             : kind->choices[choice + 1] ? ", "
                                         : " or ",
             kind->choices[choice]);
  }
  return usage_error("--%s is %s, not %s", kind->name, text, all);
}
