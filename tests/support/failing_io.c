/* The operations are wrapped at link time. Short of failing, they do what they always do. */
#include "tests/support/failing_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t __real_pread64(int fd, void *bytes, size_t length, off_t offset);
ssize_t __real_pwrite64(int fd, const void *bytes, size_t length, off_t offset);
int __real_fdatasync(int fd);
int __real_renameat(int from, const char *old, int to, const char *new);
int __real_unlinkat(int folder, const char *name, int flags);
int __real_openat64(int folder, const char *name, int flags, ...);
ssize_t __wrap_pread64(int fd, void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t length, off_t offset);
int __wrap_fdatasync(int fd);
int __wrap_renameat(int from, const char *old, int to, const char *new);
int __wrap_unlinkat(int folder, const char *name, int flags);
int __wrap_openat64(int folder, const char *name, int flags, ...);

static struct {
  atomic_bool armed;
  atomic_bool failed;
  atomic_int error;
  atomic_long left;
} injection;

void failing_io_arm(int error, long nth)
{
  atomic_store(&injection.error, error);
  atomic_store(&injection.left, nth);
  atomic_store(&injection.failed, false);
  atomic_store(&injection.armed, true);
}

bool failing_io_disarm(void)
{
  atomic_store(&injection.armed, false);
  return atomic_load(&injection.failed);
}

static bool must_fail(void)
{
  if (!atomic_load(&injection.armed) || atomic_fetch_sub(&injection.left, 1) != 0)
    return false;
  atomic_store(&injection.failed, true);
  errno = atomic_load(&injection.error);
  return true;
}

ssize_t __wrap_pread64(int fd, void *bytes, size_t length, off_t offset)
{
  return must_fail() ? -1 : __real_pread64(fd, bytes, length, offset);
}

ssize_t __wrap_pwrite64(int fd, const void *bytes, size_t length, off_t offset)
{
  return must_fail() ? -1 : __real_pwrite64(fd, bytes, length, offset);
}

int __wrap_fdatasync(int fd)
{
  return must_fail() ? -1 : __real_fdatasync(fd);
}

int __wrap_renameat(int from, const char *old, int to, const char *new)
{
  return must_fail() ? -1 : __real_renameat(from, old, to, new);
}

int __wrap_unlinkat(int folder, const char *name, int flags)
{
  return must_fail() ? -1 : __real_unlinkat(folder, name, flags);
}

int __wrap_openat64(int folder, const char *name, int flags, ...)
{
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return must_fail() ? -1 : __real_openat64(folder, name, flags, mode);
}
