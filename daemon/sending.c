/*
 * What was answered goes out at once as far as the socket takes it; libuv sends the rest, while further
 * answers gather in `out`. A peer that reads nothing for long is noticed by what is left not getting less.
 */
#include "daemon/sending.h"

#include "daemon/server.h"

enum { KEPT_BYTES = 256 << 10 }; /* of a buffer that a large answer has grown */

static uv_stream_t *stream_of(struct connection *connection)
{
  return (uv_stream_t *)&connection->pipe;
}

static void empty(struct buffer *buffer)
{
  if (buffer->capacity > KEPT_BYTES)
    buffer_deinit(buffer);
  else
    buffer_clear(buffer);
}

static void on_written(uv_write_t *write, int status)
{
  struct connection *connection = container_of(write, struct connection, write);
  connection->writing = false;
  empty(&connection->sending);
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

void sending_flush(struct connection *connection)
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
    empty(&connection->out);
}

bool sending_is_pending(const struct connection *connection)
{
  return connection->writing || connection->out.length > 0;
}

uint64_t sending_stuck_ms(struct connection *connection)
{
  uint64_t now_ms = uv_now(&connection->server->loop);
  size_t unread_bytes = uv_stream_get_write_queue_size(stream_of(connection));
  if (!connection->writing)
    return 0;
  if (unread_bytes != connection->unread_bytes) {
    connection->unread_bytes = unread_bytes;
    connection->unread_since_ms = now_ms;
  }
  return now_ms - connection->unread_since_ms;
}
