/*
 * Idle, finding a daemon, connecting, connected: and back to idle where the connection is lost or none was had.
 * Then whoever still waits is told so, and the next request begins anew.
 *
 * What the daemon sends that makes no sense counts as a loss. Out of memory for an answer does too.
 */
#include "lsp/daemon_link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/cmclient.h"
#include "proto/request_write.h"

enum { READ_BYTES = 64 << 10 };

static void fail_all(struct daemon_link *link, enum error error)
{
  struct fault fault;
  fault_set(&fault, error, "%s", link->sentence);
  struct call *calls = link->calls;
  link->calls = NULL;
  while (calls) {
    struct call *call = calls;
    calls = call->next;
    call->asker.on_answer(call->asker.owner, call->asker.tag, NULL, &fault);
    free(call);
  }
}

static void become_idle(struct daemon_link *link)
{
  link->phase = LINK_IDLE;
  buffer_clear(&link->unsent);
  buffer_clear(&link->in);
}

static void on_lost_closed(uv_handle_t *handle)
{
  struct daemon_link *link = handle->data;
  if (link->phase == LINK_CLOSED)
    return;
  become_idle(link);
  fail_all(link, ERROR_DRAINING);
}

static void lose(struct daemon_link *link, const char *sentence)
{
  if (link->phase == LINK_CLOSED || uv_is_closing((uv_handle_t *)&link->pipe))
    return;
  snprintf(link->sentence, sizeof link->sentence, "%s", sentence);
  uv_close((uv_handle_t *)&link->pipe, on_lost_closed);
}

/* Takes a call out of the list. NULL where none has the id. */
static struct call *take_call(struct daemon_link *link, uint32_t id)
{
  for (struct call **at = &link->calls; *at; at = &(*at)->next) {
    if ((*at)->id == id) {
      struct call *call = *at;
      *at = call->next;
      return call;
    }
  }
  return NULL;
}

static const struct call *find_call(const struct daemon_link *link, uint32_t id)
{
  const struct call *call = link->calls;
  while (call && call->id != id)
    call = call->next;
  return call;
}

static void answer(struct daemon_link *link, struct response *response)
{
  struct call *call = response->has_id ? take_call(link, response->id) : NULL;
  if (!call)
    return; /* it was forgotten */
  bool refused = response->kind == RESPONSE_ERROR;
  call->asker.on_answer(call->asker.owner, call->asker.tag, refused ? NULL : response,
                        refused ? &response->fault : NULL);
  free(call);
}

static bool take_message(struct daemon_link *link, const struct frame *frame)
{
  struct response response;
  struct fault fault;
  if (response_decode(frame->body, frame->length, &response, &fault))
    return false;
  if (response.kind == RESPONSE_PROGRESS) {
    const struct call *call = response.has_id ? find_call(link, response.id) : NULL;
    if (call && call->asker.on_progress)
      call->asker.on_progress(call->asker.owner, &response.progress);
  } else {
    answer(link, &response);
  }
  response_deinit(&response);
  return true;
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
  (void)suggested;
  struct daemon_link *link = handle->data;
  char *bytes = buffer_reserve(&link->in, READ_BYTES);
  *room = uv_buf_init(bytes, bytes ? READ_BYTES : 0);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
  (void)buffer;
  struct daemon_link *link = stream->data;
  if (got < 0) {
    lose(link, "the daemon closed the connection");
    return;
  }
  link->in.length += (size_t)got;
  for (;;) {
    struct frame frame = {0};
    struct fault fault;
    enum framer_result found =
        framer_next(&link->framer, link->in.data, link->in.length, &frame, &fault);
    bool good = found == FRAMER_MORE || (found == FRAMER_MESSAGE && take_message(link, &frame));
    buffer_consume(&link->in, frame.consumed);
    if (!good)
      lose(link, "the daemon's answer makes no sense");
    if (!good || found == FRAMER_MORE || link->phase != LINK_CONNECTED)
      return;
  }
}

struct sent {
  uv_write_t write;
  struct buffer bytes;
};

static void on_written(uv_write_t *write, int status)
{
  struct sent *sent = (struct sent *)write;
  struct daemon_link *link = write->handle->data;
  buffer_deinit(&sent->bytes);
  free(sent);
  if (status < 0 && status != UV_ECANCELED)
    lose(link, "the daemon closed the connection");
}

/* Takes the bytes. */
static void send_bytes(struct daemon_link *link, struct buffer *bytes)
{
  struct sent *sent = malloc(sizeof *sent);
  if (sent) {
    sent->bytes = *bytes;
    uv_buf_t part = uv_buf_init(bytes->data, (unsigned)bytes->length);
    if (uv_write(&sent->write, (uv_stream_t *)&link->pipe, &part, 1, on_written) == 0)
      return;
    free(sent);
  }
  buffer_deinit(bytes);
  lose(link, "what was to be sent to the daemon could not be");
}

static void give_up(struct daemon_link *link, const char *sentence)
{
  snprintf(link->sentence, sizeof link->sentence, "%s", sentence);
  become_idle(link);
  if (!link->told)
    link->on_trouble(link->context, link->sentence);
  link->told = true;
  fail_all(link, ERROR_INTERNAL);
}

