/* Linux: process descriptors. */
#include "lsp/system.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int process_descriptor(pid_t process)
{
  int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : descriptor;
}
