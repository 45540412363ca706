/*
 * The happy path: opened with a descriptor, it receives requests (receive.c), sends answers and closes when its
 * peer has sent all and got all. Whatever changes what it can do next ends in connection_continue(), which decides.
 *
 * Answers gather in `out` and go out at once as far as the socket takes them; libuv sends the rest, while further
 * answers gather. A peer reads nothing while the number of bytes left to send stays the same.
 *
 * After EOF the peer's requests are answered before the connection closes. When a peer vanishes while nothing is read
 * from it, only POLLHUP tells. Where memory runs out half-way through an answer, the peer is told so instead; where
 * even that sentence does not fit, the connection is closed: a missing answer would be worse.
 */
#include "daemon/peers/connection.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/peers/receive.h"
#include "proto/units.h"

enum { KEPT_BYTES = 64 << 10 /* of a buffer that a large answer has grown */, REFUSED_MS = 500 };

static uv_stream_t *stream_of(const struct connection *connection)
{
  return (uv_stream_t *)&connection->pipe;
}

static int descriptor_of(const struct connection *connection)
{
  uv_os_fd_t fd = -1;
  uv_fileno((const uv_handle_t *)&connection->pipe, &fd);
  return fd;
}

/* Buffers count by their capacity, which is the memory that the process holds for them. */
void connection_account(struct connection *connection)
{
  struct peers *peers = connection->peers;
  bool closing = connection->closing;
  uint64_t unsent = closing ? 0 : connection->out.length + connection->sending.length;
  uint64_t unfinished = closing ? 0 : connection->in.length;
  uint64_t held = connection->in.capacity + connection->out.capacity + connection->sending.capacity;
  if (connection->large.busy)
    held += RECEIVE_TIMES * connection->large.frame.length;
  peers->unsent_bytes += unsent - connection->unsent_counted;
  peers->unfinished_bytes += unfinished - connection->unfinished_counted;
  peers->message_bytes += held - connection->held_counted;
  connection->unsent_counted = unsent;
  connection->unfinished_counted = unfinished;
  connection->held_counted = held;
}

void connection_forget_bytes(struct connection *connection, struct buffer *buffer)
{
  free_later(connection->peers->readers, free, buffer->data, buffer->capacity);
  buffer_init(buffer);
}

static void empty(struct connection *connection, struct buffer *buffer)
{
  if (buffer->capacity > KEPT_BYTES)
    connection_forget_bytes(connection, buffer);
  else
    buffer_clear(buffer);
}

static void free_if_unused(struct connection *connection)
{
  struct peers *peers = connection->peers;
  if (!connection->closed || connection->large.busy)
    return;
  connection_forget_bytes(connection, &connection->in);
  connection_forget_bytes(connection, &connection->out);
  connection_forget_bytes(connection, &connection->sending);
  connection_account(connection);
  free(connection);
  if (--peers->count == 0)
    peers->handler.alone(peers->handler.context);
}

static void on_closed(uv_handle_t *handle)
{
  struct connection *connection = container_of(handle, struct connection, pipe);
  connection->closed = true;
  free_if_unused(connection);
}

void connection_close(struct connection *connection)
{
  struct peers *peers = connection->peers;
  if (connection->closing)
    return;
  connection->closing = true;
  peers->handler.leave(connection);
  list_remove(&connection->link);
  list_remove(&connection->touched);
  peers->refused_count -= connection->refused;
  connection_account(connection);
  uv_close((uv_handle_t *)&connection->pipe, on_closed);
}

void connection_touch(struct connection *connection)
{
  if (!connection->closing && list_empty(&connection->touched))
    list_append(&connection->peers->touched, &connection->touched);
}

void connection_release(struct connection *connection)
{
  connection_touch(connection);
  free_if_unused(connection);
}

static void on_written(uv_write_t *write, int status)
{
  struct connection *connection = container_of(write, struct connection, write);
  connection->writing = false;
  empty(connection, &connection->sending);
  if (status < 0)
    connection_close(connection);
  else
    connection_touch(connection);
}

/* Hands to libuv what the socket didn't take at once. */
static void send_later(struct connection *connection, size_t sent)
{
  struct buffer rest = connection->out;
  connection->out = connection->sending;
  connection->sending = rest;
  uv_buf_t bytes = {rest.data + sent, rest.length - sent};
  connection->writing = true;
  connection->unread_bytes = 0;
  if (uv_write(&connection->write, stream_of(connection), &bytes, 1, on_written) < 0) {
    connection->writing = false;
    connection_close(connection);
  }
}

static void flush(struct connection *connection)
{
  if (connection->writing || connection->closing || connection->out.length == 0)
    return;
  uv_buf_t bytes = {connection->out.data, connection->out.length};
  int sent = uv_try_write(stream_of(connection), &bytes, 1);
  if (sent < 0 && sent != UV_EAGAIN)
    connection_close(connection);
  else if (sent < 0 || (size_t)sent < connection->out.length)
    send_later(connection, sent < 0 ? 0 : (size_t)sent);
  else
    empty(connection, &connection->out);
}

bool connection_is_sending(const struct connection *connection)
{
  return connection->writing || connection->out.length > 0;
}

/*
 * Is there no byte from the peer that is still to be read? A loop that was held up itself looks before it reads: what
 * came meanwhile has come in time.
 */
static bool is_quiet(const struct connection *connection)
{
  char byte;
  return recv(descriptor_of(connection), &byte, 1, MSG_PEEK | MSG_DONTWAIT) <= 0;
}

static bool is_finished(const struct connection *connection)
{
  if (connection_is_sending(connection))
    return false;
  if (connection->broken)
    return true;
  if (connection->waiting_count > 0 || connection->large.busy || connection->stalled)
    return false;
  return connection->ended || (connection->peers->draining && is_quiet(connection));
}

