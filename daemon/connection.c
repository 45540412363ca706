/*
 * The happy path: bytes are read into the server's own buffer, each whole message in them is answered
 * into `out`, and `out` is written once, after everything that was readable has been read: so clients are
 * woken in one go, not one between two requests. What is left of a message moves to `in`.
 *
 * A connection stalls, and isn't read from, while a large message of its own is read by a helper, while
 * too many of its requests wait for solves, or while the peer leaves too many answers unread.
 * EOF may be half of a close: what was asked is answered first. A peer that vanished while nothing is
 * read from it shows by POLLHUP alone (connection_check_peer). A peer that talks nonsense is told so,
 * then closed.
 */
#include "daemon/connection.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon/dispatch.h"
#include "daemon/pending.h"

static struct connection *of_stream(uv_stream_t *stream)
{
  return container_of(stream, struct connection, pipe);
}

static uv_stream_t *stream_of(struct connection *connection)
{
  return (uv_stream_t *)&connection->pipe;
}

static bool must_wait(const struct connection *connection)
{
  const struct daemon_limits *limits = &connection->server->config.limits;
  return connection->large.busy || connection->waiting_count >= limits->waiting_requests ||
         connection->out.length + connection->sending.length > limits->unsent_bytes ||
         connection->broken || connection->closing;
}

static void connection_free(struct connection *connection)
{
  buffer_deinit(&connection->in);
  buffer_deinit(&connection->out);
  buffer_deinit(&connection->sending);
  free(connection);
}

static void on_closed(uv_handle_t *handle)
{
  struct connection *connection = of_stream((uv_stream_t *)handle);
  struct server *server = connection->server;
  connection->closed = true;
  if (!connection->large.busy)
    connection_free(connection);
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
  uv_close((uv_handle_t *)&connection->pipe, on_closed);
}

void connection_touch(struct connection *connection)
{
  if (!connection->closing && list_empty(&connection->touched))
    list_append(&connection->server->touched, &connection->touched);
}

/* Memory has run out while an answer was written: say that instead, or nothing ever again. */
static void replace_failed_reply(struct connection *connection, const struct request_id *id)
{
  struct fault fault;
  fault_set(&fault, ERROR_NO_MEMORY, "out of memory for the answer");
  connection->out.failed = false;
  reply_error(&connection->out, connection->framer.encoding, id, &fault);
  if (connection->out.failed)
    connection_close(connection);
}

void connection_reply(struct connection *connection, const struct request *request,
                      const void *result)
{
  if (request->notification)
    return;
  reply_result(&connection->out, connection->framer.encoding, &request->id, request->method,
               result);
  if (connection->out.failed)
    replace_failed_reply(connection, &request->id);
}

void connection_reply_bytes(struct connection *connection, const struct request *request,
                            const struct buffer *bytes)
{
  if (request->notification)
    return;
  if (!bytes->failed)
    buffer_append(&connection->out, bytes->data, bytes->length);
  if (bytes->failed || connection->out.failed)
    replace_failed_reply(connection, &request->id);
}

static void fail_id(struct connection *connection, const struct request_id *id,
                    const struct fault *fault)
{
  reply_error(&connection->out, connection->framer.encoding, id, fault);
  if (connection->out.failed)
    connection_close(connection);
}

void connection_fail(struct connection *connection, const struct request *request,
                     const struct fault *fault)
{
  if (!request->notification)
    fail_id(connection, &request->id, fault);
}

/* The request was read, or `fault` says why not. */
static void handle_incoming(struct connection *connection, struct incoming *incoming, int result,
                            const struct fault *fault)
{
  if (result == 0) {
    dispatch(connection, incoming);
    return;
  }
  connection->broken |= fault->error == ERROR_PARSE;
  if (fault->error == ERROR_REQUEST) /* what is no request is no notification either */
    fail_id(connection, &incoming->request.id, fault);
  else
    connection_fail(connection, &incoming->request, fault);
}

static void read_large(struct job *job)
{
  struct connection *connection = container_of(job, struct connection, large.job);
  connection->large.result = incoming_read(
      &connection->large.incoming, connection->large.body, connection->large.length,
      connection->framer.encoding, &connection->server->config.messages, &connection->large.fault);
}

static void on_large_read(struct job *job)
{
  struct connection *connection = container_of(job, struct connection, large.job);
  connection->large.busy = false;
  if (connection->closing) {
    if (connection->large.result == 0)
      incoming_deinit(&connection->large.incoming);
    if (connection->closed)
      connection_free(connection);
    return;
  }
  handle_incoming(connection, &connection->large.incoming, connection->large.result,
                  &connection->large.fault);
  buffer_consume(&connection->in, connection->large.consumed);
  connection_touch(connection);
}

/* Nothing larger than the server's read buffer is whole anywhere but in `in`, where it can stay. */
static void handle_large(struct connection *connection, const struct frame *frame)
{
  connection->large.busy = true;
  connection->large.body = frame->body;
  connection->large.length = frame->length;
  connection->large.consumed = frame->consumed;
  connection->large.job.run = read_large;
  connection->large.job.done = on_large_read;
  workers_submit(connection->server->helpers, &connection->large.job);
}

static void handle_message(struct connection *connection, const struct frame *frame)
{
  struct incoming incoming;
  struct fault fault;
  int result = incoming_read(&incoming, frame->body, frame->length, connection->framer.encoding,
                             &connection->server->config.messages, &fault);
  handle_incoming(connection, &incoming, result, &fault);
}

