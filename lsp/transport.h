/*
 * Standard input and output on libuv's loop: whole messages come in, whole messages go out. Works on pipes,
 * sockets, terminals and files. While the editor leaves too much unread, nothing more is read from it.
 */
#ifndef CATMOUSE_LSP_TRANSPORT_H
#define CATMOUSE_LSP_TRANSPORT_H

#include <jansson.h>
#include <uv.h>

#include "lsp/message_reader.h"
#include "proto/buffer.h"

enum { TRANSPORT_READ_BYTES = 64 << 10, TRANSPORT_UNSENT_MAX = 16 << 20 };

union transport_stream {
  uv_handle_t handle;
  uv_stream_t stream;
  uv_pipe_t pipe;
  uv_tty_t tty;
};

struct transport {
  union transport_stream in, out;
  bool in_is_file, out_is_file;
  uv_fs_t read; /* of a file */
  char *file_bytes;
  struct message_reader reader;
  struct buffer bytes; /* received, not yet consumed */
  bool ended;          /* no more comes in */
  bool closing;
  bool broken; /* nobody reads what goes out */

  /* Set by the owner before transport_start(). They may call transport_close(). */
  void (*on_message)(struct transport *transport, const char *body, size_t length);
  void (*on_junk)(struct transport *transport);  /* headers that say no length */
  void (*on_batch)(struct transport *transport); /* all that had come is handed on */
  void (*on_end)(struct transport *transport);   /* either end was closed; once */
};

/* 0 or a negative errno. */
int transport_start(struct transport *transport, uv_loop_t *loop);

/* Sends a message, which is taken. What cannot be sent ends the transport. */
void transport_send(struct transport *transport, json_t *message);

/* Lets what was sent go out, then closes both ends. */
void transport_close(struct transport *transport);

/* After the loop has ended. */
void transport_deinit(struct transport *transport);

#endif
