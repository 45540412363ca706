#include "client/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

uint32_t terminal_columns(int descriptor)
{
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool terminal_has_colour(int descriptor)
{
  const char *no_colour = getenv("NO_COLOR");
  const char *kind = getenv("TERM");
  return isatty(descriptor) && !(no_colour && *no_colour) && !(kind && strcmp(kind, "dumb") == 0);
}
