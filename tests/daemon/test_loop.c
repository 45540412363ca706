/*
 * What the loop's own thread does while a daemon is asked for what takes long. Work is counted, not timed: all
 * peers wait for that thread, so no single thing it reads, writes or gives back may be large, and it makes no pass
 * over a table. Each must be seen on another thread instead.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/cache/cache.h"
#include "daemon/requests/answers.h"
#include "daemon/solves/memory.h"
#include "daemon/store/store.h"
#include "solver/ranking.h"
#include "solver/stats.h"
#include "solver/verify.h"
#include "tests/daemon/daemon_thread.h"
#include "tests/daemon/solve_text.h"
#include "tests/support/wrap.h"

#define ASK(method, mouse, cat)                                                                   \
  "{\"id\":1,\"method\":\"" method "\",\"params\":{\"state\":{\"mouse\":" #mouse ",\"cat\":" #cat \
  ",\"turn\":0}}}\n"

enum { LARGE_BYTES = 300 << 10, FLOOD = 2000, NAME_BYTES = 10000, CELLS = 1500 };

/* X(kind, what): the most bytes of each at once. */
#define KINDS(X)                              \
  X(READ, "read as one message")              \
  X(ROUND, "read in one round")               \
  X(WRITTEN, "written as one answer")         \
  X(MADE, "made as one arena")                \
  X(NAMED, "read for one id")                 \
  X(ARENA, "given back as one arena")         \
  X(TABLE, "given back as one table")         \
  X(DROPPED, "given back as dropped tables")  \
  X(MOVES, "of moves looked at for one line") \
  X(PASS, "of a table looked at in one pass")

enum kind {
#define X(kind, what) KIND_##kind,
  KINDS(X)
#undef X
      KIND_COUNT
};

static const char *const kind_names[KIND_COUNT] = {
#define X(kind, what) what,
    KINDS(X)
#undef X
};

static struct {
  struct daemon_thread daemon;
  atomic_ullong on_loop[KIND_COUNT], elsewhere[KIND_COUNT];
} tested;

static atomic_ullong read_in_round;
static atomic_uint passes, lists, messages_in_round, most_messages;
static atomic_bool is_late; /* each round has taken too long, by the clock */

static bool is_loop(void)
{
  return pthread_equal(pthread_self(), tested.daemon.loop);
}

static void count(enum kind kind, uint64_t bytes)
{
  atomic_ullong *most = is_loop() ? &tested.on_loop[kind] : &tested.elsewhere[kind];
  unsigned long long before = atomic_load(most);
  while (before < bytes && !atomic_compare_exchange_weak(most, &before, bytes))
    continue;
}

WRAPPED(uint64_t, uv_hrtime, void);
WRAPPED(int, store_list, struct store *store, struct store_request *request, uint32_t rows_max);
WRAPPED(bool, memory_tend, struct memory *memory);
WRAPPED(int, request_decode, const char *body, size_t length, enum encoding encoding,
        const struct message_limits *limits, struct request *request, struct fault *fault);
WRAPPED(int, arena_new, const struct puzzle *puzzle, struct arena **arena,
        struct complaint *complaint);
WRAPPED(void, arena_id, const struct arena *arena, struct id *id);
WRAPPED(void, solved_free_all, struct link *list);
WRAPPED(int, answer_write, const struct answer_place *place, const struct request *request,
        const struct solved *solved);
WRAPPED(int, answer_line, const struct arena *arena, const struct table *table,
        const struct state *state, uint32_t limit_plies, uint32_t max, struct line *line);
WRAPPED(void, arena_free, struct arena *arena);
WRAPPED(void, table_free, struct table *table);
WRAPPED(int, table_stats_init, struct table_stats *stats, const struct arena *arena,
        const struct table *table, const atomic_bool *stop);
WRAPPED(int, verify, const struct arena *arena, const struct table *table, const atomic_bool *stop,
        struct verification *found);

