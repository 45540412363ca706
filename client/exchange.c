/*
 * One request and its answer: connect, send, read messages until the answer to this request is there,
 * hand progress on. A cancel is sent as a notification, and the answer to the request waited for: it
 * says E_CANCELLED, or holds the result that was quicker.
 *
 * A connection that is lost or late, and bytes that make no sense, end the exchange with a sentence. What then
 * becomes of the connection, and whether to ask again, call.c decides.
 */
#include "client/client.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum { READ_BYTES = 64 << 10 };

static int lost(struct cm_client *client)
{
  return client_fail(client, -EPIPE, "the daemon closed the connection before it answered");
}

static int await(struct cm_client *client, struct deadline deadline, short events)
{
  int rc = deadline_poll(deadline, client->fd, events, CANCEL_TICK_MS);
  if (rc == -ETIMEDOUT)
    return client_fail(client, rc, "no answer within %u ms", (unsigned)client->timeout_ms);
  return rc < 0 ? client_fail(client, rc, "cannot wait for the daemon: %s", strerror(-rc)) : 0;
}

/* A daemon that refuses a request half-way may close; what it said before that is still to be read. */
static int send_bytes(struct cm_client *client, const struct buffer *bytes,
                      struct deadline deadline)
{
  size_t sent = 0;
  while (sent < bytes->length) {
    ssize_t now = send(client->fd, bytes->data + sent, bytes->length - sent, MSG_NOSIGNAL);
    if (now >= 0) {
      sent += (size_t)now;
      continue;
    }
    if (errno == EPIPE || errno == ECONNRESET)
      return 0;
    if (errno != EAGAIN && errno != EINTR)
      return client_fail(client, -errno, "cannot write to the daemon: %s", strerror(errno));
    if (atomic_exchange(&client->cancel, false))
      return client_fail(client, -ECANCELED, "cancelled");
    int rc = await(client, deadline, POLLOUT);
    if (rc)
      return rc;
  }
  return 0;
}

static int send_request(struct cm_client *client, const struct request *request,
                        struct deadline deadline)
{
  buffer_clear(&client->out);
  request_encode(request, &client->out);
  if (client->out.failed)
    return client_out_of_memory(client);
  return send_bytes(client, &client->out, deadline);
}

static int send_cancel(struct cm_client *client, const struct request *request,
                       struct deadline deadline)
{
  struct request cancel = {
      .method = METHOD_CANCEL, .notification = true, .given = P(REQUEST), .cancels = request->id};
  return send_request(client, &cancel, deadline);
}

/* 0 also when nothing is there yet. */
static int receive(struct cm_client *client)
{
  char *room = buffer_reserve(&client->in, READ_BYTES);
  if (!room)
    return client_out_of_memory(client);
  ssize_t got = recv(client->fd, room, READ_BYTES, 0);
  if (got == 0 || (got < 0 && errno == ECONNRESET))
    return lost(client);
  if (got < 0)
    return errno == EAGAIN || errno == EINTR
               ? 0
               : client_fail(client, -errno, "cannot read from the daemon: %s", strerror(errno));
  client->in.length += (size_t)got;
  client->heard = true;
  return 0;
}

static void tell_progress(struct cm_client *client, const struct progress *progress)
{
  struct cm_progress told = {progress->layers, progress->decided, progress->states};
  if (client->on_progress)
    client->on_progress(client->context, &told);
}

/* One request is under way at a time: a refusal that names none means that one. */
static bool answers(const struct response *response, uint32_t id)
{
  return response->has_id ? response->id == id : response->kind == RESPONSE_ERROR;
}

/* 1: `client->response` is the answer. 0: it was only progress. */
static int take_message(struct cm_client *client, const struct frame *frame, uint32_t id)
{
  struct fault fault;
  int rc = response_decode(frame->body, frame->length, &client->response, &fault);
  if (rc == -ENOMEM)
    return client_out_of_memory(client);
  if (rc)
    return client_fail(client, -EPROTO, "the daemon's answer makes no sense: %s", fault.text);
  struct response *response = &client->response;
  if (response->kind == RESPONSE_PROGRESS) {
    tell_progress(client, &response->progress);
    response_deinit(response);
    return 0;
  }
  if (answers(response, id)) {
    client->answered = true;
    return 1;
  }
  rc = client_fail(client, -EPROTO, "the daemon answered request %u, which was not asked",
                   (unsigned)response->id);
  response_deinit(response);
  return rc;
}

/* Every message at hand. 1 once the answer is among them. */
static int take_messages(struct cm_client *client, uint32_t id)
{
  for (;;) {
    struct frame frame = {0};
    struct fault fault;
    int rc = 0;
    enum framer_result found =
        framer_next(&client->framer, client->in.data, client->in.length, &frame, &fault);
    if (found == FRAMER_MESSAGE)
      rc = take_message(client, &frame, id);
    else if (found != FRAMER_MORE)
      rc = client_fail(client, -EPROTO, "the daemon's answer makes no sense: %s", fault.text);
    buffer_consume(&client->in, frame.consumed);
    if (rc || found == FRAMER_MORE)
      return rc;
  }
}

static int await_answer(struct cm_client *client, const struct request *request,
                        struct deadline deadline)
{
  int rc = 0;
  while (rc == 0) {
    if (atomic_exchange(&client->cancel, false))
      rc = send_cancel(client, request, deadline);
    if (rc == 0)
      rc = await(client, deadline, POLLIN);
    if (rc == 0)
      rc = receive(client);
    if (rc == 0)
      rc = take_messages(client, (uint32_t)request->id.number);
  }
  return rc < 0 ? rc : 0;
}

int client_exchange(struct cm_client *client, struct request *request, struct deadline deadline)
{
  int rc = client_connect(client, deadline);
  if (rc)
    return rc;
  request->id = (struct request_id){.kind = REQUEST_ID_NUMBER, .number = ++client->last_id};
  rc = send_request(client, request, deadline);
  return rc ? rc : await_answer(client, request, deadline);
}

int client_await_end(struct cm_client *client)
{
  struct deadline deadline = client_deadline(client);
  for (;;) {
    int rc = await(client, deadline, POLLIN);
    if (rc == 0 && atomic_exchange(&client->cancel, false))
      rc = client_fail(client, -ECANCELED, "cancelled");
    if (rc == 0)
      rc = receive(client);
    if (rc)
      return rc == -EPIPE ? 0 : rc;
    buffer_clear(&client->in);
  }
}
