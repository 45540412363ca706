/*
 * PROTOCOL.md says what the code does: every method, parameter, result field, error and limit of the
 * tables stands in it, and every worked example is what the code writes.
 *
 *     test_proto_protocol_doc PROTOCOL.md           checks
 *     test_proto_protocol_doc PROTOCOL.md --print   prints what must stand there, method by method
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/result_shapes.h"
#include "tests/proto/proto_test.h"
#include "tests/proto/samples.h"

enum { HEX_COLUMNS = 24 };

static const char *document_path;

static void __attribute__((format(printf, 2, 3))) say(struct buffer *out, const char *format, ...)
{
  char line[4096];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  assert_in_range(length, 0, sizeof line - 1);
  buffer_append(out, line, (size_t)length);
}

static void say_params(struct buffer *out, enum method method)
{
  const struct method_kind *kind = &method_kinds[method];
  for (enum param param = 0; param < PARAM_COUNT; param++)
    if ((kind->required | kind->optional) >> param & 1)
      say(out, "| `%s` | %s | %s |\n", param_kinds[param].name, param_kinds[param].type,
          kind->required >> param & 1 ? "required" : "optional");
}

static void say_names(struct buffer *out, const struct packed_text *names)
{
  for (int i = 0; names[i].head; i++)
    say(out, "%s`\"%s\"`", i == 0 ? "" : names[i + 1].head ? ", " : " or ", names[i].text);
}

static bool is_state(const struct field *field)
{
  return field->type == FIELD_STRUCT && strcmp(field->shape->fields[0].key.text, "mouse") == 0 &&
         strcmp(field->shape->fields[field->shape->count - 1].key.text, "turn") == 0;
}

static const char *type_name(const struct field *field)
{
  switch (field->type) {
  case FIELD_TEXT: return "text";
  case FIELD_ID: return "id";
  case FIELD_BOOLEAN: return "boolean";
  case FIELD_SOLVING: return "`\"solving\"`";
  case FIELD_COLS:
  case FIELD_UINT32:
  case FIELD_UINT64: return "number";
  case FIELD_PLIES: return "plies or null";
  case FIELD_NODE: return "node or null";
  case FIELD_STRUCT:
    if (is_state(field))
      return field->is_null ? "state or null" : "state";
    return field->is_null ? "map or null" : "map";
  case FIELD_TEXTS: return "list of texts";
  case FIELD_UINT32S:
  case FIELD_UINT64S: return "list of numbers";
  case FIELD_STRUCTS: return "list of maps";
  case FIELD_LIMITS: return "map of numbers";
  case FIELD_PACKED: return "certificate";
  default: return "";
  }
}

static void say_fields(struct buffer *out, const char *path, const struct shape *shape)
{
  for (uint32_t i = 0; i < shape->count; i++) {
    const struct field *field = &shape->fields[i];
    char inner[128];
    say(out, "| `%s%s` | ", path, field->key.text);
    if (field->type == FIELD_ENUM)
      say_names(out, field->names);
    say(out, "%s |\n", type_name(field));
    snprintf(inner, sizeof inner, "%s%s%s", path, field->key.text,
             field->type == FIELD_STRUCTS ? "[]." : ".");
    if (field->shape && !is_state(field))
      say_fields(out, inner, field->shape);
  }
}

static void say_hex(struct buffer *out, const struct buffer *bytes)
{
  for (size_t i = 0; i < bytes->length; i++)
    say(out, "%02x%s", (uint8_t)bytes->data[i],
        i + 1 == bytes->length || i % HEX_COLUMNS == HEX_COLUMNS - 1 ? "\n" : " ");
}

static void say_examples(struct buffer *out, enum method method)
{
  struct buffer bytes;
  buffer_init(&bytes);
  say(out, "%s\n", sample_json[method]);
  reply_result(out, ENCODING_JSON_LINES, &sample_id, method, sample_result(method));
  if (method == METHOD_QUERY) { /* one shows the bytes of all */
    sample_append(&bytes, ENCODING_MSGPACK, method);
    say_hex(out, &bytes);
    buffer_clear(&bytes);
    reply_result(&bytes, ENCODING_MSGPACK, &sample_id, method, sample_result(method));
    say_hex(out, &bytes);
  }
  buffer_deinit(&bytes);
}

static void say_method(struct buffer *out, enum method method)
{
  say_params(out, method);
  if (result_shape(method))
    say_fields(out, "", result_shape(method));
  if (method_kinds[method].optional & P(WAIT_MS))
    say_fields(out, "", &shape_solving);
  say_examples(out, method);
}

static void say_errors(struct buffer *out)
{
  for (enum error error = 0; error < ERROR_COUNT; error++)
    say(out, "| `%s` | %d | %d | %s | %s |\n", error_kinds[error].name,
        error_kinds[error].json_code, error_kinds[error].caller_at_fault, error_kinds[error].retry,
        error_kinds[error].meaning);
}

static void say_limits(struct buffer *out)
{
#define X(field, value, meaning)                                                               \
  say(out, "| `%s` | %llu | %s |\n", #field, (unsigned long long)message_limits_default.field, \
      meaning);
  PROTO_LIMITS(X)
#undef X
}

static void say_progress(struct buffer *out)
{
  struct buffer bytes;
  buffer_init(&bytes);
  say_fields(out, "", &shape_progress);
  reply_progress(out, ENCODING_JSON_LINES, &sample_id, &sample_progress);
  reply_progress(&bytes, ENCODING_MSGPACK, &sample_id, &sample_progress);
  say_hex(out, &bytes);
  buffer_deinit(&bytes);
}

