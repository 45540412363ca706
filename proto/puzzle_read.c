/*
 * Values to struct puzzle: the map, whose lists graph_read.c and grid_read.c take. Only form is checked: numbers
 * may be out of range and rows ragged, which arena_new() will say. Each failure names the place as its author
 * would: graph[3][1].
 */
#include "proto/puzzle_read.h"

#include <errno.h>

#include "proto/json_read.h"
#include "proto/puzzle_parts.h"
#include "proto/puzzle_text.h"

enum key {
  KEY_GRAPH,
  KEY_GRID,
  KEY_CAT_JUMP,
  KEY_MOUSE_JUMP,
  KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {"graph", "grid", "catJump", "mouseJump"};

int puzzle_over_limit(const char *what, uint64_t count, uint64_t limit, struct fault *fault)
{
  return fault_set(fault, ERROR_LIMIT, "the puzzle has %llu %s, more than the %llu allowed",
                   (unsigned long long)count, what, (unsigned long long)limit);
}

int puzzle_is_no(const char *place, const struct value *value, const char *kind,
                 struct fault *fault)
{
  return fault_set(fault, ERROR_BAD_PUZZLE, "%s is %s, not %s", place, value_describe(*value).text,
                   kind);
}

int puzzle_item_is_no(const char *list, uint64_t index, const struct value *value, const char *kind,
                      struct fault *fault)
{
  return fault_set(fault, ERROR_BAD_PUZZLE, "%s[%llu] is %s, not %s", list,
                   (unsigned long long)index, value_describe(*value).text, kind);
}

int puzzle_no_memory(struct fault *fault)
{
  return fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the puzzle");
}

/* What a puzzle's map holds: lists are read where they lie, once it is known which game it is. */
struct entries {
  bool given[KEY_COUNT];
  struct value value[KEY_COUNT];
  struct reader children[KEY_COUNT]; /* of the values */
};

static int read_jump(const struct entries *entries, enum key key, int32_t *jump,
                     struct fault *fault)
{
  if (!entries->given[key])
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has a grid but no %s", key_names[key]);
  if (!value_int32(&entries->value[key], jump))
    return puzzle_is_no(key_names[key], &entries->value[key], "a number of cells", fault);
  return 0;
}

static int read_grid(const struct entries *entries, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  const struct value *grid = &entries->value[KEY_GRID];
  int32_t jump[2];
  if (!value_is_list(grid))
    return puzzle_is_no("grid", grid, "a list", fault);
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
  if (entries->given[key])
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has %s twice", key_names[key]);
  entries->given[key] = true;
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
  if (!entries.given[KEY_GRAPH] && !entries.given[KEY_GRID])
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has neither graph nor grid");
  if (!entries.given[KEY_GRAPH])
    return read_grid(&entries, limits, puzzle, memory, fault);
  for (enum key key = KEY_GRID; key < KEY_COUNT; key++)
    if (entries.given[key])
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
  return puzzle_is_no("puzzle", &value, "a map or a list", fault);
}

int puzzle_from_json(const char *text, size_t length, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  struct buffer packed;
  buffer_init(&packed);
  int error = json_read(text, length, limits, &packed, fault);
  struct reader reader = reader_on(packed.data, packed.length);
  if (error && fault->error == ERROR_REQUEST) /* good JSON, but no value this program can hold */
    fault->error = ERROR_BAD_PUZZLE;
  if (error == 0)
    error = puzzle_read(&reader, limits, puzzle, memory, fault);
  buffer_deinit(&packed);
  return error;
}
