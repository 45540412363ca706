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
#include "solver/engine/verdict_ways.h"

typedef int solve_way(const struct arena *arena, struct solving *solving,
                      const struct engine_options *forced, struct table **table);

solve_way large_solve_plain, small_solve_plain;
#ifdef ENGINE_HAS_X86
solve_way large_solve_avx2, small_solve_avx2, large_solve_avx512, small_solve_avx512;
#endif

typedef struct table_value verdict_way(const struct set_arena *sets);

verdict_way verdict_register_plain, verdict_words_plain;
#ifdef ENGINE_HAS_X86
verdict_way verdict_register_avx2, verdict_words_avx2, verdict_register_avx512,
    verdict_words_avx512;
#endif

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

static solve_way *choose_way(enum engine_level level, bool small)
{
  switch (level) {
#ifdef ENGINE_HAS_X86
  case ENGINE_LEVEL_AVX2: return small ? small_solve_avx2 : large_solve_avx2;
  case ENGINE_LEVEL_AVX512: return small ? small_solve_avx512 : large_solve_avx512;
#endif
  default: return small ? small_solve_plain : large_solve_plain;
  }
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
  int error = choose_way(level, small)(arena, &solving, forced, table);
  assert(solving.held_bytes == (error ? 0 : table_bytes(arena->nodes, (*table)->width)));
  return error;
}

static verdict_way *choose_verdict_way(enum engine_level level, bool in_register)
{
  switch (level) {
#ifdef ENGINE_HAS_X86
  case ENGINE_LEVEL_AVX2: return in_register ? verdict_register_avx2 : verdict_words_avx2;
  case ENGINE_LEVEL_AVX512: return in_register ? verdict_register_avx512 : verdict_words_avx512;
#endif
  default: return in_register ? verdict_register_plain : verdict_words_plain;
  }
}

struct table_value engine_verdict(const struct set_arena *sets, enum engine_level level,
                                  enum engine_verdict way)
{
  bool fits = sets->nodes <= VERDICT_REGISTER_NODES_MAX;
  bool in_register = way == ENGINE_VERDICT_AUTO ? fits : way == ENGINE_VERDICT_REGISTER;
  assert(!in_register || fits);
  assert(level == ENGINE_LEVEL_AUTO || engine_level_works(level));
  return choose_verdict_way(level ? level : best_level(), in_register)(sets);
}
