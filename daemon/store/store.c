/*
 * The store's life, and what it answers from memory.
 *
 * The happy path: the folder is opened and looked at on a thread, and the index filled from what was found;
 * from then on the loop asks the index, and threads read and write files.
 */
#include "daemon/store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "daemon/store/inside.h"

uint32_t store_now_s(void)
{
  time_t now = time(NULL);
  return now > 0 ? (uint32_t)now : 1;
}

int store_new(const struct store_options *options, struct store **created)
{
  struct store *store = calloc(1, sizeof *store);
  if (!store)
    return -ENOMEM;
  store->options = *options;
  list_init(&store->waiting);
  int result = store_folder_init(&store->folder, options->folder);
  if (result < 0)
    goto memory;
  list_init(&store->looking);
  list_init(&store->clears_left);
  list_init(&store->dropped_entries);
  result = index_init(&store->index);
  if (result < 0)
    goto folder;
  result = id_map_init(&store->dropped);
  if (result < 0)
    goto index;
  puzzle_log_init(&store->log, &store->folder);
  pthread_mutex_init(&store->opening, NULL);
  pthread_cond_init(&store->was_opened, NULL);
  result = workers_new("store-writer", 1, false, options->wake, options->context, &store->writers);
  if (result < 0)
    goto log;
  result = workers_new("store-reader", 1, false, options->wake, options->context, &store->readers);
  if (result < 0)
    goto writers;
  store_scan(store, true);
  *created = store;
  return 0;
writers:
  workers_free(store->writers);
log:
  puzzle_log_deinit(&store->log);
  id_map_deinit(&store->dropped);
index:
  index_deinit(&store->index);
folder:
  store_folder_deinit(&store->folder);
memory:
  free(store);
  return result;
}

void store_free(struct store *store)
{
  if (!store)
    return;
  store->closing = true;
  store_clear_again(store);
  workers_free(store->readers);
  workers_free(store->writers);
  pthread_cond_destroy(&store->was_opened);
  pthread_mutex_destroy(&store->opening);
  puzzle_log_deinit(&store->log);
  store_end_drops(store);
  id_map_deinit(&store->dropped);
  index_deinit(&store->index);
  store_folder_deinit(&store->folder);
  free(store);
}

void store_collect(struct store *store)
{
  if (!store)
    return;
  workers_collect(store->readers);
  workers_collect(store->writers);
  store_tell(store);
}

void store_tick(struct store *store, uint64_t now_ms)
{
  if (!store)
    return;
  store_tell(store);
  if (!store_works(store, now_ms))
    return;
  store_clear_again(store);
  store_make_up(store);
  store_flush_marks(store);
  store_flush_current(store);
  if (store->loaded)
    store_sweep(store);
}

bool store_is_idle(const struct store *store)
{
  return !store || store->writes_pending == 0;
}

bool store_is_loaded(const struct store *store)
{
  return !store || store->loaded || !store->scanning;
}

void store_call(struct link *waiters)
{
  for (struct link *link; (link = list_pop(waiters));) {
    struct store_waiter *waiter = container_of(link, struct store_waiter, link);
    waiter->done(waiter);
  }
}

void store_wait(struct store *store, struct store_waiter *waiter)
{
  list_append(&store->waiting, &waiter->link);
  if (!store->scanning)
    store_scan(store, false);
}

void store_leave(struct store_waiter *waiter)
{
  list_remove(&waiter->link);
}

void store_write(struct store *store, struct job *job)
{
  store->writes_pending++;
  workers_submit(store->writers, job);
}

void store_written(struct store *store)
{
  store->writes_pending--;
  store->options.released(store->options.context);
}

struct stored *store_find(struct store *store, const struct id *id)
{
  return store ? index_find(&store->index, id) : NULL;
}

uint32_t store_find_prefix(struct store *store, const char *digits, struct stored **stored)
{
  return store ? index_find_prefix(&store->index, digits, stored) : 0;
}

static struct stored *at_link(struct store *store, struct link *link)
{
  return link == &store->index.recency ? NULL : container_of(link, struct stored, recency);
}

struct stored *store_first(struct store *store)
{
  return store ? at_link(store, store->index.recency.next) : NULL;
}

struct stored *store_next(struct store *store, struct stored *stored)
{
  return at_link(store, stored->recency.next);
}

bool store_may_have_table(struct store *store, const struct id *id)
{
  struct stored *stored = store_find(store, id);
  return stored ? stored->table_bytes > 0 : !store_is_loaded(store);
}

struct workers *store_readers(struct store *store)
{
  return store->readers;
}

bool store_current(struct store *store, struct id *id)
{
  if (!store || !store->has_current)
    return false;
  *id = store->current;
  return true;
}

void store_drop_current(struct store *store, const struct id *id)
{
  if (!store->has_current || memcmp(&store->current, id, sizeof *id) != 0)
    return;
  store->has_current = false;
  store->current_changed = true;
  store_flush_current(store);
}

uint32_t store_count(const struct store *store)
{
  return store ? store->index.map.count : 0;
}

uint64_t store_bytes(const struct store *store)
{
  if (!store)
    return 0;
  return index_log_bytes(&store->index) + store->index.table_bytes + store->damaged_bytes;
}

static enum store_state state_of(struct store *store)
{
  return atomic_load(&store->failing) ? STORE_FAILING : store->loaded ? STORE_ON : STORE_OPENING;
}

void store_status(struct store *store, struct store_status *status)
{
  *status = (struct store_status){.state = STORE_OFF, .folder = "", .error = ""};
  if (!store)
    return;
  status->state = state_of(store);
  status->folder = store->folder.path;
  if (status->state == STORE_FAILING)
    status->error = store_reason(atomic_load(&store->failing));
  status->puzzles = store->index.map.count;
  status->tables = store->index.table_count;
  status->bytes = store_bytes(store);
  status->reads = store->tables_read;
  status->writes = store->tables_written;
  status->damaged = atomic_load(&store->folder.set_aside);
}
