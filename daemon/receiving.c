/*
 * The happy path: bytes are read into the server's own buffer, and the whole messages in them are handled
 * (messages.c). What is left of a message moves to `in`, and the message grows there.
 *
 * A connection isn't read from while its messages must wait. A peer whose half-sent message is more than the
 * daemon will keep for all peers together is told so, then closed; so is one that ends in the middle of a message.
 */
#include "daemon/receiving.h"

#include <assert.h>
#include <inttypes.h>

#include "daemon/disposal.h"
#include "daemon/messages.h"
#include "daemon/replies.h"

static struct connection *of_stream(uv_stream_t *stream)
{
  return container_of(stream, struct connection, pipe);
}

static void stop_reading(struct connection *connection)
{
  connection->reading = false;
  uv_read_stop((uv_stream_t *)&connection->pipe);
}

static size_t handle_bytes(struct connection *connection, const char *bytes, size_t length)
{
  size_t done = messages_handle(connection, bytes, length);
  if (connection->large.busy)
    stop_reading(connection); /* libuv may have more to give before the next round */
  return done;
}

static void handle_kept(struct connection *connection)
{
  size_t done = handle_bytes(connection, connection->in.data, connection->in.length);
  assert(done == 0 ||
         !connection->large.busy); /* it comes first, and lies where a helper reads it */
  if (done > 0)
    buffer_consume(&connection->in, done);
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
    handle_kept(connection);
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
  bool wanted = !connection->ended && !messages_must_wait(connection);
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
  if (!connection->stalled || messages_must_wait(connection))
    return false;
  handle_kept(connection);
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
