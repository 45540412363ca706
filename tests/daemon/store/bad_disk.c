/* A program's own functions come before those of the C library, also for SQLite's library. */
#include "tests/daemon/store/bad_disk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

enum operation { READ, WRITE, OTHER };

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  atomic_bool bad;
  enum bad_disk kind;
  bool hit;
  long left; /* until the one that fails once */
} disk = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void bad_disk_spoil(enum bad_disk kind, long nth)
{
  pthread_mutex_lock(&disk.mutex);
  disk.kind = kind;
  disk.left = nth;
  disk.hit = false;
  atomic_store(&disk.bad, true);
  pthread_mutex_unlock(&disk.mutex);
}

void bad_disk_wait(void)
{
  pthread_mutex_lock(&disk.mutex);
  while (!disk.hit)
    pthread_cond_wait(&disk.changed, &disk.mutex);
  pthread_mutex_unlock(&disk.mutex);
}

bool bad_disk_repair(void)
{
  pthread_mutex_lock(&disk.mutex);
  atomic_store(&disk.bad, false);
  bool hit = disk.hit;
  pthread_cond_broadcast(&disk.changed);
  pthread_mutex_unlock(&disk.mutex);
  return hit;
}

static bool is_hanging(enum operation operation)
{
  return atomic_load(&disk.bad) && ((operation == WRITE && disk.kind >= BAD_DISK_HANGS) ||
                                    (operation == READ && disk.kind == BAD_DISK_HANGS_ALL));
}

/* 0, or the errno with which the operation fails; returns when the disk hangs no more. */
static int suffer(enum operation operation)
{
  int error = 0;
  if (!atomic_load(&disk.bad))
    return 0;
  pthread_mutex_lock(&disk.mutex);
  while (is_hanging(operation)) {
    disk.hit = true;
    pthread_cond_broadcast(&disk.changed);
    pthread_cond_wait(&disk.changed, &disk.mutex);
  }
  if (disk.kind == BAD_DISK_FULL && operation == WRITE)
    error = ENOSPC;
  if (disk.kind == BAD_DISK_FAILS_ONCE && disk.left-- == 0)
    error = EIO;
  disk.hit |= error != 0;
  pthread_mutex_unlock(&disk.mutex);
  return error;
}

/* Defines a stand-in: SUFFERS(operation, result type, name, parameters, arguments) */
#define SUFFERS(operation, type, name, parameters, arguments) \
  type name parameters;                                       \
  type name parameters                                        \
  {                                                           \
    type(*real) parameters;                                   \
    *(void **)&real = dlsym(RTLD_NEXT, #name);                \
    int error = suffer(operation);                            \
    if (error == 0)                                           \
      return real arguments;                                  \
    errno = error;                                            \
    return -1;                                                \
  }

SUFFERS(READ, ssize_t, pread64, (int fd, void *bytes, size_t length, off_t at),
        (fd, bytes, length, at))
SUFFERS(WRITE, ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off_t at),
        (fd, bytes, length, at))
SUFFERS(WRITE, int, fdatasync, (int fd), (fd))
SUFFERS(WRITE, int, ftruncate64, (int fd, off_t length), (fd, length))
SUFFERS(OTHER, int, renameat, (int from, const char *old, int to, const char *name),
        (from, old, to, name))
SUFFERS(OTHER, int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
SUFFERS(OTHER, int, unlink, (const char *name), (name))

int open64(const char *path, int flags, ...);
int open64(const char *path, int flags, ...)
{
  int (*real)(const char *, int, ...);
  va_list arguments;
  *(void **)&real = dlsym(RTLD_NEXT, "open64");
  va_start(arguments, flags);
  mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  int error = suffer(OTHER);
  if (error == 0)
    return real(path, flags, mode);
  errno = error;
  return -1;
}
