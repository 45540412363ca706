/* pwrite() and pread() are wrapped at link time. */
#include "tests/daemon/store/meanwhile.h"

#include <stdatomic.h>
#include <sys/types.h>

ssize_t __real_pwrite64(int fd, const void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t length, off_t offset);
ssize_t __real_pread64(int fd, void *bytes, size_t length, off_t offset);
ssize_t __wrap_pread64(int fd, void *bytes, size_t length, off_t offset);

static struct {
  atomic_bool armed; /* for a write */
  atomic_uint reads; /* until it happens, that one included; 0 for none */
  void (*act)(void *context);
  void *context;
} event;

void meanwhile(void (*act)(void *context), void *context)
{
  event.act = act;
  event.context = context;
  atomic_store(&event.armed, true);
}

void meanwhile_read(unsigned others, void (*act)(void *context), void *context)
{
  event.act = act;
  event.context = context;
  atomic_store(&event.reads, others + 1);
}

bool meanwhile_happened(void)
{
  return !atomic_load(&event.armed) && atomic_load(&event.reads) == 0;
}

ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t length, off_t offset)
{
  if (atomic_exchange(&event.armed, false))
    event.act(event.context);
  return __real_pwrite64(fd, bytes, length, offset);
}

ssize_t __wrap_pread64(int fd, void *bytes, size_t length, off_t offset)
{
  if (atomic_load(&event.reads) > 0 && atomic_fetch_sub(&event.reads, 1) == 1)
    event.act(event.context);
  return __real_pread64(fd, bytes, length, offset);
}
