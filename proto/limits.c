/* The limits where nobody says otherwise, and what is told whoever passes one. */
#include "proto/limits.h"

#include <errno.h>

const struct message_limits message_limits_default = {
#define X(field, value, meaning) .field = (value),
    PROTO_LIMITS(X)
#undef X
};

int limits_refuse_length(const struct message_limits *limits, struct fault *fault)
{
  return fault_set(fault, ERROR_LIMIT, "the message is longer than the %llu bytes allowed",
                   (unsigned long long)limits->message_bytes);
}

static int over_limit(const char *what, uint64_t count, uint64_t limit, struct fault *fault)
{
  return fault_set(fault, ERROR_LIMIT, "the puzzle has %llu %s, more than the %llu allowed",
                   (unsigned long long)count, what, (unsigned long long)limit);
}

int graph_check_limits(uint64_t nodes, uint64_t edges, const struct message_limits *limits,
                       struct fault *fault)
{
  if (nodes > limits->nodes)
    return over_limit("nodes", nodes, limits->nodes, fault);
  return edges > limits->edges ? over_limit("neighbours", edges, limits->edges, fault) : 0;
}

int grid_check_limits(const struct grid_size *size, const int32_t jump[2],
                      const struct message_limits *limits, struct fault *fault)
{
  if (size->rows > limits->nodes)
    return over_limit("rows", size->rows, limits->nodes, fault);
  if (size->cells > limits->nodes)
    return over_limit("cells", size->cells, limits->nodes, fault);
  uint64_t moves = grid_moves_max(size, jump);
  if (moves > limits->edges)
    return fault_set(fault, ERROR_LIMIT, "the grid may have %llu moves, more than the %llu allowed",
                     (unsigned long long)moves, (unsigned long long)limits->edges);
  return 0;
}

/* Of a node's number in MessagePack. */
static uint64_t number_bytes(int32_t number)
{
  return number < 0x80 ? 1 : number < 0x100 ? 2 : number < 0x10000 ? 3 : 5;
}

int puzzle_check_limits(const struct puzzle *puzzle, const struct message_limits *limits,
                        struct fault *fault)
{
  if (puzzle->game == GAME_GRID) {
    const struct grid_size size = grid_size(puzzle);
    return grid_check_limits(&size, puzzle->grid.jump, limits, fault);
  }
  const uint32_t nodes = puzzle->graph.nodes, edges = puzzle->graph.first[nodes];
  uint64_t bytes = nodes;
  if (graph_check_limits(nodes, edges, limits, fault))
    return -EBADMSG;
  for (uint32_t i = 0; i < edges; i++)
    bytes += number_bytes(puzzle->graph.neighbour[i]);
  return bytes > limits->message_bytes ? limits_refuse_length(limits, fault) : 0;
}
