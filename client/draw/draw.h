/* Pictures in each format. What cannot be written, the stream remembers; see ferror(). */
#ifndef CATMOUSE_CLIENT_DRAW_DRAW_H
#define CATMOUSE_CLIENT_DRAW_DRAW_H

#include <stdio.h>

#include "client/draw/layout.h"
#include "client/draw/picture.h"

/* A graph for Graphviz, coloured. */
void draw_dot(FILE *out, const struct picture *picture);

/* In light and dark, with a legend; needs no font and no file. */
void draw_svg(FILE *out, const struct picture *picture, const struct layout *layout);

/* A whole page to look at, to place pieces and to play on, which needs no other file. 0 or -ENOMEM. */
int draw_html(FILE *out, const struct picture *picture, const struct layout *layout);

/*
 * For a terminal of so many columns, 0 for no bound. A grid is drawn with its plies, or with a letter a cell where
 * it is too wide for that; a graph is listed. -E2BIG where not even a letter a cell fits.
 */
int draw_text(FILE *out, const struct picture *picture, bool colour, uint32_t columns);

#endif
