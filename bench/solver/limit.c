/* A table of a few pages comes from malloc, as any solver's would; a larger one from mmap. */
#include "bench/solver/limit.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t fresh_from_bytes = 64u << 10;

static uint32_t read_lists(const struct arena *arena)
{
  uint32_t sum = 0;
  for (int player = 0; player < 2; player++) {
    const struct moves *moves = &arena->moves[player];
    for (uint32_t node = 0; node < arena->nodes; node++)
      for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++)
        sum += moves->to[i];
  }
  return sum;
}

static void *fresh(size_t bytes)
{
  if (bytes < fresh_from_bytes)
    return malloc(bytes);
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *limit_do(const struct arena *arena, size_t table_bytes)
{
  void *written = fresh(table_bytes);
  if (!written)
    return NULL;
  volatile uint32_t sum = read_lists(arena);
  memset(written, (int)(sum | 1), table_bytes);
  return written;
}

void limit_undo(void *written, size_t table_bytes)
{
  if (table_bytes < fresh_from_bytes)
    free(written);
  else
    munmap(written, table_bytes);
}
