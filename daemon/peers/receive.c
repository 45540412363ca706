/*
 * The happy path: bytes are read into the peers' own buffer, and the whole messages in them are decoded and handed
 * on. What is left of a message moves to `in`, and the message grows there. A large message is decoded by a helper.
 *
 * A connection is not read from while its messages must wait: for a large message of its own, for too many of its
 * requests, for the peer to read its answers, or for the other peers, once a round of the loop has taken long. A peer
 * that talks nonsense, or whose half-sent message is more than the daemon will keep for all peers together, is told
 * so, then closed; so is a peer that ends within a message.
 */
#include "daemon/peers/receive.h"

#include <assert.h>
#include <inttypes.h>

enum { MESSAGES_AT_ONCE = 8, ROUND_MS = 5 };

static bool must_wait(const struct connection *connection)
{
  const struct daemon_limits *limits = &connection->peers->config->limits;
  uint64_t waiting_max = limits->waiting_requests ? limits->waiting_requests : 1;
  return connection->large.busy || connection->holder || connection->waiting_count >= waiting_max ||
         connection->out.length + connection->sending.length > limits->unsent_bytes ||
         connection->broken || connection->closing;
}

/* The request was decoded, or `fault` says why not. */
static void hand_on(struct connection *connection, struct request *request, int result,
                    const struct fault *fault)
{
  const struct peers_handler *handler = &connection->peers->handler;
  if (connection->refused) {
    connection_refuse(connection, &request->id);
    if (result == 0)
      request_deinit(request);
  } else if (result == 0) {
    handler->handle(handler->requests, connection, request);
  } else {
    connection->broken |= fault->error == ERROR_PARSE;
    if (fault->error == ERROR_REQUEST) /* a message that is no request cannot be a notification */
      connection_fail_id(connection, &request->id, fault);
    else
      connection_fail(connection, request, fault);
  }
}

static void decode_large(struct job *job)
{
  struct connection *connection = container_of(job, struct connection, large.job);
  const struct frame *frame = &connection->large.frame;
  connection->large.result = request_decode(frame->body, frame->length, connection->framer.encoding,
                                            &connection->peers->config->messages,
                                            &connection->large.request, &connection->large.fault);
}

static void on_large_decoded(struct job *job)
{
  struct connection *connection = container_of(job, struct connection, large.job);
  connection->large.busy = false;
  connection_account(connection);
  if (!connection->closing) {
    buffer_consume(&connection->in, connection->large.frame.consumed);
    hand_on(connection, &connection->large.request, connection->large.result,
            &connection->large.fault);
  } else if (connection->large.result == 0) {
    request_deinit(&connection->large.request);
  }
  connection_release(connection);
}

/*
 * A message larger than the read buffer is whole in `in` alone. It stays there while the helper decodes it, since
 * nothing more is read.
 */
static void handle_large(struct connection *connection, const struct frame *frame)
{
  const struct peers_handler *handler = &connection->peers->handler;
  if (!handler->admits(handler->memory, RECEIVE_TIMES * frame->length)) {
    connection_break(connection, NULL, ERROR_BUSY,
                     "a message of %zu bytes has no room in memory now, so try again later",
                     frame->length);
    return;
  }
  connection->large.busy = true;
  connection->large.request = (struct request){.notification = true};
  connection->large.result =
      fault_set(&connection->large.fault, ERROR_DRAINING, "the daemon is shutting down");
  connection->large.frame = *frame;
  connection->large.job.run = decode_large;
  connection->large.job.done = on_large_decoded;
  workers_submit(connection->peers->readers, &connection->large.job);
}

static void handle_message(struct connection *connection, const struct frame *frame)
{
  struct request request;
  struct fault fault;
  int result = request_decode(frame->body, frame->length, connection->framer.encoding,
                              &connection->peers->config->messages, &request, &fault);
  hand_on(connection, &request, result, &fault);
}

/* Handles one message at the front of `bytes`. False where there is none, or none that may be handled now. */
static bool handle_first(struct connection *connection, const char *bytes, size_t length,
                         size_t *done)
{
  struct frame frame = {0};
  struct fault fault;
  connection->stalled = must_wait(connection);
  if (connection->stalled)
    return false;
  switch (framer_next(&connection->framer, bytes + *done, length - *done, &frame, &fault)) {
  case FRAMER_MORE: *done += frame.consumed; return false;
  case FRAMER_REFUSED: connection_fail_id(connection, &frame.id, &fault); break;
  case FRAMER_BROKEN:
    connection_fail_id(connection, &frame.id, &fault);
    connection->broken = true;
    *done = length;
    return false;
  case FRAMER_MESSAGE:
    if (frame.length > READ_BYTES) {
      handle_large(connection, &frame);
      connection->stalled = true;
      return false;
    }
    handle_message(connection, &frame);
    break;
  }
  *done += frame.consumed;
  connection->message_began_ms = uv_now(connection->peers->loop);
  return *done < length;
}

