/*
 * The connection to the daemon, on libuv's loop. Requests may be asked at any time: the link connects when the
 * first comes, starts the daemon where none runs (on a thread of its own, since that takes a while), and connects
 * again after a loss when something is next asked. Each asker is answered once, unless it forgets its request.
 */
#ifndef CATMOUSE_LSP_DAEMON_LINK_H
#define CATMOUSE_LSP_DAEMON_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "proto/buffer.h"
#include "proto/framer.h"
#include "proto/request.h"
#include "proto/response.h"

struct daemon_link;

/* Who asks, and what is called back. */
struct asker {
  void *owner;
  uint32_t tag; /* the owner's own */

  /*
   * Exactly one of `response` (read with response_result(), ended by the link) and `fault` is given: what the
   * daemon refused; ERROR_DRAINING where it was lost, and may be asked again; ERROR_INTERNAL where none can be had.
   */
  void (*on_answer)(void *owner, uint32_t tag, struct response *response,
                    const struct fault *fault);
  void (*on_progress)(void *owner, const struct progress *progress); /* may be NULL */
};

struct call {
  struct call *next;
  uint32_t id;
  enum method method;
  struct asker asker;
};

enum link_phase {
  LINK_IDLE,
  LINK_FINDING, /* a thread makes sure that a daemon runs */
  LINK_CONNECTING,
  LINK_CONNECTED,
  LINK_CLOSED, /* for good */
};

/* Private to the link but for what link_init() is given. */
struct daemon_link {
  uv_loop_t *loop;
  void *context;
  void (*on_trouble)(void *context,
                     const char *sentence); /* no daemon can be had; once until one is */

  enum link_phase phase;
  uv_pipe_t pipe;
  uv_connect_t connecting;
  struct cm_client *finder; /* what the thread works with */
  uv_work_t finding;
  int found;          /* what it came to */
  char sentence[384]; /* of the last failure */
  bool told;          /* of it, once; and not again until a daemon was had */
  uint32_t last_id;
  struct call *calls;   /* oldest first */
  struct buffer unsent; /* until connected */
  struct buffer in;
  struct framer framer;
};

void link_init(struct daemon_link *link, uv_loop_t *loop);

/* 0, or -ENOMEM and nobody will be called back. `request->id` is set. Answers never come within the call. */
int link_ask(struct daemon_link *link, struct request *request, struct asker asker);

/* Forgets all that this owner asked, and has the daemon drop it. True where there was something. */
bool link_forget(struct daemon_link *link, const void *owner);

/* Nobody is called back any more. The loop then ends when the last handle is closed. */
void link_close(struct daemon_link *link);

/* After the loop has ended. */
void link_deinit(struct daemon_link *link);

#endif
