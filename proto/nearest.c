/*
 * Distance is the number of letters to insert, drop, replace or swap with their neighbour: the optimal string
 * alignment distance, row by row. A third of the word may be wrong.
 */
#include "proto/nearest.h"

#include <string.h>

enum { NAME_MAX_LETTERS = 32 };

void nearest_init(struct nearest *nearest, const char *word, size_t length)
{
  *nearest = (struct nearest){.word = word, .length = length, .distance = (length + 2) / 3 + 1};
}

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t distance_between(const char *a, size_t a_length, const char *b, size_t b_length)
{
  size_t rows[3][NAME_MAX_LETTERS + 1];
  size_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_length; j++)
    last[j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before[j - 2] + 1);
    }
    size_t *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[b_length];
}

void nearest_try(struct nearest *nearest, const char *name)
{
  size_t length = strlen(name);
  if (length > NAME_MAX_LETTERS || nearest->length > NAME_MAX_LETTERS)
    return;
  size_t distance = distance_between(nearest->word, nearest->length, name, length);
  if (distance >= nearest->distance)
    return;
  nearest->distance = distance;
  nearest->name = name;
}
