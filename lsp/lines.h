/*
 * Where the lines of a text begin, and positions on them: the editor counts in UTF-16 units, bytes or characters,
 * the text in bytes. Positions past a line's end, or within a character, are taken for the nearest place before.
 */
#ifndef CATMOUSE_LSP_LINES_H
#define CATMOUSE_LSP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum position_encoding { POSITION_UTF16, POSITION_UTF8, POSITION_UTF32 };

struct position {
  uint32_t line; /* from 0 */
  uint32_t column;
};

/* Lines end with LF, CR LF or CR; the last one without. The text is borrowed. */
struct lines {
  const char *bytes;
  uint32_t length;
  uint32_t count;
  uint32_t *begin; /* `count` offsets; owned */
  bool ascii;      /* all of the text: then a column is a byte */
};

/* 0 or -ENOMEM. Ends with lines_deinit(). O(length) */
int lines_init(struct lines *lines, const char *bytes, uint32_t length);
void lines_deinit(struct lines *lines);

/* O(log lines), and in text that is not all ASCII the length of the line too. */
uint32_t lines_offset(const struct lines *lines, enum position_encoding encoding,
                      struct position position);
struct position lines_position(const struct lines *lines, enum position_encoding encoding,
                               uint32_t offset);

/* The end of a line without its line end. */
uint32_t lines_end(const struct lines *lines, uint32_t line);

/* The line that `offset` is on. */
uint32_t lines_find(const struct lines *lines, uint32_t offset);

#endif
