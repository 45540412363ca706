/*
 * A map of three keys in any order: {"mouse": 10, "cat": 6, "turn": "mouse"}, or with places that are cells of
 * a grid, {"mouse": [2, 0], "cat": [1, 1], "turn": "mouse"}. How wide the grid is, only its puzzle knows, so
 * these become nodes when that is found.
 */
#include "proto/state_read.h"

#include <errno.h>

#include "proto/map_read.h"

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

int state_read(const struct value *map, struct reader *reader, struct request *request,
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