uint64_t __wrap_uv_hrtime(void)
{
  return atomic_load(&is_late) ? UINT64_MAX : __real_uv_hrtime();
}

int __wrap_store_list(struct store *store, struct store_request *request, uint32_t rows_max)
{
  atomic_fetch_add(&lists, 1);
  return __real_store_list(store, request, rows_max);
}

/* The loop comes here once a round. */
bool __wrap_memory_tend(struct memory *memory)
{
  unsigned messages = atomic_exchange(&messages_in_round, 0);
  count(KIND_ROUND, atomic_exchange(&read_in_round, 0));
  if (messages > atomic_load(&most_messages))
    atomic_store(&most_messages, messages);
  return __real_memory_tend(memory);
}

int __wrap_request_decode(const char *body, size_t length, enum encoding encoding,
                          const struct message_limits *limits, struct request *request,
                          struct fault *fault)
{
  count(KIND_READ, length);
  if (is_loop())
    atomic_fetch_add(&read_in_round, length);
  atomic_fetch_add(&messages_in_round, 1);
  return __real_request_decode(body, length, encoding, limits, request, fault);
}

int __wrap_arena_new(const struct puzzle *puzzle, struct arena **arena, struct complaint *complaint)
{
  int result = __real_arena_new(puzzle, arena, complaint);
  count(KIND_MADE, result == 0 ? (*arena)->bytes : 0);
  return result;
}

void __wrap_arena_id(const struct arena *arena, struct id *id)
{
  count(KIND_NAMED, arena->bytes);
  __real_arena_id(arena, id);
}

void __wrap_solved_free_all(struct link *list)
{
  uint64_t bytes = 0;
  for (struct link *at = list->next; at != list; at = at->next)
    bytes += container_of(at, struct solved, recency)->bytes;
  count(KIND_DROPPED, bytes);
  __real_solved_free_all(list);
}

int __wrap_answer_write(const struct answer_place *place, const struct request *request,
                        const struct solved *solved)
{
  size_t before = place->out->length;
  int result = __real_answer_write(place, request, solved);
  count(KIND_WRITTEN, place->out->length - before);
  return result;
}

/* The best move of a state is found among all. */
int __wrap_answer_line(const struct arena *arena, const struct table *table,
                       const struct state *state, uint32_t limit_plies, uint32_t max,
                       struct line *line)
{
  struct state here = *state;
  uint64_t looked_at = 0;
  int result = __real_answer_line(arena, table, state, limit_plies, max, line);
  for (uint32_t ply = 0; result == 0 && ply < line->count; ply++) {
    looked_at += answer_move_count(arena, &here);
    here = state_after(here, line->moves[ply]);
  }
  count(KIND_MOVES, looked_at * sizeof(uint32_t));
  return result;
}

void __wrap_arena_free(struct arena *arena)
{
  if (arena)
    count(KIND_ARENA, arena->bytes);
  __real_arena_free(arena);
}

void __wrap_table_free(struct table *table)
{
  if (table)
    count(KIND_TABLE, table_bytes(table->nodes, table->width));
  __real_table_free(table);
}

int __wrap_table_stats_init(struct table_stats *stats, const struct arena *arena,
                            const struct table *table, const atomic_bool *stop)
{
  atomic_fetch_add(&passes, 1);
  count(KIND_PASS, table_bytes(table->nodes, table->width));
  return __real_table_stats_init(stats, arena, table, stop);
}

int __wrap_verify(const struct arena *arena, const struct table *table, const atomic_bool *stop,
                  struct verification *found)
{
  atomic_fetch_add(&passes, 1);
  count(KIND_PASS, table_bytes(table->nodes, table->width));
  return __real_verify(arena, table, stop, found);
}

