/*
 * Requests out of messages: what is around a call, by the encoding, then the method and its
 * parameters, all straight from the bytes (value.h).
 *
 * There is one reader a parameter. What a method may and must have is asked of the tables alone; a
 * parameter that it has not, a missing one and one of the wrong type are each named in the fault. A
 * fault must reach whoever asked: where a message is damaged before its id was read, the id is
 * looked for again.
 */
#include "proto/request_read.h"

#include <errno.h>
#include <string.h>

#include "proto/json_read.h"
#include "proto/map_read.h"
#include "proto/puzzle_read.h"

static int read_text(const char *place, const struct value *value, char *text, struct fault *fault)
{
  if (value->kind != VALUE_TEXT)
    return value_refuse(value, ERROR_PARAMS, place, "a text", fault);
  value_copy_text(value, PARAM_TEXT_MAX, text);
  return 0;
}

static int read_number(const char *place, const struct value *value, uint32_t *number,
                       struct fault *fault)
{
  if (value_uint32(value, number))
    return 0;
  return value_refuse(value, ERROR_PARAMS, place, "a whole number below 2^32", fault);
}

static int read_max(const struct value *value, const struct message_limits *limits,
                    struct request *request, struct fault *fault)
{
  if (read_number("params.max", value, &request->max, fault))
    return -EBADMSG;
  if (request->max > limits->line_moves)
    return fault_set(fault, ERROR_LIMIT, "params.max is %u, more than the %llu allowed",
                     request->max, (unsigned long long)limits->line_moves);
  return 0;
}

/*
 * Letters become small. False where a byte is no digit. Always as many and no branches: compilers
 * make a few vector instructions of it.
 */
static bool take_hex(uint8_t digits[static ID_TEXT])
{
  uint8_t wrong = 0;
  for (uint32_t i = 0; i < ID_TEXT; i++) {
    uint8_t small = digits[i] | 0x20;
    uint8_t is_digit = (uint8_t)(digits[i] - '0') < 10, is_letter = (uint8_t)(small - 'a') < 6;
    wrong |= !(is_digit | is_letter);
    digits[i] = is_letter ? small : digits[i];
  }
  return !wrong;
}

static int read_puzzle_id(const char *place, const struct value *value, char id[static ID_TEXT + 1],
                          struct fault *fault)
{
  uint64_t length = value->length;
  if (value->kind != VALUE_TEXT)
    return value_refuse(value, ERROR_PARAMS, place, "a puzzle's id", fault);
  if (length < ID_PREFIX_MIN || length > ID_TEXT)
    return fault_set(fault, ERROR_PARAMS, "%s has %llu digits, not %d to %d", place,
                     (unsigned long long)length, ID_PREFIX_MIN, ID_TEXT);
  memset(id, '0', ID_TEXT);
  memcpy(id, value->payload, length);
  bool is_hex = take_hex((uint8_t *)id);
  id[length] = '\0';
  return is_hex ? 0 : value_refuse(value, ERROR_PARAMS, place, "hexadecimal", fault);
}

static int read_flag(const struct value *value, bool *flag, struct fault *fault)
{
  if (value->kind != VALUE_BOOLEAN)
    return value_refuse(value, ERROR_PARAMS, "params.progress", "true or false", fault);
  *flag = value->number;
  return 0;
}

/* A number that no node can have makes a bad state; what is no number makes bad parameters. */
static int read_node(const char *path, const struct value *value, uint32_t *node,
                     struct fault *fault)
{
  if (value_uint32(value, node))
    return 0;
  enum error error = value_is_integer(value) ? ERROR_BAD_STATE : ERROR_PARAMS;
  return value_refuse(value, error, path, "a node number", fault);
}

static int read_cell(const char *path, const struct entry *entry, uint32_t *row, uint32_t *col,
                     struct fault *fault)
{
  struct reader inside = entry->children;
  struct value first, second;
  if (!value_is_list(&entry->value) || entry->value.children != 2)
    return value_refuse(&entry->value, ERROR_PARAMS, path, "a row and a column", fault);
  reader_next(&inside, &first);
  reader_next(&inside, &second);
  if (value_uint32(&first, row) && value_uint32(&second, col))
    return 0;
  return fault_set(fault, ERROR_PARAMS, "%s is not a row and a column", path);
}

static int read_place(const char *path, const struct entry *entry, bool by_row, uint32_t *row,
                      uint32_t *place, struct fault *fault)
{
  return by_row ? read_cell(path, entry, row, place, fault)
                : read_node(path, &entry->value, place, fault);
}

static int read_turn(const struct value *value, enum player *turn, struct fault *fault)
{
  uint32_t number = UINT32_MAX;
  value_uint32(value, &number);
  if (number == PLAYER_MOUSE || value_is_text(value, "mouse"))
    *turn = PLAYER_MOUSE;
  else if (number == PLAYER_CAT || value_is_text(value, "cat"))
    *turn = PLAYER_CAT;
  else
    return value_refuse(value, ERROR_BAD_STATE, "params.state.turn", "\"mouse\" or \"cat\"", fault);
  return 0;
}

/*
 * A map of three keys in any order: {"mouse": 10, "cat": 6, "turn": "mouse"}, or with places that
 * are cells of a grid, {"mouse": [2, 0], "cat": [1, 1], "turn": "mouse"}. How wide the grid is,
 * only its puzzle knows, so these become nodes when that is found.
 */
