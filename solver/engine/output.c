/*
 * What of the table has no memory yet is filled, from begin to end; then it is written piece by piece. What is
 * stored past the caches is not to clear a fresh page first; and a piece of renumbered nodes reaches into every page
 * of the table, so the first would not look at the stop flag for long.
 */
#include "solver/engine/level.h"

#include "solver/engine/output.h"

#include "solver/engine/write_table.h"

struct output {
  struct job *job;
  struct table *table;
  uint32_t filled;                /* pieces of it, before */
  struct table_writer writers[2]; /* by hand */
};

static void fill_piece(void *context, unsigned hand, uint32_t piece)
{
  (void)hand;
  const struct output *output = context;
  if (!job_over(output->job))
    table_fill(output->table, output->filled + piece);
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
  uint32_t pieces = table_pieces(output->table, output->table->width);
  for (unsigned hand = 0; hand < hands; hand++)
    table_writer_init(&output->writers[hand], attractors, output->table);
  if (output->filled < pieces)
    crew_step(crew, 0, fill_piece, output, pieces - output->filled);
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
  output.filled = blank->filled;
  write_cells(&output, attractors, crew, hands);
  if (job_over(output.job)) {
    job_release(output.job, table_bytes(output.table->nodes, output.table->width));
    table_free(output.table);
    return output.job->error;
  }
  *made = output.table;
  return 0;
}
