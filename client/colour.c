#include "client/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const colour_names[] = {"auto", "always", "never", NULL};

bool colour_wanted(enum colour_when when, int descriptor)
{
  const char *no_colour = getenv("NO_COLOR");
  const char *kind = getenv("TERM");
  if (when != COLOUR_AUTO)
    return when == COLOUR_ALWAYS;
  return isatty(descriptor) && !(no_colour && *no_colour) && !(kind && strcmp(kind, "dumb") == 0);
}
