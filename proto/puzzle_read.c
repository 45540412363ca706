/*
 * Values to struct puzzle. Only form is checked here: numbers may be out of range and rows ragged,
 * which arena_new() will say. Each failure names the place as its author would: graph[3][1].
 */
#include "proto/puzzle_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "proto/document.h"
#include "proto/object.h"
#include "proto/puzzle_text.h"

enum key {
  KEY_GRAPH,
  KEY_GRID,
  KEY_CAT_JUMP,
  KEY_MOUSE_JUMP,
  KEY_COUNT,
};

static const char *const key_names[KEY_COUNT] = {"graph", "grid", "catJump", "mouseJump"};

static int over_limit(const char *what, uint64_t count, uint64_t limit, struct fault *fault)
{
  return fault_set(fault, ERROR_LIMIT, "the puzzle has %llu %s, more than the %llu allowed",
                   (unsigned long long)count, what, (unsigned long long)limit);
}

static int is_no(const char *place, const msgpack_object *object, const char *kind,
                 struct fault *fault)
{
  return fault_set(fault, ERROR_BAD_PUZZLE, "%s is %s, not %s", place, object_describe(object).text,
                   kind);
}

static int item_is_no(const char *list, uint32_t index, const msgpack_object *object,
                      const char *kind, struct fault *fault)
{
  return fault_set(fault, ERROR_BAD_PUZZLE, "%s[%u] is %s, not %s", list, index,
                   object_describe(object).text, kind);
}

static int out_of_memory(struct fault *fault)
{
  return fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the puzzle");
}

static int count_edges(const msgpack_object_array *lists, const struct message_limits *limits,
                       uint64_t *edges, struct fault *fault)
{
  uint64_t sum = 0;
  if (lists->size > limits->nodes)
    return over_limit("nodes", lists->size, limits->nodes, fault);
  for (uint32_t node = 0; node < lists->size; node++) {
    const msgpack_object *list = &lists->ptr[node];
    if (list->type != MSGPACK_OBJECT_ARRAY)
      return item_is_no("graph", node, list, "a list", fault);
    sum += list->via.array.size;
  }
  if (sum > limits->edges || sum > UINT32_MAX)
    return over_limit("neighbours", sum, limits->edges, fault);
  *edges = sum;
  return 0;
}

static int fill_neighbours(const msgpack_object_array *list, uint32_t node, int32_t *neighbour,
                           struct fault *fault)
{
  for (uint32_t i = 0; i < list->size; i++)
    if (!object_int32(&list->ptr[i], &neighbour[i]))
      return fault_set(fault, ERROR_BAD_PUZZLE, "graph[%u][%u] is %s, not a node number", node, i,
                       object_describe(&list->ptr[i]).text);
  return 0;
}

static int read_graph(const msgpack_object *object, const struct message_limits *limits,
                      struct puzzle *puzzle, void **memory, struct fault *fault)
{
  uint64_t edges = 0;
  const msgpack_object_array *lists = &object->via.array;
  if (object->type != MSGPACK_OBJECT_ARRAY)
    return is_no("graph", object, "a list", fault);
  if (count_edges(lists, limits, &edges, fault))
    return -EBADMSG;
  uint32_t *first = malloc((lists->size + 1 + edges) * sizeof *first);
  if (!first)
    return out_of_memory(fault);
  int32_t *neighbour = (int32_t *)first + lists->size + 1;
  first[0] = 0;
  for (uint32_t node = 0; node < lists->size; node++) {
    const msgpack_object_array *list = &lists->ptr[node].via.array;
    if (fill_neighbours(list, node, neighbour + first[node], fault)) {
      free(first);
      return -EBADMSG;
    }
    first[node + 1] = first[node] + list->size;
  }
  *puzzle = (struct puzzle){.game = GAME_GRAPH, .graph = {lists->size, first, neighbour}};
  *memory = first;
  return 0;
}

struct grid_size {
  uint64_t cells;
  uint32_t widest;
};

