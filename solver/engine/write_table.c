/*
 * A piece is a slice of the mouse's places with one of the players to move. Each is put together in the cache, tile by
 * tile of places of both. The mouse's wins are logged as runs of the cat's places, which is how the table lies; the
 * cat's are logged the other way round.
 *
 * Renumbered nodes: a slice is first put together as columns, one for each place of the cat, which already lie as the
 * arena numbers them; they are read one after the other, and transposed, where a processor foresees what comes next.
 */
#include "solver/engine/level.h"

#include "solver/engine/write_table.h"

#include "solver/engine/log_cells.h"

/* A smaller table is written faster through the caches. */
enum { STREAM_FROM_BYTES = 1 << 20 };

/* What a slice has of a column. Longer ones do not stay in the cache, shorter ones have each log read more often. */
enum { SLICE_BYTES = 512 };

struct slice {
  enum player turn;
  uint32_t begin, end; /* the mouse's places, of one tile */
};

static const struct lists *lists_of(const struct table_writer *writer)
{
  return writer->attractors[PLAYER_MOUSE].lists;
}

static uint32_t slice_places(const struct table *table)
{
  return SLICE_BYTES / table->width;
}

static const struct log *log_of(const struct attractor *attractor, enum player turn, uint32_t block,
                                uint32_t column)
{
  const struct side *side = turn == attractor->winner ? &attractor->exists : &attractor->forall;
  return &side->logs[block * attractor->lines + column];
}

struct span {
  uint32_t begin, end;
};

/* A slice's part of what a winner's attractor has logged for the cat's places from 512 * unit on. */
static struct logged part_of(const struct table_writer *writer, const struct slice *slice,
                             uint32_t unit, enum player winner)
{
  uint32_t first = unit * LINE_BITS;
  struct span mouse = {slice->begin, slice->end};
  struct span cat = {first, least(first + LINE_BITS, writer->table->nodes)};
  struct span rows = winner == PLAYER_MOUSE ? mouse : cat;
  struct span bits = winner == PLAYER_MOUSE ? cat : mouse;
  const struct log *log = log_of(&writer->attractors[winner], slice->turn, rows.begin / LINE_BITS,
                                 bits.begin / LINE_BITS);
  return (struct logged){log, winner, rows.begin, rows.end, bits.begin, bits.end};
}

/* A cache line's worth of columns at a time: they become as many rows. */
static void store_columns(struct table_writer *writer, const struct slice *slice,
                          const struct cells *columns, const struct cells *table)
{
  uint32_t nodes = writer->table->nodes, side = LINE_BYTES / table->width;
  if (!writer->staging) {
    cells_transpose(columns, table, 0, nodes, slice->begin, slice->end);
    return;
  }
  for (uint32_t row = slice->begin; row < slice->end; row += side)
    for (uint32_t column = 0; column < nodes; column += LINE_BITS) {
      uint32_t row_end = least(row + side, slice->end);
      struct cells tile = cells_tile(writer->staging, row, column, table->width);
      cells_transpose(columns, &tile, column, least(column + LINE_BITS, nodes), row, row_end);
      cells_tile_store(&tile, table, row, row_end, column, nodes);
    }
}

static void write_renumbered(struct table_writer *writer, const struct slice *slice,
                             const struct cells *table)
{
  const struct lists *lists = lists_of(writer);
  struct job *job = writer->attractors[PLAYER_MOUSE].job;
  struct cells columns = {writer->columns,
                          cells_padded_row(slice_places(writer->table), table->width),
                          lists->node_at, table->width};
  columns.base -= (size_t)slice->begin * table->width;
  for (uint32_t unit = 0; unit < lists->lines && !job_over(job); unit++) {
    struct logged mouse = part_of(writer, slice, unit, PLAYER_MOUSE);
    struct logged cat = part_of(writer, slice, unit, PLAYER_CAT);
    logs_write(&cat, &mouse, &columns, UINT32_MAX, false, writer->swapped);
  }
  if (job_over(job))
    return;
  struct cells rows = *table;
  rows.row_at = lists->node_at;
  columns.row_at = NULL;
  store_columns(writer, slice, &columns, &rows);
}