static int read_state(const struct value *map, struct reader *reader, struct request *request,
                      struct fault *fault)
{
  enum { MOUSE, CAT, TURN, KEYS };
  static const char *const names[KEYS] = {"mouse", "cat", "turn"};
  static const struct map_keys keys = {"params.state", ERROR_PARAMS, true, KEYS, names};
  struct state *state = &request->state;
  struct entry entries[KEYS];
  if (map_read(reader, map, &keys, entries, fault))
    return -EBADMSG;
  request->by_row = value_is_list(&entries[MOUSE].value);
  if (read_place("params.state.mouse", &entries[MOUSE], request->by_row, &request->mouse_row,
                 &state->mouse, fault) ||
      read_place("params.state.cat", &entries[CAT], request->by_row, &request->cat_row, &state->cat,
                 fault))
    return -EBADMSG;
  return read_turn(&entries[TURN].value, &state->turn, fault);
}

/* `value` was just read; its children, if any, come next. */
static int read_param(enum param param, const struct value *value, struct reader *reader,
                      const struct message_limits *limits, struct request *request,
                      struct fault *fault)
{
  switch (param) {
  case PARAM_CLIENT: return read_text("params.client", value, request->client, fault);
  case PARAM_VERSION: return read_text("params.version", value, request->version, fault);
  case PARAM_PUZZLE:
    return puzzle_read(value, reader, limits, &request->puzzle, &request->puzzle_memory, fault);
  case PARAM_WAIT_MS: return read_number("params.wait_ms", value, &request->wait_ms, fault);
  case PARAM_PROGRESS: return read_flag(value, &request->progress, fault);
  case PARAM_STATE: return read_state(value, reader, request, fault);
  case PARAM_ID: return read_puzzle_id("params.id", value, request->puzzle_id, fault);
  case PARAM_LIMIT: return read_number("params.limit", value, &request->limit_plies, fault);
  case PARAM_MAX: return read_max(value, limits, request, fault);
  case PARAM_DEPTH: return read_number("params.depth", value, &request->depth_plies, fault);
  case PARAM_REQUEST:
    return request_id_read(value, limits, "params.id", ERROR_PARAMS, &request->cancels, fault);
  case PARAM_CANCEL_PUZZLE:
    return read_puzzle_id("params.puzzle", value, request->puzzle_id, fault);
  default: return -EBADMSG;
  }
}

/* Among those the method takes: `id` names a puzzle or a request, depending on who asks. */
static enum param find_param(const struct method_kind *method, const struct value *name)
{
  uint32_t taken = method->required | method->optional;
#define X(constant, wire_name, type)                           \
  if ((taken & P(constant)) && value_is_text(name, wire_name)) \
    return PARAM_##constant;
  PROTO_PARAMS(X)
#undef X
  return PARAM_COUNT;
}

/* Null says as much as a parameter that is not there. `seen` is a bit set of enum param. */
static int read_entry(struct reader *reader, const struct message_limits *limits,
                      struct request *request, uint32_t *seen, struct fault *fault)
{
  const struct method_kind *method = &method_kinds[request->method];
  struct value name, value;
  reader_next(reader, &name);
  if (name.kind != VALUE_TEXT)
    return fault_set(fault, ERROR_PARAMS, "a key of params is %s, not a text",
                     value_describe(name).text);
  enum param param = find_param(method, &name);
  if (param == PARAM_COUNT)
    return fault_set(fault, ERROR_PARAMS, "%s has no parameter '%s'", method->name,
                     value_quote(name).text);
  if (*seen >> param & 1)
    return fault_set(fault, ERROR_PARAMS, "params.%s is given twice", param_kinds[param].name);
  *seen |= 1u << param;
  reader_next(reader, &value);
  if (value.kind == VALUE_NIL)
    return 0;
  if (read_param(param, &value, reader, limits, request, fault))
    return -EBADMSG;
  request->given |= 1u << param;
  return 0;
}

static int check_given(const struct request *request, struct fault *fault)
{
  const uint32_t puzzle = PUZZLE_PARAMS, cancelled = P(REQUEST) | P(CANCEL_PUZZLE);
  const struct method_kind *method = &method_kinds[request->method];
  uint32_t given = request->given, missing = method->required & ~given;
  if (missing)
    return fault_set(fault, ERROR_PARAMS, "%s needs the parameter '%s'", method->name,
                     param_kinds[__builtin_ctz(missing)].name);
  if ((given & puzzle) == puzzle || (given & cancelled) == cancelled)
    return fault_set(fault, ERROR_PARAMS, "%s takes id or puzzle, not both", method->name);
  if (request->method == METHOD_CANCEL && !given)
    return fault_set(fault, ERROR_PARAMS, "cancel needs the parameter 'id' or 'puzzle'");
  return 0;
}

/*
 * Reads what `request->method` takes: `params` is a map, a list of one map, or nothing (nil, an
 * empty list, or no value at all), and `reader` stands where its children begin. What
 * request_deinit() frees may be held either way.
 */
static int read_params(struct value *params, struct reader *reader,
                       const struct message_limits *limits, struct request *request,
                       struct fault *fault)
{
  uint32_t seen = 0;
  if (value_is_list(params) && params->children == 1)
    reader_next(reader, params);
  bool is_nothing = params->kind == VALUE_NONE || params->kind == VALUE_NIL ||
                    (value_is_list(params) && params->children == 0);
  if (!value_is_map(params) && !is_nothing)
    return value_refuse(params, ERROR_PARAMS, "params", "a map or a list of one map", fault);
  for (uint64_t left = is_nothing ? 0 : params->children; left > 0; left -= 2)
    if (read_entry(reader, limits, request, &seen, fault))
      return -EBADMSG;
  if (request_has(request, PARAM_MAX) && request->max == 0) /* none of the caller's own */
    request->given &= ~P(MAX);
  return check_given(request, fault);
}

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
  return read_params(params, reader, limits, request, fault);
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
