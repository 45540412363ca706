#include "solver/level.h"

#include "solver/log_cells.h"

#include "solver/cells_spread.h"

/* Those words of a line that count. */
static unsigned words_of(const struct logged *logged)
{
  uint32_t first = logged->bit % LINE_BITS / 64;
  uint32_t count = (logged->bit_end - logged->bit + 63) / 64;
  return ((1U << count) - 1) << first;
}

/* Steps over one record that counts, and over its words that don't. False at the end. */
static inline bool read_counted(struct cursor *cursor, const struct cursor *end,
                                const struct logged *logged, unsigned words, struct record *record)
{
  while (log_read(cursor, end, record)) {
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

void log_spread(const struct logged *logged, const struct cells *to, uint32_t columns)
{
  struct cursor cursor = log_start(logged->log), end = log_end(logged->log);
  struct record record = {0};
  uint32_t tile = logged->bit / LINE_BITS * LINE_BITS;
  unsigned words = words_of(logged);
  while (read_counted(&cursor, &end, logged, words, &record)) {
    uint8_t *cells = cells_at(to, record.row, tile);
    uint32_t value = cell_of(logged->winner, record.layer), room = columns - tile;
    for (unsigned presence = record.presence; presence; presence &= presence - 1) {
      uint64_t bits;
      memcpy(&bits, record.words, sizeof bits);
      record.words += sizeof bits;
      uint32_t first = (uint32_t)__builtin_ctz(presence) * 64;
      cells_spread(cells + (size_t)first * to->width, to->width, bits, value, room - first);
    }
  }
}

void log_scatter(const struct logged *logged, const struct cells *to)
{
  struct cursor cursor = log_start(logged->log), end = log_end(logged->log);
  struct record record = {0};
  uint32_t tile = logged->bit / LINE_BITS * LINE_BITS;
  unsigned words = words_of(logged);
  while (read_counted(&cursor, &end, logged, words, &record)) {
    uint32_t value = cell_of(logged->winner, record.layer);
    for (unsigned presence = record.presence; presence; presence &= presence - 1) {
      uint64_t bits;
      memcpy(&bits, record.words, sizeof bits);
      record.words += sizeof bits;
      uint32_t first = tile + (uint32_t)__builtin_ctz(presence) * 64;
      for (; bits; bits &= bits - 1)
        cell_set(cells_at(to, first + (uint32_t)__builtin_ctzll(bits), record.row), to->width,
                 value);
    }
  }
}
