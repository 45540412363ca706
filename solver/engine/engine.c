/*
 * Which way to solve, chosen here and nowhere else:
 * - the widest vectors that this processor has;
 * - up to 64 nodes a row is one word: small.c; above, large.c, which chooses further by the moves.
 * A machine's features are asked for on every solve: the compiler's runtime keeps them.
 */
#include "solver/engine/engine.h"

#include <assert.h>
#include <errno.h>

#include "solver/engine/large.h"
#include "solver/engine/small.h"
#include "solver/engine/verdict_register.h"

typedef int solve_way(const struct arena *arena, struct solving *solving,
                      const struct engine_options *forced, struct table **table);
typedef struct table_value verdict_way(const struct set_arena *sets);

struct ways {
  solve_way *small, *large;
  verdict_way *verdict_register, *small_verdict;
};

#define DECLARE_WAYS(level)                           \
  solve_way small_solve_##level, large_solve_##level; \
  verdict_way verdict_register_##level, small_verdict_##level;
#define WAYS(level)                                                                           \
  {                                                                                           \
    small_solve_##level, large_solve_##level, verdict_register_##level, small_verdict_##level \
  }

DECLARE_WAYS(plain)
#ifdef ENGINE_HAS_X86
DECLARE_WAYS(avx2)
DECLARE_WAYS(avx512)
#endif

static const struct ways ways[] = {
    [ENGINE_LEVEL_PLAIN] = WAYS(plain),
#ifdef ENGINE_HAS_X86
    [ENGINE_LEVEL_AVX2] = WAYS(avx2),
    [ENGINE_LEVEL_AVX512] = WAYS(avx512),
#endif
};

const char *const engine_level_names[] = {"auto", "plain", "avx2", "avx512"};

bool engine_level_works(enum engine_level level)
{
  switch (level) {
#ifdef ENGINE_HAS_X86
  case ENGINE_LEVEL_AVX2:
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  case ENGINE_LEVEL_AVX512:
    return engine_level_works(ENGINE_LEVEL_AVX2) && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq");
#else
  case ENGINE_LEVEL_AVX2:
  case ENGINE_LEVEL_AVX512: return false;
#endif
  case ENGINE_LEVEL_AUTO:
  case ENGINE_LEVEL_PLAIN: return true;
  }
  return false;
}

static enum engine_level best_level(void)
{
  if (engine_level_works(ENGINE_LEVEL_AVX512))
    return ENGINE_LEVEL_AVX512;
  return engine_level_works(ENGINE_LEVEL_AVX2) ? ENGINE_LEVEL_AVX2 : ENGINE_LEVEL_PLAIN;
}

int engine_solve(const struct arena *arena, const struct solve_options *options,
                 const struct engine_options *forced, struct table **table)
{
  struct solving solving;
  solving_init(&solving, options);
  if (arena->nodes > SOLVE_NODES_MAX)
    return -EFBIG;
  if (solving_over(&solving))
    return solving.error;
  enum engine_level level = forced->level ? forced->level : best_level();
  bool small = forced->size ? forced->size == ENGINE_SIZE_SMALL : arena->nodes <= SMALL_NODES_MAX;
  assert(engine_level_works(level));
  assert(!small || arena->nodes <= SMALL_NODES_MAX);
  solve_way *solve = small ? ways[level].small : ways[level].large;
  int error = solve(arena, &solving, forced, table);
  assert(solving.held_bytes == (error ? 0 : table_bytes(arena->nodes, (*table)->width)));
  return error;
}

struct table_value engine_verdict(const struct set_arena *sets, enum engine_level level,
                                  enum engine_verdict way)
{
  bool fits = sets->nodes <= VERDICT_REGISTER_NODES_MAX;
  bool in_register = way == ENGINE_VERDICT_AUTO ? fits : way == ENGINE_VERDICT_REGISTER;
  assert(!in_register || fits);
  assert(level == ENGINE_LEVEL_AUTO || engine_level_works(level));
  const struct ways *at_level = &ways[level ? level : best_level()];
  return in_register ? at_level->verdict_register(sets) : at_level->small_verdict(sets);
}
