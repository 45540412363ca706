/*
 * Values to struct puzzle. Only form is checked: numbers may be out of range and rows ragged, which
 * arena_new() will say. Each failure names the place as its author would: graph[3][1].
 *
 * Lists are walked twice: they are counted and checked against the limits first, then one block
 * holds everything: a graph's offsets and neighbours, or a grid's pointers, lengths and cells.
 */
#include "proto/puzzle_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json_read.h"
#include "proto/map_read.h"

enum key {
  KEY_GRAPH,
  KEY_GRID,
  KEY_CAT_JUMP,
  KEY_MOUSE_JUMP,
  KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {"graph", "grid", "catJump", "mouseJump"};
static const struct map_keys keys = {"puzzle", ERROR_BAD_PUZZLE, false, KEY_COUNT, key_names};

/* What the readers of both games go by and write to. */
struct reading {
  const struct message_limits *limits;
  struct puzzle *puzzle;
  void **memory;
  struct fault *fault;
};

static int item_is_no(const struct reading *reading, const char *list, uint64_t index,
                      const struct value *value, const char *kind)
{
  return fault_set(reading->fault, ERROR_BAD_PUZZLE, "%s[%llu] is %s, not %s", list,
                   (unsigned long long)index, value_describe(*value).text, kind);
}

static void *allocate(const struct reading *reading, size_t bytes)
{
  void *memory = malloc(bytes);
  if (!memory)
    fault_set(reading->fault, ERROR_NO_MEMORY, "out of memory while reading the puzzle");
  return memory;
}

/* The lists' children, all together. Passes them. */
static int count_edges(const struct reading *reading, struct reader *reader, uint64_t lists,
                       uint64_t *edges)
{
  *edges = 0;
  if (graph_check_limits(lists, 0, reading->limits, reading->fault))
    return -EBADMSG;
  for (uint64_t node = 0; node < lists; node++) {
    struct value list;
    reader_next(reader, &list);
    if (!value_is_list(&list))
      return item_is_no(reading, "graph", node, &list, "a list");
    reader_skip(reader, &list);
    *edges += list.children;
  }
  return reader->error ? reader_finish(reader, reading->fault)
                       : graph_check_limits(lists, *edges, reading->limits, reading->fault);
}

static int fill_graph(const struct reading *reading, struct reader *reader, uint32_t nodes,
                      uint32_t *first, int32_t *neighbour)
{
  struct value value;
  first[0] = 0;
  for (uint32_t node = 0; node < nodes; node++) {
    reader_next(reader, &value);
    uint32_t count = (uint32_t)value.children;
    for (uint32_t i = 0; i < count; i++) {
      reader_next(reader, &value);
      if (!value_int32(&value, neighbour++))
        return fault_set(reading->fault, ERROR_BAD_PUZZLE, "graph[%u][%u] is %s, not a node number",
                         node, i, value_describe(value).text);
    }
    first[node + 1] = first[node] + count;
  }
  return 0;
}

/* `lists` is the value just read, whatever it is; its children are passed. */
static int read_graph(const struct reading *reading, struct reader *reader,
                      const struct value *lists)
{
  uint64_t edges;
  if (!value_is_list(lists))
    return value_refuse(lists, ERROR_BAD_PUZZLE, "graph", "a list", reading->fault);
  const struct reader begin = *reader;
  if (count_edges(reading, reader, lists->children, &edges))
    return -EBADMSG;
  *reader = begin;
  uint32_t nodes = (uint32_t)lists->children;
  uint32_t *first = allocate(reading, (nodes + 1 + edges) * sizeof *first);
  if (!first)
    return -EBADMSG;
  int32_t *neighbour = (int32_t *)first + nodes + 1;
  if (fill_graph(reading, reader, nodes, first, neighbour)) {
    free(first);
    return -EBADMSG;
  }
  *reading->puzzle = (struct puzzle){.game = GAME_GRAPH, .graph = {nodes, first, neighbour}};
  *reading->memory = first;
  return 0;
}

static int measure_grid(const struct reading *reading, struct reader reader, struct grid_size *size)
{
  for (uint64_t row = 0; row < size->rows; row++) {
    struct value text;
    reader_next(&reader, &text);
    if (text.kind != VALUE_TEXT)
      return item_is_no(reading, "grid", row, &text, "a text");
    size->cells += text.length;
    if (text.length > size->widest)
      size->widest = (uint32_t)text.length;
  }
  return 0;
}

static int copy_rows(const struct reading *reading, struct reader reader,
                     const struct grid_size *size, struct puzzle *puzzle)
{
  uint32_t rows = (uint32_t)size->rows;
  const char **row = allocate(reading, rows * (sizeof *row + sizeof(uint32_t)) + size->cells + 1);
  if (!row)
    return -EBADMSG;
  uint32_t *row_length = (uint32_t *)(row + rows);
  char *at = (char *)(row_length + rows);
  for (uint32_t i = 0; i < rows; i++) {
    struct value text;
    reader_next(&reader, &text);
    row[i] = memcpy(at, text.payload, text.length);
    row_length[i] = (uint32_t)text.length;
    at += text.length;
  }
  puzzle->grid.rows = rows;
  puzzle->grid.row = row;
  puzzle->grid.row_length = row_length;
  *reading->puzzle = *puzzle;
  *reading->memory = row;
  return 0;
}

static int read_jump(const struct reading *reading, const struct entry *entries, enum key key,
                     int32_t *jump)
{
  if (!entry_given(&entries[key]))
    return fault_set(reading->fault, ERROR_BAD_PUZZLE, "puzzle has a grid but no %s",
                     key_names[key]);
  if (!value_int32(&entries[key].value, jump))
    return value_refuse(&entries[key].value, ERROR_BAD_PUZZLE, key_names[key], "a number of cells",
                        reading->fault);
  return 0;
}

static int read_grid(const struct reading *reading, const struct entry *entries)
{
  const struct entry *grid = &entries[KEY_GRID];
  struct puzzle puzzle = {.game = GAME_GRID};
  int32_t *jump = puzzle.grid.jump;
  if (!value_is_list(&grid->value))
    return value_refuse(&grid->value, ERROR_BAD_PUZZLE, "grid", "a list", reading->fault);
  struct grid_size size = {.rows = grid->value.children};
  if (read_jump(reading, entries, KEY_CAT_JUMP, &jump[PLAYER_CAT]) ||
      read_jump(reading, entries, KEY_MOUSE_JUMP, &jump[PLAYER_MOUSE]) ||
      measure_grid(reading, grid->children, &size) ||
      grid_check_limits(&size, jump, reading->limits, reading->fault))
    return -EBADMSG;
  return copy_rows(reading, grid->children, &size, &puzzle);
}

static int read_map(const struct reading *reading, struct reader *reader, const struct value *map)
{
  struct entry entries[KEY_COUNT];
  if (map_read(reader, map, &keys, entries, reading->fault))
    return -EBADMSG;
  bool is_graph = entry_given(&entries[KEY_GRAPH]);
  if (!is_graph && !entry_given(&entries[KEY_GRID]))
    return fault_set(reading->fault, ERROR_BAD_PUZZLE, "puzzle has neither graph nor grid");
  if (!is_graph)
    return read_grid(reading, entries);
  for (enum key key = KEY_GRID; key < KEY_COUNT; key++)
    if (entry_given(&entries[key]))
      return fault_set(reading->fault, ERROR_BAD_PUZZLE, "puzzle has graph and %s", key_names[key]);
  return read_graph(reading, &entries[KEY_GRAPH].children, &entries[KEY_GRAPH].value);
}

int puzzle_read(const struct value *value, struct reader *reader,
                const struct message_limits *limits, struct puzzle *puzzle, void **memory,
                struct fault *fault)
{
  const struct reading reading = {limits, puzzle, memory, fault};
  if (value_is_list(value))
    return read_graph(&reading, reader, value);
  if (value_is_map(value))
    return read_map(&reading, reader, value);
  return value_refuse(value, ERROR_BAD_PUZZLE, "puzzle", "a map or a list", fault);
}

int puzzle_from_json(const char *text, size_t length, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  struct buffer packed;
  struct value value;
  buffer_init(&packed);
  int error = json_read(text, length, limits, &packed, fault);
  struct reader reader = reader_on(packed.data, packed.length);
  if (error && fault->error == ERROR_REQUEST) /* good JSON, but no value this program can hold */
    fault->error = ERROR_BAD_PUZZLE;
  reader_next(&reader, &value);
  if (error == 0)
    error = puzzle_read(&value, &reader, limits, puzzle, memory, fault);
  buffer_deinit(&packed);
  return error;
}
