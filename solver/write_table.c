/*
 * A piece is a slice of the mouse's places with one of the players to move. Each is written while it is in the
 * cache: for a tile of places of both, all that was logged, layer after layer. The mouse's wins are logged as runs
 * of the cat's places, which is how the table lies; the cat's are logged the other way round and are transposed, or
 * put cell by cell where they are few.
 *
 * Renumbered nodes: a slice is first put together in the engine's numbering, as columns (one for each place of the
 * cat), and transposed from there into the arena's; so the reordering of columns costs nothing of its own. Such
 * slices are narrower, for their columns to stay in the cache.
 */
#include "solver/level.h"

#include "solver/write_table.h"

#include "solver/log_cells.h"

/* Below so many bits in a tile of 2^18, cell by cell is faster than spreading and transposing. */
enum { TRANSPOSE_FROM_BITS = 1 << 13 };

/* A smaller table is written faster through the caches. */
enum { STREAM_FROM_BYTES = 1 << 20 };

/* What a slice has of a column. Longer ones do not stay in the cache, shorter ones have each log read more often. */
enum { SLICE_BYTES = 512 };

struct slice {
  enum player turn;
  uint32_t begin, end; /* the mouse's places, of one tile */
};

static uint32_t slice_places(const struct table *table, const struct lists *lists)
{
  return lists->node_at ? SLICE_BYTES / table->width : LINE_BITS;
}

/* Rows are a cache line longer, lest they all fall into the same few cache sets. */
static size_t tile_row(uint32_t width)
{
  return (size_t)LINE_BITS * width + LINE_BYTES;
}

static size_t column_bytes(void)
{
  return SLICE_BYTES + LINE_BYTES;
}

static uint32_t line_end(const struct attractor *attractor, uint32_t unit)
{
  return least((unit + 1) * LINE_BITS, attractor->nodes);
}

static const struct log *log_of(const struct attractor *attractor, enum player turn, uint32_t block,
                                uint32_t column)
{
  const struct side *side = turn == attractor->winner ? &attractor->exists : &attractor->forall;
  return &side->logs[block * attractor->lines + column];
}

/* A slice's part of what is logged for a unit, 512, of the cat's places. */
static struct logged mouse_logged(const struct table_writer *writer, const struct slice *slice,
                                  uint32_t unit)
{
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  return (struct logged){
      .log = log_of(mouse, slice->turn, slice->begin / LINE_BITS, unit),
      .winner = PLAYER_MOUSE,
      .row = slice->begin,
      .row_end = slice->end,
      .bit = unit * LINE_BITS,
      .words = (1 << LINE_WORDS) - 1,
  };
}

static struct logged cat_logged(const struct table_writer *writer, const struct slice *slice,
                                uint32_t unit)
{
  const struct attractor *cat = &writer->attractors[PLAYER_CAT];
  uint32_t block = slice->begin / LINE_BITS, words = (slice->end - slice->begin + 63) / 64;
  return (struct logged){
      .log = log_of(cat, slice->turn, unit, block),
      .winner = PLAYER_CAT,
      .row = unit * LINE_BITS,
      .row_end = line_end(cat, unit),
      .bit = block * LINE_BITS,
      .words = ((1U << words) - 1) << slice->begin % LINE_BITS / 64,
  };
}

/* Overwrites what `to` has of the tile, all of whose words count, with rows and columns swapped. */
static void write_swapped(struct table_writer *writer, const struct logged *logged,
                          const struct cells *to)
{
  uint32_t width = to->width;
  struct cells tile = {writer->tile, tile_row(width), NULL, width};
  tile.base -= logged->row * tile.stride_bytes + (size_t)logged->bit * width;
  log_spread(logged, &tile, UINT32_MAX);
  cells_transpose(&tile, to, logged->row, logged->row_end, logged->bit,
                  least(logged->bit + LINE_BITS, writer->table->nodes));
  memset(writer->tile, 0, (logged->row_end - logged->row) * tile.stride_bytes);
}

