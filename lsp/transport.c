#include "lsp/transport.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_KEPT = 1 << 20 }; /* room kept for the next messages */

struct sent {
  uv_write_t write;
  struct transport *transport;
  char head[48];
  char *body; /* jansson's, owned */
};

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer);
static void read_file(struct transport *transport);

static void end(struct transport *transport)
{
  if (transport->ended)
    return;
  transport->ended = true;
  transport->on_end(transport);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
  (void)suggested;
  struct transport *transport = handle->data;
  char *bytes = buffer_reserve(&transport->bytes, TRANSPORT_READ_BYTES);
  *room = uv_buf_init(bytes, bytes ? TRANSPORT_READ_BYTES : 0);
}

static void hand_on(struct transport *transport)
{
  struct message message;
  size_t at = 0;
  for (;;) {
    enum message_found found = message_next(&transport->reader, transport->bytes.data + at,
                                            transport->bytes.length - at, &message);
    at += message.consumed;
    if (found == MESSAGE_MORE || transport->closing)
      break;
    if (found == MESSAGE_BODY)
      transport->on_message(transport, message.body, message.length);
    else
      transport->on_junk(transport);
  }
  buffer_consume(&transport->bytes, at);
  if (transport->bytes.length == 0 && transport->bytes.capacity > BYTES_KEPT) {
    buffer_deinit(&transport->bytes);
    buffer_init(&transport->bytes);
  }
  transport->on_batch(transport);
}

static void take(struct transport *transport, ssize_t got)
{
  if (got < 0) {
    end(transport);
    return;
  }
  transport->bytes.length += (size_t)got;
  hand_on(transport);
}

static void pause_reading(struct transport *transport)
{
  if (!transport->in_is_file && !transport->closing &&
      uv_stream_get_write_queue_size(&transport->out.stream) > TRANSPORT_UNSENT_MAX)
    uv_read_stop(&transport->in.stream);
}

static void go_on_reading(struct transport *transport)
{
  if (!transport->in_is_file && !transport->closing && !transport->ended &&
      uv_stream_get_write_queue_size(&transport->out.stream) < TRANSPORT_UNSENT_MAX / 2)
    uv_read_start(&transport->in.stream, on_room, on_read);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
  (void)buffer;
  take(stream->data, got);
}

static void on_file_read(uv_fs_t *request)
{
  struct transport *transport = request->data;
  ssize_t got = request->result;
  uv_fs_req_cleanup(request);
  if (transport->closing)
    return;
  if (got > 0)
    buffer_append(&transport->bytes, transport->file_bytes, (size_t)got);
  if (got <= 0 || transport->bytes.failed)
    end(transport);
  else
    hand_on(transport);
  if (!transport->closing && !transport->ended)
    read_file(transport);
}

static void read_file(struct transport *transport)
{
  uv_buf_t room = uv_buf_init(transport->file_bytes, TRANSPORT_READ_BYTES);
  transport->read.data = transport;
  uv_fs_read(transport->in.handle.loop, &transport->read, STDIN_FILENO, &room, 1, -1, on_file_read);
}

static bool is_file(int fd)
{
  uv_handle_type type = uv_guess_handle(fd);
  return type == UV_FILE || type == UV_UNKNOWN_HANDLE;
}

static int open_stream(union transport_stream *end, uv_loop_t *loop, int fd)
{
  if (uv_guess_handle(fd) == UV_TTY)
    return uv_tty_init(loop, &end->tty, fd, 0);
  int rc = uv_pipe_init(loop, &end->pipe, 0);
  return rc ? rc : uv_pipe_open(&end->pipe, fd);
}

static int start_input(struct transport *transport)
{
  if (!transport->in_is_file)
    return uv_read_start(&transport->in.stream, on_room, on_read);
  transport->file_bytes = malloc(TRANSPORT_READ_BYTES);
  if (!transport->file_bytes)
    return -ENOMEM;
  read_file(transport);
  return 0;
}

int transport_start(struct transport *transport, uv_loop_t *loop)
{
  buffer_init(&transport->bytes);
  transport->in_is_file = is_file(STDIN_FILENO);
  transport->out_is_file = is_file(STDOUT_FILENO);
  int rc = 0;
  transport->in.handle.loop = loop;
  if (!transport->in_is_file)
    rc = open_stream(&transport->in, loop, STDIN_FILENO);
  if (rc == 0 && !transport->out_is_file)
    rc = open_stream(&transport->out, loop, STDOUT_FILENO);
  transport->in.handle.data = transport;
  transport->out.handle.data = transport;
  return rc ? rc : start_input(transport);
}

static void close_out(struct transport *transport)
{
  if (!transport->out_is_file && !uv_is_closing(&transport->out.handle))
    uv_close(&transport->out.handle, NULL);
}

static void on_written(uv_write_t *write, int status)
{
  struct sent *sent = (struct sent *)write;
  struct transport *transport = sent->transport;
  free(sent->body);
  free(sent);
  if (status < 0 && status != UV_ECANCELED) {
    transport->broken = true;
    end(transport);
  }
  if (!transport->closing)
    go_on_reading(transport);
  else if (transport->broken || uv_stream_get_write_queue_size(&transport->out.stream) == 0)
    close_out(transport);
}

static bool write_to_file(const char *bytes, size_t length)
{
  while (length > 0) {
    ssize_t wrote = write(STDOUT_FILENO, bytes, length);
    if (wrote < 0 && errno != EINTR)
      return false;
    bytes += wrote > 0 ? wrote : 0;
    length -= wrote > 0 ? (size_t)wrote : 0;
  }
  return true;
}

static void send_bytes(struct transport *transport, struct sent *sent)
{
  size_t head = strlen(sent->head), body = strlen(sent->body);
  uv_buf_t parts[] = {uv_buf_init(sent->head, (unsigned)head),
                      uv_buf_init(sent->body, (unsigned)body)};
  if (!transport->out_is_file &&
      uv_write(&sent->write, &transport->out.stream, parts, 2, on_written) == 0) {
    pause_reading(transport);
    return;
  }
  bool wrote =
      transport->out_is_file && write_to_file(sent->head, head) && write_to_file(sent->body, body);
  free(sent->body);
  free(sent);
  if (!wrote)
    end(transport);
}

void transport_send(struct transport *transport, json_t *message)
{
  struct sent *sent = transport->closing ? NULL : malloc(sizeof *sent);
  char *body = sent && message ? json_dumps(message, JSON_COMPACT) : NULL;
  json_decref(message);
  if (!body) {
    free(sent);
    if (!transport->closing)
      end(transport); /* a message is missing now: the editor would wait for it for ever */
    return;
  }
  sent->transport = transport;
  sent->body = body;
  snprintf(sent->head, sizeof sent->head, "Content-Length: %zu\r\n\r\n", strlen(body));
  send_bytes(transport, sent);
}

void transport_close(struct transport *transport)
{
  if (transport->closing)
    return;
  transport->closing = true;
  if (!transport->in_is_file)
    uv_close(&transport->in.handle, NULL);
  if (!transport->out_is_file &&
      (transport->broken || uv_stream_get_write_queue_size(&transport->out.stream) == 0))
    close_out(transport);
}

void transport_deinit(struct transport *transport)
{
  buffer_deinit(&transport->bytes);
  free(transport->file_bytes);
}