static void say_error_example(struct buffer *out)
{
  struct buffer bytes;
  struct fault fault;
  buffer_init(&bytes);
  fault_set(&fault, ERROR_BAD_PUZZLE, "graph[3] lists node 9, but there are 6 nodes");
  reply_error(out, ENCODING_JSON_LINES, &sample_id, &fault);
  reply_error(&bytes, ENCODING_MSGPACK, &sample_id, &fault);
  say_hex(out, &bytes);
  buffer_deinit(&bytes);
}

static void read_document(struct buffer *document)
{
  char chunk[4096];
  FILE *file = fopen(document_path, "r");
  if (!file)
    fail_msg("cannot open %s", document_path);
  for (size_t got; (got = fread(chunk, 1, sizeof chunk, file)) > 0;)
    buffer_append(document, chunk, got);
  buffer_append(document, "", 1);
  fclose(file);
}

static _Noreturn void lacks(const char *what)
{
  fail_msg("PROTOCOL.md has no '%s'", what);
  abort(); /* cmocka does not say that it never gets here */
}

/* The text from a heading to the next one of its kind. The caller free()s it. */
static char *section(const char *document, const char *heading)
{
  char line[64];
  snprintf(line, sizeof line, "\n%s\n", heading);
  const char *begin = strstr(document, line);
  if (!begin)
    lacks(heading);
  begin += strlen(line) - 1;
  const char *end = strstr(begin, heading[2] == '#' ? "\n### " : "\n## ");
  const char *chapter = strstr(begin, "\n## ");
  if (!end || (chapter && chapter < end))
    end = chapter;
  return strndup(begin, end ? (size_t)(end - begin) : strlen(begin));
}

/* A table's row may go on after what is expected; any other line must stand as it is. */
static bool stands(const char *text, const char *line, size_t length)
{
  char needle[4100];
  bool is_row = line[0] == '|';
  snprintf(needle, sizeof needle, "\n%.*s%s", (int)length, line, is_row ? "" : "\n");
  return strstr(text, needle);
}

static void check_section(const char *heading, const struct buffer *expected)
{
  struct buffer document;
  buffer_init(&document);
  read_document(&document);
  char *text = section(document.data, heading);
  for (size_t at = 0; at < expected->length;) {
    const char *line = expected->data + at;
    size_t length = (size_t)((char *)memchr(line, '\n', expected->length - at) - line);
    if (!stands(text, line, length))
      fail_msg("section '%s' of PROTOCOL.md lacks the line: %.*s", heading, (int)length, line);
    at += length + 1;
  }
  free(text);
  buffer_deinit(&document);
}

static void check_with(const char *heading, void (*say_it)(struct buffer *out))
{
  struct buffer expected;
  buffer_init(&expected);
  say_it(&expected);
  check_section(heading, &expected);
  buffer_deinit(&expected);
}

static void test_methods(void **state)
{
  (void)state;
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    struct buffer expected;
    char heading[32];
    buffer_init(&expected);
    snprintf(heading, sizeof heading, "### `%s`", method_kinds[method].name);
    say_method(&expected, method);
    check_section(heading, &expected);
    buffer_deinit(&expected);
  }
}

static void test_errors(void **state)
{
  (void)state;
  check_with("## Errors", say_errors);
  check_with("## Errors", say_error_example);
}

static void test_limits(void **state)
{
  (void)state;
  check_with("## Limits", say_limits);
}

static void test_progress(void **state)
{
  (void)state;
  check_with("## Progress", say_progress);
}

/* The annotated request: the hex before the two spaces of each line, put together. */
static void test_byte_by_byte(void **state)
{
  (void)state;
  struct buffer document, bytes;
  buffer_init(&document);
  buffer_init(&bytes);
  read_document(&document);
  char *text = section(document.data, "### Byte by byte");
  char *line = strstr(text, "```\n");
  if (!line)
    lacks("bytes of the section 'Byte by byte'");
  for (line += 4; strncmp(line, "```", 3) != 0; line = strchr(line, '\n') + 1) {
    for (char *at = line; at[0] != ' ' && at[1] != ' '; at += at[2] == ' ' ? 3 : 2) {
      char digits[3] = {at[0], at[1], '\0'};
      buffer_append(&bytes, &(char){(char)strtoul(digits, NULL, 16)}, 1);
    }
  }
  struct buffer expected;
  buffer_init(&expected);
  sample_append(&expected, ENCODING_MSGPACK, METHOD_QUERY);
  assert_int_equal(bytes.length, expected.length);
  assert_memory_equal(bytes.data, expected.data, expected.length);
  free(text);
  buffer_deinit(&expected);
  buffer_deinit(&bytes);
  buffer_deinit(&document);
}

static int print_all(void)
{
  struct buffer out;
  buffer_init(&out);
  for (enum method method = 0; method < METHOD_COUNT; method++) {
    say(&out, "### `%s`\n", method_kinds[method].name);
    say_method(&out, method);
  }
  say(&out, "## Errors\n");
  say_errors(&out);
  say_error_example(&out);
  say(&out, "## Limits\n");
  say_limits(&out);
  say(&out, "## Progress\n");
  say_progress(&out);
  fwrite(out.data, 1, out.length, stdout);
  buffer_deinit(&out);
  return 0;
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_methods),      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_limits),       cmocka_unit_test(test_progress),
      cmocka_unit_test(test_byte_by_byte),
  };
  document_path = argc > 1 ? argv[1] : "proto/PROTOCOL.md";
  if (argc > 2 && strcmp(argv[2], "--print") == 0)
    return print_all();
  return cmocka_run_group_tests(tests, NULL, NULL);
}
