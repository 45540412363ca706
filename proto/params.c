/*
 * One reader a parameter. What a method may and must have is asked of the tables alone; a parameter
 * that it has not, a missing one and one of the wrong type are each named in the fault.
 */
#include "proto/params.h"

#include <errno.h>
#include <string.h>

#include "proto/object.h"
#include "proto/puzzle_read.h"

static int wrong_type(const char *path, const msgpack_object *object, const char *kind,
                      struct fault *fault)
{
  return fault_set(fault, ERROR_PARAMS, "params.%s is %s, not %s", path,
                   object_describe(object).text, kind);
}

int request_id_read(const msgpack_object *object, const struct message_limits *limits,
                    const char *what, enum error error, struct request_id *id, struct fault *fault)
{
  const msgpack_object_str *text = &object->via.str;
  if (object_int64(object, &id->number)) {
    id->kind = REQUEST_ID_NUMBER;
    return 0;
  }
  if (object->type != MSGPACK_OBJECT_STR || object_text_has(object, '\0'))
    return fault_set(fault, error, "%s is %s, neither a number nor a text", what,
                     object_describe(object).text);
  if (text->size > limits->request_id_bytes || text->size > REQUEST_ID_TEXT_MAX)
    return fault_set(fault, ERROR_LIMIT, "%s has %u bytes, more than the %llu allowed", what,
                     text->size, (unsigned long long)limits->request_id_bytes);
  id->kind = REQUEST_ID_TEXT;
  object_copy_text(object, REQUEST_ID_TEXT_MAX, id->text);
  return 0;
}

static int read_text(const char *name, const msgpack_object *value, char *text, struct fault *fault)
{
  if (value->type != MSGPACK_OBJECT_STR)
    return wrong_type(name, value, "a text", fault);
  object_copy_text(value, PARAM_TEXT_MAX, text);
  return 0;
}

static int read_number(const char *name, const msgpack_object *value, uint32_t *number,
                       struct fault *fault)
{
  return object_uint32(value, number) ? 0 : wrong_type(name, value, "a 32-bit number", fault);
}

static int read_max(const msgpack_object *value, const struct message_limits *limits,
                    struct request *request, struct fault *fault)
{
  if (read_number("max", value, &request->max, fault))
    return -EBADMSG;
  if (request->max > limits->line_moves)
    return fault_set(fault, ERROR_LIMIT, "params.max is %u, more than the %llu allowed",
                     request->max, (unsigned long long)limits->line_moves);
  return 0;
}

static int read_puzzle_id(const msgpack_object *value, char *id, struct fault *fault)
{
  const msgpack_object_str *text = &value->via.str;
  if (value->type != MSGPACK_OBJECT_STR)
    return wrong_type("id", value, "a puzzle's id", fault);
  if (text->size < ID_PREFIX_MIN || text->size > ID_TEXT)
    return fault_set(fault, ERROR_PARAMS, "params.id has %u digits, not %d to %d", text->size,
                     ID_PREFIX_MIN, ID_TEXT);
  for (uint32_t i = 0; i < text->size; i++) {
    char digit = text->ptr[i];
    if (digit >= 'A' && digit <= 'F')
      digit = (char)(digit - 'A' + 'a');
    if (!(digit >= '0' && digit <= '9') && !(digit >= 'a' && digit <= 'f'))
      return wrong_type("id", value, "hexadecimal", fault);
    id[i] = digit;
  }
  id[text->size] = '\0';
  return 0;
}

enum state_key {
  STATE_MOUSE,
  STATE_CAT,
  STATE_TURN,
  STATE_KEYS,
};

static const char *const state_paths[STATE_KEYS] = {"state.mouse", "state.cat", "state.turn"};

static int find_state_keys(const msgpack_object_map *map, const msgpack_object **found,
                           struct fault *fault)
{
  for (uint32_t i = 0; i < map->size; i++) {
    const msgpack_object *name = &map->ptr[i].key;
    enum state_key key = 0;
    while (key < STATE_KEYS && !object_is_text(name, strchr(state_paths[key], '.') + 1))
      key++;
    if (key == STATE_KEYS)
      return fault_set(fault, ERROR_PARAMS, "params.state has an unknown key: %s",
                       object_describe(name).text);
    if (found[key])
      return fault_set(fault, ERROR_PARAMS, "params.%s is given twice", state_paths[key]);
    found[key] = &map->ptr[i].val;
  }
  for (enum state_key key = 0; key < STATE_KEYS; key++)
    if (!found[key])
      return fault_set(fault, ERROR_PARAMS, "params.%s is missing", state_paths[key]);
  return 0;
}

static int read_node(const char *path, const msgpack_object *value, uint32_t *node,
                     struct fault *fault)
{
  if (object_uint32(value, node))
    return 0;
  if (!object_is_integer(value))
    return wrong_type(path, value, "a node number", fault);
  return fault_set(fault, ERROR_BAD_STATE, "%s is %s, not a node number", path,
                   object_describe(value).text);
}

