/*
 * Values to struct puzzle: the map, whose lists puzzle_lists.c takes. Only form is checked: numbers
 * may be out of range and rows ragged, which arena_new() will say. Each failure names the place as its author
 * would: graph[3][1].
 */
#include "proto/puzzle_read.h"

#include <errno.h>

#include "proto/map_read.h"
#include "proto/puzzle_lists.h"

enum key {
  KEY_GRAPH,
  KEY_GRID,
  KEY_CAT_JUMP,
  KEY_MOUSE_JUMP,
  KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {"graph", "grid", "catJump", "mouseJump"};
static const struct map_keys keys = {"puzzle", ERROR_BAD_PUZZLE, false, KEY_COUNT, key_names};

static int read_jump(const struct entry *entries, enum key key, int32_t *jump, struct fault *fault)
{
  if (!entry_given(&entries[key]))
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has a grid but no %s", key_names[key]);
  if (!value_int32(&entries[key].value, jump))
    return value_refuse(&entries[key].value, ERROR_BAD_PUZZLE, key_names[key], "a number of cells",
                        fault);
  return 0;
}

static int read_grid(const struct entry *entries, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  const struct value *grid = &entries[KEY_GRID].value;
  int32_t jump[2];
  if (!value_is_list(grid))
    return value_refuse(grid, ERROR_BAD_PUZZLE, "grid", "a list", fault);
  if (read_jump(entries, KEY_CAT_JUMP, &jump[PLAYER_CAT], fault) ||
      read_jump(entries, KEY_MOUSE_JUMP, &jump[PLAYER_MOUSE], fault))
    return -EBADMSG;
  return grid_read(entries[KEY_GRID].children, grid->children, jump, limits, puzzle, memory, fault);
}

static int read_map(struct reader *reader, const struct value *map,
                    const struct message_limits *limits, struct puzzle *puzzle, void **memory,
                    struct fault *fault)
{
  struct entry entries[KEY_COUNT];
  if (map_read(reader, map, &keys, entries, fault))
    return -EBADMSG;
  if (!entry_given(&entries[KEY_GRAPH]) && !entry_given(&entries[KEY_GRID]))
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has neither graph nor grid");
  if (!entry_given(&entries[KEY_GRAPH]))
    return read_grid(entries, limits, puzzle, memory, fault);
  for (enum key key = KEY_GRID; key < KEY_COUNT; key++)
    if (entry_given(&entries[key]))
      return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has graph and %s", key_names[key]);
  return graph_read(&entries[KEY_GRAPH].children, &entries[KEY_GRAPH].value, limits, puzzle, memory,
                    fault);
}

int puzzle_read(const struct value *value, struct reader *reader,
                const struct message_limits *limits, struct puzzle *puzzle, void **memory,
                struct fault *fault)
{
  if (value_is_list(value))
    return graph_read(reader, value, limits, puzzle, memory, fault);
  if (value_is_map(value))
    return read_map(reader, value, limits, puzzle, memory, fault);
  return value_refuse(value, ERROR_BAD_PUZZLE, "puzzle", "a map or a list", fault);
}
