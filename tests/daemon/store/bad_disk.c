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
  pthread_cond_t repaired;
  atomic_bool bad;
  bool hit, once, hangs, reads_hang;
  int error; /* of writes, or 0 */
  long left; /* until the one that fails once */
} disk = {.mutex = PTHREAD_MUTEX_INITIALIZER, .repaired = PTHREAD_COND_INITIALIZER};

void bad_disk_fail_once(long nth)
{
  pthread_mutex_lock(&disk.mutex);
  disk.once = true;
  disk.left = nth;
  atomic_store(&disk.bad, true);
  pthread_mutex_unlock(&disk.mutex);
}

void bad_disk_fail_writes(int error)
{
  pthread_mutex_lock(&disk.mutex);
  disk.error = error;
  atomic_store(&disk.bad, true);
  pthread_mutex_unlock(&disk.mutex);
}

void bad_disk_hang(bool reads)
{
  pthread_mutex_lock(&disk.mutex);
  disk.hangs = true;
  disk.reads_hang = reads;
  atomic_store(&disk.bad, true);
  pthread_mutex_unlock(&disk.mutex);
}

bool bad_disk_has_hit(void)
{
  pthread_mutex_lock(&disk.mutex);
  bool hit = disk.hit;
  pthread_mutex_unlock(&disk.mutex);
  return hit;
}

bool bad_disk_repair(void)
{
  pthread_mutex_lock(&disk.mutex);
  bool hit = disk.hit;
  atomic_store(&disk.bad, false);
  disk.hit = disk.once = disk.hangs = false;
  disk.error = 0;
  pthread_cond_broadcast(&disk.repaired);
  pthread_mutex_unlock(&disk.mutex);
  return hit;
}

/* 0, or the errno with which the operation fails; returns when the disk no longer hangs. */
static int suffer(enum operation operation)
{
  int error = 0;
  if (!atomic_load(&disk.bad))
    return 0;
  pthread_mutex_lock(&disk.mutex);
  while (disk.hangs && (operation == WRITE || (operation == READ && disk.reads_hang))) {
    disk.hit = true;
    pthread_cond_wait(&disk.repaired, &disk.mutex);
  }
  if (operation == WRITE)
    error = disk.error;
  if (disk.once && disk.left-- == 0)
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
