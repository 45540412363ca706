/*
 * A certificate as text: read, checked against its own puzzle by the rules alone, and where it holds, what it
 * claims must be so in the solved table.
 */
#include <stdlib.h>

#include "proto/certificate.h"
#include "solver/answer.h"
#include "solver/proof_check.h"
#include "solver/solve.h"
#include "tests/fuzz/target.h"

enum { NODES_TO_SOLVE = 100 };

static void check_true(const struct arena *arena, const struct claim *claim)
{
  const struct solve_options options = {.threads = 1};
  struct table *table;
  MUST(solve(arena, &options, &table) == 0);
  struct answer_value value = answer_value(arena, table, &claim->state, claim->limit_plies);
  MUST(value.outcome == claim->outcome);
  MUST(claim->plies == PLIES_NONE || value.plies <= claim->plies);
  table_free(table);
}

/* What is read is written in one way, whatever way it came. */
static void check_written(const struct arena *arena, const struct proof *proof)
{
  struct certificate again;
  struct fault fault;
  struct buffer json;
  buffer_init(&json);
  certificate_to_json(&json, arena, proof);
  MUST(!json.failed);
  MUST(certificate_from_json(json.data, json.length, &message_limits_default, &again, &fault) == 0);
  MUST(proof_states(&again.proof) == proof_states(proof));
  certificate_deinit(&again);
  buffer_deinit(&json);
}

static void check_certificate(const struct certificate *certificate)
{
  struct arena *arena;
  struct complaint complaint = {""};
  if (arena_new(&certificate->puzzle, &arena, &complaint) < 0) {
    MUST(complaint.text[0]);
    return;
  }
  int result = proof_check(arena, &certificate->proof, &complaint);
  MUST(result == 0 || complaint.text[0]);
  check_written(arena, &certificate->proof);
  if (result == 0 && arena->nodes <= NODES_TO_SOLVE)
    check_true(arena, &certificate->proof.claim);
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  struct certificate certificate;
  struct fault fault = {0};
  if (certificate_from_json((const char *)bytes, length, &message_limits_default, &certificate,
                            &fault) < 0) {
    MUST(fault.text[0]);
    return 0;
  }
  check_certificate(&certificate);
  certificate_deinit(&certificate);
  return 0;
}
