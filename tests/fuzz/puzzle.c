/* A puzzle as text: read, checked, named, solved where it is small, and the table proved right. */
#include <stdlib.h>
#include <string.h>

#include "proto/puzzle_text.h"
#include "solver/arena.h"
#include "solver/id.h"
#include "solver/solve.h"
#include "solver/verify.h"
#include "tests/fuzz/target.h"

enum { NODES_TO_SOLVE = 100 };

static void check_solved(const struct arena *arena)
{
  const struct solve_options options = {.threads = 1};
  struct table *table;
  struct verification verification;
  MUST(solve(arena, &options, &table) == 0);
  MUST(verify(arena, table, NULL, &verification) == 0);
  MUST(verification.faults == 0);
  table_free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct puzzle puzzle;
  struct fault fault;
  struct complaint complaint = {0};
  struct arena *arena;
  struct id id;
  void *memory;
  if (puzzle_from_json((const char *)bytes, length, &message_limits_default, &puzzle, &memory,
                       &fault) != 0)
    return 0;
  int result = arena_new(&puzzle, &arena, &complaint);
  MUST(result == 0 || complaint.text[0]);
  free(memory);
  if (result != 0)
    return 0;
  arena_id(arena, &id);
  if (arena->nodes <= NODES_TO_SOLVE)
    check_solved(arena);
  arena_free(arena);
  return 0;
}
