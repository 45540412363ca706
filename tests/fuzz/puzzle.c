/*
 * A puzzle as text, in any form that cmclient takes: read, checked, named, solved where it is small, and
 * the table proved right.
 */
#include "client/client.h"
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

static void check_puzzle(const struct puzzle *puzzle)
{
  struct complaint complaint = {0};
  struct arena *arena;
  struct id id;
  int result = arena_new(puzzle, &arena, &complaint);
  MUST(result == 0 || complaint.text[0]);
  if (result != 0)
    return;
  arena_id(arena, &id);
  if (arena->nodes <= NODES_TO_SOLVE)
    check_solved(arena);
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct cm_client *client;
  struct cm_puzzle *puzzle;
  MUST(cm_open(NULL, &client) == 0);
  if (cm_puzzle_parse(client, (const char *)bytes, length, &puzzle) == 0) {
    check_puzzle(&puzzle->puzzle);
    cm_puzzle_free(puzzle);
  } else {
    MUST(cm_error(client)[0]);
  }
  cm_close(client);
  return 0;
}
