/*
 * A map of three keys in any order: {"mouse": 10, "cat": 6, "turn": "mouse"}, or with places that are cells of
 * a grid, {"mouse": [2, 0], "cat": [1, 1], "turn": "mouse"}. How wide the grid is, only its puzzle knows, so
 * these become nodes when that is found.
 */
#include "proto/state_read.h"

#include <errno.h>

/* X(constant, key) */
#define STATE_KEYS(X) X(MOUSE, "mouse") X(CAT, "cat") X(TURN, "turn")

enum state_key {
#define X(constant, key) STATE_##constant,
  STATE_KEYS(X)
#undef X
      STATE_COUNT
};

static const char *const state_paths[STATE_COUNT] = {
#define X(constant, key) "params.state." key,
    STATE_KEYS(X)
#undef X
};

static enum state_key key_named(const struct value *name)
{
#define X(constant, key)        \
  if (value_is_text(name, key)) \
    return STATE_##constant;
  STATE_KEYS(X)
#undef X
  return STATE_COUNT;
}

static int take_entry(struct reader *reader, struct value *found, unsigned *given,
                      struct fault *fault)
{
  struct value name;
  reader_next(reader, &name);
  enum state_key key = key_named(&name);
  if (key == STATE_COUNT)
    return fault_set(fault, ERROR_PARAMS, "params.state has an unknown key: %s",
                     value_describe(name).text);
  if (*given >> key & 1)
    return fault_set(fault, ERROR_PARAMS, "%s is given twice", state_paths[key]);
  *given |= 1u << key;
  reader_next(reader, &found[key]);
  reader_skip(reader, &found[key]);
  return 0;
}

static int find_keys(struct reader *reader, uint64_t children, struct value *found,
                     struct fault *fault)
{
  unsigned given = 0;
  for (; children > 0; children -= 2)
    if (take_entry(reader, found, &given, fault))
      return -EBADMSG;
  for (enum state_key key = 0; key < STATE_COUNT; key++)
    if (!(given >> key & 1))
      return fault_set(fault, ERROR_PARAMS, "%s is missing", state_paths[key]);
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

static int read_cell(const char *path, const struct value *value, const char *end, uint32_t *row,
                     uint32_t *col, struct fault *fault)
{
  if (!value_is_list(value) || value->children != 2)
    return value_refuse(value, ERROR_PARAMS, path, "a row and a column", fault);
  struct reader inside = reader_on(value->payload, (size_t)(end - value->payload));
  struct value first, second;
  reader_next(&inside, &first);
  reader_next(&inside, &second);
  if (value_uint32(&first, row) && value_uint32(&second, col))
    return 0;
  return fault_set(fault, ERROR_PARAMS, "%s is not a row and a column", path);
}

static int read_places(const struct value *found, const char *end, struct request *request,
                       struct fault *fault)
{
  const struct value *mouse = &found[STATE_MOUSE], *cat = &found[STATE_CAT];
  const char *mouse_path = state_paths[STATE_MOUSE], *cat_path = state_paths[STATE_CAT];
  struct state *state = &request->state;
  request->by_row = value_is_list(mouse);
  if (!request->by_row)
    return read_node(mouse_path, mouse, &state->mouse, fault)
               ? -EBADMSG
               : read_node(cat_path, cat, &state->cat, fault);
  return read_cell(mouse_path, mouse, end, &request->mouse_row, &state->mouse, fault)
             ? -EBADMSG
             : read_cell(cat_path, cat, end, &request->cat_row, &state->cat, fault);
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
    return value_refuse(value, ERROR_BAD_STATE, state_paths[STATE_TURN], "\"mouse\" or \"cat\"",
                        fault);
  return 0;
}

int state_read(struct reader *reader, struct request *request, struct fault *fault)
{
  struct value found[STATE_COUNT] = {0};
  struct value map;
  reader_next(reader, &map);
  if (!value_is_map(&map))
    return value_refuse(&map, ERROR_PARAMS, "params.state", "a map", fault);
  if (find_keys(reader, map.children, found, fault) ||
      read_places(found, reader->end, request, fault))
    return -EBADMSG;
  return read_turn(&found[STATE_TURN], &request->state.turn, fault);
}