static void on_failed_closed(uv_handle_t *handle)
{
  struct daemon_link *link = handle->data;
  if (link->phase != LINK_CLOSED)
    give_up(link, "cannot connect to the daemon");
}

static void on_connected(uv_connect_t *connecting, int status)
{
  struct daemon_link *link = connecting->data;
  if (link->phase == LINK_CLOSED)
    return;
  if (status == 0)
    status = uv_read_start((uv_stream_t *)&link->pipe, on_room, on_read);
  if (status) {
    uv_close((uv_handle_t *)&link->pipe, on_failed_closed);
    return;
  }
  link->phase = LINK_CONNECTED;
  link->told = false;
  framer_init(&link->framer, &message_limits_default);
  struct buffer unsent = link->unsent;
  buffer_init(&link->unsent);
  send_bytes(link, &unsent);
}

static void connect_pipe(struct daemon_link *link, const char *path)
{
  link->phase = LINK_CONNECTING;
  link->pipe.data = link;
  link->connecting.data = link;
  int rc = uv_pipe_init(link->loop, &link->pipe, 0);
  if (rc)
    give_up(link, "cannot connect to the daemon");
  else
    uv_pipe_connect(&link->connecting, &link->pipe, path, on_connected);
}

static void on_found(uv_work_t *work, int status)
{
  struct daemon_link *link = work->data;
  struct cm_client *finder = link->finder;
  link->finder = NULL;
  if (link->phase == LINK_FINDING) {
    if (status == 0 && link->found == 0)
      connect_pipe(link, cm_socket(finder));
    else
      give_up(link, cm_error(finder));
  }
  cm_close(finder);
}

/* On a thread of libuv's. Checks the socket's folder and its owner, and starts the daemon where none runs. */
static void find(uv_work_t *work)
{
  struct daemon_link *link = work->data;
  link->found = cm_ping(link->finder);
}

static int begin(struct daemon_link *link)
{
  if (cm_open(NULL, &link->finder))
    return -ENOMEM;
  link->phase = LINK_FINDING;
  link->finding.data = link;
  return uv_queue_work(link->loop, &link->finding, find, on_found);
}

void link_init(struct daemon_link *link, uv_loop_t *loop)
{
  link->loop = loop;
  link->phase = LINK_IDLE;
  buffer_init(&link->unsent);
  buffer_init(&link->in);
}

static void add_call(struct daemon_link *link, struct call *call)
{
  struct call **last = &link->calls;
  while (*last)
    last = &(*last)->next;
  *last = call;
}

static int send_request(struct daemon_link *link, const struct request *request)
{
  if (link->phase != LINK_CONNECTED) {
    request_encode(request, &link->unsent);
    return link->unsent.failed ? -ENOMEM : 0;
  }
  struct buffer bytes;
  buffer_init(&bytes);
  request_encode(request, &bytes);
  if (bytes.failed) {
    buffer_deinit(&bytes);
    return -ENOMEM;
  }
  send_bytes(link, &bytes);
  return 0;
}

int link_ask(struct daemon_link *link, struct request *request, struct asker asker)
{
  struct call *call = malloc(sizeof *call);
  if (!call)
    return -ENOMEM;
  request->id = (struct request_id){.kind = REQUEST_ID_NUMBER, .number = ++link->last_id};
  *call = (struct call){NULL, link->last_id, request->method, asker};
  int rc = send_request(link, request);
  if (rc == 0 && link->phase == LINK_IDLE)
    rc = begin(link);
  if (rc) {
    free(call);
    return rc;
  }
  add_call(link, call);
  return 0;
}

static void cancel(struct daemon_link *link, uint32_t id)
{
  struct request request = {.method = METHOD_CANCEL,
                            .notification = true,
                            .given = P(REQUEST),
                            .cancels = {.kind = REQUEST_ID_NUMBER, .number = id}};
  send_request(link, &request);
}

bool link_forget(struct daemon_link *link, const void *owner)
{
  bool any = false;
  for (struct call **at = &link->calls; *at;) {
    struct call *call = *at;
    if (call->asker.owner != owner) {
      at = &call->next;
      continue;
    }
    any = true;
    *at = call->next;
    cancel(link, call->id);
    free(call);
  }
  return any;
}

void link_close(struct daemon_link *link)
{
  if (link->phase == LINK_CLOSED)
    return;
  bool has_pipe = link->phase == LINK_CONNECTING || link->phase == LINK_CONNECTED;
  link->phase = LINK_CLOSED;
  if (link->finder)
    cm_cancel(link->finder);
  if (has_pipe && !uv_is_closing((uv_handle_t *)&link->pipe))
    uv_close((uv_handle_t *)&link->pipe, NULL);
}

void link_deinit(struct daemon_link *link)
{
  while (link->calls) {
    struct call *call = link->calls;
    link->calls = call->next;
    free(call);
  }
  buffer_deinit(&link->unsent);
  buffer_deinit(&link->in);
}