static int measure_grid(const msgpack_object_array *rows, const struct message_limits *limits,
                        struct grid_size *size, struct fault *fault)
{
  *size = (struct grid_size){0};
  if (rows->size > limits->nodes)
    return over_limit("rows", rows->size, limits->nodes, fault);
  for (uint32_t row = 0; row < rows->size; row++) {
    const msgpack_object *text = &rows->ptr[row];
    if (text->type != MSGPACK_OBJECT_STR)
      return item_is_no("grid", row, text, "a text", fault);
    size->cells += text->via.str.size;
    if (text->via.str.size > size->widest)
      size->widest = text->via.str.size;
  }
  if (size->cells > limits->nodes)
    return over_limit("cells", size->cells, limits->nodes, fault);
  return 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* No walls assumed: from each cell, as far as the jump and the row or the column go, or staying. */
static int check_moves(const struct grid_size *size, uint32_t rows, const int32_t jump[2],
                       const struct message_limits *limits, struct fault *fault)
{
  uint64_t moves = 0;
  for (int player = 0; player < 2; player++) {
    uint64_t reach = jump[player] > 0 ? 2 * (uint64_t)jump[player] : 0;
    moves += size->cells * (1 + smaller(reach, size->widest) + smaller(reach, rows));
  }
  if (moves > limits->edges)
    return fault_set(fault, ERROR_LIMIT, "the grid may have %llu moves, more than the %llu allowed",
                     (unsigned long long)moves, (unsigned long long)limits->edges);
  return 0;
}

static int copy_rows(const msgpack_object_array *rows, uint64_t cells, struct puzzle *puzzle,
                     void **memory)
{
  const char **row = malloc(rows->size * (sizeof *row + sizeof(uint32_t)) + cells + 1);
  if (!row)
    return -ENOMEM;
  uint32_t *row_length = (uint32_t *)(row + rows->size);
  char *at = (char *)(row_length + rows->size);
  for (uint32_t i = 0; i < rows->size; i++) {
    row[i] = at;
    row_length[i] = rows->ptr[i].via.str.size;
    if (row_length[i] > 0)
      memcpy(at, rows->ptr[i].via.str.ptr, row_length[i]);
    at += row_length[i];
  }
  puzzle->grid.rows = rows->size;
  puzzle->grid.row = row;
  puzzle->grid.row_length = row_length;
  *memory = row;
  return 0;
}

static int read_jump(const msgpack_object *const *found, enum key key, int32_t *jump,
                     struct fault *fault)
{
  if (!found[key])
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has a grid but no %s", key_names[key]);
  if (!object_int32(found[key], jump))
    return is_no(key_names[key], found[key], "a number of cells", fault);
  return 0;
}

static int read_grid(const msgpack_object *const *found, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  const msgpack_object *grid = found[KEY_GRID];
  struct puzzle read = {.game = GAME_GRID};
  struct grid_size size;
  if (grid->type != MSGPACK_OBJECT_ARRAY)
    return is_no("grid", grid, "a list", fault);
  if (read_jump(found, KEY_CAT_JUMP, &read.grid.jump[PLAYER_CAT], fault) ||
      read_jump(found, KEY_MOUSE_JUMP, &read.grid.jump[PLAYER_MOUSE], fault) ||
      measure_grid(&grid->via.array, limits, &size, fault) ||
      check_moves(&size, grid->via.array.size, read.grid.jump, limits, fault))
    return -EBADMSG;
  if (copy_rows(&grid->via.array, size.cells, &read, memory))
    return out_of_memory(fault);
  *puzzle = read;
  return 0;
}

static int find_keys(const msgpack_object_map *map, const msgpack_object **found,
                     struct fault *fault)
{
  for (uint32_t i = 0; i < map->size; i++) {
    const msgpack_object *name = &map->ptr[i].key;
    enum key key = 0;
    while (key < KEY_COUNT && !object_is_text(name, key_names[key]))
      key++;
    if (key == KEY_COUNT)
      return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has an unknown key: %s",
                       object_describe(name).text);
    if (found[key])
      return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has %s twice", key_names[key]);
    found[key] = &map->ptr[i].val;
  }
  return 0;
}

int puzzle_read(const msgpack_object *object, const struct message_limits *limits,
                struct puzzle *puzzle, void **memory, struct fault *fault)
{
  const msgpack_object *found[KEY_COUNT] = {NULL};
  if (object->type == MSGPACK_OBJECT_ARRAY)
    return read_graph(object, limits, puzzle, memory, fault);
  if (object->type != MSGPACK_OBJECT_MAP)
    return is_no("puzzle", object, "a map or a list", fault);
  if (find_keys(&object->via.map, found, fault))
    return -EBADMSG;
  if (!found[KEY_GRAPH] && !found[KEY_GRID])
    return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has neither graph nor grid");
  if (!found[KEY_GRAPH])
    return read_grid(found, limits, puzzle, memory, fault);
  for (enum key key = KEY_GRID; key < KEY_COUNT; key++)
    if (found[key])
      return fault_set(fault, ERROR_BAD_PUZZLE, "puzzle has graph and %s", key_names[key]);
  return read_graph(found[KEY_GRAPH], limits, puzzle, memory, fault);
}

int puzzle_from_json(const char *text, size_t length, const struct message_limits *limits,
                     struct puzzle *puzzle, void **memory, struct fault *fault)
{
  struct document document;
  if (document_from_json(text, length, limits, &document, fault)) {
    if (fault->error == ERROR_REQUEST) /* good JSON, but no value this program can hold */
      fault->error = ERROR_BAD_PUZZLE;
    return -EBADMSG;
  }
  int error = puzzle_read(&document.root, limits, puzzle, memory, fault);
  document_deinit(&document);
  return error;
}
