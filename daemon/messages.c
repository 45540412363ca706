/*
 * The happy path: each whole message is dispatched, a large one once a helper has read it.
 *
 * A connection stalls while a large message of its own is read, while too many of its requests wait for solves, or
 * while the peer leaves too many answers unread. A peer that talks nonsense is told so, then closed.
 */
#include "daemon/messages.h"

#include "daemon/dispatch.h"
#include "daemon/disposal.h"
#include "daemon/replies.h"

/* One may always wait: where none may, nothing would ever be read. */
static bool waits_for_enough(const struct connection *connection)
{
  return connection->waiting_count > 0 &&
         connection->waiting_count >= connection->server->config.limits.waiting_requests;
}

bool messages_must_wait(const struct connection *connection)
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

/*
 * Nothing larger than the server's read buffer is whole anywhere but in `in`. There it can stay while the
 * helper reads it, if nothing more is read.
 */
static void handle_large(struct connection *connection, const struct frame *frame)
{
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
  connection_fail_id(connection, &frame->id, fault);
}

size_t messages_handle(struct connection *connection, const char *bytes, size_t length)
{
  size_t done = 0;
  connection->stalled = false;
  while (done < length) {
    struct frame frame = {0};
    struct fault fault;
    if (messages_must_wait(connection)) {
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
