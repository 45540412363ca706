/*
 * Values to struct puzzle: the map, whose lists puzzle_lists.c takes. Only form is checked: numbers
 * may be out of range and rows ragged, which arena_new() will say. Each failure names the place as its author
 * would: graph[3][1].
 */
#include "proto/puzzle_read.h"

#include <errno.h>

#include "proto/puzzle_lists.h"

enum key {
  KEY_GRAPH,
  KEY_GRID,
  KEY_CAT_JUMP,
  KEY_MOUSE_JUMP,
  KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {"graph", "grid", "catJump", "mouseJump"};

/* What a puzzle's map holds: lists are read where they lie, once it is known which game it is. */
struct entries {
  struct value value[KEY_COUNT];     /* ITEM_NONE where there is no such key */
  struct reader children[KEY_COUNT]; /* of the values */
};

/* Null says as much as a key that is not there. */
static bool has(const struct entries *entries, enum key key)
{
  return entries->value[key].kind != ITEM_NONE && entries->value[key].kind != ITEM_NIL;
}

static int read_jump(const struct entries *entries, enum key key, int32_t *jump,
                     struct fault *fault)
{
  if (!has(entries, key))
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has a grid but no %s", key_names[key]);
  if (!value_int32(&entries->value[key], jump))
    return value_refuse(&entries->value[key], ERROR_BAD_PUZZLE, key_names[key], "a number of cells",
                        fault);
  return 0;
}

static int read_grid(const struct entries *entries, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  const struct value *grid = &entries->value[KEY_GRID];
  int32_t jump[2];
  if (!value_is_list(grid))
    return value_refuse(grid, ERROR_BAD_PUZZLE, "grid", "a list", fault);
  if (read_jump(entries, KEY_CAT_JUMP, &jump[PLAYER_CAT], fault) ||
      read_jump(entries, KEY_MOUSE_JUMP, &jump[PLAYER_MOUSE], fault))
    return -EBADMSG;
  return grid_read(entries->children[KEY_GRID], grid->children, jump, limits, puzzle, memory,
                   fault);
}

static int take_entry(struct reader *reader, struct entries *entries, struct fault *fault)
{
  struct value name;
  reader_next(reader, &name);
  enum key key = 0;
  while (key < KEY_COUNT && !value_is_text(&name, key_names[key]))
    key++;
  if (key == KEY_COUNT)
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has an unknown key: %s",
                     value_describe(name).text);
  if (entries->value[key].kind != ITEM_NONE)
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has %s twice", key_names[key]);
  reader_next(reader, &entries->value[key]);
  entries->children[key] = *reader;
  reader_skip(reader, &entries->value[key]);
  return 0;
}

static int read_map(struct reader *reader, const struct value *map,
                    const struct message_limits *limits, struct puzzle *puzzle, void **memory,
                    struct fault *fault)
{
  struct entries entries = {0};
  for (uint64_t left = map->children; left > 0; left -= 2)
    if (take_entry(reader, &entries, fault))
      return -EBADMSG;
  if (!has(&entries, KEY_GRAPH) && !has(&entries, KEY_GRID))
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has neither graph nor grid");
  if (!has(&entries, KEY_GRAPH))
    return read_grid(&entries, limits, puzzle, memory, fault);
  for (enum key key = KEY_GRID; key < KEY_COUNT; key++)
    if (has(&entries, key))
      return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has graph and %s", key_names[key]);
  return graph_read(&entries.children[KEY_GRAPH], &entries.value[KEY_GRAPH], limits, puzzle, memory,
                    fault);
}

int puzzle_read(struct reader *reader, const struct message_limits *limits, struct puzzle *puzzle,
                void **memory, struct fault *fault)
{
  struct value value;
  reader_next(reader, &value);
  if (value_is_list(&value))
    return graph_read(reader, &value, limits, puzzle, memory, fault);
  if (value_is_map(&value))
    return read_map(reader, &value, limits, puzzle, memory, fault);
  return value_refuse(&value, ERROR_BAD_PUZZLE, "puzzle", "a map or a list", fault);
}
