/*
 * Each part of the table is written while it is in the cache: for a tile of 512 x 512 states, all
 * that was logged, layer after layer. The mouse's wins are logged as runs of the cat's places, which
 * is how the table lies; the cat's are logged the other way round and are transposed, or put cell by
 * cell where they are few.
 *
 * Renumbered nodes: a block of 512 rows is first put together in the engine's numbering, as columns
 * (one for each place of the cat), and transposed from there into the arena's; so the reordering of
 * columns costs nothing of its own.
 */
#include "solver/level.h"

#include "solver/write_table.h"

#include "solver/cells_spread.h"

/* Below so many bits in a tile of 2^18, cell by cell is faster than spreading and transposing. */
enum { TRANSPOSE_FROM_BITS = 1 << 13 };

/* What the caches may hold. A smaller table is written faster through them. */
enum { STREAM_FROM_BYTES = 16 << 20 };

/* Rows of 512 cells are a cache line longer, lest they all fall into the same few cache sets. */
static size_t padded_row(uint32_t width)
{
  return (size_t)LINE_BITS * width + LINE_BYTES;
}

static uint32_t line_end(const struct attractor *attractor, uint32_t unit)
{
  uint32_t end = (unit + 1) * LINE_BITS;
  return end < attractor->nodes ? end : attractor->nodes;
}

static const struct log *log_of(const struct attractor *attractor, enum player turn, uint32_t block,
                                uint32_t column)
{
  const struct side *side = turn == attractor->winner ? &attractor->exists : &attractor->forall;
  return &side->logs[block * attractor->lines + column];
}

/* Spreads a log over cells whose rows are the log's rows, and have `room` cells from `column` on. */
static void spread_log(const struct attractor *attractor, const struct log *log,
                       const struct cells *to, uint32_t row, uint32_t column, uint32_t room)
{
  struct cursor cursor = log_start(log), end = log_end(log);
  struct record record = {0};
  while (log_read(&cursor, &end, &record)) {
    uint8_t *cells = cells_at(to, record.row - row, column);
    uint32_t value = cell_of(attractor->winner, record.layer);
    for (unsigned presence = record.presence; presence; presence &= presence - 1) {
      uint64_t bits;
      memcpy(&bits, record.words, sizeof bits);
      record.words += sizeof bits;
      uint32_t first = (uint32_t)__builtin_ctz(presence) * 64;
      cells_spread(cells + (size_t)first * to->width, to->width, bits, value, room - first);
    }
  }
}

/* Puts a log cell by cell where the log's rows are columns. */
static void scatter_log(const struct attractor *attractor, const struct log *log,
                        const struct cells *to, uint32_t column)
{
  struct cursor cursor = log_start(log), end = log_end(log);
  struct record record = {0};
  while (log_read(&cursor, &end, &record)) {
    uint32_t value = cell_of(attractor->winner, record.layer);
    for (unsigned presence = record.presence; presence; presence &= presence - 1) {
      uint64_t bits;
      memcpy(&bits, record.words, sizeof bits);
      record.words += sizeof bits;
      uint32_t first = column + (uint32_t)__builtin_ctz(presence) * 64;
      for (; bits; bits &= bits - 1)
        cell_set(cells_at(to, first + (uint32_t)__builtin_ctzll(bits), record.row), to->width,
                 value);
    }
  }
}

/*
 * Overwrites a tile of `to` with a log, rows and columns swapped: the log's rows from 512 * `rows` on
 * are columns of `to`, its bits from 512 * `bits` on are rows.
 */
static void swap_log(struct table_writer *writer, const struct attractor *attractor,
                     const struct log *log, const struct cells *to, uint32_t rows, uint32_t bits)
{
  uint32_t width = to->width;
  struct cells tile = {writer->tile, padded_row(width), NULL, width};
  spread_log(attractor, log, &tile, rows * LINE_BITS, 0, LINE_BITS);
  struct cells placed = tile; /* its rows and columns numbered as those of the log */
  placed.base -= rows * LINE_BITS * tile.stride_bytes + (size_t)bits * LINE_BITS * width;
  cells_transpose(&placed, to, rows * LINE_BITS, line_end(attractor, rows), bits * LINE_BITS,
                  line_end(attractor, bits));
  memset(writer->tile, 0, (line_end(attractor, rows) - rows * LINE_BITS) * tile.stride_bytes);
}

