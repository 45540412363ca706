/*
 * What the daemon sent, for the client. The message is copied and unpacked once; results are read from
 * the tree, and written as JSON from the bytes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/document.h"
#include "proto/json_write.h"
#include "proto/msgpack_scan.h"
#include "proto/object.h"
#include "proto/reply.h"
#include "proto/shape.h"

struct response_memory {
  struct document document;
  size_t length;
  char body[];
};

static int no_answer(struct fault *fault)
{
  return fault_set(fault, ERROR_INTERNAL, "what the daemon sent is no answer");
}

static int memory_new(const char *body, size_t length, struct response_memory **memory,
                      struct fault *fault)
{
  const struct message_limits limits = {.message_bytes = length, .depth = MSGPACK_DEPTH_MAX};
  struct response_memory *made = malloc(sizeof *made + length);
  if (!made)
    return -ENOMEM;
  *made = (struct response_memory){.length = length};
  memcpy(made->body, body, length);
  if (document_from_msgpack(made->body, length, &limits, &made->document, fault)) {
    free(made);
    return fault->error == ERROR_NO_MEMORY ? -ENOMEM : -EBADMSG;
  }
  *memory = made;
  return 0;
}

static void memory_free(struct response_memory *memory)
{
  document_deinit(&memory->document);
  free(memory);
}

/* "E_NAME: text"; whatever else a text says is the daemon's own fault. */
static void read_error_text(const msgpack_object *said, struct fault *fault)
{
  char text[sizeof fault->text + 32];
  object_copy_text(said, sizeof text - 1, text);
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

static int read_error(const msgpack_object *error, struct response *response, struct fault *fault)
{
  const msgpack_object *text = error;
  if (error->type == MSGPACK_OBJECT_ARRAY && error->via.array.size == 2)
    text = &error->via.array.ptr[1];
  if (text->type != MSGPACK_OBJECT_STR)
    return no_answer(fault);
  response->kind = RESPONSE_ERROR;
  read_error_text(text, &response->fault);
  return 0;
}

static int read_progress(const msgpack_object *item, struct response *response, struct fault *fault)
{
  const msgpack_object *params = &item[2];
  if (!object_is_text(&item[1], "progress") || params->type != MSGPACK_OBJECT_ARRAY ||
      params->via.array.size != 1 || params->via.array.ptr[0].type != MSGPACK_OBJECT_MAP)
    return no_answer(fault);
  const msgpack_object *map = params->via.array.ptr;
  response->kind = RESPONSE_PROGRESS;
  for (uint32_t i = 0; i < map->via.map.size; i++)
    if (object_is_text(&map->via.map.ptr[i].key, "request"))
      response->has_id = object_uint32(&map->via.map.ptr[i].val, &response->id);
  return shape_read(&shape_progress, map, &response->memory->document.zone, &response->progress,
                    fault);
}

static bool has_key(const msgpack_object *object, const char *key)
{
  if (object->type != MSGPACK_OBJECT_MAP)
    return false;
  for (uint32_t i = 0; i < object->via.map.size; i++)
    if (object_is_text(&object->via.map.ptr[i].key, key))
      return true;
  return false;
}

/* No method's own result has a status. */
static int read_result(const msgpack_object *result, struct response *response, struct fault *fault)
{
  if (!has_key(result, "status"))
    return 0;
  response->kind = RESPONSE_SOLVING;
  return shape_read(&shape_solving, result, &response->memory->document.zone, &response->solving,
                    fault);
}

static int read_message(struct response *response, struct fault *fault)
{
  const msgpack_object *root = &response->memory->document.root;
  const msgpack_object *item = root->via.array.ptr;
  uint32_t size = root->via.array.size, type;
  if (!object_uint32(&item[0], &type))
    return no_answer(fault);
  if (type == 2 && size == 3)
    return read_progress(item, response, fault);
  response->has_id = size == 4 && object_uint32(&item[1], &response->id);
  bool is_error = size == 4 && item[2].type != MSGPACK_OBJECT_NIL;
  if (type != 1 || size != 4 || (!response->has_id && !is_error))
    return no_answer(fault);
  return is_error ? read_error(&item[2], response, fault) : read_result(&item[3], response, fault);
}

int response_decode(const char *body, size_t length, struct response *response, struct fault *fault)
{
  struct response read = {.kind = RESPONSE_RESULT};
  int error = memory_new(body, length, &read.memory, fault);
  if (error)
    return error;
  error = read_message(&read, fault);
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

static const struct shape *shape_of(enum method method, const msgpack_object *object)
{
  return has_key(object, "cols") ? result_shape(method) : result_shape_of_graph(method);
}

int response_result(struct response *response, enum method method, void *result,
                    struct fault *fault)
{
  const msgpack_object *object = &response->memory->document.root.via.array.ptr[3];
  const struct shape *shape = shape_of(method, object);
  if (!shape)
    return object_is_text(object, "pong") ? 0 : no_answer(fault);
  return shape_read(shape, object, &response->memory->document.zone, result, fault);
}

/* Past the head, the type, the id and the nil in place of an error, none of which holds anything. */
void response_json(const struct response *response, struct buffer *out)
{
  const struct response_memory *memory = response->memory;
  size_t begin = out->length, at = 0;
  for (int passed = 0; passed < 4; passed++) {
    struct msgpack_item item;
    if (msgpack_item_read(memory->body + at, memory->length - at, &item))
      return;
    at += item.head_bytes;
  }
  json_write(out, memory->body + at, memory->length - at);
  if (out->failed)
    out->length = begin;
}