/* The mouse has a row of nodes to the hole, and the cat, far from there, many to choose from at each ply. */
static void add_row_and_crowd(struct buffer *text, int node, int nodes)
{
  const int crowd = nodes / 2, first = 3, last = crowd - 1;
  if (node == 2 || node >= crowd) {
    for (int other = crowd; other < nodes; other++)
      if (other != node)
        add_text(text, "%d,", other);
    if (node != 2)
      add_text(text, "2,");
    return;
  }
  if (node != 1)
    add_text(text, "%d,", node == 0 ? last : node == first ? 1 : node - 1);
  if (node != 0)
    add_text(text, "%d,", node == 1 ? first : node == last ? 0 : node + 1);
}

/* A row of cells across which both leap: few bytes, many moves. */
static void ask_far_jumping_grid(int fd)
{
  struct buffer text = {0};
  add_text(&text, "{\"id\":1,\"method\":\"solve\",\"params\":{\"wait_ms\":0,\"puzzle\":{");
  add_text(&text, "\"catJump\":%d,\"mouseJump\":%d,\"grid\":[\"CFM", CELLS, CELLS);
  for (int cell = 3; cell < CELLS; cell++)
    add_text(&text, ".");
  add_text(&text, "\"]}}}\n");
  buffer_append(&text, "", 1);
  ask_line(fd, text.data, "solving");
  buffer_deinit(&text);
}

/* Megabytes of notifications that mean nothing, then a question. */
static void flood(int fd)
{
  char text[NAME_BYTES + 32];
  snprintf(text, sizeof text, "{\"method\":\"%0*d\"}\n", NAME_BYTES, 0);
  for (int i = 0; i < FLOOD; i++)
    send_text(fd, text);
  expect_pong(fd);
}

static void ask_for_everything(void)
{
  int fd = daemon_thread_connect(&tested.daemon);
  flood(fd);
  solve_on(fd, 30000, add_path, "E_TOO_LARGE");
  for (int i = 0; i < 2; i++)
    solve_on(fd, 600, add_all, "solve_us"); /* the second time it is known already */
  ask_far_jumping_grid(fd);
  /* A slow machine may have solved it before it is cancelled. */
  ask_line(fd, "{\"id\":2,\"method\":\"cancel\",\"params\":{\"id\":1}}\n", "cancelled");
  solve_on(fd, 5000, add_star, "solve_us");
  ask_line(fd, ASK("query", 1, 7), "moves");
  ask_line(fd, "{\"id\":1,\"method\":\"stats\"}\n", "histogram");
  ask_line(fd, "{\"id\":1,\"method\":\"verify\"}\n", "\"correct\":true");
  solve_on(fd, 3000, add_path, "solve_us");
  ask_line(fd, ASK("line", 2999, 1), "end");
  solve_on(fd, 900, add_row_and_crowd, "solve_us");
  ask_line(fd, ASK("line", 1, 2), "\"home\"");
  ask_line(fd, "{\"id\":1,\"method\":\"clear\"}\n", "evicted");
  solve_on(fd, 30000, add_path, "E_TOO_LARGE"); /* by then the helper has given everything back */
  close(fd);
}

CASE(nothing_large_is_done_by_the_loop)
{
  ask_for_everything();
  for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
    unsigned long long on_loop = atomic_load(&tested.on_loop[kind]);
    unsigned long long elsewhere = atomic_load(&tested.elsewhere[kind]);
    print_message("# at most %llu bytes %s by the loop, %llu elsewhere\n", on_loop,
                  kind_names[kind], elsewhere);
    if (on_loop > LARGE_BYTES || (kind == KIND_PASS && on_loop > 0))
      fail_msg("%llu bytes were %s by the loop", on_loop, kind_names[kind]);
    if (elsewhere <= on_loop && kind != KIND_ROUND)
      fail_msg("nothing large was %s", kind_names[kind]);
  }
}

