#include "solver/level.h"

#include "solver/log_cells.h"

#include "solver/cells_spread.h"

/* Steps over one record that counts, and over its words that don't. False at the end. */
static bool read_counted(struct cursor *cursor, const struct cursor *end,
                         const struct logged *logged, struct record *record)
{
  while (log_read(cursor, end, record)) {
    if (record->row - logged->row >= logged->row_end - logged->row)
      continue;
    unsigned below = record->presence & ((logged->words & -logged->words) - 1);
    record->words += sizeof(uint64_t) * (unsigned)__builtin_popcount(below);
    record->presence &= logged->words;
    if (record->presence)
      return true;
  }
  return false;
}

void log_spread(const struct logged *logged, const struct cells *to, uint32_t end)
{
  struct cursor cursor = log_start(logged->log), stop = log_end(logged->log);
  struct record record = {0};
  while (read_counted(&cursor, &stop, logged, &record)) {
    uint8_t *cells = cells_at(to, record.row, logged->bit);
    uint32_t value = cell_of(logged->winner, record.layer), room = end - logged->bit;
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
  struct cursor cursor = log_start(logged->log), stop = log_end(logged->log);
  struct record record = {0};
  while (read_counted(&cursor, &stop, logged, &record)) {
    uint32_t value = cell_of(logged->winner, record.layer);
    for (unsigned presence = record.presence; presence; presence &= presence - 1) {
      uint64_t bits;
      memcpy(&bits, record.words, sizeof bits);
      record.words += sizeof bits;
      uint32_t first = logged->bit + (uint32_t)__builtin_ctz(presence) * 64;
      for (; bits; bits &= bits - 1)
        cell_set(cells_at(to, first + (uint32_t)__builtin_ctzll(bits), record.row), to->width,
                 value);
    }
  }
}
