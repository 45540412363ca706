/*
 * One epoll loop. Since a script knows its answers, a client's place in the expected bytes is all its
 * state: no parsing, no copy, and the generator costs the same for every protocol. Wrong bytes and lost
 * connections end the bench.
 */
#include "bench/daemon/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/measure.h"

enum { EVENTS = 64, CHUNK = 1 << 17, LATENCIES_FIRST = 1 << 16 };

struct client {
  int fd;
  unsigned batch_end;    /* exchange after the batch's last */
  unsigned answered;     /* exchanges of the script answered */
  size_t sent, received; /* bytes of the script */
  uint64_t batch_ns;     /* when the batch was sent */
};

struct generator {
  const struct script *script;
  const struct load *load;
  int epoll;
  uint64_t record_from_ns;
  struct client *clients;
  uint32_t *latency_ns;
  size_t count, capacity;
  char *chunk;
};

static void record(struct generator *generator, uint64_t latency_ns)
{
  if (generator->count == generator->capacity) {
    generator->capacity *= 2;
    generator->latency_ns =
        realloc(generator->latency_ns, generator->capacity * sizeof *generator->latency_ns);
    if (!generator->latency_ns)
      die("out of memory for %zu latencies", generator->capacity);
  }
  generator->latency_ns[generator->count++] =
      latency_ns < UINT32_MAX ? (uint32_t)latency_ns : UINT32_MAX;
}

static void watch(const struct generator *generator, struct client *client, int operation,
                  uint32_t events)
{
  struct epoll_event event = {.events = events, .data.ptr = client};
  if (epoll_ctl(generator->epoll, operation, client->fd, &event) < 0)
    die("epoll_ctl: %s", strerror(errno));
}

/* Sends what is left of the batch; waits for room where there is none. */
static void send_batch(const struct generator *generator, struct client *client)
{
  const struct script *script = generator->script;
  size_t left = script->request_end[client->batch_end] - client->sent;
  ssize_t sent = send(client->fd, script->requests + client->sent, left, MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN)
    die("cannot send to the server: %s", strerror(errno));
  client->sent += sent > 0 ? (size_t)sent : 0;
  if (sent != (ssize_t)left)
    watch(generator, client, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
}

static void begin_batch(const struct generator *generator, struct client *client, uint64_t now_ns)
{
  if (client->batch_end == SCRIPT_EXCHANGES)
    client->sent = client->received = client->answered = client->batch_end = 0;
  client->batch_end += generator->load->depth;
  client->batch_ns = now_ns;
  send_batch(generator, client);
}

static void receive_answers(struct generator *generator, struct client *client)
{
  const struct script *script = generator->script;
  ssize_t length = recv(client->fd, generator->chunk, CHUNK, 0);
  if (length < 0 && errno == EAGAIN)
    return;
  if (length <= 0)
    die("the server hung up");
  size_t expected = script->answer_end[client->batch_end] - client->received;
  if ((size_t)length > expected ||
      memcmp(script->answers + client->received, generator->chunk, (size_t)length) != 0)
    die("the server gives a wrong answer");
  client->received += (size_t)length;
  uint64_t now_ns = wall_ns();
  for (; client->answered < client->batch_end &&
         script->answer_end[client->answered + 1] <= client->received;
       client->answered++)
    if (now_ns >= generator->record_from_ns)
      record(generator, now_ns - client->batch_ns);
  if (client->answered == client->batch_end)
    begin_batch(generator, client, now_ns);
}

static void serve_client(struct generator *generator, const struct epoll_event *event)
{
  struct client *client = event->data.ptr;
  if (event->events & EPOLLOUT) {
    watch(generator, client, EPOLL_CTL_MOD, EPOLLIN);
    send_batch(generator, client);
  }
  if (event->events & (EPOLLIN | EPOLLHUP | EPOLLERR))
    receive_answers(generator, client);
}

static void open_clients(struct generator *generator, const struct server *server)
{
  for (unsigned i = 0; i < generator->load->connections; i++) {
    struct client *client = &generator->clients[i];
    client->fd = server_connect(server);
    fcntl(client->fd, F_SETFL, O_NONBLOCK);
    watch(generator, client, EPOLL_CTL_ADD, EPOLLIN);
    begin_batch(generator, client, wall_ns());
  }
}

static void run_until(struct generator *generator, uint64_t end_ns)
{
  struct epoll_event events[EVENTS];
  while (wall_ns() < end_ns) {
    int count = epoll_wait(generator->epoll, events, EVENTS, 100);
    for (int i = 0; i < count; i++)
      serve_client(generator, &events[i]);
  }
}

static int compare_latencies(const void *left, const void *right)
{
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static void summarize(struct generator *generator, double seconds, struct load_result *result)
{
  size_t count = generator->count;
  uint32_t *latency_ns = generator->latency_ns;
  if (count == 0)
    die("the server answered nothing within %g s", seconds);
  qsort(latency_ns, count, sizeof *latency_ns, compare_latencies);
  *result = (struct load_result){
      .requests_a_second = (double)count / seconds,
      .p50_us = quantile(latency_ns, count, 0.5) / 1e3,
      .p99_us = quantile(latency_ns, count, 0.99) / 1e3,
      .max_us = latency_ns[count - 1] / 1e3,
  };
}

void load_run(const struct server *server, const struct script *script, const struct load *load,
              struct load_result *result)
{
  struct generator generator = {
      .script = script,
      .load = load,
      .epoll = epoll_create1(EPOLL_CLOEXEC),
      .clients = need_memory(load->connections, sizeof *generator.clients),
      .latency_ns = need_memory(LATENCIES_FIRST, sizeof *generator.latency_ns),
      .capacity = LATENCIES_FIRST,
      .chunk = need_memory(CHUNK, 1),
  };
  generator.record_from_ns = wall_ns() + (uint64_t)(load->seconds * 0.2e9);
  open_clients(&generator, server);
  run_until(&generator, generator.record_from_ns + (uint64_t)(load->seconds * 1e9));
  summarize(&generator, load->seconds, result);
  for (unsigned i = 0; i < load->connections; i++)
    close(generator.clients[i].fd);
  close(generator.epoll);
  free(generator.clients);
  free(generator.latency_ns);
  free(generator.chunk);
}