CASE(nothing_is_done_for_an_answer_that_nobody_gets)
{
  static const char notifications[] = "{\"method\":\"list\"}\n{\"method\":\"stats\"}\n"
                                      "{\"method\":\"verify\"}\n"
                                      "{\"id\":1,\"method\":\"verify\"}\n";
  int fd = daemon_thread_connect(&tested.daemon);
  solve_on(fd, 60, add_path, "solve_us");
  atomic_store(&passes, 0);
  atomic_store(&lists, 0);
  ask_line(fd, notifications, "\"correct\":true");
  close(fd);
  assert_int_equal(atomic_load(&lists), 0);
  assert_int_equal(atomic_load(&passes), 1);
}

/* Of each connection a few messages when they are read, and a few more before the loop goes on to the next round. */
CASE(a_round_that_takes_long_ends)
{
  enum { PINGS = 1000, CROWD = 4, AT_ONCE = 8 };
  struct buffer pings = {0};
  int fds[CROWD];
  for (int i = 0; i < PINGS; i++)
    add_text(&pings, "{\"id\":1,\"method\":\"ping\"}\n");
  buffer_append(&pings, "", 1);
  atomic_store(&most_messages, 0);
  atomic_store(&is_late, true);
  for (int i = 0; i < CROWD; i++) {
    fds[i] = daemon_thread_connect(&tested.daemon);
    send_text(fds[i], pings.data);
  }
  for (int i = 0; i < CROWD; i++) {
    for (int ping = 0; ping < PINGS; ping++)
      expect_line(fds[i], "pong");
    close(fds[i]);
  }
  atomic_store(&is_late, false);
  assert_in_range(atomic_load(&most_messages), AT_ONCE, 2 * CROWD * AT_ONCE);
  buffer_deinit(&pings);
}

/* What is in front of it has to wait for the next round, and what is behind it until it was read. */
CASE(a_large_message_is_not_the_first)
{
  enum { PINGS = 100 };
  struct buffer all = {0}, large = solve_text(600, add_all, "");
  for (int i = 0; i < PINGS; i++)
    add_text(&all, "{\"id\":2,\"method\":\"ping\"}\n");
  for (int i = 0; i < 2; i++) {
    buffer_append(&all, large.data, large.length - 1);
    add_text(&all, "{\"id\":3,\"method\":\"ping\"}\n");
  }
  buffer_append(&all, "", 1);
  int fd = daemon_thread_connect(&tested.daemon);
  solve_on(fd, 600, add_all, "solve_us");
  atomic_store(&is_late, true);
  send_text(fd, all.data);
  for (int i = 0; i < PINGS; i++)
    expect_line(fd, "{\"jsonrpc\":\"2.0\",\"id\":2,");
  expect_line(fd, "solve_us");
  expect_line(fd, "\"id\":3,\"result\":\"pong\"");
  expect_line(fd, "solve_us");
  expect_line(fd, "\"id\":3,\"result\":\"pong\"");
  atomic_store(&is_late, false);
  close(fd);
  buffer_deinit(&large);
  buffer_deinit(&all);
}

/* It has no end but that of the stream. */
CASE(a_large_last_line_lies_still_while_it_is_read)
{
  struct buffer text = solve_text(600, add_all, "");
  size_t length = strlen(text.data) - 1;
  int fd = daemon_thread_connect(&tested.daemon);
  assert_int_equal(send(fd, text.data, length, MSG_NOSIGNAL), length);
  shutdown(fd, SHUT_WR);
  expect_line(fd, "solve_us");
  assert_int_equal(read_to_end(fd), 0);
  close(fd);
  buffer_deinit(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      DAEMON_TEST(nothing_large_is_done_by_the_loop, daemon_thread_setup, daemon_thread_teardown),
      DAEMON_TEST(a_large_last_line_lies_still_while_it_is_read, daemon_thread_setup,
                  daemon_thread_teardown),
      DAEMON_TEST(a_large_message_is_not_the_first, daemon_thread_setup, daemon_thread_teardown),
      DAEMON_TEST(a_round_that_takes_long_ends, daemon_thread_setup, daemon_thread_teardown),
      DAEMON_TEST(nothing_is_done_for_an_answer_that_nobody_gets, daemon_thread_setup,
                  daemon_thread_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
