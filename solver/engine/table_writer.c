/*
 * The table's memory is filled first, from begin to end: to store past the caches into a page that
 * is not there yet would clear it through them. Then the table is written in slices: some of the
 * mouse's places with one of the players to move. A slice is put together in the cache, tile by
 * tile of places of both. The mouse's wins are logged as runs of the cat's places, which is how the
 * table lies; the cat's are logged the other way round.
 *
 * Renumbered nodes: a slice is first put together as columns, one for each place of the cat, which
 * already lie as the arena numbers them. Then the columns are read one after the other and
 * transposed, since a processor foresees what comes next in a read.
 */
#include "solver/engine/level.h"

#include "solver/engine/table_writer.h"

#include "solver/engine/log_cells.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* A smaller table is written faster through the caches. */
enum { STREAM_FROM_BYTES = 1 << 20 };

/*
 * Of one column in a slice. Longer ones do not stay in the cache; for shorter ones each log is read
 * more often.
 */
enum { SLICE_BYTES = 512 };

/* What one thread needs for itself. */
struct desk {
  uint8_t *swapped; /* of a tile, as the logs have it; zero between uses */
  uint8_t *columns; /* of a slice; NULL where nodes kept their numbers */
  uint8_t *staging; /* a tile on its way to the table */
};

struct table_writer {
  struct solving *solving;
  const struct attractor *attractors; /* by winner */
  const struct lists *lists;
  struct table *table;
  bool streamed;        /* past the caches */
  struct desk desks[2]; /* by thread */
};

/*
 * A tile of a matrix: rows from `row` and 512 columns from `column` on, with the numbers that they
 * have in the matrix. It is put together in `memory` of cells_tile_bytes() and then stored, past
 * the caches where the table is large. Rows of a table seldom begin with a cache line, and lines
 * stored in part would be read from memory first: so the line before each row of a tile is for what
 * the tile to its left has left over. A row of tiles begins with column 0, and each is stored
 * before the next is put together.
 */
static size_t tile_row_bytes(uint32_t width)
{
  return LINE_BYTES + (size_t)LINE_BITS * width;
}

static size_t cells_tile_bytes(uint32_t rows, uint32_t width)
{
  return rows * tile_row_bytes(width);
}

static struct cells cells_tile(uint8_t *memory, uint32_t row, uint32_t column, uint32_t width)
{
  return (struct cells){memory + LINE_BYTES, tile_row_bytes(width), NULL, width, row, column};
}

/*
 * Storing past the caches: what is written once and not read soon need not be read from memory to
 * be overwritten, but only whole cache lines are written so.
 */
static void stream_line(uint8_t *to, const uint8_t *from)
{
#if defined(__AVX512F__)
  _mm512_stream_si512((void *)to, _mm512_loadu_si512(from));
#elif defined(__SSE2__)
  for (unsigned at = 0; at < LINE_BYTES; at += sizeof(__m128i))
    _mm_stream_si128((__m128i *)(void *)(to + at),
                     _mm_loadu_si128((const __m128i *)(const void *)(from + at)));
#else
  memcpy(to, from, LINE_BYTES);
#endif
}

