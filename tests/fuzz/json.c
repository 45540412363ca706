/* JSON text as the daemon reads it, beside jansson's reading of the same bytes. */
#include <jansson.h>
#include <string.h>

#include "proto/json_read.h"
#include "proto/json_write.h"
#include "tests/fuzz/target.h"

enum { NESTING_MAX = 16 };

/* jansson holds no NUL in a key and no integer past 63 bits. */
static int no_word_for(const json_error_t *error)
{
  return json_error_code(error) == json_error_null_byte_in_key ||
         json_error_code(error) == json_error_numeric_overflow;
}

/* Was it read? `*json` is what jansson makes of it as written again, NULL where it has no word for it. */
static int read_here(const char *text, size_t length, json_t **json, struct fault *fault)
{
  struct message_limits limits = message_limits_default;
  struct buffer packed, written;
  json_error_t error = {0};
  limits.depth = NESTING_MAX;
  buffer_init(&packed);
  buffer_init(&written);
  int result = json_read(text, length, &limits, &packed, fault);
  if (result == 0) {
    MUST(packed.length <= length * 5 / 2 + 5);
    json_write(&written, packed.data, packed.length);
    *json = json_loadb(written.data, written.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    MUST(*json || no_word_for(&error));
  }
  buffer_deinit(&packed);
  buffer_deinit(&written);
  return result == 0;
}

/* jansson takes a NUL for the text's end, and knows no limit on depth below its own. */
static int may_differ(const uint8_t *bytes, size_t length, const json_error_t *error,
                      const struct fault *fault)
{
  return (length > 0 && memchr(bytes, 0, length)) || no_word_for(error) ||
         fault->error == ERROR_LIMIT;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct fault fault = {0};
  json_error_t error = {0};
  json_t *ours = NULL;
  json_t *theirs =
      json_loadb((const char *)bytes, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
  int read = read_here((const char *)bytes, length, &ours, &fault);
  MUST((theirs != NULL) == read || may_differ(bytes, length, &error, &fault));
  MUST(!theirs || !ours || json_typeof(theirs) == json_typeof(ours) ||
       (json_is_number(theirs) && json_is_number(ours)));
  json_decref(theirs);
  json_decref(ours);
  return 0;
}
