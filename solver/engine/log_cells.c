/*
 * A log is read from its first layer to its last. `along` is spread over rows of cells as it is
 * logged. `across` is spread over rows of its own, and these are transposed; where it has few bits,
 * they are put cell by cell.
 */
#include "solver/engine/level.h"

#include "solver/engine/log_cells.h"

#include "solver/engine/cells_spread.h"
#include "solver/table.h"

/* Below so many bits in a tile of 2^18, cell by cell is faster than spreading and transposing. */
enum { TRANSPOSE_FROM_BITS = 1 << 13 };

/* The words of a line that belong to the part. */
static unsigned words_of(const struct logged *logged)
{
  uint32_t first = logged->bit % LINE_BITS / 64;
  uint32_t count = (logged->bit_end - logged->bit + 63) / 64;
  return ((1U << count) - 1) << first;
}

/* Steps to the next record of the part, and past its words that are outside. False at the end. */
static inline bool read_part(struct cursor *cursor, const struct cursor *end,
                             const struct logged *logged, unsigned words, struct record *record)
{
  while (tile_log_read(cursor, end, record)) {
    if (record->row - logged->row >= logged->row_end - logged->row)
      continue;
    unsigned below = record->presence & ((words & -words) - 1);
    record->words += sizeof(uint64_t) * (unsigned)__builtin_popcount(below);
    record->presence &= words;
    if (record->presence)
      return true;
  }
  return false;
}

/* Cell by cell, where the columns of `cells` are the winner's places. */
static inline void scatter_word(const struct cells *to, uint32_t row, uint32_t first, uint64_t bits,
                                uint32_t value)
{
  for (; bits; bits &= bits - 1)
    cell_set(cells_at(to, first + (uint32_t)__builtin_ctzll(bits), row), to->width, value);
}

/* The rows of `to` are the winner's places; or, `across`, the columns are. */
static inline __attribute__((always_inline)) void write_log(const struct logged *logged,
                                                            const struct cells *to, bool across)
{
  struct cursor cursor = tile_log_start(logged->log), end = tile_log_end(logged->log);
  struct record record = {0};
  uint32_t tile = logged->bit / LINE_BITS * LINE_BITS;
  unsigned words = words_of(logged);
  while (read_part(&cursor, &end, logged, words, &record)) {
    uint8_t *cells = across ? NULL : cells_at(to, record.row, to->first_column);
    uint32_t value = cell_of(logged->winner, record.layer);
    for (unsigned presence = record.presence; presence; presence &= presence - 1) {
      uint64_t bits;
      memcpy(&bits, record.words, sizeof bits);
      record.words += sizeof bits;
      uint32_t first = tile + (uint32_t)__builtin_ctz(presence) * 64;
      if (across)
        scatter_word(to, record.row, first, bits, value);
      else
        cells_spread(cells + (size_t)(first - to->first_column) * to->width, to->width, bits,
                     value);
    }
  }
}

static void clear(const struct cells *cells, uint32_t row, uint32_t row_end, uint32_t column,
                  uint32_t column_end)
{
  for (; row < row_end; row++)
    memset(cells_at(cells, row, column), 0, (size_t)(column_end - column) * cells->width);
}

/* Overwrites the part's cells. The columns of `to` are the winner's places. */
static void write_swapped(const struct logged *logged, const struct cells *to, uint8_t *swapped)
{
  uint32_t width = to->width;
  size_t row_bytes = cells_padded_row(logged->bit_end - logged->bit, width);
  struct cells rows = {swapped, row_bytes, NULL, width, logged->row, logged->bit};
  write_log(logged, &rows, false);
  cells_transpose(&rows, to, logged->row, logged->row_end, logged->bit, logged->bit_end);
  memset(swapped, 0, (logged->row_end - logged->row) * row_bytes);
}

void logs_write(const struct logged *along, const struct logged *across, const struct cells *to,
                uint8_t *swapped)
{
  if (across->log->bits >= TRANSPOSE_FROM_BITS) {
    write_swapped(across, to, swapped);
  } else {
    clear(to, along->row, along->row_end, along->bit, along->bit_end);
    write_log(across, to, true);
  }
  write_log(along, to, false);
}
