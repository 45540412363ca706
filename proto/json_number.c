/* Numbers: integers of 64 bits as they are, everything else as a real. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_reader.h"
#include "proto/pack.h"

enum { NUMBER_MAX = 400 }; /* digits and all of a number that is no plain integer */

static size_t pass_digits(struct json_reader *reader)
{
  const char *begin = reader->at;
  while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
    reader->at++;
  return (size_t)(reader->at - begin);
}

static int append_real(struct json_reader *reader, const char *begin)
{
  char digits[NUMBER_MAX + 1];
  size_t length = (size_t)(reader->at - begin);
  if (length > NUMBER_MAX)
    return json_refuse(reader, ERROR_REQUEST, "a number of absurdly many digits");
  memcpy(digits, begin, length);
  digits[length] = '\0';
  double real = strtod(digits, NULL);
  if (isinf(real))
    return json_refuse(reader, ERROR_REQUEST, "a number past what a real can hold");
  pack_real(reader->out, real);
  return 0;
}

/* False where the number would not fit. */
static bool append_integer(struct buffer *out, bool negative, const char *digit, const char *end)
{
  uint64_t number = 0;
  for (; digit < end; digit++)
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, (uint64_t)(*digit - '0'), &number))
      return false;
  if (negative && number > (uint64_t)INT64_MAX + 1)
    return false;
  if (negative)
    pack_int64(out, (int64_t)-number);
  else
    pack_uint64(out, number);
  return true;
}

static int read_fraction(struct json_reader *reader)
{
  if (json_pass(reader, '.') && pass_digits(reader) == 0)
    return json_refuse_here(reader, "a point needs digits after it");
  if (!json_pass(reader, 'e') && !json_pass(reader, 'E'))
    return 0;
  if (!json_pass(reader, '+'))
    json_pass(reader, '-');
  return pass_digits(reader) ? 0 : json_refuse_here(reader, "an exponent needs digits");
}

int json_read_number(struct json_reader *reader)
{
  const char *begin = reader->at;
  bool negative = json_pass(reader, '-');
  const char *digits = reader->at;
  if (!json_pass(reader, '0') && pass_digits(reader) == 0)
    return json_refuse_here(reader, "no value");
  const char *end = reader->at;
  if (read_fraction(reader))
    return -EBADMSG;
  if (reader->at == end && append_integer(reader->out, negative, digits, end))
    return 0;
  return append_real(reader, begin);
}