static void stop_reading(struct connection *connection)
{
  connection->reading = false;
  uv_read_stop((uv_stream_t *)&connection->pipe);
}

/*
 * Returns how many bytes are done with. Other peers wait until a round of the loop ends, so what is left of a long one
 * has its turn in the next. Asking the clock for every message would cost too much.
 */
static size_t handle_bytes(struct connection *connection, const char *bytes, size_t length)
{
  size_t done = 0;
  unsigned handled = 0;
  connection->stalled = false;
  while (length > 0 && !connection->stalled && handle_first(connection, bytes, length, &done))
    connection->stalled = ++handled % MESSAGES_AT_ONCE == 0 &&
                          uv_hrtime() / 1000000 >= uv_now(connection->peers->loop) + ROUND_MS;
  if (connection->stalled)
    stop_reading(connection); /* libuv may have more to give before the next round */
  return done;
}

static void handle_kept(struct connection *connection)
{
  size_t done = handle_bytes(connection, connection->in.data, connection->in.length);
  assert(done == 0 ||
         !connection->large
              .busy); /* a large message is the first in `in`, and a helper reads it there */
  if (done > 0)
    buffer_consume(&connection->in, done);
}

static struct connection *of_stream(uv_stream_t *stream)
{
  return container_of(stream, struct connection, pipe);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
  struct connection *connection = of_stream((uv_stream_t *)handle);
  (void)suggested;
  if (connection->in.length == 0) {
    *buffer = uv_buf_init(connection->peers->read_bytes, READ_BYTES);
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
    connection_break(connection, NULL, ERROR_PARSE,
                     "the connection ends in the middle of a message");
  }
}

static void handle_read(struct connection *connection, const char *bytes, size_t length)
{
  if (connection->in.length == 0 && !connection->framer.skipping)
    connection->message_began_ms = uv_now(connection->peers->loop);
  if (bytes == connection->peers->read_bytes) {
    size_t done = handle_bytes(connection, bytes, length);
    if (done < length)
      buffer_append(&connection->in, bytes + done, length - done);
  } else {
    connection->in.length += length;
    handle_kept(connection);
  }
}

static void refuse_if_too_much(struct connection *connection)
{
  struct peers *peers = connection->peers;
  uint64_t limit_bytes = peers->config->limits.unfinished_bytes;
  if (connection->in.length <= READ_BYTES ||
      (peers->unfinished_bytes <= limit_bytes && peers->handler.admits(peers->handler.memory, 0)))
    return;
  connection_break(connection, NULL, ERROR_BUSY,
                   "half-sent messages of all connections take too much memory, so try again later "
                   "(--unfinished-max, --memory-max)");
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer)
{
  struct connection *connection = of_stream(stream);
  if (count == 0)
    return;
  bool lost = count < 0 && count != UV_EOF;
  spin_message(&connection->peers->spin);
  if (count == UV_EOF)
    handle_end(connection);
  else if (count > 0)
    handle_read(connection, buffer->base, (size_t)count);
  if (count == (ssize_t)buffer->len && !connection->closing)
    stop_reading(connection); /* libuv would read on: others come first */
  if (lost || connection->in.failed) {
    connection_close(connection);
    return;
  }
  connection_touch(connection);
  if (connection->in.capacity > 0 && !connection->closing) {
    connection_account(connection);
    refuse_if_too_much(connection);
  }
}

void receive_update(struct connection *connection)
{
  bool waits = must_wait(connection);
  bool wanted = !connection->ended && !waits && !connection->stalled;
  if (connection->stalled && !waits)
    connection_touch(connection); /* its next messages have their turn in the next round */
  if (connection->held && wanted) /* meanwhile the peer could not send the rest of a message */
    connection->message_began_ms = uv_now(connection->peers->loop);
  connection->held = !wanted;
  if (connection->in.length == 0 && connection->in.capacity > 2 * READ_BYTES)
    connection_forget_bytes(connection, &connection->in);
  if (connection->closing || wanted == connection->reading)
    return;
  connection->reading = wanted;
  if (wanted)
    uv_read_start((uv_stream_t *)&connection->pipe, on_alloc, on_read);
  else
    stop_reading(connection);
}

void receive_resume(struct connection *connection)
{
  if (connection->stalled && !must_wait(connection))
    handle_kept(connection);
}
