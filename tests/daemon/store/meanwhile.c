/* pwrite() is wrapped at link time. */
#include "tests/daemon/store/meanwhile.h"

#include <stdatomic.h>
#include <sys/types.h>

ssize_t __real_pwrite64(int fd, const void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t length, off_t offset);

static struct {
  atomic_bool armed;
  void (*act)(void *context);
  void *context;
} event;

void meanwhile(void (*act)(void *context), void *context)
{
  event.act = act;
  event.context = context;
  atomic_store(&event.armed, true);
}

bool meanwhile_happened(void)
{
  return !atomic_load(&event.armed);
}

ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t length, off_t offset)
{
  if (atomic_exchange(&event.armed, false))
    event.act(event.context);
  return __real_pwrite64(fd, bytes, length, offset);
}
