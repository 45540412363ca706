/*
 * What of the table is not touched yet is, from begin to end; then it is written piece by piece. A piece
 * of renumbered nodes reaches into every page of the table, and a fresh page is cleared as it is touched,
 * so the first would not look at the stop flag for long.
 */
#include "solver/level.h"

#include "solver/output.h"

#include "solver/pages.h"
#include "solver/write_table.h"

struct output {
  struct job *job;
  struct table *table;
  uint64_t bytes, ready_bytes;    /* of its cells; touched before */
  struct table_writer writers[2]; /* by hand */
};

static void touch_piece(void *context, unsigned hand, uint32_t piece)
{
  (void)hand;
  const struct output *output = context;
  uint64_t begin = output->ready_bytes + (uint64_t)piece * PAGES_PIECE_BYTES;
  uint64_t left = output->bytes - begin;
  if (!job_over(output->job))
    pages_touch((uint8_t *)output->table->cells + begin,
                left < PAGES_PIECE_BYTES ? left : PAGES_PIECE_BYTES);
}

static void write_piece(void *context, unsigned hand, uint32_t piece)
{
  struct output *output = context;
  if (!job_over(output->job))
    table_writer_write(&output->writers[hand], piece);
}

static void write_cells(struct output *output, const struct attractor attractors[static 2],
                        struct crew *crew, unsigned hands)
{
  const struct lists *lists = attractors[PLAYER_MOUSE].lists;
  struct table *table = output->table;
  size_t tile_bytes = table_writer_tile_bytes(table, lists);
  size_t columns_bytes = table_writer_columns_bytes(table, lists);
  size_t staging_bytes = table_writer_staging_bytes(table, lists);
  uint64_t touches =
      (output->bytes - output->ready_bytes + PAGES_PIECE_BYTES - 1) / PAGES_PIECE_BYTES;
  for (unsigned hand = 0; hand < hands; hand++)
    output->writers[hand] = (struct table_writer){
        .attractors = attractors,
        .table = table,
        .tile = job_alloc(output->job, tile_bytes),
        .columns = columns_bytes ? job_alloc_dirty(output->job, columns_bytes) : NULL,
        .staging = staging_bytes ? job_alloc_dirty(output->job, staging_bytes) : NULL,
    };
  if (lists->node_at)
    crew_step(crew, 0, touch_piece, output, (uint32_t)touches);
  if (!job_over(output->job))
    crew_step(crew, 0, write_piece, output, table_writer_pieces(table, lists));
  for (unsigned hand = 0; hand < hands; hand++) {
    job_free(output->job, output->writers[hand].tile, tile_bytes);
    job_free(output->job, output->writers[hand].columns, columns_bytes);
    job_free(output->job, output->writers[hand].staging, staging_bytes);
  }
}

int output_table(const struct attractor attractors[static 2], struct blank *blank,
                 struct crew *crew, unsigned hands, struct table **made)
{
  struct output output = {.job = blank->job};
  int error = blank_settle(blank, &output.table);
  if (error)
    return error;
  output.bytes = table_bytes(output.table->nodes, output.table->width);
  output.ready_bytes = blank->ready_bytes;
  write_cells(&output, attractors, crew, hands);
  if (job_over(output.job)) {
    table_free(output.table);
    job_release(output.job, output.bytes);
    return output.job->error;
  }
  *made = output.table;
  return 0;
}
