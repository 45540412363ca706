/*
 * The message is copied and unpacked once; results are read from the tree, and written as JSON from
 * the bytes. msgpack-c believes every count it reads, so the framer looks at the bytes first.
 */
#include "proto/response.h"

#include <errno.h>
#include <msgpack.h>
#include <stdlib.h>
#include <string.h>

#include "proto/framer.h"
#include "proto/json_write.h"
#include "proto/result_shapes.h"
#include "proto/shape_read.h"
#include "proto/value.h"

/* A small answer and its tree fit into the first; malloc serves it from the thread's own cache. */
enum { ZONE_SMALL = 960, ZONE_LARGE = 64 << 10, SMALL_MESSAGE = 512 };

/* The tree borrows its texts from the body. */
struct response_memory {
  msgpack_object root;
  msgpack_zone zone;
  size_t length;
  char body[];
};

static int no_answer(struct fault *fault)
{
  return fault_set(fault, ERROR_INTERNAL, "what the daemon sent is no answer");
}

static bool is_whole(const char *body, size_t length)
{
  const struct message_limits limits = {.message_bytes = length};
  struct framer framer;
  struct frame frame;
  struct fault fault;
  framer_init(&framer, &limits);
  return framer_next(&framer, body, length, &frame, &fault) == FRAMER_MESSAGE &&
         framer.encoding == ENCODING_MSGPACK && frame.length == length;
}

/* All but a lack of memory is the daemon's fault. */
static int unpack(struct response_memory *memory, struct fault *fault)
{
  size_t zone_bytes = memory->length > SMALL_MESSAGE ? ZONE_LARGE : ZONE_SMALL;
  if (!msgpack_zone_init(&memory->zone, zone_bytes))
    return -ENOMEM;
  int status = msgpack_unpack(memory->body, memory->length, NULL, &memory->zone, &memory->root);
  if (status == MSGPACK_UNPACK_SUCCESS)
    return 0;
  msgpack_zone_destroy(&memory->zone);
  return status == MSGPACK_UNPACK_NOMEM_ERROR ? -ENOMEM : no_answer(fault);
}

static int memory_new(const char *body, size_t length, struct response_memory **memory,
                      struct fault *fault)
{
  if (!is_whole(body, length))
    return no_answer(fault);
  struct response_memory *made = malloc(sizeof *made + length);
  if (!made)
    return -ENOMEM;
  made->length = length;
  memcpy(made->body, body, length);
  int error = unpack(made, fault);
  if (error)
    free(made);
  else
    *memory = made;
  return error;
}

static void memory_free(struct response_memory *memory)
{
  msgpack_zone_destroy(&memory->zone);
  free(memory);
}

/* "E_NAME: text"; whatever else a text says is the daemon's own fault. */
static void read_error_text(const msgpack_object *said, struct fault *fault)
{
  char text[sizeof fault->text + 32];
  const struct value value = object_value(said);
  value_copy_text(&value, sizeof text - 1, text);
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
  const msgpack_object *map = params->via.array.ptr, *request = object_at(map, "request");
  response->kind = RESPONSE_PROGRESS;
  response->has_id = request && object_uint32(request, &response->id);
  return shape_read(&shape_progress, map, &response->memory->zone, &response->progress, fault);
}

/* No method's own result has a status. */
static int read_result(const msgpack_object *result, struct response *response, struct fault *fault)
{
  if (!object_at(result, "status"))
    return 0;
  response->kind = RESPONSE_SOLVING;
  return shape_read(&shape_solving, result, &response->memory->zone, &response->solving, fault);
}

static int read_message(struct response *response, struct fault *fault)
{
  const msgpack_object *root = &response->memory->root;
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

int response_result(struct response *response, enum method method, void *result,
                    struct fault *fault)
{
  const msgpack_object *object = &response->memory->root.via.array.ptr[3];
  const struct shape *shape = result_shape(method);
  if (!shape)
    return object_is_text(object, "pong") ? 0 : no_answer(fault);
  return shape_read(shape, object, &response->memory->zone, result, fault);
}

/* Past the head, the type, the id and the nil in place of an error. */
void response_json(const struct response *response, struct buffer *out)
{
  const struct response_memory *memory = response->memory;
  struct reader reader = reader_on(memory->body, memory->length);
  struct value value;
  size_t begin = out->length;
  for (int passed = 0; passed < 4; passed++)
    reader_next(&reader, &value);
  json_write(out, reader.at, (size_t)(reader.end - reader.at));
  if (out->failed)
    out->length = begin;
}
