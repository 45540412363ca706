/*
 * What of the table is not touched yet is, from begin to end; then it is written piece by piece. What is
 * stored past the caches is not to clear a fresh page first; and a piece of renumbered nodes reaches into every page
 * of the table, so the first would not look at the stop flag for long.
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
  uint64_t touches =
      (output->bytes - output->ready_bytes + PAGES_PIECE_BYTES - 1) / PAGES_PIECE_BYTES;
  for (unsigned hand = 0; hand < hands; hand++)
    table_writer_init(&output->writers[hand], attractors, output->table);
  crew_step(crew, 0, touch_piece, output, (uint32_t)touches);
  if (!job_over(output->job))
    crew_step(crew, 0, write_piece, output, table_writer_pieces(&output->writers[0]));
  for (unsigned hand = 0; hand < hands; hand++)
    table_writer_deinit(&output->writers[hand]);
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
