/*
 * A round sends what has no answer yet and reads until each of these requests was answered, refused for now, or the
 * connection is lost. Answers are read while requests are sent, for a daemon whose answers are not read takes no more
 * requests. Rounds go on while they bring answers, and a few more times.
 */
#include "client/pipeline.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BUSY_TRIES_MAX = 100 };

struct pipelined {
  size_t end;   /* of its bytes */
  bool awaited; /* in the round under way */
  bool answered;
};

struct round {
  struct pipeline *pipeline;
  struct cm_client *client;
  const struct pipeline_taker *taker;
  struct deadline deadline;
  size_t sent;    /* bytes */
  size_t awaited; /* requests */
  bool leaving;   /* the daemon said so */
  int refused;    /* for now, with the sentence in the client; else 0 */
};

void pipeline_init(struct pipeline *pipeline)
{
  *pipeline = (struct pipeline){0};
  buffer_init(&pipeline->out);
}

void pipeline_deinit(struct pipeline *pipeline)
{
  buffer_deinit(&pipeline->out);
  free(pipeline->requests);
}

void pipeline_clear(struct pipeline *pipeline)
{
  buffer_clear(&pipeline->out);
  pipeline->count = pipeline->answered = 0;
}

static int make_room(struct pipeline *pipeline)
{
  size_t room = pipeline->room ? 2 * pipeline->room : 64;
  struct pipelined *requests = realloc(pipeline->requests, room * sizeof *requests);
  if (!requests)
    return -ENOMEM;
  pipeline->requests = requests;
  pipeline->room = room;
  return 0;
}

int pipeline_add(struct pipeline *pipeline, struct request *request)
{
  if (pipeline->count == pipeline->room && make_room(pipeline))
    return -ENOMEM;
  request->id = (struct request_id){.kind = REQUEST_ID_NUMBER, .number = (uint32_t)pipeline->count};
  request_encode(request, &pipeline->out);
  if (pipeline->out.failed)
    return -ENOMEM;
  pipeline->requests[pipeline->count++] = (struct pipelined){.end = pipeline->out.length};
  return 0;
}

/* Leaves the bytes of those requests alone that have no answer, which are awaited then. */
static void drop_answered(struct pipeline *pipeline)
{
  char *bytes = pipeline->out.data;
  size_t begin = 0, kept = 0;
  for (size_t i = 0; i < pipeline->count; i++) {
    struct pipelined *request = &pipeline->requests[i];
    size_t length = request->answered ? 0 : request->end - begin;
    memmove(bytes + kept, bytes + begin, length);
    begin = request->end;
    request->end = kept += length;
    request->awaited = !request->answered;
  }
  pipeline->out.length = kept;
}

static bool is_for_now(const struct response *response)
{
  return response->kind == RESPONSE_ERROR &&
         (response->fault.error == ERROR_BUSY || response->fault.error == ERROR_DRAINING);
}

/* A refusal that names no request ends the round. */
static int take_response(struct round *round, struct response *response)
{
  struct pipeline *pipeline = round->pipeline;
  const bool names_none = response->kind == RESPONSE_ERROR && !response->has_id;
  if (is_for_now(response)) {
    round->leaving |= response->fault.error == ERROR_DRAINING;
    round->refused = client_refuse(round->client, &response->fault);
  }
  if (names_none)
    return client_refuse(round->client, &response->fault);
  struct pipelined *request =
      response->id < pipeline->count ? &pipeline->requests[response->id] : NULL;
  if (!request || !request->awaited)
    return client_fail(round->client, -EPROTO,
                       "the daemon answered request %u, which was not asked",
                       (unsigned)response->id);
  round->deadline = client_deadline(round->client);
  round->awaited--;
  request->awaited = false;
  if (is_for_now(response))
    return 0;
  request->answered = true;
  pipeline->answered++;
  return round->taker->take(round->taker->context, response->id, response);
}

static int on_message(void *context)
{
  struct round *round = context;
  int rc = take_response(round, &round->client->response);
  response_deinit(&round->client->response);
  return rc;
}

static int send_more(struct round *round)
{
  const struct buffer *out = &round->pipeline->out;
  if (round->sent == out->length)
    return 0;
  ssize_t now =
      send(round->client->fd, out->data + round->sent, out->length - round->sent, MSG_NOSIGNAL);
  if (now > 0)
    round->sent += (size_t)now;
  if (now >= 0 || errno == EAGAIN || errno == EINTR)
    return 0;
  if (errno == EPIPE || errno == ECONNRESET) {
    round->sent = out->length; /* what was said before is still to be read */
    return 0;
  }
  return client_fail(round->client, -errno, "cannot write to the daemon: %s", strerror(errno));
}

static int exchange(struct round *round, const atomic_bool *stop)
{
  struct cm_client *client = round->client;
  int rc = client_connect(client, round->deadline);
  while (rc == 0 && round->awaited > 0) {
    if (atomic_load(stop))
      return client_fail(client, -ECANCELED, "cancelled");
    rc = send_more(round);
    if (rc == 0)
      rc = client_await(client, round->deadline,
                        round->sent < round->pipeline->out.length ? POLLIN | POLLOUT : POLLIN);
    if (rc == 0)
      rc = client_receive(client);
    if (rc == 0)
      rc = client_take_messages(client, on_message, round);
  }
  return rc;
}

/* `*again`: it failed in a way that another round may not. */
static int run_round(struct round *round, const atomic_bool *stop, bool *again)
{
  drop_answered(round->pipeline);
  round->awaited = round->pipeline->count - round->pipeline->answered;
  round->deadline = client_deadline(round->client);
  int rc = exchange(round, stop);
  if (rc || round->leaving)
    client_disconnect(round->client);
  *again = rc == -EPIPE || (round->refused && (rc == 0 || rc == round->refused));
  return rc ? rc : round->refused;
}

int pipeline_run(struct pipeline *pipeline, struct cm_client *client, const atomic_bool *stop,
                 const struct pipeline_taker *taker)
{
  int fruitless = 0, rc = 0;
  bool again;
  client_forget(client);
  while (rc == 0 && pipeline->answered < pipeline->count) {
    const size_t before = pipeline->answered;
    struct round round = {.pipeline = pipeline, .client = client, .taker = taker};
    rc = run_round(&round, stop, &again);
    fruitless = pipeline->answered > before ? 0 : fruitless + 1;
    if (again && fruitless < (round.refused ? BUSY_TRIES_MAX : TRIES_MAX))
      rc = 0;
    if (rc == 0 && round.refused && fruitless > 0) /* others' solves take their time */
      deadline_poll(client_deadline(client), -1, 0, CANCEL_TICK_MS);
  }
  pipeline_clear(pipeline);
  return rc;
}
