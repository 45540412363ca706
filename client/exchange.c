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

#include "proto/units.h"

enum { READ_BYTES = 64 << 10 };

static int lost(struct cm_client *client)
{
  return client_fail(client, -EPIPE, "the daemon closed the connection before it answered");
}

int client_await(struct cm_client *client, struct deadline deadline, short events)
{
  int rc = deadline_poll(deadline, client->fd, events, CANCEL_TICK_MS);
  char words[UNIT_WORDS];
  if (rc == -ETIMEDOUT)
    return client_fail(client, rc, "no answer within %s", time_words(client->timeout_ms, words));
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
    int rc = client_await(client, deadline, POLLOUT);
    if (rc)
      return rc;
  }
  return 0;
}

static struct request_id number_id(uint32_t number)
{
  return (struct request_id){.kind = REQUEST_ID_NUMBER, .number = number};
}

static int send_cancel(struct cm_client *client, struct request_id id, struct deadline deadline)
{
  const struct request cancel = {
      .method = METHOD_CANCEL, .notification = true, .given = P(REQUEST), .cancels = id};
  struct buffer out;
  buffer_init(&out);
  request_encode(&cancel, &out);
  int rc = out.failed ? client_out_of_memory(client) : send_bytes(client, &out, deadline);
  buffer_deinit(&out);
  return rc;
}

int client_receive(struct cm_client *client)
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

struct awaited {
  struct cm_client *client;
  uint32_t id;
};

/* 1: `client->response` is the answer. 0: it was only progress. */
static int on_message(void *context)
{
  const struct awaited *awaited = context;
  struct cm_client *client = awaited->client;
  struct response *response = &client->response;
  if (response->kind == RESPONSE_PROGRESS) {
    tell_progress(client, &response->progress);
    response_deinit(response);
    return 0;
  }
  if (answers(response, awaited->id)) {
    client->answered = true;
    return 1;
  }
  int rc = client_fail(client, -EPROTO, "the daemon answered request %u, which was not asked",
                       (unsigned)response->id);
  response_deinit(response);
  return rc;
}

static int decode(struct cm_client *client, const struct frame *frame)
{
  struct fault fault;
  int rc = response_decode(frame->body, frame->length, &client->response, &fault);
  if (rc == -ENOMEM)
    return client_out_of_memory(client);
  return rc ? client_fail(client, -EPROTO, "the daemon's answer makes no sense: %s", fault.text)
            : 0;
}

int client_take_messages(struct cm_client *client, int (*take)(void *context), void *context)
{
  size_t taken = 0;
  int rc = 0;
  for (enum framer_result found = FRAMER_MESSAGE; rc == 0 && found == FRAMER_MESSAGE;) {
    struct frame frame = {0};
    struct fault fault;
    found = framer_next(&client->framer, client->in.data + taken, client->in.length - taken, &frame,
                        &fault);
    if (found == FRAMER_MESSAGE)
      rc = decode(client, &frame);
    else if (found != FRAMER_MORE)
      rc = client_fail(client, -EPROTO, "the daemon's answer makes no sense: %s", fault.text);
    if (rc == 0 && found == FRAMER_MESSAGE)
      rc = take(context);
    taken += frame.consumed;
  }
  buffer_consume(&client->in, taken);
  return rc;
}

static int await_answer(struct cm_client *client, struct request_id id, struct deadline deadline)
{
  struct awaited awaited = {client, (uint32_t)id.number};
  int rc = 0;
  while (rc == 0) {
    if (atomic_exchange(&client->cancel, false))
      rc = send_cancel(client, id, deadline);
    if (rc == 0)
      rc = client_await(client, deadline, POLLIN);
    if (rc == 0)
      rc = client_receive(client);
    if (rc == 0)
      rc = client_take_messages(client, on_message, &awaited);
  }
  return rc < 0 ? rc : 0;
}

static int exchange(struct cm_client *client, const struct buffer *bytes, uint32_t number,
                    struct deadline deadline)
{
  int rc = client_connect(client, deadline);
  if (rc == 0)
    rc = send_bytes(client, bytes, deadline);
  return rc ? rc : await_answer(client, number_id(number), deadline);
}

int client_exchange(struct cm_client *client, struct request *request, struct deadline deadline)
{
  request->id = number_id(++client->last_id);
  buffer_clear(&client->out);
  request_encode(request, &client->out);
  if (client->out.failed)
    return client_out_of_memory(client);
  return exchange(client, &client->out, client->last_id, deadline);
}

int client_exchange_solve(struct cm_client *client, struct deadline deadline)
{
  return exchange(client, &client->solve, client->solve_id, deadline);
}

int client_await_end(struct cm_client *client)
{
  struct deadline deadline = client_deadline(client);
  for (;;) {
    int rc = client_await(client, deadline, POLLIN);
    if (rc == 0 && atomic_exchange(&client->cancel, false))
      rc = client_fail(client, -ECANCELED, "cancelled");
    if (rc == 0)
      rc = client_receive(client);
    if (rc)
      return rc == -EPIPE ? 0 : rc;
    buffer_clear(&client->in);
  }
}
