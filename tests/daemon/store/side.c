#include "tests/daemon/store/side.h"

#include <errno.h>
#include <ftw.h>
#include <time.h>
#include <unistd.h>

#include "solver/packed.h"

enum { DEADLINE_S = 60, NODES = 20, SEED_BITS = 32 };

static void note_line(void *context, enum store_severity severity, const char *text)
{
  struct side *side = context;
  size_t length = strlen(side->log);
  snprintf(side->log + length, sizeof side->log - length, "%s: %s\n",
           severity == STORE_LOG_WARNING ? "warning" : "info", text);
}

static void wake(void *context)
{
  sem_post(&((struct side *)context)->woken);
}

void side_open(struct side *side)
{
  assert_int_equal(store_open(&side->options, &side->store), 0);
}

static void side_start(struct side *side)
{
  side->options = (struct store_options){
      .folder = side->folder,
      .bytes_max = 1 << 30,
      .puzzles_max = 1000000,
      .age_max_days = 90,
      .retry_ms = 20,
      .log = note_line,
      .wake = wake,
      .context = side,
  };
  sem_init(&side->woken, 0, 0);
  side_open(side);
}

void side_init(struct side *side)
{
  *side = (struct side){.path = "/tmp/catmouse-store-XXXXXX"};
  assert_non_null(mkdtemp(side->path));
  snprintf(side->folder, sizeof side->folder, "%s/a store", side->path);
  side_start(side);
}

void side_init_beside(struct side *side, const struct side *first)
{
  *side = (struct side){0};
  snprintf(side->folder, sizeof side->folder, "%s", first->folder);
  side_start(side);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
  (void)status, (void)type, (void)at;
  return remove(path);
}

void side_leave(struct side *side)
{
  store_close(side->store);
  side->store = NULL;
}

void side_close(struct side *side)
{
  store_drain(side->store);
  while (!store_is_idle(side->store))
    side_pump(side);
  side_leave(side);
}

void side_reopen(struct side *side)
{
  side_close(side);
  side_open(side);
}

