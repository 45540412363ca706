/* Whether what is printed is coloured: --color, $NO_COLOR and the terminal decide. */
#ifndef CATMOUSE_CLIENT_COLOUR_H
#define CATMOUSE_CLIENT_COLOUR_H

#include <stdbool.h>

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* As --color takes them, by enum colour_when; ended by NULL. */
extern const char *const colour_names[];

/* COLOUR_AUTO: where `descriptor` is a terminal, $TERM is not dumb, and $NO_COLOR is empty or not there. */
bool colour_wanted(enum colour_when when, int descriptor);

#endif
