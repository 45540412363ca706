/* JSON turned into MessagePack, beside jansson's reading of the same text. */
#include "proto/json_read.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_write.h"
#include "tests/proto/proto_test.h"

enum { TEXTS = 20000, SEED = 1728, CHANGES_MAX = 3 };

static uint32_t next_random(uint64_t *random)
{
  *random = *random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*random >> 33);
}

static json_t *random_text(uint64_t *random)
{
  static const char *const parts[] = {
      "a",    "\"",   "\\",           "\n",           "\x01",
      "\x7f", "/",    "\xc3\xa9",     "\xe2\x82\xac", "\xf0\x9f\x90\x88",
      "\t",   "\r\b", "a longer text"};
  char text[64] = "", *end = text;
  for (uint32_t left = next_random(random) % 4; left > 0; left--)
    end = stpncpy(end, parts[next_random(random) % (sizeof parts / sizeof *parts)], 15);
  return json_string(text);
}

static json_t *random_number(uint64_t *random)
{
  json_int_t number = (json_int_t)((uint64_t)next_random(random) << 33 ^ next_random(random));
  number >>= next_random(random) % 64;
  if (next_random(random) % 4 == 0)
    return json_real((double)number / 1024);
  return json_integer(next_random(random) % 2 ? number : -number);
}

static json_t *random_json(uint64_t *random, int depth)
{
  json_t *json;
  switch (next_random(random) % (depth > 0 ? 8 : 5)) {
  case 0: return json_null();
  case 1: return json_boolean(next_random(random) % 2);
  case 2: return random_text(random);
  case 3:
  case 4: return random_number(random);
  case 5:
    json = json_object();
    for (uint32_t left = next_random(random) % 5; left > 0; left--) {
      json_t *key = random_text(random);
      json_object_set_new(json, json_string_value(key), random_json(random, depth - 1));
      json_decref(key);
    }
    return json;
  default:
    json = json_array();
    for (uint32_t left = next_random(random) % 20; left > 0; left--)
      json_array_append_new(json, random_json(random, depth - 1));
    return json;
  }
}

/* Equal, but that 2.0 may have become 2 on the way. */
static bool same(const json_t *a, const json_t *b)
{
  const char *key;
  json_t *value;
  if (json_is_number(a) && json_is_number(b) && (json_is_real(a) || json_is_real(b)))
    return json_number_value(a) == json_number_value(b);
  if (json_typeof(a) != json_typeof(b) || json_array_size(a) != json_array_size(b) ||
      json_object_size(a) != json_object_size(b))
    return false;
  for (size_t i = 0; i < json_array_size(a); i++)
    if (!same(json_array_get(a, i), json_array_get(b, i)))
      return false;
  json_object_foreach((json_t *)a, key,
                      value) if (!json_object_get(b, key) ||
                                 !same(value, json_object_get(b, key))) return false;
  return json_is_array(a) || json_is_object(a) || json_equal(a, b);
}

