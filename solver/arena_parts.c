/* An arena is one block of memory, so that a small puzzle costs one allocation. */
#include "solver/arena_parts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int complain(struct complaint *complaint, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
  va_end(arguments);
  return -EINVAL;
}

int arena_parts_new(uint32_t nodes, uint64_t targets, bool shared_end, struct arena_parts *parts)
{
  size_t words = node_set_words(nodes);
  size_t lists = shared_end ? 3 : 4;
  size_t bytes = sizeof(struct arena) + 4 * words * sizeof(uint64_t) +
                 (lists * nodes + targets) * sizeof(uint32_t);
  struct arena *arena = calloc(1, bytes);
  if (!arena)
    return -ENOMEM;
  uint64_t *sets = (uint64_t *)(arena + 1);
  uint32_t *begins = (uint32_t *)(sets + 4 * words);
  for (int player = 0; player < 2; player++) {
    parts->home[player] = sets + (size_t)player * words;
    parts->barred[player] = sets + (size_t)(2 + player) * words;
    parts->begin[player] = begins + (size_t)player * nodes;
    parts->end[player] = begins + (shared_end ? 2 : 2 + (size_t)player) * nodes;
  }
  parts->to = begins + lists * nodes;
  parts->arena = arena;
  arena->nodes = nodes;
  arena->bytes = bytes;
  for (int player = 0; player < 2; player++) {
    arena->home[player] = parts->home[player];
    arena->barred[player] = parts->barred[player];
    arena->moves[player] = (struct moves){parts->begin[player], parts->end[player], parts->to};
  }
  return 0;
}
