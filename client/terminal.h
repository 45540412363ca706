/* What cmclient needs to know of the terminal that it writes to. */
#ifndef CATMOUSE_CLIENT_TERMINAL_H
#define CATMOUSE_CLIENT_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Characters in a line of the terminal behind `descriptor`, or 0: no terminal, or it does not say. */
uint32_t terminal_columns(int descriptor);

/* Is colour welcome there? A terminal, no $NO_COLOR, and $TERM is not dumb. */
bool terminal_has_colour(int descriptor);

#endif
