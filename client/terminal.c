#include "client/terminal.h"

#include <sys/ioctl.h>

uint32_t terminal_columns(int descriptor)
{
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
