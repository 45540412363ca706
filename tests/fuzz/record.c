/*
 * Bytes of the puzzle log, looked through as after a crash. Each record lies within them; a damaged one is
 * skipped, and what is whole holds an arena or is refused.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/store/record.h"
#include "solver/arena.h"
#include "solver/packed.h"
#include "tests/fuzz/target.h"

static void check_whole(const struct record *record, size_t left)
{
  struct arena *arena = NULL;
  struct id id;
  MUST(record->bytes > 0 && record->bytes <= left && record->bytes % RECORD_ALIGNMENT == 0);
  MUST(record->packed_bytes <= record->bytes - RECORD_HEAD_BYTES);
  if (arena_unpack(record->packed, record->packed_bytes, &record->id, &arena) != 0)
    return;
  arena_id(arena, &id);
  MUST(memcmp(&id, &record->id, sizeof id) == 0);
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  for (size_t at = 0; at < length;) {
    struct record record;
    enum record_status status = record_read(bytes + at, length - at, &record);
    if (status == RECORD_CUT)
      break;
    if (status == RECORD_WHOLE)
      check_whole(&record, length - at);
    at += status == RECORD_WHOLE ? record.bytes : RECORD_ALIGNMENT;
  }
  return 0;
}