static void write_tile(struct table_writer *writer, const struct cells *to, enum player turn,
                       uint32_t block, uint32_t column)
{
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  const struct attractor *cat = &writer->attractors[PLAYER_CAT];
  const struct log *cat_log = log_of(cat, turn, column, block);
  if (cat_log->bits >= TRANSPOSE_FROM_BITS)
    swap_log(writer, cat, cat_log, to, column, block);
  else
    scatter_log(cat, cat_log, to, block * LINE_BITS);
  spread_log(mouse, log_of(mouse, turn, block, column), to, 0, column * LINE_BITS,
             mouse->nodes - column * LINE_BITS);
}

/* `columns` has a row for each place of the cat and, in it, the block's places of the mouse. */
static void write_tile_swapped(struct table_writer *writer, const struct cells *columns,
                               enum player turn, uint32_t block, uint32_t column)
{
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  const struct attractor *cat = &writer->attractors[PLAYER_CAT];
  const struct log *mouse_log = log_of(mouse, turn, block, column);
  struct cells placed = *columns; /* its columns numbered as the mouse's places */
  placed.base -= (size_t)block * LINE_BITS * columns->width;
  if (mouse_log->bits >= TRANSPOSE_FROM_BITS) {
    swap_log(writer, mouse, mouse_log, &placed, block, column);
  } else {
    memset(cells_at(columns, column * LINE_BITS, 0), 0,
           (line_end(mouse, column) - column * LINE_BITS) * columns->stride_bytes);
    scatter_log(mouse, mouse_log, &placed, column * LINE_BITS);
  }
  spread_log(cat, log_of(cat, turn, column, block), columns, 0, 0, LINE_BITS);
}

static void put_in_place(struct table_writer *writer, const struct cells *columns,
                         const struct cells *rows, uint32_t column, uint32_t block)
{
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  uint32_t column_end = line_end(mouse, column), block_end = line_end(mouse, block);
  if (writer->staging)
    cells_stream(columns, rows, column * LINE_BITS, column_end, block * LINE_BITS, block_end,
                 writer->staging);
  else
    cells_transpose(columns, rows, column * LINE_BITS, column_end, block * LINE_BITS, block_end);
}

static void write_renumbered(struct table_writer *writer, const struct cells *to, enum player turn,
                             uint32_t block)
{
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  struct cells columns = {writer->rows, padded_row(to->width), NULL, to->width};
  for (uint32_t column = 0; column < mouse->lines && !job_over(mouse->job); column++)
    write_tile_swapped(writer, &columns, turn, block, column);
  columns.row_at = mouse->lists->place_of;
  columns.base -= (size_t)block * LINE_BITS * to->width;
  struct cells rows = *to;
  rows.row_at = mouse->lists->node_at;
  for (uint32_t column = 0; column < mouse->lines && !job_over(mouse->job); column++)
    put_in_place(writer, &columns, &rows, column, block);
}

void write_table_block(struct table_writer *writer, uint32_t block)
{
  const struct table *table = writer->table;
  const struct attractor *mouse = &writer->attractors[PLAYER_MOUSE];
  for (int turn = 0; turn < 2; turn++) {
    struct cells to = {(uint8_t *)table->cells +
                           table_bytes(table->nodes, table->width) / 2 * (unsigned)turn,
                       (size_t)table->nodes * table->width, NULL, table->width};
    if (mouse->lists->node_at) {
      write_renumbered(writer, &to, (enum player)turn, block);
      continue;
    }
    for (uint32_t column = 0; column < mouse->lines && !job_over(mouse->job); column++)
      write_tile(writer, &to, (enum player)turn, block, column);
  }
}

size_t table_writer_tile_bytes(const struct table *table)
{
  return LINE_BITS * padded_row(table->width);
}

size_t table_writer_rows_bytes(const struct table *table, const struct lists *lists)
{
  return lists->node_at ? (size_t)table->nodes * padded_row(table->width) : 0;
}

size_t table_writer_staging_bytes(const struct table *table, const struct attractor *attractor)
{
  enum engine_output output = attractor->options->output;
  if (!output && table_bytes(table->nodes, table->width) >= STREAM_FROM_BYTES)
    output = ENGINE_OUTPUT_STREAMED;
  bool streams = attractor->lists->node_at && output == ENGINE_OUTPUT_STREAMED;
  return streams ? cells_stream_bytes(table->width) : 0;
}
