/*
 * The process and its three pipes are handles of the loop; the child is told of when the process has ended and both
 * outputs too, and freed when all four handles are closed.
 */
#include "lsp/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { READ_BYTES = 64 << 10, HANDLES = 4 };

struct output {
  uv_pipe_t pipe;
  struct buffer bytes;
};

struct child {
  uv_process_t process;
  uv_pipe_t input;
  uv_write_t write;
  char *bytes; /* for `input`; owned */
  struct output out, errors;
  int open;    /* of the process and its outputs, those that have not ended */
  int handles; /* not yet closed */
  bool well;
  void *owner;
  void (*on_end)(void *owner, bool well, const struct buffer *said);
};

static void on_closed(uv_handle_t *handle)
{
  struct child *child = handle->data;
  if (--child->handles > 0)
    return;
  buffer_deinit(&child->out.bytes);
  buffer_deinit(&child->errors.bytes);
  free(child->bytes);
  free(child);
}

static void close_once(void *handle)
{
  if (!uv_is_closing(handle))
    uv_close(handle, on_closed);
}

static void close_all(struct child *child)
{
  close_once(&child->process);
  close_once(&child->input);
  close_once(&child->out.pipe);
  close_once(&child->errors.pipe);
}

static void ended(struct child *child)
{
  if (--child->open > 0)
    return;
  if (child->on_end)
    child->on_end(child->owner, child->well,
                  child->well ? &child->out.bytes : &child->errors.bytes);
  close_all(child);
}

static void on_exit_status(uv_process_t *process, int64_t status, int signal_number)
{
  struct child *child = process->data;
  child->well = status == 0 && signal_number == 0;
  ended(child);
}

static struct output *output_of(uv_handle_t *handle)
{
  return (struct output *)handle; /* its first member */
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *room)
{
  (void)suggested;
  char *bytes = buffer_reserve(&output_of(handle)->bytes, READ_BYTES);
  *room = uv_buf_init(bytes, bytes ? READ_BYTES : 0);
}

static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer)
{
  (void)buffer;
  if (got > 0)
    output_of((uv_handle_t *)stream)->bytes.length += (size_t)got;
  if (got >= 0)
    return;
  uv_read_stop(stream);
  ended(stream->data);
}

static void on_written(uv_write_t *write, int status)
{
  (void)status; /* a program that reads no further says why by how it ends */
  struct child *child = (struct child *)((char *)write - offsetof(struct child, write));
  close_once(&child->input);
}

static void init_pipes(struct child *child, uv_loop_t *loop)
{
  uv_pipe_init(loop, &child->input, 0);
  uv_pipe_init(loop, &child->out.pipe, 0);
  uv_pipe_init(loop, &child->errors.pipe, 0);
  buffer_init(&child->out.bytes);
  buffer_init(&child->errors.bytes);
  child->handles = HANDLES;
  child->process.data = child->input.data = child->out.pipe.data = child->errors.pipe.data = child;
}

static int spawn(struct child *child, uv_loop_t *loop, const char *const *arguments)
{
  uv_stdio_container_t stdio[] = {
      {UV_CREATE_PIPE | UV_READABLE_PIPE, {.stream = (uv_stream_t *)&child->input}},
      {UV_CREATE_PIPE | UV_WRITABLE_PIPE, {.stream = (uv_stream_t *)&child->out.pipe}},
      {UV_CREATE_PIPE | UV_WRITABLE_PIPE, {.stream = (uv_stream_t *)&child->errors.pipe}}};
  uv_process_options_t options = {.exit_cb = on_exit_status,
                                  .file = arguments[0],
                                  .args = (char **)arguments,
                                  .stdio = stdio,
                                  .stdio_count = 3};
  return uv_spawn(loop, &child->process, &options);
}

struct child *child_start(uv_loop_t *loop, const char *const *arguments, const char *bytes,
                          size_t length, void *owner,
                          void (*on_end)(void *owner, bool well, const struct buffer *said))
{
  struct child *child = calloc(1, sizeof *child);
  if (!child || !(child->bytes = malloc(length + 1))) {
    free(child);
    return NULL;
  }
  memcpy(child->bytes, bytes, length);
  child->owner = owner;
  child->on_end = on_end;
  init_pipes(child, loop);
  if (spawn(child, loop, arguments)) {
    close_all(child);
    return NULL;
  }
  child->open = 3;
  uv_buf_t input = uv_buf_init(child->bytes, (unsigned)length);
  if (uv_write(&child->write, (uv_stream_t *)&child->input, &input, 1, on_written))
    close_once(&child->input);
  uv_read_start((uv_stream_t *)&child->out.pipe, on_room, on_read);
  uv_read_start((uv_stream_t *)&child->errors.pipe, on_room, on_read);
  return child;
}

void child_drop(struct child *child)
{
  child->on_end = NULL;
  uv_process_kill(&child->process, SIGKILL);
}
