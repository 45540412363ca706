/*
 * The happy path: bytes are read into the server's own buffer, and each whole message in them is
 * dispatched. What is left of a message moves to `in`, and the message grows there.
 *
 * A connection stalls, and isn't read from, while a large message of its own is read by a helper, while
 * too many of its requests wait for solves, or while the peer leaves too many answers unread. A peer that
 * talks nonsense is told so, then closed; so is one whose half-sent message is more than the daemon will
 * keep for all peers together.
 */
#include "daemon/receiving.h"

#include <inttypes.h>

#include "daemon/dispatch.h"
#include "daemon/disposal.h"
#include "daemon/replies.h"

static struct connection *of_stream(uv_stream_t *stream)
{
  return container_of(stream, struct connection, pipe);
}

/* One may always wait: where none may, nothing would ever be read. */
static bool waits_for_enough(const struct connection *connection)
{
  return connection->waiting_count > 0 &&
         connection->waiting_count >= connection->server->config.limits.waiting_requests;
}

bool receiving_must_wait(const struct connection *connection)
{
  const struct daemon_limits *limits = &connection->server->config.limits;
  return connection->large.busy || waits_for_enough(connection) ||
         connection->out.length + connection->sending.length > limits->unsent_bytes ||
         connection->broken || connection->closing;
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
    connection_fail_id(connection, &incoming->request.id, fault);
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
      disposal_of_incoming(connection->server, &connection->large.incoming);
    connection_free_if_closed(connection);
    return;
  }
  handle_incoming(connection, &connection->large.incoming, connection->large.result,
                  &connection->large.fault);
  buffer_consume(&connection->in, connection->large.consumed);
  connection_touch(connection);
}

static void stop_reading(struct connection *connection)
{
  connection->reading = false;
  uv_read_stop((uv_stream_t *)&connection->pipe);
}

/*
 * Nothing larger than the server's read buffer is whole anywhere but in `in`. There it can stay while the
 * helper reads it, if nothing more is read: libuv may have more to give before it comes back.
 */
static void handle_large(struct connection *connection, const struct frame *frame)
{
  stop_reading(connection);
  connection->large.busy = true;
  connection->large.incoming.request = (struct request){.notification = true};
  connection->large.result =
      fault_set(&connection->large.fault, ERROR_DRAINING, "the daemon is shutting down");
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
  connection_fail_id(connection, &id, fault);
}

/* Answers the messages in `bytes` until one has to wait; returns how many bytes are done with. */
static size_t handle_bytes(struct connection *connection, const char *bytes, size_t length)
{
  size_t done = 0;
  connection->stalled = false;
  while (done < length) {
    struct frame frame = {0};
    struct fault fault;
    if (receiving_must_wait(connection)) {
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
    connection->message_began_ms = uv_now(&connection->server->loop);
  }
  return done;
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
    connection_fail_id(connection, &(struct request_id){.kind = REQUEST_ID_NONE}, &fault);
    connection->broken = true;
  }
}

static void handle_read(struct connection *connection, const char *bytes, size_t length)
{
  if (connection->in.length == 0 && !connection->framer.skipping)
    connection->message_began_ms = uv_now(&connection->server->loop);
  if (bytes == connection->server->read_bytes) {
    size_t done = handle_bytes(connection, bytes, length);
    if (done < length)
      buffer_append(&connection->in, bytes + done, length - done);
  } else {
    connection->in.length += length;
    size_t done = handle_bytes(connection, connection->in.data, connection->in.length);
    if (done > 0)
      buffer_consume(&connection->in, done);
  }
}

/* Keeps the books of what all connections hold, and gives back what one large message needed. */
static void account(struct connection *connection)
{
  struct server *server = connection->server;
  if (connection->closing)
    return;
  if (connection->in.length == 0 && connection->in.capacity > 2 * READ_BYTES)
    disposal_of_buffer(server, &connection->in);
  server->unfinished_bytes += connection->in.length - connection->in_counted;
  connection->in_counted = connection->in.length;
}

static void refuse_if_too_much(struct connection *connection)
{
  struct server *server = connection->server;
  uint64_t limit = server->config.limits.unfinished_bytes;
  if (server->unfinished_bytes <= limit || connection->in.length <= READ_BYTES)
    return;
  struct fault fault;
  fault_set(&fault, ERROR_BUSY,
            "half-sent messages of all connections take more than %" PRIu64 " bytes", limit);
  connection_fail_id(connection, &(struct request_id){.kind = REQUEST_ID_NONE}, &fault);
  connection->broken = true;
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
  struct connection *connection = of_stream(stream);
  if (count == 0)
    return;
  bool lost = count < 0 && count != UV_EOF;
  spin_message(&connection->server->spin);
  if (count == UV_EOF)
    handle_end(connection);
  else if (count > 0)
    handle_read(connection, buffer->base, (size_t)count);
  if (count == (ssize_t)buffer->len)
    stop_reading(connection); /* libuv would read on: others come first */
  if (lost || connection->in.failed)
    connection_close(connection);
  else
    connection_touch(connection);
  account(connection);
  if (!connection->closing)
    refuse_if_too_much(connection);
}

/* Until it is read on, nobody can send the rest of a message. */
static void hold(struct connection *connection, bool held)
{
  if (connection->held && !held)
    connection->message_began_ms = uv_now(&connection->server->loop);
  connection->held = held;
}

void receiving_update(struct connection *connection)
{
  bool wanted = !connection->ended && !receiving_must_wait(connection);
  hold(connection, !wanted);
  account(connection);
  if (connection->closing || wanted == connection->reading)
    return;
  if (!wanted) {
    stop_reading(connection);
    return;
  }
  connection->reading = true;
  uv_read_start((uv_stream_t *)&connection->pipe, on_alloc, on_read);
}

bool receiving_resume(struct connection *connection)
{
  if (!connection->stalled || receiving_must_wait(connection))
    return false;
  size_t done = handle_bytes(connection, connection->in.data, connection->in.length);
  buffer_consume(&connection->in, done);
  return true;
}

uint64_t receiving_unfinished_ms(const struct connection *connection)
{
  bool is_at_one = connection->in.length > 0 || connection->framer.skipping;
  if (!is_at_one || connection->stalled || !connection->reading)
    return 0;
  return uv_now(&connection->server->loop) - connection->message_began_ms;
}

void receiving_end(struct connection *connection)
{
  connection->server->unfinished_bytes -= connection->in_counted;
  connection->in_counted = 0;
}
