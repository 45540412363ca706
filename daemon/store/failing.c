/*
 * When the disk fails. The first error that speaks of it turns all writing off, and is told once; store_works()
 * has it tried again after `store_retry_ms`, by opening the folder anew, writing a file and looking at
 * everything once more.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/store/inside.h"

enum { PROBE_BYTES = 4096 };

/* Tried again ever more rarely, until it has worked for so long. */
enum { RETRIES_MAX = 6, STEADY_MS = 600000 };

void store_wait_until_opened(struct store *store)
{
  pthread_mutex_lock(&store->opening);
  while (!store->opened)
    pthread_cond_wait(&store->was_opened, &store->opening);
  pthread_mutex_unlock(&store->opening);
}

void store_was_opened(struct store *store)
{
  pthread_mutex_lock(&store->opening);
  store->opened = true;
  pthread_cond_broadcast(&store->was_opened);
  pthread_mutex_unlock(&store->opening);
}

static bool speaks_of_disk(int error)
{
  return error != ENOMEM && error != EMFILE && error != ENFILE && error != ECANCELED &&
         error != EBADMSG && error != ENOENT && error != E2BIG && error != EBUSY && error != EEXIST;
}

int store_note(struct store *store, int result)
{
  int before = 0; /* the first says most */
  if (result < 0 &&
      (speaks_of_disk(-result) || (result == -ENOENT && store_folder_is_gone(&store->folder))))
    atomic_compare_exchange_strong(&store->failing, &before, -result);
  return result;
}

bool store_lacked(int result)
{
  return result == -EMFILE || result == -ENFILE || result == -ENOMEM;
}

const char *store_reason(int error)
{
  return error == EPERM ? "it must be a folder of this user with mode 0700" : strerror(error);
}

void store_tell(struct store *store)
{
  int failing = atomic_load(&store->failing);
  if (failing == store->told)
    return;
  if (failing)
    log_line(store->options.log, LOG_WARNING,
             "%s cannot be used, so solved puzzles are kept in memory only: %s", store->folder.path,
             store_reason(failing));
  else
    log_line(store->options.log, LOG_INFO, "%s can be used again", store->folder.path);
  store->told = failing;
}

/* Can files be written here? */
static int probe(const struct store_folder *folder)
{
  static const char zeros[PROBE_BYTES];
  char name[32];
  snprintf(name, sizeof name, "probe.%ld", (long)getpid());
  int unfinished = folder->fd[SUBFOLDER_UNFINISHED];
  int fd = openat(unfinished, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return -errno;
  ssize_t written = write(fd, zeros, sizeof zeros);
  int result = written < 0 ? -errno : written == sizeof zeros ? 0 : -ENOSPC;
  unlinkat(unfinished, name, 0);
  close(fd);
  return result;
}

int store_open_folder(struct store *store)
{
  int result = store_folder_open(&store->folder), writable = 0;
  if (result == 0)
    writable = probe(&store->folder);
  if (result < 0 || writable < 0)
    atomic_store(&store->failing, result < 0 ? -result : -writable);
  else
    atomic_store(&store->failing, 0);
  store_was_opened(store);
  return result;
}

/* Later than any number says: never. */
static uint64_t later(uint64_t now_ms, uint64_t retry_ms, unsigned retries)
{
  bool wraps = retry_ms > (UINT64_MAX - now_ms) >> retries;
  return wraps ? UINT64_MAX : now_ms + (retry_ms << retries);
}

static void retry(struct store *store, uint64_t now_ms)
{
  store->failed_ms = now_ms;
  if (store->retry_at_ms == 0) {
    store->retry_at_ms = later(now_ms, store->options.limits->store_retry_ms, store->retries);
    store->retries += store->retries < RETRIES_MAX;
  }
  if (now_ms < store->retry_at_ms || store->scanning)
    return;
  store->retry_at_ms = 0;
  store_scan(store, true);
}

bool store_works(struct store *store, uint64_t now_ms)
{
  if (atomic_load(&store->failing)) {
    retry(store, now_ms);
    return false;
  }
  store->retry_at_ms = 0;
  if (now_ms - store->failed_ms > STEADY_MS)
    store->retries = 0;
  return true;
}
