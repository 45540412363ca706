#include "proto/blocks.h"

#include <stdint.h>
#include <stdlib.h>

struct block {
  struct block *before;
  max_align_t room[];
};

void *blocks_take(struct blocks *blocks, size_t bytes)
{
  struct block *block = bytes > SIZE_MAX - sizeof *block ? NULL : malloc(sizeof *block + bytes);
  if (!block)
    return NULL;
  block->before = blocks->last;
  blocks->last = block;
  return block->room;
}

void blocks_deinit(struct blocks *blocks)
{
  while (blocks->last) {
    struct block *block = blocks->last;
    blocks->last = block->before;
    free(block);
  }
}
