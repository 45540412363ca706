/*
 * libuv's own listeners unlink their path and drop connections when descriptors run out, so the socket is polled and
 * accepted from here. Beside its connections the daemon has its socket, lock, pipes and database: so many descriptors
 * are set aside that silent peers cannot keep them from the store. Only the daemon's own user, and root, are let in.
 *
 * One timer for all times that a peer may take comes four times a second, or within the shortest of them, and looks
 * at every connection; it ends with the last of them.
 *
 * Failure: where the system as a whole has no descriptor left, peers wait until it has.
 */
#include "daemon/peers/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/peers/connection.h"
#include "daemon/peers/system.h"
#include "proto/units.h"
#include "solver/solve.h"

enum {
  LOOK_MS_MIN = 5,
  LOOK_MS_MAX = 250,
  ACCEPTS_AT_A_TIME = 64,
  OTHER_DESCRIPTORS = 64 + REFUSED_MAX,
  CONNECTIONS_MAX = 1 << 20, /* the kernel and libuv keep a table of all possible descriptors */
};

static struct connection *of_link(struct link *link)
{
  return container_of(link, struct connection, link);
}

static void on_acceptable(uv_poll_t *poll, int status, int events);

static void on_look(uv_timer_t *timer)
{
  struct peers *peers = container_of(timer, struct peers, look_timer);
  if (!peers->draining) /* where there were no descriptors, there may be some by now */
    uv_poll_start(&peers->poll, UV_READABLE, on_acceptable);
  for (struct link *link = peers->connections.next, *next; link != &peers->connections;
       link = next) {
    next = link->next;
    connection_look(of_link(link));
  }
  bool more = peers->handler.look(peers->handler.context);
  if (!more && peers->count == 0)
    uv_timer_stop(timer);
}

static void watch(struct peers *peers)
{
  const struct daemon_limits *limits = &peers->config->limits;
  const uint64_t times_ms[] = {limits->unread_ms, limits->message_ms, limits->idle_ms,
                               limits->solve_ms, limits->keep_ms};
  uint64_t shortest_ms = 4 * LOOK_MS_MAX;
  for (size_t i = 0; i < sizeof times_ms / sizeof *times_ms; i++)
    if (times_ms[i] > 0 && times_ms[i] < shortest_ms)
      shortest_ms = times_ms[i];
  uint64_t interval_ms = shortest_ms / 4 > LOOK_MS_MIN ? shortest_ms / 4 : LOOK_MS_MIN;
  if (!uv_is_active((uv_handle_t *)&peers->look_timer))
    uv_timer_start(&peers->look_timer, on_look, interval_ms, interval_ms);
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

int peers_prepare(struct peers *peers, const struct config *config)
{
  struct rlimit limit;
  uint64_t wanted = smaller(config->limits.connections, CONNECTIONS_MAX) + OTHER_DESCRIPTORS;
  peers->config = config;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
    return -errno;
  peers->descriptors = smaller(limit.rlim_max, wanted);
  peers->connections_max = peers->descriptors - OTHER_DESCRIPTORS;
  if (limit.rlim_cur < peers->descriptors) {
    limit.rlim_cur = peers->descriptors;
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
      return -errno;
  }
  return peers->descriptors > OTHER_DESCRIPTORS ? 0 : -EMFILE;
}

static void log_refusal(struct peers *peers, const char *why)
{
  log_seldom(&peers->config->log, &peers->refusals, uv_now(peers->loop), "%s", why);
}

/* One connection too many is told so, if not too many are being told already. */
static void welcome(struct peers *peers, int fd)
{
  bool too_many = peers->count - peers->refused_count >= peers->connections_max;
  if (too_many)
    log_refusal(peers, "a connection was refused: as many as --connections-max allows are open");
  if (too_many && peers->refused_count >= REFUSED_MAX)
    close(fd);
  else if (connection_open(peers, fd, too_many) < 0)
    log_refusal(peers, "a connection could not be set up");
  else
    watch(peers);
}

/* Takes one connection. False where no more may be waiting. */
static bool accept_one(struct peers *peers)
{
  struct peer_process peer;
  int fd = accept4(peers->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
    log_refusal(peers, "connections must wait: no descriptors are left");
    uv_poll_stop(&peers->poll); /* until the next look: the socket stays readable */
    watch(peers);
    return false;
  }
  if (fd < 0)
    return errno == EINTR || errno == ECONNABORTED;
  if (peer_process_find(fd, &peer) == 0 && (peer.user == getuid() || peer.user == 0)) {
    welcome(peers, fd);
  } else {
    log_refusal(peers, "a connection of another user was refused");
    close(fd);
  }
  return true;
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
  struct peers *peers = container_of(poll, struct peers, poll);
  (void)events;
  bool more = status == 0;
  for (int i = 0; more && i < ACCEPTS_AT_A_TIME; i++)
    more = accept_one(peers);
}

/*
 * The socket is polled at the highest descriptor that may be, so that the loop makes its tables of them at once:
 * libuv aborts where it cannot make them later.
 */
int peers_init(struct peers *peers, uv_loop_t *loop, int fd, struct workers *readers,
               const struct peers_handler *handler, const unsigned *solves)
{
  peers->loop = loop;
  peers->readers = readers;
  peers->handler = *handler;
  list_init(&peers->connections);
  list_init(&peers->touched);
  uv_timer_init(loop, &peers->look_timer);
  /* On one processor, a loop that waits awake would keep the peer from asking. */
  spin_init(&peers->spin, loop, solve_processors() > 1 ? peers->config->limits.spin_us : 0, solves);
  peers->fd = fcntl(fd, F_DUPFD_CLOEXEC, (int)peers->descriptors - 1);
  if (peers->fd < 0)
    return -errno;
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  int result = uv_poll_init(loop, &peers->poll, peers->fd);
  return result < 0 ? result : uv_poll_start(&peers->poll, UV_READABLE, on_acceptable);
}

static void close_most_unsent(struct peers *peers)
{
  char words[UNIT_WORDS];
  struct connection *most = of_link(peers->connections.next);
  for (struct link *at = peers->connections.next; at != &peers->connections; at = at->next)
    if (of_link(at)->unsent_counted > most->unsent_counted)
      most = of_link(at);
  log_line(&peers->config->log, LOG_WARNING,
           "a connection was closed: its peer leaves %s unread, and all peers together more than "
           "--unsent-total-max",
           bytes_words(most->unsent_counted, words));
  connection_close(most);
}

/* Connections that are touched meanwhile have their turn in the next round. */
void peers_flush(struct peers *peers)
{
  struct link touched;
  list_init(&touched);
  list_move_all(&peers->touched, &touched);
  for (struct link *link; (link = list_pop(&touched));)
    connection_continue(container_of(link, struct connection, touched));
  while (peers->unsent_bytes > peers->config->limits.unsent_total_bytes &&
         !list_empty(&peers->connections))
    close_most_unsent(peers);
}

void peers_drain(struct peers *peers)
{
  peers->draining = true;
  uv_poll_stop(&peers->poll);
  for (struct link *at = peers->connections.next; at != &peers->connections; at = at->next)
    connection_touch(of_link(at));
}

void peers_close(struct peers *peers)
{
  while (!list_empty(&peers->connections))
    connection_close(of_link(peers->connections.next));
}

void peers_deinit(struct peers *peers)
{
  close(peers->fd);
}
