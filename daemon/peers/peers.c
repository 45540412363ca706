/*
 * One timer for all times that a peer may take: it comes four times within the shortest of them, so that each is
 * kept to a quarter, and looks at every connection.
 */
#include "daemon/peers/peers.h"

#include <inttypes.h>

#include "daemon/peers/connection.h"
#include "daemon/peers/receive.h"
#include "solver/solve.h"

enum { LOOK_MS_MIN = 5, LOOK_MS_MAX = 1000, REFUSED_LOOK_MS = 250, REFUSED_MS = 500 };

static void on_look(uv_timer_t *timer);

void peers_init(struct peers *peers, uv_loop_t *loop, const struct config *config, struct log *log,
                struct workers *readers, const struct peers_handler *handler,
                const unsigned *solves)
{
  peers->loop = loop;
  peers->config = config;
  peers->log = log;
  peers->readers = readers;
  peers->handler = *handler;
  list_init(&peers->connections);
  list_init(&peers->touched);
  uv_timer_init(loop, &peers->look_timer);
  uv_timer_init(loop, &peers->refused_timer);
  /* On one processor, waiting awake would only keep the peer from asking. */
  spin_init(&peers->spin, loop, solve_processors() > 1 ? config->limits.spin_us : 0, solves);
}

static struct connection *of_link(struct link *link)
{
  return container_of(link, struct connection, link);
}

static bool is_over(uint64_t time_ms, uint64_t limit_ms)
{
  return limit_ms > 0 && time_ms >= limit_ms;
}

static void look_at(struct peers *peers, struct connection *connection)
{
  const struct daemon_limits *limits = &peers->config->limits;
  char words[LIMIT_WORDS];
  if (is_over(connection_stuck_ms(connection), limits->unread_ms)) {
    log_line(peers->log, LOG_WARNING, "a connection was closed: its peer reads no answers");
    connection_close(connection);
  } else if (is_over(receive_unfinished_ms(connection), limits->message_ms)) {
    connection_break(connection, ERROR_TIMEOUT,
                     "a message was not whole after the %s that --message-time-max allows",
                     limit_ms_words(limits->message_ms, words));
  } else if (connection_is_idle(connection) &&
             is_over(uv_now(peers->loop) - connection->active_ms, limits->idle_ms)) {
    connection_close(connection);
  }
}

static uint64_t look_ms(const struct daemon_limits *limits)
{
  const uint64_t times_ms[] = {limits->unread_ms, limits->message_ms, limits->idle_ms,
                               limits->solve_ms, limits->keep_ms};
  uint64_t shortest_ms = 4 * LOOK_MS_MAX;
  for (size_t i = 0; i < sizeof times_ms / sizeof *times_ms; i++)
    if (times_ms[i] > 0 && times_ms[i] < shortest_ms)
      shortest_ms = times_ms[i];
  return shortest_ms / 4 > LOOK_MS_MIN ? shortest_ms / 4 : LOOK_MS_MIN;
}

static void on_look(uv_timer_t *timer)
{
  struct peers *peers = container_of(timer, struct peers, look_timer);
  for (struct link *link = peers->connections.next, *next; link != &peers->connections;
       link = next) {
    next = link->next;
    look_at(peers, of_link(link));
  }
  bool more = peers->handler.look(peers->handler.context);
  peers_flush(peers);
  if (!more && peers->count == 0)
    uv_timer_stop(timer);
}

/* A peer that has not asked yet has picked no encoding: JSON is the one that a person can read, too. */
static void on_refused_look(uv_timer_t *timer)
{
  struct peers *peers = container_of(timer, struct peers, refused_timer);
  for (struct link *link = peers->connections.next, *next; link != &peers->connections;
       link = next) {
    next = link->next;
    if (of_link(link)->refused && uv_now(peers->loop) - of_link(link)->opened_ms >= REFUSED_MS)
      connection_refuse(of_link(link), &(struct request_id){.kind = REQUEST_ID_NONE});
  }
  peers_flush(peers);
  if (peers->refused_count == 0)
    uv_timer_stop(timer);
}

void peers_watch(struct peers *peers)
{
  uint64_t interval_ms = look_ms(&peers->config->limits);
  if (!uv_is_active((uv_handle_t *)&peers->look_timer))
    uv_timer_start(&peers->look_timer, on_look, interval_ms, interval_ms);
  if (peers->refused_count > 0 && !uv_is_active((uv_handle_t *)&peers->refused_timer))
    uv_timer_start(&peers->refused_timer, on_refused_look, REFUSED_LOOK_MS, REFUSED_LOOK_MS);
}

static struct connection *most_unsent(struct peers *peers)
{
  struct connection *most = of_link(peers->connections.next);
  for (struct link *at = peers->connections.next; at != &peers->connections; at = at->next)
    if (of_link(at)->unsent_counted > most->unsent_counted)
      most = of_link(at);
  return most;
}

static void close_most_unsent(struct peers *peers)
{
  uint64_t limit_bytes = peers->config->limits.unsent_total_bytes;
  while (peers->unsent_bytes > limit_bytes && !list_empty(&peers->connections)) {
    struct connection *most = most_unsent(peers);
    log_line(peers->log, LOG_WARNING,
             "a connection was closed: its peer leaves %" PRIu64
             " bytes unread, and all peers together more than --unsent-total-max",
             most->unsent_counted);
    connection_close(most);
  }
}

void peers_flush(struct peers *peers)
{
  for (struct link *link; (link = list_pop(&peers->touched));)
    connection_continue(container_of(link, struct connection, touched));
  if (peers->unsent_bytes > peers->config->limits.unsent_total_bytes)
    close_most_unsent(peers);
}

void peers_drain(struct peers *peers)
{
  peers->draining = true;
  for (struct link *at = peers->connections.next; at != &peers->connections; at = at->next)
    connection_touch(of_link(at));
}

void peers_close(struct peers *peers)
{
  while (!list_empty(&peers->connections))
    connection_close(of_link(peers->connections.next));
}

void peers_check_gone(struct peers *peers)
{
  for (struct link *link = peers->connections.next, *next; link != &peers->connections;
       link = next) {
    next = link->next;
    connection_check_gone(of_link(link));
  }
}