/* What was stored so is seen by other threads before what is stored from now on. */
static void stream_end(void)
{
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/* Copies all but an incomplete line at the end. How many bytes that are. */
static size_t stream_lines(uint8_t *to, const uint8_t *from, size_t bytes)
{
  size_t at = -(uintptr_t)to % LINE_BYTES;
  at = at < bytes ? at : bytes;
  memcpy(to, from, at);
  for (; bytes - at >= LINE_BYTES; at += LINE_BYTES)
    stream_line(to + at, from + at);
  return at;
}

static void store_row(uint8_t *from, uint8_t *to, size_t bytes, bool first, bool last)
{
  size_t kept = first ? 0 : (uintptr_t)to % LINE_BYTES;
  size_t left = kept + bytes - stream_lines(to - kept, from - kept, kept + bytes);
  memcpy(last ? to + bytes - left : from - left, from + bytes - left, left);
}

static void cells_tile_store(const struct table_writer *writer, const struct cells *tile,
                             const struct cells *to, uint32_t row_end)
{
  uint32_t column = tile->first_column, columns = writer->table->nodes;
  uint32_t end = least(column + LINE_BITS, columns);
  size_t bytes = (size_t)(end - column) * to->width;
  for (uint32_t row = tile->first_row; row < row_end; row++)
    if (writer->streamed)
      store_row(cells_at(tile, row, column), cells_at(to, row, column), bytes, column == 0,
                end == columns);
    else
      memcpy(cells_at(to, row, column), cells_at(tile, row, column), bytes);
  stream_end();
}

struct slice {
  enum player turn;
  uint32_t begin, end; /* the mouse's places, of one tile */
};

static uint32_t slice_places(const struct table *table)
{
  return SLICE_BYTES / table->width;
}

static const struct tile_log *log_of(const struct attractor *attractor, enum player turn,
                                     uint32_t block, uint32_t column)
{
  const struct side *side = turn == attractor->winner ? &attractor->exists : &attractor->forall;
  return &side->logs[block * attractor->lines + column];
}

struct span {
  uint32_t begin, end;
};

/* The part of a winner's log for a slice and the cat's places from 512 * unit on. */
static struct logged part_of(const struct table_writer *writer, const struct slice *slice,
                             uint32_t unit, enum player winner)
{
  uint32_t first = unit * LINE_BITS;
  struct span mouse = {slice->begin, slice->end};
  struct span cat = {first, least(first + LINE_BITS, writer->table->nodes)};
  struct span rows = winner == PLAYER_MOUSE ? mouse : cat;
  struct span bits = winner == PLAYER_MOUSE ? cat : mouse;
  const struct tile_log *log = log_of(&writer->attractors[winner], slice->turn,
                                      rows.begin / LINE_BITS, bits.begin / LINE_BITS);
  return (struct logged){log, winner, rows.begin, rows.end, bits.begin, bits.end};
}

/* Transposes as many columns at a time as a cache line has cells. */
static void store_columns(const struct table_writer *writer, const struct desk *desk,
                          const struct slice *slice, const struct cells *columns,
                          const struct cells *table)
{
  uint32_t nodes = writer->table->nodes, side = LINE_BYTES / table->width;
  for (uint32_t row = slice->begin; row < slice->end; row += side)
    for (uint32_t column = 0; column < nodes; column += LINE_BITS) {
      uint32_t row_end = least(row + side, slice->end);
      struct cells tile = cells_tile(desk->staging, row, column, table->width);
      cells_transpose(columns, &tile, column, least(column + LINE_BITS, nodes), row, row_end);
      cells_tile_store(writer, &tile, table, row_end);
    }
}

static void write_renumbered(const struct table_writer *writer, const struct desk *desk,
                             const struct slice *slice, const struct cells *table)
{
  const struct lists *lists = writer->lists;
  struct cells columns = {.base = desk->columns,
                          .stride_bytes =
                              cells_padded_row(slice_places(writer->table), table->width),
                          .row_at = lists->node_at,
                          .width = table->width,
                          .first_column = slice->begin};
  for (uint32_t unit = 0; unit < lists->lines && !solving_over(writer->solving); unit++) {
    struct logged mouse = part_of(writer, slice, unit, PLAYER_MOUSE);
    struct logged cat = part_of(writer, slice, unit, PLAYER_CAT);
    logs_write(&cat, &mouse, &columns, desk->swapped);
  }
  if (solving_over(writer->solving))
    return;
  struct cells rows = *table;
  rows.row_at = lists->node_at;
  columns.row_at = NULL;
  store_columns(writer, desk, slice, &columns, &rows);
}

static void write_kept(const struct table_writer *writer, const struct desk *desk,
                       const struct slice *slice, const struct cells *table)
{
  const struct lists *lists = writer->lists;
  for (uint32_t unit = 0; unit < lists->lines && !solving_over(writer->solving); unit++) {
    struct logged mouse = part_of(writer, slice, unit, PLAYER_MOUSE);
    struct logged cat = part_of(writer, slice, unit, PLAYER_CAT);
    struct cells tile = cells_tile(desk->staging, slice->begin, unit * LINE_BITS, table->width);
    logs_write(&mouse, &cat, &tile, desk->swapped);
    cells_tile_store(writer, &tile, table, slice->end);
  }
}

static uint32_t slices_a_turn(const struct table *table)
{
  uint32_t places = slice_places(table);
  return (table->nodes + places - 1) / places;
}

static void fill_piece(void *context, unsigned thread, uint32_t piece)
{
  (void)thread;
  const struct table_writer *writer = context;
  if (!solving_over(writer->solving) && table_fill(writer->table, piece) < 0)
    solving_fail(writer->solving, -ENOMEM);
}

static void write_piece(void *context, unsigned thread, uint32_t piece)
{
  const struct table_writer *writer = context;
  const struct table *table = writer->table;
  uint32_t slices = slices_a_turn(table), begin = piece % slices * slice_places(table);
  struct slice slice = {(enum player)(piece / slices), begin,
                        least(begin + slice_places(table), table->nodes)};
  struct cells cells = {.base = table->cells,
                        .stride_bytes = (size_t)table->nodes * table->width,
                        .width = table->width};
  cells.base += slice.turn * table->nodes * cells.stride_bytes;
  if (solving_over(writer->solving))
    return;
  if (writer->lists->node_at)
    write_renumbered(writer, &writer->desks[thread], &slice, &cells);
  else
    write_kept(writer, &writer->desks[thread], &slice, &cells);
}

/* Of `swapped`, `columns` (0 for NULL) and `staging`. */
struct sizes {
  size_t swapped, columns, staging;
};

static struct sizes sizes_of(const struct table_writer *writer)
{
  uint32_t nodes = writer->table->nodes, width = writer->table->width;
  uint32_t places = least(slice_places(writer->table), nodes), unit = least(LINE_BITS, nodes);
  if (writer->lists->node_at)
    return (struct sizes){places * cells_padded_row(unit, width),
                          nodes * cells_padded_row(slice_places(writer->table), width),
                          cells_tile_bytes(LINE_BYTES / width, width)};
  return (struct sizes){unit * cells_padded_row(places, width), 0, cells_tile_bytes(places, width)};
}

/* Where this fails the solve has failed. */
static void desk_init(const struct table_writer *writer, struct desk *desk)
{
  struct sizes sizes = sizes_of(writer);
  desk->swapped = solving_alloc(writer->solving, sizes.swapped);
  desk->staging = solving_alloc_dirty(writer->solving, sizes.staging);
  if (sizes.columns)
    desk->columns = solving_alloc_dirty(writer->solving, sizes.columns);
}

static void desk_deinit(const struct table_writer *writer, struct desk *desk)
{
  struct sizes sizes = sizes_of(writer);
  solving_free(writer->solving, desk->swapped, sizes.swapped);
  solving_free(writer->solving, desk->columns, sizes.columns);
  solving_free(writer->solving, desk->staging, sizes.staging);
}

static void write_cells(struct table_writer *writer, struct thread_pair *pair, unsigned threads)
{
  for (unsigned thread = 0; thread < threads; thread++)
    desk_init(writer, &writer->desks[thread]);
  thread_pair_step(pair, 0, fill_piece, writer, table_pieces(writer->table));
  thread_pair_step(pair, 0, write_piece, writer, 2 * slices_a_turn(writer->table));
  for (unsigned thread = 0; thread < threads; thread++)
    desk_deinit(writer, &writer->desks[thread]);
}

int table_write(const struct attractor attractors[static 2], struct thread_pair *pair,
                unsigned threads, struct table **table)
{
  struct solving *solving = attractors[PLAYER_MOUSE].solving;
  const struct lists *lists = attractors[PLAYER_MOUSE].lists;
  uint32_t width = table_width((uint32_t)atomic_load(solving->layers));
  uint64_t bytes = table_bytes(lists->nodes, width);
  enum engine_output output = attractors[PLAYER_MOUSE].options->output;
  if (solving_hold(solving, bytes) < 0)
    return -EFBIG;
  struct table_writer writer = {.solving = solving,
                                .attractors = attractors,
                                .lists = lists,
                                .table = table_new(lists->nodes, width),
                                .streamed = output ? output == ENGINE_OUTPUT_STREAMED
                                                   : bytes >= STREAM_FROM_BYTES};
  if (writer.table)
    write_cells(&writer, pair, threads);
  else
    solving_fail(solving, -ENOMEM);
  if (solving_over(solving)) {
    solving_release(solving, bytes);
    table_free(writer.table);
    return solving->error;
  }
  *table = writer.table;
  return 0;
}
