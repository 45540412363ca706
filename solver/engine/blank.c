/*
 * Room for the widest cells is reserved, and cut off when the width is known. A piece at a time is filled under
 * the lock, so that settling waits for one at most.
 */
#include "solver/engine/blank.h"

static uint32_t width_so_far(const struct blank *blank)
{
  return table_width((uint32_t)atomic_load(&blank->job->layers));
}

void blank_init(struct blank *blank, struct job *job, uint32_t nodes)
{
  *blank = (struct blank){.job = job, .nodes = nodes};
  pthread_mutex_init(&blank->lock, NULL);
}

void blank_deinit(struct blank *blank)
{
  if (blank->table)
    table_settle(blank->table, width_so_far(blank));
  table_free(blank->table);
  job_release(blank->job, blank->held_bytes);
  pthread_mutex_destroy(&blank->lock);
}

/* Is there more to fill? Nothing fails for want of room: there may be enough later. */
static bool has_more(struct blank *blank)
{
  if (blank->settled || job_over(blank->job))
    return false;
  if (!blank->table && table_is_large(blank->nodes))
    blank->table = table_new(blank->nodes, TABLE_WIDEST);
  uint32_t width = width_so_far(blank);
  uint64_t bytes = table_bytes(blank->nodes, width);
  if (!blank->table || !job_try_hold(blank->job, bytes - blank->held_bytes))
    return false;
  blank->held_bytes = bytes;
  return blank->filled < table_pieces(blank->table, width);
}

bool blank_fill_piece(struct blank *blank)
{
  pthread_mutex_lock(&blank->lock);
  bool more = has_more(blank);
  if (more)
    table_fill(blank->table, blank->filled++);
  pthread_mutex_unlock(&blank->lock);
  return more;
}

/* Makes the table as wide as it has to be, or a new one where none was begun. */
static int take_table(struct blank *blank, uint32_t width)
{
  uint64_t bytes = table_bytes(blank->nodes, width);
  if (job_hold(blank->job, bytes - blank->held_bytes) < 0)
    return blank->job->error;
  blank->held_bytes = bytes;
  if (blank->table)
    table_settle(blank->table, width);
  else
    blank->table = table_new(blank->nodes, width);
  if (!blank->table)
    job_fail(blank->job, -ENOMEM);
  return blank->table ? 0 : blank->job->error;
}

int blank_settle(struct blank *blank, struct table **table)
{
  pthread_mutex_lock(&blank->lock);
  blank->settled = true;
  pthread_mutex_unlock(&blank->lock);
  int error = take_table(blank, width_so_far(blank));
  if (error)
    return error;
  *table = blank->table;
  blank->table = NULL;
  blank->held_bytes = 0;
  return 0;
}
