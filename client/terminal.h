/* What cmclient needs to know of the terminal that it writes to. */
#ifndef CATMOUSE_CLIENT_TERMINAL_H
#define CATMOUSE_CLIENT_TERMINAL_H

#include <stdint.h>

/* Characters in a line of the terminal behind `descriptor`, or 0: no terminal, or it does not say. */
uint32_t terminal_columns(int descriptor);

#endif