/* `to` has a row for each place of the mouse. */
static void write_line(struct table_writer *writer, const struct slice *slice,
                       const struct cells *to, uint32_t unit)
{
  struct logged mouse = mouse_logged(writer, slice, unit), cat = cat_logged(writer, slice, unit);
  if (cat.log->bits >= TRANSPOSE_FROM_BITS)
    write_swapped(writer, &cat, to);
  else
    log_scatter(&cat, to);
  log_spread(&mouse, to, writer->table->nodes);
}

/* `columns` has a row for each place of the cat. */
static void write_columns(struct table_writer *writer, const struct slice *slice,
                          const struct cells *columns, uint32_t unit)
{
  struct logged mouse = mouse_logged(writer, slice, unit), cat = cat_logged(writer, slice, unit);
  if (mouse.log->bits >= TRANSPOSE_FROM_BITS) {
    write_swapped(writer, &mouse, columns);
  } else {
    memset(cells_at(columns, cat.row, slice->begin), 0, (cat.row_end - cat.row) * column_bytes());
    log_scatter(&mouse, columns);
  }
  log_spread(&cat, columns, UINT32_MAX);
}

static bool is_streamed(const struct table *table, const struct attractor *attractor)
{
  enum engine_output output = attractor->options->output;
  return output ? output == ENGINE_OUTPUT_STREAMED
                : table_bytes(table->nodes, table->width) >= STREAM_FROM_BYTES;
}

static void write_renumbered(struct table_writer *writer, const struct slice *slice,
                             struct cells *to)
{
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  struct cells columns = {writer->columns, column_bytes(), NULL, to->width};
  columns.base -= (size_t)slice->begin * to->width;
  for (uint32_t unit = 0; unit < mouse->lines && !job_over(mouse->job); unit++)
    write_columns(writer, slice, &columns, unit);
  if (job_over(mouse->job))
    return;
  columns.row_at = mouse->lists->place_of;
  to->row_at = mouse->lists->node_at;
  cells_transpose_rows(&columns, to, mouse->nodes, slice->begin, slice->end, writer->staging,
                       is_streamed(writer->table, mouse));
}

static struct slice slice_at(const struct table *table, const struct lists *lists, uint32_t piece)
{
  uint32_t places = slice_places(table, lists), slices = table_writer_pieces(table, lists) / 2;
  uint32_t begin = piece % slices * places;
  return (struct slice){(enum player)(piece / slices), begin, least(begin + places, table->nodes)};
}

void table_writer_write(struct table_writer *writer, uint32_t piece)
{
  const struct table *table = writer->table;
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  struct slice slice = slice_at(table, mouse->lists, piece);
  struct cells to = {table->cells, (size_t)table->nodes * table->width, NULL, table->width};
  if (slice.turn != PLAYER_MOUSE)
    to.base += table->nodes * to.stride_bytes;
  if (mouse->lists->node_at) {
    write_renumbered(writer, &slice, &to);
    return;
  }
  for (uint32_t unit = 0; unit < mouse->lines && !job_over(mouse->job); unit++)
    write_line(writer, &slice, &to, unit);
}

uint32_t table_writer_pieces(const struct table *table, const struct lists *lists)
{
  uint32_t places = slice_places(table, lists);
  return 2 * ((table->nodes + places - 1) / places);
}

size_t table_writer_tile_bytes(const struct table *table, const struct lists *lists)
{
  return least(slice_places(table, lists), table->nodes) * tile_row(table->width);
}

size_t table_writer_columns_bytes(const struct table *table, const struct lists *lists)
{
  return lists->node_at ? table->nodes * column_bytes() : 0;
}

size_t table_writer_staging_bytes(const struct table *table, const struct lists *lists)
{
  return lists->node_at ? cells_rows_bytes(table->nodes, table->width) : 0;
}
