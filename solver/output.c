/*
 * The table is first touched from begin to end, then written block by block. A block of renumbered
 * nodes reaches into every page of the table, and a fresh page is cleared as it is touched, so the
 * first block would not look at the stop flag for long.
 */
#include "solver/level.h"

#include "solver/output.h"

#include "solver/write_table.h"

/* A huge page at a time, in steps of the smallest. */
enum { TOUCH_BYTES = 2 << 20, PAGE_BYTES = 4096 };

struct output {
  struct job *job;
  struct table *table;
  struct table_writer writers[2]; /* by hand */
};

static uint32_t longest_plies(const struct attractor attractors[static 2])
{
  uint32_t mouse = attractors[PLAYER_MOUSE].layer, cat = attractors[PLAYER_CAT].layer;
  uint32_t layer = mouse > cat ? mouse : cat;
  return layer ? layer - 1 : 0; /* the last layer found nothing */
}

static void touch_piece(void *context, unsigned hand, uint32_t piece)
{
  (void)hand;
  const struct output *output = context;
  const struct table *table = output->table;
  size_t bytes = table_bytes(table->nodes, table->width), begin = (size_t)piece * TOUCH_BYTES;
  size_t end = begin + TOUCH_BYTES < bytes ? begin + TOUCH_BYTES : bytes;
  if (job_over(output->job))
    return;
  for (size_t at = begin; at < end; at += PAGE_BYTES)
    ((volatile uint8_t *)table->cells)[at] = 0;
}

static void write_piece(void *context, unsigned hand, uint32_t piece)
{
  struct output *output = context;
  write_table_block(&output->writers[hand], piece);
}

static void write_cells(struct output *output, const struct attractor attractors[static 2],
                        struct crew *crew, unsigned hands)
{
  const struct lists *lists = attractors[PLAYER_MOUSE].lists;
  struct table *table = output->table;
  size_t tile_bytes = table_writer_tile_bytes(table);
  size_t rows_bytes = table_writer_rows_bytes(table, lists);
  size_t staging_bytes = table_writer_staging_bytes(table, &attractors[PLAYER_MOUSE]);
  uint64_t touches = (table_bytes(table->nodes, table->width) + TOUCH_BYTES - 1) / TOUCH_BYTES;
  for (unsigned hand = 0; hand < hands; hand++)
    output->writers[hand] = (struct table_writer){
        .attractors = attractors,
        .table = table,
        .tile = job_alloc(output->job, tile_bytes),
        .rows = rows_bytes ? job_alloc_dirty(output->job, rows_bytes) : NULL,
        .staging = staging_bytes ? job_alloc_dirty(output->job, staging_bytes) : NULL,
    };
  if (lists->node_at)
    crew_step(crew, 0, touch_piece, output, (uint32_t)touches);
  if (!job_over(output->job))
    crew_step(crew, 0, write_piece, output, lists->lines);
  for (unsigned hand = 0; hand < hands; hand++) {
    job_free(output->job, output->writers[hand].tile, tile_bytes);
    job_free(output->job, output->writers[hand].rows, rows_bytes);
    job_free(output->job, output->writers[hand].staging, staging_bytes);
  }
}

int output_table(const struct attractor attractors[static 2], struct crew *crew, unsigned hands,
                 struct table **made)
{
  struct output output = {.job = attractors[PLAYER_MOUSE].job};
  uint32_t nodes = attractors[PLAYER_MOUSE].nodes, width = table_width(longest_plies(attractors));
  if (job_hold(output.job, table_bytes(nodes, width)) < 0)
    return output.job->error;
  output.table = table_new(nodes, width);
  if (!output.table)
    job_fail(output.job, -ENOMEM);
  else
    write_cells(&output, attractors, crew, hands);
  if (job_over(output.job)) {
    table_free(output.table);
    job_release(output.job, table_bytes(nodes, width));
    return output.job->error;
  }
  *made = output.table;
  return 0;
}
