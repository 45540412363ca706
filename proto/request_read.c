/*
 * Requests out of messages: what is around a call, by the encoding, then the method and its parameters (params.h),
 * all straight from the bytes (value.h).
 *
 * A fault must reach whoever asked: where a message is damaged before its id was read, the id is looked for again.
 */
#include "proto/request_read.h"

#include <errno.h>

#include "proto/json_read.h"
#include "proto/map_read.h"
#include "proto/params.h"

static int read_method(const struct value *name, enum method *method, struct fault *fault)
{
  if (name->kind != VALUE_TEXT)
    return fault_set(fault, ERROR_REQUEST, "the request's method is %s, not a text",
                     value_describe(*name).text);
  *method = method_by_name(name->payload, (uint32_t)name->length);
  if (*method == METHOD_COUNT)
    return fault_set(fault, ERROR_METHOD, "there is no method '%s'", value_quote(*name).text);
  return 0;
}

static int read_call(const struct value *method, struct value *params, struct reader *reader,
                     const struct message_limits *limits, struct request *request,
                     struct fault *fault)
{
  if (read_method(method, &request->method, fault))
    return -EBADMSG;
  return params_read(params, reader, limits, request, fault);
}

static int no_message(const struct value *root, struct fault *fault)
{
  if (!value_is_list(root))
    return fault_set(fault, ERROR_PARSE, "%s is no message, which is a list of 3 or 4 items",
                     value_describe(*root).text);
  return fault_set(fault, ERROR_PARSE, "a list of %llu items is no message, which has 3 or 4",
                   (unsigned long long)root->children);
}

/* A notification is [2, method, params], a request [0, id, method, params]. */
static int read_msgpack(struct reader *reader, const struct message_limits *limits,
                        struct request *request, struct fault *fault)
{
  struct value root, type, id, method, params;
  reader_next(reader, &root);
  uint64_t size = root.children;
  if (!value_is_list(&root) || (size != 3 && size != 4))
    return no_message(&root, fault);
  uint32_t number = UINT32_MAX;
  reader_next(reader, &type);
  value_uint32(&type, &number);
  request->notification = size == 3 && number == 2;
  if (!request->notification && (size != 4 || number != 0))
    return fault_set(fault, ERROR_REQUEST,
                     "the message is neither [0, id, method, params] nor [2, method, params]");
  if (!request->notification) {
    reader_next(reader, &id);
    if (!value_uint32(&id, &number))
      return fault_set(fault, ERROR_REQUEST,
                       "the request's id is %s, not a whole number below 2^32",
                       value_describe(id).text);
    request->id.kind = REQUEST_ID_NUMBER;
    request->id.number = number;
  }
  reader_next(reader, &method);
  reader_next(reader, &params);
  return read_call(&method, &params, reader, limits, request, fault);
}

static int read_json(struct reader *reader, const struct message_limits *limits,
                     struct request *request, struct fault *fault)
{
  enum { JSONRPC, ID, METHOD, PARAMS, KEYS };
  static const char *const names[KEYS] = {"jsonrpc", "id", "method", "params"};
  static const struct map_keys keys = {"the request", ERROR_REQUEST, false, KEYS, names};
  struct entry entries[KEYS];
  struct value root;
  reader_next(reader, &root);
  if (value_is_list(&root))
    return fault_set(fault, ERROR_REQUEST, "the message is a list; batches are not supported");
  if (map_read(reader, &root, &keys, entries, fault))
    return -EBADMSG;
  request->notification = entries[ID].value.kind == VALUE_NONE;
  if (entry_given(&entries[ID]) && request_id_read(&entries[ID].value, limits, "the request's id",
                                                   ERROR_REQUEST, &request->id, fault))
    return -EBADMSG;
  const struct value *version = &entries[JSONRPC].value;
  if (version->kind != VALUE_NONE && !value_is_text(version, "2.0"))
    return value_refuse(version, ERROR_REQUEST, "jsonrpc", "\"2.0\"", fault);
  if (entries[METHOD].value.kind == VALUE_NONE)
    return fault_set(fault, ERROR_REQUEST, "the request has no method");
  return read_call(&entries[METHOD].value, &entries[PARAMS].value, &entries[PARAMS].children,
                   limits, request, fault);
}

/* What is wrong with the bytes themselves matters more than what was made of them. */
static int decode_msgpack(const char *body, size_t length, const struct message_limits *limits,
                          struct request *request, struct fault *fault)
{
  struct reader reader = reader_on(body, length);
  int error = read_msgpack(&reader, limits, request, fault);
  return error == 0 || reader.error ? reader_finish(&reader, fault) : error;
}

static int decode_json(const char *body, size_t length, const struct message_limits *limits,
                       struct request *request, struct fault *fault)
{
  struct buffer packed;
  buffer_init(&packed);
  int error = json_read(body, length, limits, &packed, fault);
  struct reader reader = reader_on(packed.data, packed.length);
  if (error == 0)
    error = read_json(&reader, limits, request, fault);
  buffer_deinit(&packed);
  return error;
}

/* Other parameters hold nothing until their bits in `given` are set: no need to zero them. */
static void begin(struct request *request)
{
  request->method = METHOD_COUNT;
  request->id.kind = REQUEST_ID_NONE;
  request->notification = false;
  request->progress = false;
  request->given = 0;
  request->puzzle_memory = NULL;
}

int request_decode(const char *body, size_t length, enum encoding encoding,
                   const struct message_limits *limits, struct request *request,
                   struct fault *fault)
{
  bool is_msgpack = encoding == ENCODING_MSGPACK;
  begin(request);
  int error = is_msgpack ? decode_msgpack(body, length, limits, request, fault)
                         : decode_json(body, length, limits, request, fault);
  if (error == 0)
    return 0;
  request_deinit(request);
  if (request->id.kind == REQUEST_ID_NONE && !request->notification)
    (is_msgpack ? request_id_find_msgpack : request_id_find_json)(body, length, &request->id);
  return -EBADMSG;
}