void side_deinit(struct side *side)
{
  if (side->store)
    side_close(side);
  sem_destroy(&side->woken);
  if (side_file_exists(side, "puzzles.db")) {
    assert_int_equal(side_sql(side, "SELECT count(*) FROM pragma_integrity_check "
                                    "WHERE integrity_check <> 'ok'"),
                     0);
    assert_int_equal(side_sql(side, "SELECT puzzles = (SELECT count(*) FROM puzzles) FROM totals"),
                     1);
  }
  nftw(side->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void side_pump(struct side *side)
{
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += DEADLINE_S;
  while (sem_timedwait(&side->woken, &deadline) < 0)
    if (errno != EINTR)
      fail_msg("waited %d s for the store; its log:\n%s", DEADLINE_S, side->log);
  store_collect(side->store);
}

int side_wait(struct side *side, struct asked *asked)
{
  while (!asked->done)
    side_pump(side);
  return asked->request.result;
}

struct store_numbers side_numbers(struct side *side)
{
  struct store_numbers numbers;
  store_status(side->store, &numbers);
  return numbers;
}

/* Numbers change without a wake-up, so that these two look again and again. */
static void look_later(struct side *side, unsigned *looks)
{
  const struct timespec pause = {.tv_nsec = 1000000};
  if (++*looks == DEADLINE_S * 1000)
    fail_msg("waited %d s for the store; its log:\n%s", DEADLINE_S, side->log);
  nanosleep(&pause, NULL);
  store_collect(side->store);
}

void side_wait_for_count(struct side *side, uint64_t puzzles)
{
  for (unsigned looks = 0; side_numbers(side).puzzles != puzzles;)
    look_later(side, &looks);
}

void side_wait_for_condition(struct side *side, enum store_condition condition)
{
  for (unsigned looks = 0; side_numbers(side).condition != condition;)
    look_later(side, &looks);
}

/* A cycle, and a chord for each bit of the seed. */
static void make_graph(uint64_t seed, struct puzzle *puzzle, uint32_t *first, int32_t *neighbour)
{
  uint32_t count = 0;
  for (int32_t node = 0; node < NODES; node++) {
    first[node] = count;
    neighbour[count++] = (node + 1) % NODES;
    neighbour[count++] = (node + NODES - 1) % NODES;
    for (int32_t bit = 0; bit < SEED_BITS; bit++)
      if (seed >> bit & 1 && (node == bit / 8 || node == 8 + bit % 8))
        neighbour[count++] = node < 8 ? 8 + bit % 8 : bit / 8;
  }
  first[NODES] = count;
  *puzzle = (struct puzzle){.game = GAME_GRAPH, .graph = {NODES, first, neighbour}};
}

/* Both players and the food, and a wall for each bit of the seed. */
static void make_grid(uint64_t seed, struct puzzle *puzzle, char *cells, const char *rows[2],
                      uint32_t lengths[2])
{
  for (int bit = 0; bit < SEED_BITS; bit++)
    cells[bit] = seed >> bit & 1 ? '#' : '.';
  rows[0] = "..............................CMF";
  rows[1] = cells;
  rows[0] += 33 - SEED_BITS;
  lengths[0] = lengths[1] = SEED_BITS;
  *puzzle = (struct puzzle){.game = GAME_GRID, .grid = {2, rows, lengths, {1, 2}}};
}

struct arena *puzzle_of(uint64_t seed, struct id *id)
{
  uint32_t first[NODES + 1], lengths[2];
  int32_t neighbour[NODES * NODES];
  char cells[SEED_BITS];
  const char *rows[2];
  struct puzzle puzzle;
  struct complaint complaint;
  struct arena *arena;
  if (seed % 2 == 0)
    make_graph(seed, &puzzle, first, neighbour);
  else
    make_grid(seed, &puzzle, cells, rows, lengths);
  if (arena_new(&puzzle, &arena, &complaint) < 0)
    fail_msg("the puzzle of %llu: %s", (unsigned long long)seed, complaint.text);
  arena_id(arena, id);
  return arena;
}

static void on_done(struct store_request *request)
{
  struct asked *asked = (struct asked *)request;
  asked->done = true;
}

static struct asked *prepare(struct asked *asked)
{
  *asked = (struct asked){.request.done = on_done};
  return asked;
}

int side_begin_keep(struct side *side, uint64_t seed, struct asked *asked)
{
  struct id id;
  struct arena *arena = puzzle_of(seed, &id);
  size_t length = arena_packed_bytes(arena);
  uint8_t *packed = malloc(length);
  assert_non_null(packed);
  arena_pack(arena, packed);
  prepare(asked);
  int result =
      store_keep(side->store, &asked->request, packed, length, &id, arena->nodes, arena->game);
  arena_free(arena);
  return result;
}

void side_keep(struct side *side, uint64_t seed)
{
  side_keep_all(side, seed, 1);
}

void side_keep_all(struct side *side, uint64_t first, uint64_t count)
{
  struct asked *asked = calloc(count, sizeof *asked);
  assert_non_null(asked);
  for (uint64_t i = 0; i < count; i++)
    asked[i].request.result = side_begin_keep(side, first + i, &asked[i]);
  for (uint64_t i = 0; i < count; i++)
    if (asked[i].request.result < 0 || side_wait(side, &asked[i]) < 0)
      fail_msg("puzzle %llu is not kept: %s\n%s", (unsigned long long)(first + i),
               side_numbers(side).error, side->log);
  free(asked);
}

static void begin_find(struct side *side, uint64_t seed, size_t length, struct asked *asked)
{
  struct id id;
  char digits[ID_TEXT + 1];
  arena_free(puzzle_of(seed, &id));
  id_format(&id, digits);
  digits[length] = '\0';
  assert_int_equal(store_find(side->store, &prepare(asked)->request, digits), 0);
}

void side_begin_find(struct side *side, uint64_t seed, struct asked *asked)
{
  begin_find(side, seed, ID_TEXT, asked);
}

/* What was found, if it is one, is that puzzle. */
static void check_found(const struct store_request *request, uint64_t seed)
{
  struct id id, found;
  assert_int_equal(request->count == 1, request->arena != NULL);
  if (!request->arena)
    return;
  struct arena *arena = puzzle_of(seed, &id);
  arena_id(request->arena, &found);
  assert_memory_equal(&found, &id, sizeof id);
  assert_memory_equal(&request->id, &id, sizeof id);
  assert_int_equal(request->arena->nodes, arena->nodes);
  assert_int_equal(request->arena->game, arena->game);
  arena_free(arena);
  arena_free(request->arena);
}

unsigned side_count(struct side *side, uint64_t seed, size_t length)
{
  struct asked asked;
  begin_find(side, seed, length, &asked);
  assert_int_equal(side_wait(side, &asked), 0);
  check_found(&asked.request, seed);
  return (unsigned)asked.request.count;
}

int side_try_find(struct side *side, uint64_t seed)
{
  struct asked asked;
  begin_find(side, seed, ID_TEXT, &asked);
  int result = side_wait(side, &asked);
  if (result == 0)
    check_found(&asked.request, seed);
  return result;
}

bool side_has(struct side *side, uint64_t seed)
{
  return side_count(side, seed, ID_TEXT) == 1;
}

uint64_t side_has_of(struct side *side, uint64_t first, uint64_t count)
{
  uint64_t there = 0;
  for (uint64_t i = 0; i < count; i++)
    there += side_has(side, first + i);
  return there;
}

static int forget(struct side *side, uint64_t seed, struct asked *asked)
{
  struct id id;
  arena_free(puzzle_of(seed, &id));
  int result = store_forget(side->store, &prepare(asked)->request, &id);
  return result < 0 ? result : side_wait(side, asked);
}

int side_try_forget(struct side *side, uint64_t seed)
{
  struct asked asked;
  return forget(side, seed, &asked);
}

uint64_t side_forget(struct side *side, uint64_t seed)
{
  struct asked asked;
  assert_int_equal(forget(side, seed, &asked), 0);
  assert_int_equal(asked.request.count > 0, asked.request.bytes > 0);
  return asked.request.count;
}

void side_clear(struct side *side)
{
  struct asked asked;
  assert_int_equal(store_clear(side->store, &prepare(&asked)->request), 0);
  assert_int_equal(side_wait(side, &asked), 0);
}

const char *side_file(const struct side *side, const char *name)
{
  static char path[160];
  snprintf(path, sizeof path, "%s/%s", side->folder, name);
  return path;
}

bool side_file_exists(const struct side *side, const char *name)
{
  return access(side_file(side, name), F_OK) == 0;
}

int64_t side_sql(const struct side *side, const char *sql)
{
  sqlite3 *handle;
  sqlite3_stmt *statement = NULL;
  assert_int_equal(sqlite3_open(side_file(side, "puzzles.db"), &handle), SQLITE_OK);
  sqlite3_busy_timeout(handle, DEADLINE_S * 1000);
  if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) != SQLITE_OK)
    fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
  int code = sqlite3_step(statement);
  int64_t number = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return number;
}
