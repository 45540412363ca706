/* What each kind of argument may look like. A wrong one is told with its option and with what would be right. */
#include "client/option.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "proto/units.h"

static int __attribute__((format(printf, 2, 3)))
refuse(char why[static OPTION_WHY_MAX], const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, OPTION_WHY_MAX, format, arguments);
  va_end(arguments);
  return -EINVAL;
}

int take_flag(const struct option_kind *kind, const char *text, void *field,
              char why[static OPTION_WHY_MAX])
{
  (void)kind;
  (void)text;
  (void)why;
  *(bool *)field = true;
  return 0;
}

int take_text(const struct option_kind *kind, const char *text, void *field,
              char why[static OPTION_WHY_MAX])
{
  (void)kind;
  (void)why;
  *(const char **)field = text;
  return 0;
}

int take_number(const struct option_kind *kind, const char *text, void *field,
                char why[static OPTION_WHY_MAX])
{
  uint64_t number;
  if (!number_read(text, OPTION_NUMBER_MAX, &number))
    return refuse(why, "--%s is %s, not a number from 0 to %u", kind->name, text,
                  (unsigned)OPTION_NUMBER_MAX);
  *(uint32_t *)field = (uint32_t)number;
  return 0;
}

int take_ms(const struct option_kind *kind, const char *text, void *field,
            char why[static OPTION_WHY_MAX])
{
  uint64_t time_ms;
  if (!ms_read(text, OPTION_NUMBER_MAX, &time_ms))
    return refuse(why, "--%s is %s, not " MS_FORM ", up to 49 days", kind->name, text);
  *(uint32_t *)field = (uint32_t)time_ms;
  return 0;
}

int take_bytes(const struct option_kind *kind, const char *text, void *field,
               char why[static OPTION_WHY_MAX])
{
  if (!bytes_read(text, INT64_MAX, field))
    return refuse(why, "--%s is %s, not " BYTES_FORM, kind->name, text);
  return 0;
}

int take_choice(const struct option_kind *kind, const char *text, void *field,
                char why[static OPTION_WHY_MAX])
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
  return refuse(why, "--%s is %s, not %s", kind->name, text, all);
}
