/* Three values one after another, or each behind its name; brackets, quotes and what stands between do not matter. */
#include "client/state_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum slot { SLOT_MOUSE, SLOT_CAT, SLOT_TURN, SLOTS };

static const char *const slot_names[SLOTS] = {"mouse", "cat", "turn"};

/* One state being read. */
struct reader {
  const char *text; /* all of it, for the sentences */
  const char *at;
  char *why;
  bool filled[SLOTS];
  bool by_row[SLOTS];
  uint32_t row[SLOTS];
  uint32_t number[SLOTS]; /* node, column or turn */
};

static int __attribute__((format(printf, 2, 3)))
refuse(struct reader *reader, const char *format, ...)
{
  va_list arguments;
  int length = snprintf(reader->why, STATE_WHY_MAX, "--state %.40s: ", reader->text);
  va_start(arguments, format);
  vsnprintf(reader->why + length, (size_t)(STATE_WHY_MAX - length), format, arguments);
  va_end(arguments);
  return -EINVAL;
}

static void skip_between(struct reader *reader)
{
  reader->at += strspn(reader->at, " \t,;()[]{}\"'");
}

static bool read_number(struct reader *reader, uint32_t *number)
{
  char *end;
  errno = 0;
  unsigned long long parsed = strtoull(reader->at, &end, 10);
  if (!isdigit((unsigned char)*reader->at) || errno != 0 || parsed > UINT32_MAX)
    return false;
  reader->at = end;
  *number = (uint32_t)parsed;
  return true;
}

/* "2:0" or "r2c0" or "3". */
static int read_place(struct reader *reader, enum slot slot)
{
  const bool lettered = tolower((unsigned char)*reader->at) == 'r';
  reader->at += lettered;
  if (!read_number(reader, &reader->number[slot]))
    return refuse(reader, "the %s is at no node", slot_names[slot]);
  const char between = lettered ? 'c' : ':';
  reader->by_row[slot] = tolower((unsigned char)*reader->at) == between;
  if (lettered && !reader->by_row[slot])
    return refuse(reader, "the %s has no column", slot_names[slot]);
  if (!reader->by_row[slot])
    return 0;
  reader->at++;
  reader->at += strspn(reader->at, " ");
  reader->row[slot] = reader->number[slot];
  return read_number(reader, &reader->number[slot])
             ? 0
             : refuse(reader, "the %s has no column", slot_names[slot]);
}

/* The player that a word names, or -1. */
static int player_of(const char *word, size_t length)
{
  static const char *const words[] = {"mouse", "m", "0", "cat", "c", "1"};
  for (int i = 0; i < 6; i++) {
    if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0)
      return i / 3;
  }
  return -1;
}

static int read_turn(struct reader *reader)
{
  const size_t length = strcspn(reader->at, " \t,;()[]{}\"'");
  const int player = player_of(reader->at, length);
  if (player < 0)
    return refuse(reader, "'%.*s' is neither mouse nor cat", (int)(length > 20 ? 20 : length),
                  reader->at);
  reader->number[SLOT_TURN] = (uint32_t)player;
  reader->at += length;
  return 0;
}

/* A name with = or : behind it goes before its value. SLOTS where there is none here. */
static enum slot take_name(struct reader *reader)
{
  const char *end = reader->at;
  while (isalpha((unsigned char)*end))
    end++;
  const size_t length = (size_t)(end - reader->at);
  end += strspn(end, " \"'");
  if (length == 0 || (*end != '=' && *end != ':'))
    return SLOTS;
  for (enum slot slot = 0; slot < SLOTS; slot++) {
    if ((length == 1 || length == strlen(slot_names[slot])) &&
        strncasecmp(reader->at, slot_names[slot], length) == 0) {
      reader->at = end + 1;
      skip_between(reader);
      return slot;
    }
  }
  return SLOTS;
}

static enum slot next_slot(const struct reader *reader)
{
  enum slot slot = 0;
  while (slot < SLOTS && reader->filled[slot])
    slot++;
  return slot;
}

static int read_value(struct reader *reader)
{
  enum slot slot = take_name(reader);
  if (slot == SLOTS)
    slot = next_slot(reader);
  if (slot == SLOTS)
    return refuse(reader, "'%.20s' is left over", reader->at);
  if (reader->filled[slot])
    return refuse(reader, "the %s is there twice", slot_names[slot]);
  reader->filled[slot] = true;
  return slot == SLOT_TURN ? read_turn(reader) : read_place(reader, slot);
}

int state_parse(const char *text, struct cm_state *state, char why[static STATE_WHY_MAX])
{
  struct reader reader = {.text = text, .at = text, .why = why};
  for (skip_between(&reader); *reader.at; skip_between(&reader)) {
    int error = read_value(&reader);
    if (error)
      return error;
  }
  const enum slot missing = next_slot(&reader);
  if (missing != SLOTS)
    return refuse(&reader, "the %s is missing; write mouse, cat and turn, such as 1,2,mouse",
                  slot_names[missing]);
  if (reader.by_row[SLOT_MOUSE] != reader.by_row[SLOT_CAT])
    return refuse(&reader, "write row:column for both players or for neither");
  *state = (struct cm_state){.mouse = reader.number[SLOT_MOUSE],
                             .cat = reader.number[SLOT_CAT],
                             .turn = (enum cm_player)reader.number[SLOT_TURN],
                             .by_row = reader.by_row[SLOT_MOUSE],
                             .mouse_row = reader.row[SLOT_MOUSE],
                             .cat_row = reader.row[SLOT_CAT]};
  return 0;
}
