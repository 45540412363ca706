/*
 * One pass over the cells of a table, row by row. Fails only for want of memory, or when stopped.
 */
#include "solver/stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `plies` in the histogram of a winner. */
static int histogram_reach(struct table_stats *stats, enum player winner, uint32_t plies)
{
  if (plies < stats->histogram_count[winner])
    return 0;
  size_t count = (size_t)plies + 1;
  uint64_t *grown = realloc(stats->histogram[winner], count * sizeof *grown);
  if (!grown)
    return -ENOMEM;
  memset(grown + stats->histogram_count[winner], 0,
         (count - stats->histogram_count[winner]) * sizeof *grown);
  stats->histogram[winner] = grown;
  stats->histogram_count[winner] = (uint32_t)count;
  return 0;
}

static int count_state(struct table_stats *stats, const struct table *table, struct state state)
{
  struct table_value value = table_value(table, state);
  stats->outcomes[state.turn][value.outcome]++;
  if (value.outcome == OUTCOME_DRAW)
    return 0;
  enum player winner = (enum player)value.outcome;
  struct longest_win *longest = &stats->longest[winner];
  if (longest->plies == PLIES_NONE || value.plies > longest->plies) {
    if (histogram_reach(stats, winner, value.plies) < 0)
      return -ENOMEM;
    *longest = (struct longest_win){value.plies, state};
  }
  stats->histogram[winner][value.plies]++;
  return 0;
}

static int count_row(struct table_stats *stats, const struct arena *arena,
                     const struct table *table, enum player turn, uint32_t mouse)
{
  for (uint32_t cat = 0; cat < arena->nodes; cat++) {
    if (node_in(arena->barred[PLAYER_CAT], cat))
      continue;
    if (count_state(stats, table, (struct state){mouse, cat, turn}) < 0)
      return -ENOMEM;
  }
  return 0;
}

static int count_turn(struct table_stats *stats, const struct arena *arena,
                      const struct table *table, enum player turn, const atomic_bool *stop)
{
  for (uint32_t mouse = 0; mouse < arena->nodes; mouse++) {
    if (stop && atomic_load_explicit(stop, memory_order_relaxed))
      return -ECANCELED;
    if (node_in(arena->barred[PLAYER_MOUSE], mouse))
      continue;
    int status = count_row(stats, arena, table, turn, mouse);
    if (status < 0)
      return status;
  }
  return 0;
}

int table_stats_init(struct table_stats *stats, const struct arena *arena,
                     const struct table *table, const atomic_bool *stop)
{
  struct table_stats counted = {
      .longest = {{.plies = PLIES_NONE}, {.plies = PLIES_NONE}},
  };
  int status = count_turn(&counted, arena, table, PLAYER_MOUSE, stop);
  if (status == 0)
    status = count_turn(&counted, arena, table, PLAYER_CAT, stop);
  if (status < 0)
    table_stats_deinit(&counted);
  else
    *stats = counted;
  return status;
}

void table_stats_deinit(struct table_stats *stats)
{
  free(stats->histogram[PLAYER_MOUSE]);
  free(stats->histogram[PLAYER_CAT]);
}