static int read_turn(const msgpack_object *value, enum player *turn, struct fault *fault)
{
  uint32_t number = UINT32_MAX;
  object_uint32(value, &number);
  if (number == PLAYER_MOUSE || object_is_text(value, "mouse"))
    *turn = PLAYER_MOUSE;
  else if (number == PLAYER_CAT || object_is_text(value, "cat"))
    *turn = PLAYER_CAT;
  else
    return fault_set(fault, ERROR_BAD_STATE, "state.turn is %s, not \"mouse\" or \"cat\"",
                     object_describe(value).text);
  return 0;
}

static int read_state(const msgpack_object *value, struct state *state, struct fault *fault)
{
  const msgpack_object *found[STATE_KEYS] = {NULL};
  if (value->type != MSGPACK_OBJECT_MAP)
    return wrong_type("state", value, "a map", fault);
  if (find_state_keys(&value->via.map, found, fault) ||
      read_node(state_paths[STATE_MOUSE], found[STATE_MOUSE], &state->mouse, fault) ||
      read_node(state_paths[STATE_CAT], found[STATE_CAT], &state->cat, fault))
    return -EBADMSG;
  return read_turn(found[STATE_TURN], &state->turn, fault);
}

static int read_flag(const msgpack_object *value, bool *flag, struct fault *fault)
{
  if (value->type != MSGPACK_OBJECT_BOOLEAN)
    return wrong_type("progress", value, "true or false", fault);
  *flag = value->via.boolean;
  return 0;
}

static int read_param(enum param param, const msgpack_object *value,
                      const struct message_limits *limits, struct request *request,
                      struct fault *fault)
{
  switch (param) {
  case PARAM_CLIENT: return read_text("client", value, request->client, fault);
  case PARAM_VERSION: return read_text("version", value, request->version, fault);
  case PARAM_PUZZLE:
    return puzzle_read(value, limits, &request->puzzle, &request->puzzle_memory, fault);
  case PARAM_WAIT_MS: return read_number("wait_ms", value, &request->wait_ms, fault);
  case PARAM_PROGRESS: return read_flag(value, &request->progress, fault);
  case PARAM_STATE: return read_state(value, &request->state, fault);
  case PARAM_ID: return read_puzzle_id(value, request->puzzle_id, fault);
  case PARAM_LIMIT: return read_number("limit", value, &request->limit_plies, fault);
  case PARAM_MAX: return read_max(value, limits, request, fault);
  case PARAM_REQUEST:
    return request_id_read(value, limits, "params.id", ERROR_PARAMS, &request->cancels, fault);
  default: return -EBADMSG;
  }
}

/* Among those the method takes: `id` names a puzzle or a request, depending on who asks. */
static enum param find_param(const struct method_kind *method, const msgpack_object *name)
{
  uint32_t taken = method->required | method->optional;
  enum param param = 0;
  while (param < PARAM_COUNT &&
         (!(taken >> param & 1) || !object_is_text(name, param_kinds[param].name)))
    param++;
  return param;
}

static int read_entry(const msgpack_object_kv *entry, const struct message_limits *limits,
                      struct request *request, struct fault *fault)
{
  const struct method_kind *method = &method_kinds[request->method];
  if (entry->key.type != MSGPACK_OBJECT_STR)
    return fault_set(fault, ERROR_PARAMS, "a key of params is %s, not a text",
                     object_describe(&entry->key).text);
  enum param param = find_param(method, &entry->key);
  if (param == PARAM_COUNT)
    return fault_set(fault, ERROR_PARAMS, "%s has no parameter '%s'", method->name,
                     object_quote(&entry->key).text);
  if (request_has(request, param))
    return fault_set(fault, ERROR_PARAMS, "params.%s is given twice", param_kinds[param].name);
  if (read_param(param, &entry->val, limits, request, fault))
    return -EBADMSG;
  request->given |= 1u << param;
  return 0;
}

static int check_given(const struct request *request, struct fault *fault)
{
  const struct method_kind *method = &method_kinds[request->method];
  for (enum param param = 0; param < PARAM_COUNT; param++)
    if (method->required >> param & 1 && !request_has(request, param))
      return fault_set(fault, ERROR_PARAMS, "%s needs the parameter '%s'", method->name,
                       param_kinds[param].name);
  if (request_has(request, PARAM_ID) && request_has(request, PARAM_PUZZLE))
    return fault_set(fault, ERROR_PARAMS, "%s takes id or puzzle, not both", method->name);
  return 0;
}

/* NULL where there are none; the object itself where it is no form of params. */
static const msgpack_object *unwrap(const msgpack_object *params)
{
  const bool is_list = params && params->type == MSGPACK_OBJECT_ARRAY;
  if (is_list && params->via.array.size == 1)
    params = params->via.array.ptr;
  if (!params || params->type == MSGPACK_OBJECT_NIL ||
      (params->type == MSGPACK_OBJECT_ARRAY && params->via.array.size == 0))
    return NULL;
  return params;
}

int params_read(const msgpack_object *params, const struct message_limits *limits,
                struct request *request, struct fault *fault)
{
  const msgpack_object *map = unwrap(params);
  if (map && map->type != MSGPACK_OBJECT_MAP)
    return fault_set(fault, ERROR_PARAMS, "params is %s, not a map or a list of one map",
                     object_describe(map).text);
  for (uint32_t i = 0; map && i < map->via.map.size; i++)
    if (read_entry(&map->via.map.ptr[i], limits, request, fault))
      return -EBADMSG;
  return check_given(request, fault);
}
