/* Bytes of any kind as a terminal may be shown them, and a line of text with its place marked. */
#ifndef CATMOUSE_CLIENT_EXCERPT_H
#define CATMOUSE_CLIENT_EXCERPT_H

#include <stdbool.h>
#include <stdio.h>

#include "text/text.h"

/*
 * Writes `length` bytes, but \x1b and its like for control characters and for what is no UTF-8. Returns how many
 * columns that takes, counting a character as one.
 */
size_t escaped_write(FILE *to, const char *bytes, size_t length);

/* The same, but line ends stay. */
void escaped_lines_write(FILE *to, const char *bytes, size_t length);

/*
 * Two lines: the line of `place`, or the part of it around the span, and below it carets under the span.
 */
void excerpt_write(FILE *to, const char *bytes, const struct text_place *place,
                   struct text_span span);

#endif
