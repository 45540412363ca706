/*
 * What the daemon sent, for the client. The message is copied and looked over once, so that nothing after
 * that meets a count or a length that it does not keep; results are read from the bytes, and written from
 * them as JSON.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_write.h"
#include "proto/reply.h"
#include "proto/shape.h"

struct response_memory {
  struct blocks blocks; /* what results hold */
  size_t result_at;
  size_t length;
  char body[];
};

static int no_answer(struct fault *fault)
{
  return fault_set(fault, ERROR_INTERNAL, "what the daemon sent is no answer");
}

static int check_bytes(const char *body, size_t length, struct fault *fault)
{
  const struct message_limits limits = {.message_bytes = length, .depth = MSGPACK_DEPTH_MAX};
  struct msgpack_scan scan;
  msgpack_scan_init(&scan);
  enum scan_result result = msgpack_scan(&scan, &limits, body, length, fault);
  if (result == SCAN_MORE)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last item");
  if (result == SCAN_WHOLE && scan.at != length)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last byte");
  return result == SCAN_WHOLE ? 0 : -EBADMSG;
}

static void memory_free(struct response_memory *memory)
{
  blocks_deinit(&memory->blocks);
  free(memory);
}

/* "E_NAME: text"; whatever else a text says is the daemon's own fault. */
static void read_error_text(const struct wire_value *said, struct fault *fault)
{
  char text[sizeof fault->text + 32];
  value_copy_text(said, sizeof text - 1, text);
  char *colon = strstr(text, ": ");
  if (colon)
    *colon = '\0';
  enum error error = error_by_name(text);
  if (error != ERROR_COUNT && colon) {
    fault_set(fault, error, "%s", colon + 2);
    return;
  }
  if (colon)
    *colon = ':';
  fault_set(fault, ERROR_INTERNAL, "%s", text);
}

/* A text, or a list of its class and the text. */
static int read_error(struct reader *in, const struct wire_value *error, struct response *response,
                      struct fault *fault)
{
  struct wire_value text = *error;
  if (value_is_list(error) && error->item.children == 2) {
    struct wire_value class = reader_next(in);
    reader_skip(in, &class);
    text = reader_next(in);
  }
  if (text.item.kind != ITEM_TEXT)
    return no_answer(fault);
  response->kind = RESPONSE_ERROR;
  read_error_text(&text, &response->fault);
  return 0;
}

/* The value of a key of the map that is read next; nil where there is none. */
static struct wire_value find_key(struct reader in, const char *key)
{
  struct wire_value map = reader_next(&in);
  for (uint64_t left = value_is_map(&map) ? map.item.children : 0; left > 0; left -= 2) {
    struct wire_value name = reader_next(&in);
    reader_skip(&in, &name);
    struct wire_value value = reader_next(&in);
    if (value_is_text(&name, key))
      return value;
    reader_skip(&in, &value);
  }
  return (struct wire_value){.item.kind = ITEM_NIL};
}

static int read_progress(struct reader *in, struct response *response, struct fault *fault)
{
  struct wire_value name = reader_next(in);
  reader_skip(in, &name);
  struct wire_value params = reader_next(in);
  if (!value_is_text(&name, "progress") || !value_is_list(&params) || params.item.children != 1)
    return no_answer(fault);
  struct wire_value request = find_key(*in, "request");
  response->kind = RESPONSE_PROGRESS;
  value_uint32(&request, &response->id);
  return shape_read(&shape_progress, in, &response->memory->blocks, &response->progress, fault);
}

static int read_answer(struct reader *in, struct response *response, struct fault *fault)
{
  struct wire_value id = reader_next(in);
  reader_skip(in, &id);
  struct wire_value error = reader_next(in);
  bool has_id = value_uint32(&id, &response->id);
  if (error.item.kind != ITEM_NIL)
    return read_error(in, &error, response, fault);
  response->memory->result_at = (size_t)(in->at - response->memory->body);
  return has_id ? 0 : no_answer(fault);
}

static int read_message(struct response *response, struct fault *fault)
{
  const struct response_memory *memory = response->memory;
  struct reader in = reader_on(memory->body, memory->length);
  struct wire_value root = reader_next(&in);
  struct wire_value type = reader_next(&in);
  uint32_t kind;
  if (!value_is_list(&root) || root.item.children == 0 || !value_uint32(&type, &kind))
    return no_answer(fault);
  if (kind == 2 && root.item.children == 3)
    return read_progress(&in, response, fault);
  if (kind == 1 && root.item.children == 4)
    return read_answer(&in, response, fault);
  return no_answer(fault);
}

int response_decode(const char *body, size_t length, struct response *response, struct fault *fault)
{
  struct response read = {.kind = RESPONSE_RESULT};
  if (check_bytes(body, length, fault))
    return -EBADMSG;
  read.memory = malloc(sizeof *read.memory + length);
  if (!read.memory)
    return -ENOMEM;
  *read.memory = (struct response_memory){.length = length};
  memcpy(read.memory->body, body, length);
  int error = read_message(&read, fault);
  if (error)
    memory_free(read.memory);
  else
    *response = read;
  return error;
}

void response_deinit(struct response *response)
{
  if (response->memory)
    memory_free(response->memory);
  response->memory = NULL;
}

static struct reader at_result(const struct response_memory *memory)
{
  return reader_on(memory->body + memory->result_at, memory->length - memory->result_at);
}

static const struct shape *shape_of(enum method method, struct reader in)
{
  if (method == METHOD_SOLVE && find_key(in, "status").item.kind != ITEM_NIL)
    return &shape_solving;
  bool of_grid = find_key(in, "cols").item.kind != ITEM_NIL;
  return of_grid ? result_shape(method) : result_shape_of_graph(method);
}

int response_result(struct response *response, enum method method, void *result,
                    struct fault *fault)
{
  struct reader in = at_result(response->memory);
  const struct shape *shape = shape_of(method, in);
  if (shape)
    return shape_read(shape, &in, &response->memory->blocks, result, fault);
  struct wire_value value = reader_next(&in);
  return value_is_text(&value, "pong") ? 0 : no_answer(fault);
}

void response_json(const struct response *response, struct buffer *out)
{
  size_t begin = out->length;
  struct reader in = at_result(response->memory);
  json_write(out, in.at, (size_t)(in.end - in.at));
  if (out->failed)
    out->length = begin;
}
