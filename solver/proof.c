#include "solver/proof.h"

#include <stdlib.h>

void proof_deinit(struct proof *proof)
{
  for (uint32_t i = 0; i < proof->strategies_count; i++)
    free(proof->strategies[i].states);
  *proof = (struct proof){0};
}

uint64_t proof_states(const struct proof *proof)
{
  uint64_t states = 0;
  for (uint32_t i = 0; i < proof->strategies_count; i++)
    states += proof->strategies[i].states_count;
  return states;
}
