/*
 * An arena as it lies on disk. The id is compared last, after everything else was read and checked; none
 * of it may be taken for an arena of an id that is not its own.
 */
#include <errno.h>

#include "solver/arena.h"
#include "solver/packed.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct packed_head head;
  struct arena *arena = NULL;
  struct id id = {0};
  if (packed_peek(bytes, length, &head) == 0)
    MUST(head.game == GAME_GRAPH || head.game == GAME_GRID);
  MUST(arena_unpack(bytes, length, &id, &arena) == -EBADMSG && !arena);
  return 0;
}
