/*
 * The happy path: opened with a descriptor, it receives requests (receiving.c), sends answers (sending.c)
 * and closes when its peer has sent all and got all. Whatever changes what it can do next ends in
 * connection_continue(), which decides.
 *
 * EOF may be half of a close: what was asked is answered first. A peer that vanished while nothing is
 * read from it shows by POLLHUP alone (connection_check_peer).
 */
#include "daemon/connection.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/disposal.h"
#include "daemon/patience.h"
#include "daemon/pending.h"
#include "daemon/receiving.h"
#include "daemon/sending.h"

void connection_free_if_closed(struct connection *connection)
{
  if (!connection->closed || connection->large.busy)
    return;
  disposal_of_buffer(connection->server, &connection->in);
  disposal_of_buffer(connection->server, &connection->out);
  disposal_of_buffer(connection->server, &connection->sending);
  free(connection);
}

static void on_closed(uv_handle_t *handle)
{
  struct connection *connection = container_of(handle, struct connection, pipe);
  struct server *server = connection->server;
  connection->closed = true;
  connection_free_if_closed(connection);
  server_connection_gone(server);
}

void connection_close(struct connection *connection)
{
  if (connection->closing)
    return;
  connection->closing = true;
  for (struct link *link; (link = list_pop(&connection->waiting));)
    pending_give_up(container_of(link, struct pending, link));
  list_remove(&connection->link);
  list_remove(&connection->touched);
  receiving_end(connection);
  uv_close((uv_handle_t *)&connection->pipe, on_closed);
}

void connection_touch(struct connection *connection)
{
  if (!connection->closing && list_empty(&connection->touched))
    list_append(&connection->server->touched, &connection->touched);
}

/* Has the peer, for now, asked nothing that isn't read yet? */
static bool is_quiet(const struct connection *connection)
{
  char byte;
  int fd = connection->pipe.io_watcher.fd;
  return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

static bool is_finished(const struct connection *connection)
{
  if (sending_is_pending(connection))
    return false;
  if (connection->broken)
    return true;
  if (connection->waiting_count > 0 || connection->large.busy || connection->stalled)
    return false;
  return connection->ended || (connection->server->draining && is_quiet(connection));
}

void connection_continue(struct connection *connection)
{
  do
    sending_flush(connection);
  while (receiving_resume(connection));
  connection->active_ms = uv_now(&connection->server->loop);
  if (!connection->closing && is_finished(connection))
    connection_close(connection);
  receiving_update(connection);
}

void connection_check_peer(struct connection *connection)
{
  struct pollfd peer = {.fd = connection->pipe.io_watcher.fd};
  if (!connection->closing && !connection->reading && poll(&peer, 1, 0) == 1 &&
      peer.revents & POLLHUP)
    connection_close(connection);
}

int connection_open(struct server *server, int fd, bool refused)
{
  struct connection *connection = calloc(1, sizeof(*connection));
  if (!connection) {
    close(fd);
    return -ENOMEM;
  }
  connection->server = server;
  connection->refused = refused;
  framer_init(&connection->framer, &server->config.messages);
  buffer_init(&connection->in);
  buffer_init(&connection->out);
  buffer_init(&connection->sending);
  list_init(&connection->touched);
  list_init(&connection->waiting);
  list_append(&server->connections, &connection->link);
  server->connection_count++;

  uv_pipe_init(&server->loop, &connection->pipe, 0);
  int result = uv_pipe_open(&connection->pipe, fd);
  if (result < 0) {
    close(fd);
    connection_close(connection);
    return result;
  }
  connection->active_ms = uv_now(&server->loop);
  receiving_update(connection);
  patience_begin(server);
  return 0;
}
