#include "solver/verdict.h"

#include "solver/engine/engine.h"

struct table_value verdict(const struct set_arena *sets)
{
  return engine_verdict(sets, ENGINE_LEVEL_AUTO, ENGINE_VERDICT_AUTO);
}