static void write_kept(struct table_writer *writer, const struct slice *slice,
                       const struct cells *table)
{
  const struct lists *lists = lists_of(writer);
  struct job *job = writer->attractors[PLAYER_MOUSE].job;
  if (!writer->staging)
    memset(cells_at(table, slice->begin, 0), 0, (slice->end - slice->begin) * table->stride_bytes);
  for (uint32_t unit = 0; unit < lists->lines && !job_over(job); unit++) {
    struct logged mouse = part_of(writer, slice, unit, PLAYER_MOUSE);
    struct logged cat = part_of(writer, slice, unit, PLAYER_CAT);
    if (!writer->staging) {
      logs_write(&mouse, &cat, table, lists->nodes, true, writer->swapped);
      continue;
    }
    struct cells tile = cells_tile(writer->staging, slice->begin, unit * LINE_BITS, table->width);
    logs_write(&mouse, &cat, &tile, UINT32_MAX, false, writer->swapped);
    cells_tile_store(&tile, table, slice->begin, slice->end, unit * LINE_BITS, lists->nodes);
  }
}

static uint32_t slices_a_turn(const struct table *table)
{
  uint32_t places = slice_places(table);
  return (table->nodes + places - 1) / places;
}

uint32_t table_writer_pieces(const struct table_writer *writer)
{
  return 2 * slices_a_turn(writer->table);
}

void table_writer_write(struct table_writer *writer, uint32_t piece)
{
  const struct table *table = writer->table;
  uint32_t slices = slices_a_turn(table), begin = piece % slices * slice_places(table);
  struct slice slice = {(enum player)(piece / slices), begin,
                        least(begin + slice_places(table), table->nodes)};
  struct cells cells = {table->cells, (size_t)table->nodes * table->width, NULL, table->width};
  cells.base += slice.turn * table->nodes * cells.stride_bytes;
  if (lists_of(writer)->node_at)
    write_renumbered(writer, &slice, &cells);
  else
    write_kept(writer, &slice, &cells);
}

/* Of `swapped`, `columns` and `staging`; 0 for NULL. */
struct sizes {
  size_t swapped, columns, staging;
};

static bool is_streamed(const struct table_writer *writer)
{
  enum engine_output output = writer->attractors[PLAYER_MOUSE].options->output;
  return output ? output == ENGINE_OUTPUT_STREAMED
                : table_bytes(writer->table->nodes, writer->table->width) >= STREAM_FROM_BYTES;
}

static struct sizes sizes_of(const struct table_writer *writer)
{
  uint32_t nodes = writer->table->nodes, width = writer->table->width;
  uint32_t places = least(slice_places(writer->table), nodes), unit = least(LINE_BITS, nodes);
  bool streamed = is_streamed(writer);
  if (lists_of(writer)->node_at)
    return (struct sizes){places * cells_padded_row(unit, width),
                          nodes * cells_padded_row(slice_places(writer->table), width),
                          streamed ? cells_tile_bytes(LINE_BYTES / width, width) : 0};
  return (struct sizes){unit * cells_padded_row(places, width), 0,
                        streamed ? cells_tile_bytes(places, width) : 0};
}

void table_writer_init(struct table_writer *writer, const struct attractor *attractors,
                       struct table *table)
{
  struct job *job = attractors[PLAYER_MOUSE].job;
  *writer = (struct table_writer){.attractors = attractors, .table = table};
  struct sizes sizes = sizes_of(writer);
  writer->swapped = job_alloc(job, sizes.swapped);
  if (sizes.columns)
    writer->columns = job_alloc_dirty(job, sizes.columns);
  if (sizes.staging)
    writer->staging = job_alloc_dirty(job, sizes.staging);
}

void table_writer_deinit(struct table_writer *writer)
{
  struct job *job = writer->attractors[PLAYER_MOUSE].job;
  struct sizes sizes = sizes_of(writer);
  job_free(job, writer->swapped, sizes.swapped);
  job_free(job, writer->columns, sizes.columns);
  job_free(job, writer->staging, sizes.staging);
}
