#include "tests/daemon/store/side.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "daemon/base/list.h"
#include "solver/packed.h"

enum { DEADLINE_S = 300, SETTLES_MS = 200, NODES = 20, SEED_BITS = 32, GRAPH_SEED = 4 };

void __wrap_log_line(const struct log *log, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Any thread of the store. A test reads the log when these have nothing to do. */
void __wrap_log_line(const struct log *log, enum log_level level, const char *format, ...)
{
  struct side *side = (struct side *)((char *)(uintptr_t)log - offsetof(struct side, logs));
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&side->mutex);
  size_t length = strlen(side->log);
  snprintf(side->log + length, sizeof side->log - length, "%d: %s\n", (int)level, line);
  pthread_mutex_unlock(&side->mutex);
}

static void wake(void *context)
{
  sem_post(&((struct side *)context)->woken);
}

void side_open(struct side *side)
{
  assert_int_equal(store_open(&side->options, &side->store), 0);
}

void side_init_beside(struct side *side, const struct side *first)
{
  *side = (struct side){0};
  memcpy(side->folder, first->folder, sizeof side->folder);
  side->options = (struct store_options){
      .folder = side->folder,
      .bytes_max = 1 << 30,
      .puzzles_max = 1000000,
      .age_max_days = 90,
      .wait_ms = 1000 * DEADLINE_S, /* no busy machine's disk seems to hang */
      .retry_ms = 20,
      .log = &side->logs,
      .wake = wake,
      .context = side,
  };
  sem_init(&side->woken, 0, 0);
  pthread_mutex_init(&side->mutex, NULL);
  side_open(side);
}

int side_set_up(void **state)
{
  struct side named = {.path = "/tmp/catmouse-store-XXXXXX"}, *side = malloc(sizeof *side);
  assert_non_null(side);
  assert_non_null(mkdtemp(named.path));
  snprintf(named.folder, sizeof named.folder, "%s/a store", named.path);
  side_init_beside(side, &named);
  memcpy(side->path, named.path, sizeof side->path);
  *state = side;
  return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
  (void)status, (void)type, (void)at;
  return remove(path);
}

int side_tear_down(void **state)
{
  static const char check[] =
      "SELECT (SELECT group_concat(integrity_check) FROM "
      "pragma_integrity_check) = 'ok' AND puzzles = (SELECT count(*) FROM puzzles) "
      "FROM totals";
  struct side *side = *state;
  if (side->store)
    side_close(side);
  bool whole = side_size(side, "puzzles.db") < 0 || side_sql(side, check);
  nftw(side->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  sem_destroy(&side->woken);
  free(side);
  return whole ? 0 : -1;
}

void side_close(struct side *side)
{
  store_drain(side->store);
  SIDE_PUMP_UNTIL(side, store_is_idle(side->store));
  store_close(side->store);
  side->store = NULL;
}

void side_reopen(struct side *side)
{
  side_close(side);
  side_open(side);
}

uint64_t side_tend(struct side *side, uint64_t ahead_ms)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t now_ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
  uint64_t due_ms = store_tend(side->store, now_ms + ahead_ms);
  return due_ms == UINT64_MAX ? UINT64_MAX : due_ms - now_ms;
}

void side_pump(struct side *side)
{
  struct timespec until;
  uint64_t wait_ms = side_tend(side, 0);
  bool is_due = wait_ms < DEADLINE_S * 1000;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(is_due ? wait_ms % 1000 : 0) * 1000000;
  until.tv_sec += (time_t)(is_due ? wait_ms / 1000 : DEADLINE_S) + until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  int result = sem_timedwait(&side->woken, &until);
  if (result < 0 && errno == ETIMEDOUT && !is_due)
    fail_msg("waited %d s for the store; its log:\n%s", DEADLINE_S, side->log);
  store_collect(side->store);
}

void side_settle(struct side *side)
{
  SIDE_PUMP_UNTIL(side, side_tend(side, SETTLES_MS) == UINT64_MAX);
}

static void on_done(struct store_request *request)
{
  container_of(request, struct asked, request)->done = true;
}

struct store_request *side_ask(struct asked *asked)
{
  *asked = (struct asked){.request.done = on_done};
  return &asked->request;
}

int side_wait(struct side *side, struct asked *asked)
{
  SIDE_PUMP_UNTIL(side, asked->done);
  return asked->request.result;
}

struct store_numbers side_numbers(const struct side *side)
{
  struct store_numbers numbers;
  store_status(side->store, &numbers);
  return numbers;
}

unsigned side_says(const struct side *side, const char *words)
{
  unsigned count = 0;
  for (const char *at = side->log; (at = strstr(at, words)); at++)
    count++;
  return count;
}

