/*
 * Requests out of messages: unpack (document.h), open the envelope of the encoding, then read the
 * parameters by the tables of schema.h (params.h).
 *
 * The id is read before anything can fail, so that a fault reaches whoever asked.
 */
#include "proto/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/document.h"
#include "proto/object.h"
#include "proto/params.h"

/* The parts of a request that both envelopes have; NULL where missing. */
struct envelope {
  const msgpack_object *method;
  const msgpack_object *params;
};

bool request_id_equal(const struct request_id *a, const struct request_id *b)
{
  if (a->kind != b->kind)
    return false;
  return a->kind == REQUEST_ID_NUMBER ? a->number == b->number
                                      : a->kind == REQUEST_ID_NONE || strcmp(a->text, b->text) == 0;
}

static int open_msgpack(const msgpack_object *root, struct envelope *envelope,
                        struct request *request, struct fault *fault)
{
  const msgpack_object *item = root->via.array.ptr;
  uint32_t size = root->via.array.size;
  uint32_t type, id;
  request->notification = size == 3 && object_uint32(&item[0], &type) && type == 2;
  *envelope = (struct envelope){&item[size - 2], &item[size - 1]};
  if (request->notification)
    return 0;
  if (size != 4 || !object_uint32(&item[0], &type) || type != 0)
    return fault_set(fault, ERROR_REQUEST,
                     "the message is neither [0, id, method, params] nor [2, method, params]");
  if (!object_uint32(&item[1], &id))
    return fault_set(fault, ERROR_REQUEST, "the request's id is %s, not a 32-bit number",
                     object_describe(&item[1]).text);
  request->id = (struct request_id){.kind = REQUEST_ID_NUMBER, .number = id};
  return 0;
}

struct json_members {
  const msgpack_object *jsonrpc, *id, *method, *params, *unknown;
};

static struct json_members find_members(const msgpack_object_map *map)
{
  struct json_members found = {0};
  for (uint32_t i = 0; i < map->size; i++) {
    const msgpack_object *key = &map->ptr[i].key, *value = &map->ptr[i].val;
    if (object_is_text(key, "jsonrpc"))
      found.jsonrpc = value;
    else if (object_is_text(key, "id"))
      found.id = value;
    else if (object_is_text(key, "method"))
      found.method = value;
    else if (object_is_text(key, "params"))
      found.params = value;
    else
      found.unknown = key;
  }
  return found;
}

static int open_json(const msgpack_object *root, const struct message_limits *limits,
                     struct envelope *envelope, struct request *request, struct fault *fault)
{
  if (root->type != MSGPACK_OBJECT_MAP)
    return fault_set(fault, ERROR_REQUEST, "the message is %s, not an object%s",
                     object_describe(root).text,
                     root->type == MSGPACK_OBJECT_ARRAY ? "; batches are not supported" : "");
  struct json_members found = find_members(&root->via.map);
  request->notification = !found.id;
  if (found.id && found.id->type != MSGPACK_OBJECT_NIL &&
      request_id_read(found.id, limits, "the request's id", ERROR_REQUEST, &request->id, fault))
    return -EBADMSG;
  if (found.unknown)
    return fault_set(fault, ERROR_REQUEST, "a request has no member '%s'",
                     object_quote(found.unknown).text);
  if (found.jsonrpc && !object_is_text(found.jsonrpc, "2.0"))
    return fault_set(fault, ERROR_REQUEST, "jsonrpc is %s, not \"2.0\"",
                     object_describe(found.jsonrpc).text);
  *envelope = (struct envelope){found.method, found.params};
  return 0;
}

static int read_method(const msgpack_object *name, enum method *method, struct fault *fault)
{
  if (!name)
    return fault_set(fault, ERROR_REQUEST, "the request has no method");
  if (name->type != MSGPACK_OBJECT_STR)
    return fault_set(fault, ERROR_REQUEST, "the request's method is %s, not a text",
                     object_describe(name).text);
  *method = method_by_name(name->via.str.ptr, name->via.str.size);
  if (*method == METHOD_COUNT)
    return fault_set(fault, ERROR_METHOD, "there is no method '%s'", object_quote(name).text);
  return 0;
}

static int read_document(const msgpack_object *root, enum encoding encoding,
                         const struct message_limits *limits, struct request *request,
                         struct fault *fault)
{
  struct envelope envelope = {0};
  int error = encoding == ENCODING_MSGPACK ? open_msgpack(root, &envelope, request, fault)
                                           : open_json(root, limits, &envelope, request, fault);
  if (error || read_method(envelope.method, &request->method, fault))
    return -EBADMSG;
  return params_read(envelope.params, limits, request, fault);
}

/* A parameter holds nothing until its bit in `given` is set: no need to zero it. */
static void begin(struct request *request)
{
  request->method = METHOD_COUNT;
  request->id.kind = REQUEST_ID_NONE;
  request->notification = false;
  request->given = 0;
  request->puzzle_memory = NULL;
}

int request_decode(const char *body, size_t length, enum encoding encoding,
                   const struct message_limits *limits, struct request *request,
                   struct fault *fault)
{
  struct document document;
  begin(request);
  int error = encoding == ENCODING_MSGPACK
                  ? document_from_msgpack(body, length, limits, &document, fault)
                  : document_from_json(body, length, limits, &document, fault);
  if (error)
    return error;
  error = read_document(&document.root, encoding, limits, request, fault);
  document_deinit(&document);
  if (error)
    request_deinit(request);
  return error;
}

void request_deinit(struct request *request)
{
  free(request->puzzle_memory);
  request->puzzle_memory = NULL;
}
