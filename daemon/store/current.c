/*
 * Which puzzle is current: one small file, written by one call, so that it is the old or the new one
 * whenever the daemon ends. Where it makes no sense there is no current puzzle.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/store/bytes.h"
#include "daemon/store/inside.h"

enum { AT_ID = 16, AT_CHECKSUM = AT_ID + ID_BYTES, CURRENT_BYTES = AT_CHECKSUM + CHECKSUM_BYTES };

static const char name[] = "current";

int current_write(const struct store_folder *folder, const struct id *id)
{
  uint8_t bytes[CURRENT_BYTES] = "catmouse current";
  memcpy(bytes + AT_ID, id->bytes, ID_BYTES);
  put_checksum(bytes + AT_CHECKSUM, XXH3_128bits(bytes, AT_CHECKSUM));
  int fd = openat(folder->fd[SUBFOLDER_ROOT], name,
                  O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (fd < 0)
    return -errno;
  ssize_t written = pwrite(fd, bytes, sizeof bytes, 0);
  int result = written < 0 ? -errno : written == sizeof bytes ? 0 : -ENOSPC;
  close(fd);
  return result;
}

int current_read(const struct store_folder *folder, struct id *id)
{
  uint8_t bytes[CURRENT_BYTES], checksum[CHECKSUM_BYTES];
  static const struct id none = {{0}};
  int fd = openat(folder->fd[SUBFOLDER_ROOT], name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return -errno;
  ssize_t got = read(fd, bytes, sizeof bytes);
  close(fd);
  if (got != sizeof bytes || memcmp(bytes, "catmouse current", AT_ID) != 0)
    return -ENOENT;
  put_checksum(checksum, XXH3_128bits(bytes, AT_CHECKSUM));
  if (memcmp(checksum, bytes + AT_CHECKSUM, sizeof checksum) != 0 ||
      memcmp(bytes + AT_ID, &none, ID_BYTES) == 0)
    return -ENOENT;
  memcpy(id->bytes, bytes + AT_ID, ID_BYTES);
  return 0;
}

struct current_job {
  struct job job;
  struct store *store;
  struct id id;
  int result;
};

static void run(struct job *job)
{
  struct current_job *current = container_of(job, struct current_job, job);
  store_wait_until_opened(current->store);
  current->result =
      store_note(current->store, current_write(&current->store->folder, &current->id));
}

static void done(struct job *job)
{
  struct current_job *current = container_of(job, struct current_job, job);
  struct store *store = current->store;
  store->current_writing = false;
  if (current->result == 0)
    store_flush_current(store);
  else
    store->current_changed = true;
  store->writes_pending--;
  free(current);
  store->options.released(store->options.context);
}

void store_flush_current(struct store *store)
{
  if (!store->current_changed || store->current_writing || store->closing ||
      atomic_load(&store->failing))
    return;
  struct current_job *current = calloc(1, sizeof *current);
  if (!current)
    return;
  current->job.run = run;
  current->job.done = done;
  current->store = store;
  if (store->has_current)
    current->id = store->current;
  current->result = -ECANCELED;
  store->current_changed = false;
  store->current_writing = true;
  store->writes_pending++;
  workers_submit(store->readers, &current->job);
}

void store_set_current(struct store *store, const struct id *id)
{
  if (!store || (store->has_current && memcmp(&store->current, id, sizeof *id) == 0))
    return;
  store->has_current = true;
  store->current = *id;
  store->current_changed = true;
  store_flush_current(store);
}