static void handle_refused(struct connection *connection, const struct frame *frame,
                           const struct fault *fault)
{
  struct request_id id = {.kind = REQUEST_ID_NONE};
  if (frame->has_message_id)
    id = (struct request_id){.kind = REQUEST_ID_NUMBER, .number = (int64_t)frame->message_id};
  fail_id(connection, &id, fault);
}

/* Answers the messages in `bytes` until one has to wait; returns how many bytes are done with. */
static size_t handle_bytes(struct connection *connection, const char *bytes, size_t length)
{
  size_t done = 0;
  connection->stalled = false;
  while (done < length) {
    struct frame frame = {0};
    struct fault fault;
    if (must_wait(connection)) {
      connection->stalled = true;
      return done;
    }
    switch (framer_next(&connection->framer, bytes + done, length - done, &frame, &fault)) {
    case FRAMER_MORE: return done + frame.consumed;
    case FRAMER_REFUSED: handle_refused(connection, &frame, &fault); break;
    case FRAMER_BROKEN:
      handle_refused(connection, &frame, &fault);
      connection->broken = true;
      return length;
    case FRAMER_MESSAGE:
      if (frame.length > READ_BYTES) {
        handle_large(connection, &frame);
        connection->stalled = true;
        return done;
      }
      handle_message(connection, &frame);
      break;
    }
    done += frame.consumed;
  }
  return done;
}

static void on_written(uv_write_t *write, int status)
{
  struct connection *connection = container_of(write, struct connection, write);
  connection->writing = false;
  buffer_clear(&connection->sending);
  if (status < 0)
    connection_close(connection);
  else
    connection_continue(connection);
}

/* Hands to libuv what the socket didn't take at once. */
static void send_later(struct connection *connection, size_t sent)
{
  struct buffer rest = connection->out;
  connection->out = connection->sending;
  connection->sending = rest;
  uv_buf_t bytes = uv_buf_init(rest.data + sent, (unsigned)(rest.length - sent));
  connection->writing = true;
  if (uv_write(&connection->write, stream_of(connection), &bytes, 1, on_written) < 0) {
    connection->writing = false;
    connection_close(connection);
  }
}

static void send_out(struct connection *connection)
{
  if (connection->writing || connection->closing || connection->out.length == 0)
    return;
  uv_buf_t bytes = uv_buf_init(connection->out.data, (unsigned)connection->out.length);
  int sent = uv_try_write(stream_of(connection), &bytes, 1);
  if (sent < 0 && sent != UV_EAGAIN)
    connection_close(connection);
  else if (sent < 0 || (size_t)sent < connection->out.length)
    send_later(connection, sent < 0 ? 0 : (size_t)sent);
  else
    buffer_clear(&connection->out);
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
  if (connection->writing || connection->out.length > 0)
    return false;
  if (connection->broken)
    return true;
  if (connection->waiting_count > 0 || connection->large.busy || connection->stalled)
    return false;
  return connection->ended || (connection->server->draining && is_quiet(connection));
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
  struct connection *connection = of_stream((uv_stream_t *)handle);
  (void)suggested;
  if (connection->in.length == 0) {
    *buffer = uv_buf_init(connection->server->read_bytes, READ_BYTES);
    return;
  }
  char *room = buffer_reserve(&connection->in, READ_BYTES);
  *buffer = uv_buf_init(room, room ? READ_BYTES : 0);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer);

static void update_reading(struct connection *connection)
{
  bool wanted = !connection->ended && !must_wait(connection);
  if (wanted == connection->reading || connection->closing)
    return;
  connection->reading = wanted;
  if (wanted)
    uv_read_start(stream_of(connection), on_alloc, on_read);
  else
    uv_read_stop(stream_of(connection));
}

void connection_continue(struct connection *connection)
{
  send_out(connection);
  while (connection->stalled && !must_wait(connection)) {
    size_t done = handle_bytes(connection, connection->in.data, connection->in.length);
    buffer_consume(&connection->in, done);
    send_out(connection);
  }
  if (!connection->closing && is_finished(connection))
    connection_close(connection);
  update_reading(connection);
}

/* A last line may lack its newline; anything else that is cut short is no message. */
static void handle_end(struct connection *connection)
{
  connection->ended = true;
  if (connection->in.length > 0 && connection->framer.encoding == ENCODING_JSON_LINES) {
    buffer_append(&connection->in, "\n", 1);
    connection->stalled = true;
  } else if (connection->in.length > 0) {
    struct fault fault;
    fault_set(&fault, ERROR_PARSE, "the connection ends in the middle of a message");
    fail_id(connection, &(struct request_id){.kind = REQUEST_ID_NONE}, &fault);
    connection->broken = true;
  }
  connection_check_peer(connection);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
  struct connection *connection = of_stream(stream);
  if (count == 0)
    return;
  if (count == UV_EOF) {
    handle_end(connection);
  } else if (count < 0) {
    connection_close(connection);
  } else if (buffer->base == connection->server->read_bytes) {
    size_t length = (size_t)count;
    size_t done = handle_bytes(connection, buffer->base, length);
    if (done < length)
      buffer_append(&connection->in, buffer->base + done, length - done);
  } else {
    connection->in.length += (size_t)count;
    size_t done = handle_bytes(connection, connection->in.data, connection->in.length);
    if (done > 0)
      buffer_consume(&connection->in, done);
  }
  if (connection->in.failed)
    connection_close(connection);
  else
    connection_touch(connection);
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
  update_reading(connection);
  return 0;
}