struct arena *puzzle_of(uint64_t seed, struct id *id)
{
  char cells[SEED_BITS]; /* a wall for each bit of the seed, below both players and the food */
  const char *rows[2] = {".............................CMF", cells};
  uint32_t lengths[2] = {SEED_BITS, SEED_BITS}, first[NODES + 1];
  int32_t neighbour[2 * NODES]; /* a ring */
  struct puzzle puzzle = {.game = GAME_GRID, .grid = {2, rows, lengths, {1, 2}}};
  struct complaint complaint;
  struct arena *arena;
  for (int bit = 0; bit < SEED_BITS; bit++)
    cells[bit] = seed >> bit & 1 ? '#' : '.';
  for (int32_t node = 0; node <= NODES; node++)
    first[node] = 2 * (uint32_t)node;
  for (int32_t node = 0; node < NODES; node++) {
    neighbour[2 * node] = (node + 1) % NODES;
    neighbour[2 * node + 1] = (node + NODES - 1) % NODES;
  }
  if (seed == GRAPH_SEED)
    puzzle = (struct puzzle){.game = GAME_GRAPH, .graph = {NODES, first, neighbour}};
  if (arena_new(&puzzle, &arena, &complaint) < 0)
    fail_msg("the puzzle of %llu: %s", (unsigned long long)seed, complaint.text);
  if (id)
    arena_id(arena, id);
  return arena;
}

struct id id_of(uint64_t seed)
{
  struct id id;
  arena_free(puzzle_of(seed, &id));
  return id;
}

int side_begin_keep(struct side *side, uint64_t seed, struct asked *asked)
{
  struct id id;
  struct arena *arena = puzzle_of(seed, &id);
  size_t length = arena_packed_bytes(arena);
  uint8_t *packed = malloc(length);
  assert_non_null(packed);
  arena_pack(arena, packed);
  int result =
      store_keep(side->store, side_ask(asked), packed, length, &id, arena->nodes, arena->game);
  arena_free(arena);
  return result;
}

void side_keep(struct side *side, uint64_t first, uint64_t count)
{
  struct asked *asked = calloc(count, sizeof *asked);
  assert_non_null(asked);
  for (uint64_t i = 0; i < count; i++)
    if ((asked[i].request.result = side_begin_keep(side, first + i, &asked[i])) < 0)
      asked[i].done = true;
  for (uint64_t i = 0; i < count; i++)
    if (side_wait(side, &asked[i]) < 0 && asked[i].request.result != -EAGAIN)
      fail_msg("puzzle %llu is not kept: %s", (unsigned long long)(first + i), side->log);
  SIDE_PUMP_UNTIL(side, side_numbers(side).unkept == 0);
  side_settle(side);
  free(asked);
}

int side_find(struct side *side, uint64_t seed, size_t digits, uint64_t *count)
{
  struct asked asked;
  struct id id = id_of(seed), found;
  char text[ID_TEXT + 1];
  id_format(&id, text);
  text[digits] = '\0';
  int result;
  do { /* on a busy machine once more */
    assert_int_equal(store_find(side->store, side_ask(&asked), text), 0);
    result = side_wait(side, &asked);
  } while (result == -ETIMEDOUT);
  struct arena *arena = asked.request.arena;
  *count = asked.request.count;
  assert_int_equal(*count == 1, arena != NULL);
  if (!arena)
    return result;
  arena_id(arena, &found);
  assert_memory_equal(&found, &id, sizeof id);
  assert_memory_equal(&asked.request.id, &id, sizeof id);
  arena_free(arena);
  return result;
}

uint64_t side_has(struct side *side, uint64_t first, uint64_t count)
{
  uint64_t there = 0, found;
  for (uint64_t i = 0; i < count; i++) {
    int result;
    do
      result = side_find(side, first + i, ID_TEXT, &found);
    while (result == -ETIMEDOUT); /* a salvage on a busy machine takes its time */
    if (result < 0)
      fail_msg("puzzle %llu: %s\n%s", (unsigned long long)(first + i), strerror(-result),
               side->log);
    there += found;
  }
  return there;
}

int side_forget(struct side *side, uint64_t seed)
{
  struct asked asked;
  struct id id = id_of(seed);
  int result = store_forget(side->store, side_ask(&asked), &id);
  if (result == 0)
    result = side_wait(side, &asked);
  assert_int_equal(asked.request.count > 0, asked.request.bytes > 0);
  return result < 0 ? result : (int)asked.request.count;
}

void side_shell(const struct side *side, const char *format, ...)
{
  char command[1024];
  va_list arguments;
  int length = snprintf(command, sizeof command, "F='%s'; cd \"$F\" 2>/dev/null; ", side->folder);
  va_start(arguments, format);
  vsnprintf(command + length, sizeof command - (size_t)length, format, arguments);
  va_end(arguments);
  if (system(command) != 0)
    fail_msg("%s fails", command);
}

int64_t side_size(const struct side *side, const char *name)
{
  char path[160];
  struct stat status;
  snprintf(path, sizeof path, "%s/%s", side->folder, name);
  return lstat(path, &status) < 0 ? -1 : status.st_size;
}

int64_t side_sql(const struct side *side, const char *sql)
{
  char path[160];
  sqlite3 *handle;
  sqlite3_stmt *statement = NULL;
  snprintf(path, sizeof path, "%s/puzzles.db", side->folder);
  assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
  sqlite3_busy_timeout(handle, DEADLINE_S * 1000);
  sqlite3_prepare_v2(handle, sql, -1, &statement, NULL);
  int code = sqlite3_step(statement);
  int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return number;
}
