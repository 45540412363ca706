/*
 * What a request owns, where its state lies, and its id, also of a damaged one: MessagePack has ids
 * at a fixed place. In JSON the id is the value of the first key "id" of the outermost object,
 * found by quotes and brackets alone.
 */
#include "proto/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_read.h"
#include "proto/value.h"

void request_deinit(struct request *request)
{
  free(request->puzzle_memory);
  request->puzzle_memory = NULL;
}

static int find_cell(const char *path, uint32_t row, uint32_t rows, uint32_t cols, uint32_t *place,
                     struct fault *fault)
{
  uint32_t col = *place;
  if (cols == 0)
    return fault_set(fault, ERROR_BAD_STATE, "%s is a row and a column, but the puzzle is a graph",
                     path);
  if (row >= rows || col >= cols)
    return fault_set(fault, ERROR_BAD_STATE,
                     "%s is row %u, column %u, but the grid has %u rows and %u columns", path, row,
                     col, rows, cols);
  *place = row * cols + col;
  return 0;
}

int request_find_cells(struct request *request, uint32_t rows, uint32_t cols, struct fault *fault)
{
  struct state *state = &request->state;
  if (!request->by_row)
    return 0;
  if (find_cell("state.mouse", request->mouse_row, rows, cols, &state->mouse, fault) ||
      find_cell("state.cat", request->cat_row, rows, cols, &state->cat, fault))
    return -EBADMSG;
  request->by_row = false;
  return 0;
}

bool request_id_equal(const struct request_id *a, const struct request_id *b)
{
  if (a->kind != b->kind)
    return false;
  if (a->kind == REQUEST_ID_TEXT)
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
  return a->kind == REQUEST_ID_NONE || a->number == b->number;
}

int request_id_read(const struct value *value, const struct message_limits *limits,
                    const char *what, enum error error, struct request_id *id, struct fault *fault)
{
  uint64_t length = value->length;
  if (value_int64(value, &id->number)) {
    id->kind = REQUEST_ID_NUMBER;
    return 0;
  }
  if (value->kind != VALUE_TEXT)
    return fault_set(fault, error, "%s is %s, neither a whole number of 64 bits nor a text", what,
                     value_describe(*value).text);
  if (length > limits->request_id_bytes || length > REQUEST_ID_TEXT_MAX)
    return fault_set(fault, ERROR_LIMIT, "%s has %llu bytes, more than the %llu allowed", what,
                     (unsigned long long)length, (unsigned long long)limits->request_id_bytes);
  id->kind = REQUEST_ID_TEXT;
  id->length = (uint32_t)length;
  memcpy(id->text, value->payload, length);
  return 0;
}

void request_id_find_msgpack(const char *bytes, size_t length, struct request_id *id)
{
  struct reader reader = reader_on(bytes, length);
  struct value list, type, given;
  uint32_t number;
  reader_next(&reader, &list);
  reader_next(&reader, &type);
  reader_next(&reader, &given);
  bool is_message = value_is_list(&list) && (list.children == 3 || list.children == 4);
  bool is_request = is_message && value_uint32(&type, &number) && number == 0;
  if (!is_request || !value_uint32(&given, &number))
    return;
  id->kind = REQUEST_ID_NUMBER;
  id->number = number;
}

/* Past the text whose opening quote stands at `at`; `end` where it goes on. */
static const char *text_end(const char *at, const char *end)
{
  for (at++; at < end && *at != '"'; at++)
    if (*at == '\\' && at + 1 < end)
      at++;
  return at < end ? at + 1 : end;
}

static const char *pass_spaces(const char *at, const char *end)
{
  while (at < end && json_is_space(*at))
    at++;
  return at;
}

/* The value that follows a key's colon; nothing where its end has not come. */
static void take_json(const char *at, const char *end, struct request_id *id)
{
  struct buffer packed;
  struct fault fault;
  struct value value;
  const char *begin = pass_spaces(at, end);
  at = begin < end && *begin == '"' ? text_end(begin, end) : begin;
  while (at < end && !strchr(",} \t\r\n", *at))
    at++;
  buffer_init(&packed);
  if (at < end &&
      json_read(begin, (size_t)(at - begin), &message_limits_default, &packed, &fault) == 0) {
    struct reader reader = reader_on(packed.data, packed.length);
    reader_next(&reader, &value);
    request_id_read(&value, &message_limits_default, "", ERROR_REQUEST, id, &fault);
  }
  buffer_deinit(&packed);
}

void request_id_find_json(const char *text, size_t length, struct request_id *id)
{
  const char *end = text + length, *at = pass_spaces(text, end);
  uint64_t depth = 0;
  if (at == end || *at != '{')
    return;
  do {
    const char *begin = at;
    at = *at == '"' ? text_end(at, end) : at + 1;
    depth += *begin == '{' || *begin == '[';
    depth -= *begin == '}' || *begin == ']';
    if (depth != 1 || at - begin != 4 || memcmp(begin, "\"id\"", 4) != 0)
      continue;
    at = pass_spaces(at, end);
    if (at < end && *at == ':') {
      take_json(at + 1, end, id);
      return;
    }
  } while (at < end && depth > 0);
}
