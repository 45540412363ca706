/*
 * Requests out of messages: open the envelope of the encoding, then read the parameters by the tables of
 * schema.h (params.h), all straight from the bytes (value.h).
 *
 * A fault must reach whoever asked: where a message is damaged before its id was read, the id is looked for once more.
 */
#include "proto/request_read.h"

#include <errno.h>

#include "proto/json_read.h"
#include "proto/params.h"

/* The parts of a request that both envelopes have. */
struct envelope {
  struct value method;
  struct reader *params; /* NULL where there are none */
};

static int no_message(const struct value *root, struct fault *fault)
{
  if (!value_is_list(root))
    return fault_set(fault, ERROR_PARSE, "%s is no message, which is a list of 3 or 4 items",
                     value_describe(*root).text);
  return fault_set(fault, ERROR_PARSE, "a list of %llu items is no message, which has 3 or 4",
                   (unsigned long long)root->children);
}

/* A notification is [2, method, params], a request [0, id, method, params]. */
static int open_msgpack(struct reader *reader, struct envelope *envelope, struct request *request,
                        struct fault *fault)
{
  struct value root;
  reader_next(reader, &root);
  uint64_t size = root.children;
  if (!value_is_list(&root) || (size != 3 && size != 4))
    return no_message(&root, fault);
  struct value type, id;
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
  reader_next(reader, &envelope->method);
  envelope->params = reader;
  return 0;
}

enum member {
  MEMBER_JSONRPC,
  MEMBER_ID,
  MEMBER_METHOD,
  MEMBER_PARAMS,
  MEMBER_COUNT,
};

static const char *const member_names[MEMBER_COUNT] = {"jsonrpc", "id", "method", "params"};

/* Members come in any order. */
struct members {
  bool given[MEMBER_COUNT];
  struct value value[MEMBER_COUNT];
  struct reader params;
};

static int take_member(struct reader *reader, struct members *members, struct fault *fault)
{
  struct value name;
  reader_next(reader, &name);
  enum member member = 0;
  while (member < MEMBER_COUNT && !value_is_text(&name, member_names[member]))
    member++;
  if (member == MEMBER_COUNT)
    return fault_set(fault, ERROR_REQUEST, "a request has no member '%s'", value_quote(name).text);
  if (members->given[member])
    return fault_set(fault, ERROR_REQUEST, "the request has %s twice", member_names[member]);
  if (member == MEMBER_PARAMS)
    members->params = *reader;
  members->given[member] = true;
  reader_next(reader, &members->value[member]);
  reader_skip(reader, &members->value[member]);
  return 0;
}

static int find_members(struct reader *reader, struct members *members, struct fault *fault)
{
  struct value root;
  reader_next(reader, &root);
  if (!value_is_map(&root))
    return fault_set(fault, ERROR_REQUEST, "the message is %s, not an object%s",
                     value_describe(root).text,
                     value_is_list(&root) ? "; batches are not supported" : "");
  for (uint64_t left = root.children; left > 0; left -= 2)
    if (take_member(reader, members, fault))
      return -EBADMSG;
  return 0;
}

static int open_json(struct reader *reader, const struct message_limits *limits,
                     struct members *members, struct envelope *envelope, struct request *request,
                     struct fault *fault)
{
  if (find_members(reader, members, fault))
    return -EBADMSG;
  const struct value *id = &members->value[MEMBER_ID], *version = &members->value[MEMBER_JSONRPC];
  request->notification = !members->given[MEMBER_ID];
  if (members->given[MEMBER_ID] && id->kind != ITEM_NIL &&
      request_id_read(id, limits, "the request's id", ERROR_REQUEST, &request->id, fault))
    return -EBADMSG;
  if (members->given[MEMBER_JSONRPC] && !value_is_text(version, "2.0"))
    return fault_set(fault, ERROR_REQUEST, "jsonrpc is %s, not \"2.0\"",
                     value_describe(*version).text);
  if (!members->given[MEMBER_METHOD])
    return fault_set(fault, ERROR_REQUEST, "the request has no method");
  envelope->method = members->value[MEMBER_METHOD];
  envelope->params = members->given[MEMBER_PARAMS] ? &members->params : NULL;
  return 0;
}

static int read_method(const struct value *name, enum method *method, struct fault *fault)
{
  if (name->kind != ITEM_TEXT)
    return fault_set(fault, ERROR_REQUEST, "the request's method is %s, not a text",
                     value_describe(*name).text);
  *method = method_by_name(name->payload, (uint32_t)name->length);
  if (*method == METHOD_COUNT)
    return fault_set(fault, ERROR_METHOD, "there is no method '%s'", value_quote(*name).text);
  return 0;
}

static int read_enveloped(const struct envelope *envelope, const struct message_limits *limits,
                          struct request *request, struct fault *fault)
{
  if (read_method(&envelope->method, &request->method, fault))
    return -EBADMSG;
  return params_read(envelope->params, limits, request, fault);
}

/* What is wrong with the bytes themselves matters more than what was made of them. */
static int decode_msgpack(const char *body, size_t length, const struct message_limits *limits,
                          struct request *request, struct fault *fault)
{
  struct reader reader = reader_on(body, length);
  struct envelope envelope = {0};
  int error = open_msgpack(&reader, &envelope, request, fault);
  if (error == 0)
    error = read_enveloped(&envelope, limits, request, fault);
  if (error == 0 || reader.error)
    error = reader_finish(&reader, fault);
  return error;
}

static int decode_json(const char *body, size_t length, const struct message_limits *limits,
                       struct request *request, struct fault *fault)
{
  struct members members = {0};
  struct envelope envelope = {0};
  struct buffer packed;
  buffer_init(&packed);
  int error = json_read(body, length, limits, &packed, fault);
  struct reader reader = reader_on(packed.data, packed.length);
  if (error == 0)
    error = open_json(&reader, limits, &members, &envelope, request, fault);
  if (error == 0)
    error = read_enveloped(&envelope, limits, request, fault);
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