void connection_continue(struct connection *connection)
{
  flush(connection);
  receive_resume(connection);
  flush(connection);
  connection->active_ms = uv_now(connection->peers->loop);
  if (connection->closing)
    return;
  if (is_finished(connection)) {
    connection_close(connection);
    return;
  }
  receive_update(connection);
  connection_account(connection);
}

void connection_fail_id(struct connection *connection, const struct request_id *id,
                        const struct fault *fault)
{
  connection->out.failed = false;
  enum encoding encoding = connection->framer.encoding;
  reply_error(&connection->out, encoding == ENCODING_UNKNOWN ? ENCODING_JSON_LINES : encoding, id,
              fault);
  if (connection->out.failed) {
    connection->out.failed = false;
    connection->broken = true;
  }
  connection_touch(connection);
}

void connection_reply(struct connection *connection, const struct request *request,
                      const void *result)
{
  if (request->notification)
    return;
  reply_result(&connection->out, connection->framer.encoding, &request->id, request->method,
               result);
  connection_check_reply(connection, request);
}

void connection_check_reply(struct connection *connection, const struct request *request)
{
  struct fault fault;
  if (!connection->out.failed)
    return;
  fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the answer");
  connection_fail_id(connection, &request->id, &fault);
}

void connection_fail(struct connection *connection, const struct request *request,
                     const struct fault *fault)
{
  if (!request->notification)
    connection_fail_id(connection, &request->id, fault);
}

void connection_break(struct connection *connection, const struct request_id *id, enum error error,
                      const char *format, ...)
{
  static const struct request_id none = {.kind = REQUEST_ID_NONE};
  struct fault fault = {.error = error};
  va_list arguments;
  if (connection->broken)
    return;
  va_start(arguments, format);
  vsnprintf(fault.text, sizeof fault.text, format, arguments);
  va_end(arguments);
  connection_fail_id(connection, id ? id : &none, &fault);
  connection->broken = true;
}

void connection_refuse(struct connection *connection, const struct request_id *id)
{
  connection_break(connection, id, ERROR_BUSY,
                   "as many connections are open already as are allowed (--connections-max)");
}

/* How long the peer has read nothing of what waits for it; 0 where nothing waits. */
static uint64_t stuck_ms(struct connection *connection, uint64_t now_ms)
{
  size_t unread_bytes = uv_stream_get_write_queue_size(stream_of(connection));
  if (!connection->writing)
    return 0;
  if (unread_bytes != connection->unread_bytes) {
    connection->unread_bytes = unread_bytes;
    connection->unread_since_ms = now_ms;
  }
  return now_ms - connection->unread_since_ms;
}

/* How long the peer has been sending one message; 0 where none is half-sent. */
static uint64_t unfinished_ms(const struct connection *connection, uint64_t now_ms)
{
  bool is_at_one = connection->in.length > 0 || connection->framer.skipping;
  if (!is_at_one || connection->stalled || !connection->reading)
    return 0;
  return now_ms - connection->message_began_ms;
}

/* Has its peer gone, of which reading would show no trace? */
static bool is_gone(const struct connection *connection)
{
  struct pollfd peer = {.fd = descriptor_of(connection)};
  return !connection->reading && poll(&peer, 1, 0) == 1 && peer.revents & POLLHUP;
}

static bool is_over(uint64_t time_ms, uint64_t limit_ms)
{
  return limit_ms > 0 && time_ms >= limit_ms;
}

/* It neither asks nor waits for anything. */
static bool is_over_for_idle(const struct connection *connection, uint64_t now_ms)
{
  return list_empty(&connection->waiting) && !connection->large.busy && !connection->stalled &&
         !connection_is_sending(connection) &&
         is_over(now_ms - connection->active_ms, connection->peers->config->limits.idle_ms) &&
         is_quiet(connection);
}

void connection_look(struct connection *connection)
{
  struct peers *peers = connection->peers;
  uint64_t now_ms = uv_now(peers->loop);
  const struct daemon_limits *limits = &peers->config->limits;
  char words[UNIT_WORDS];
  if (connection->refused && now_ms - connection->opened_ms >= REFUSED_MS && is_quiet(connection)) {
    /* A peer that has not asked yet has picked no encoding: JSON is the one that a person can read, too. */
    connection_refuse(connection, NULL);
  } else if (is_over(stuck_ms(connection, now_ms), limits->unread_ms)) {
    log_line(&peers->config->log, LOG_WARNING,
             "a connection was closed: its peer reads no answers");
    connection_close(connection);
  } else if (is_over(unfinished_ms(connection, now_ms), limits->message_ms)) {
    connection_break(connection, NULL, ERROR_TIMEOUT,
                     "a message was not whole after the %s that --message-time-max allows",
                     time_words(limits->message_ms, words));
  } else if (is_gone(connection) || is_over_for_idle(connection, now_ms)) {
    connection_close(connection);
  }
}

int connection_open(struct peers *peers, int fd, bool refused)
{
  struct connection *connection = calloc(1, sizeof(*connection));
  if (!connection) {
    close(fd);
    return -ENOMEM;
  }
  connection->peers = peers;
  connection->refused = refused;
  framer_init(&connection->framer, &peers->config->messages);
  list_init(&connection->touched);
  list_init(&connection->waiting);
  list_append(&peers->connections, &connection->link);
  peers->count++;
  peers->refused_count += refused;

  uv_pipe_init(peers->loop, &connection->pipe, 0);
  int result = uv_pipe_open(&connection->pipe, fd);
  if (result < 0) {
    close(fd);
    connection_close(connection);
    return result;
  }
  connection->opened_ms = connection->active_ms = uv_now(peers->loop);
  receive_update(connection);
  return 0;
}