/* NULL where it is refused. */
static json_t *read_here(const char *text, size_t length, struct fault *fault)
{
  struct buffer packed, written;
  json_t *json = NULL;
  buffer_init(&packed);
  buffer_init(&written);
  if (json_read(text, length, &message_limits_default, &packed, fault) == 0) {
    assert_true(packed.length <= length * 5 / 2 + 5);
    json_write(&written, packed.data, packed.length);
    json = json_loadb(written.data, written.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
  }
  buffer_deinit(&packed);
  buffer_deinit(&written);
  return json;
}

static void test_whatever_jansson_writes(void **state)
{
  (void)state;
  uint64_t random = SEED;
  for (int i = 0; i < TEXTS; i++) {
    struct fault fault;
    json_t *json = random_json(&random, 4);
    size_t flags = JSON_ENCODE_ANY | JSON_REAL_PRECISION(17);
    flags |= i % 3 == 0   ? JSON_ENSURE_ASCII
             : i % 3 == 1 ? JSON_INDENT(3)
                          : JSON_COMPACT | JSON_ESCAPE_SLASH;
    char *text = json_dumps(json, flags);
    json_t *read = read_here(text, strlen(text), &fault);
    if (!read)
      fail_msg("%s: %s", text, fault.text);
    if (!same(json, read))
      fail_msg("%s is read as something else", text);
    json_decref(read);
    json_decref(json);
    free(text);
  }
}

/* Depth aside, and numbers that jansson cannot hold. */
static bool may_differ(const json_error_t *error, const struct fault *fault)
{
  return json_error_code(error) == json_error_numeric_overflow ||
         json_error_code(error) == json_error_null_byte_in_key || fault->error == ERROR_LIMIT;
}

static void test_spoilt_texts_are_refused_alike(void **state)
{
  (void)state;
  static const char bytes[] = " \"\\{}[]:,.-+eEu0123456789abntrflsx/\n\x01\x80\xc3\xed\xf4";
  uint64_t random = SEED;
  for (int i = 0; i < TEXTS; i++) {
    struct fault fault = {0};
    json_error_t error = {0};
    json_t *json = random_json(&random, 2);
    char *text = json_dumps(json, JSON_ENCODE_ANY);
    size_t length = strlen(text);
    for (uint32_t left = 1 + next_random(&random) % CHANGES_MAX; left > 0; left--)
      text[next_random(&random) % length] = bytes[next_random(&random) % (sizeof bytes - 1)];
    json_t *theirs = json_loadb(text, length, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    json_t *ours = read_here(text, length, &fault);
    if (!theirs != !ours && !may_differ(&error, &fault))
      fail_msg("%.*s: jansson: %s, here: %s", (int)length, text, theirs ? "read" : error.text,
               ours ? "read" : fault.text);
    if (theirs && ours && !same(theirs, ours))
      fail_msg("%.*s is read as something else", (int)length, text);
    json_decref(theirs);
    json_decref(ours);
    json_decref(json);
    free(text);
  }
}

struct packed_case {
  const char *json;
  const char *bytes;
  size_t length;
};

static void test_numbers(void **state)
{
  (void)state;
#define PACKED(literal) (literal), sizeof(literal) - 1
  static const struct packed_case cases[] = {
      {"0", PACKED("\x00")},
      {"-0", PACKED("\x00")},
      {"127", PACKED("\x7f")},
      {"128", PACKED("\xcc\x80")},
      {"-32", PACKED("\xe0")},
      {"-33", PACKED("\xd0\xdf")},
      {"65536", PACKED("\xce\x00\x01\x00\x00")},
      {"18446744073709551615", PACKED("\xcf\xff\xff\xff\xff\xff\xff\xff\xff")},
      {"18446744073709551616", PACKED("\xcb\x43\xf0\x00\x00\x00\x00\x00\x00")},
      {"-9223372036854775808", PACKED("\xd3\x80\x00\x00\x00\x00\x00\x00\x00")},
      {"-9223372036854775809", PACKED("\xcb\xc3\xe0\x00\x00\x00\x00\x00\x00")},
      {"1.5", PACKED("\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00")},
      {"1e0", PACKED("\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00")},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct buffer packed;
    struct fault fault;
    buffer_init(&packed);
    if (json_read(cases[i].json, strlen(cases[i].json), &message_limits_default, &packed, &fault))
      fail_msg("%s: %s", cases[i].json, fault.text);
    assert_int_equal(packed.length, cases[i].length);
    assert_memory_equal(packed.data, cases[i].bytes, cases[i].length);
    buffer_deinit(&packed);
  }
}

static void test_a_number_without_end(void **state)
{
  (void)state;
  char digits[2000];
  struct fault fault;
  memset(digits, '9', sizeof digits);
  assert_null(read_here(digits, sizeof digits, &fault));
  assert_int_equal(fault.error, ERROR_REQUEST);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whatever_jansson_writes),
      cmocka_unit_test(test_spoilt_texts_are_refused_alike),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_a_number_without_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
