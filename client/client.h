/* What the files of libcmclient share. */
#ifndef CATMOUSE_CLIENT_CLIENT_H
#define CATMOUSE_CLIENT_CLIENT_H

#include <stdatomic.h>
#include <stdint.h>

#include "client/cmclient.h"
#include "proto/buffer.h"
#include "proto/endpoint.h"
#include "proto/errors.h"
#include "proto/framer.h"
#include "proto/request_write.h"
#include "proto/response.h"
#include "solver/id.h"
#include "text/text.h"

struct cm_client {
  struct endpoint endpoint;
  int endpoint_error; /* negative errno where `endpoint` could not be made; then `endpoint_fault` */
  struct fault endpoint_fault;
  char *daemon; /* owned, or NULL */
  bool autostart;
  uint32_t timeout_ms;
  void (*on_progress)(void *context, const struct cm_progress *progress);
  void *context;

  int fd;     /* -1 while not connected */
  bool heard; /* a byte has come back since the call under way began */
  uint32_t last_id;
  struct framer framer;
  struct buffer in;  /* received, not yet consumed */
  struct buffer out; /* the request under way */

  /* The request that solved a puzzle last, and the puzzle's id: it is put again where a daemon does not know that. */
  struct buffer solve; /* empty where there is none */
  uint32_t solve_id;   /* the request's */
  char solved_id[ID_TEXT + 1];

  atomic_bool cancel; /* set by cm_cancel(), cleared by the call that it ends */

  bool answered; /* `response` is the result of the last call */
  struct response response;
  void *list; /* of the last result, converted; owned */
  struct buffer json;

  enum error error_kind; /* ERROR_COUNT where the last failure was no refusal */
  char error[384];
};

struct cm_puzzle {
  struct puzzle puzzle; /* borrows from what follows */
  void *memory;         /* owned, or NULL */
  struct text *text;    /* owned, or NULL */
};

/* The only puzzle of a text without faults, which it takes. NULL without memory, and then nothing is taken. */
struct cm_puzzle *puzzle_from_text(struct text *text);

/* A moment on the monotonic clock. */
struct deadline {
  int64_t at_ms; /* INT64_MAX: never */
};

struct deadline deadline_in(uint64_t ms);
struct deadline deadline_never(void);
struct deadline deadline_sooner(struct deadline a, struct deadline b);

/* Of a call that begins now. */
struct deadline client_deadline(const struct cm_client *client);

/*
 * How often a request is put where nothing answers it but the end of the connection. A daemon that is killed may take
 * another connection before its socket goes, too.
 */
enum { TRIES_MAX = 3 };

/* How long a wait may last before its caller looks whether it was cancelled. */
enum { CANCEL_TICK_MS = 100 };

/*
 * Waits for `events` on `fd` (-1: just waits) until the deadline, at most `most_ms`. 1 ready, 0 not
 * yet, -ETIMEDOUT past the deadline, or what poll() said.
 */
int deadline_poll(struct deadline deadline, int fd, short events, int most_ms);

/* Notes what went wrong and returns `error`. */
int client_fail(struct cm_client *client, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* -ENOMEM, with its sentence. */
int client_out_of_memory(struct cm_client *client);

/* Notes a refusal: -ECANCELED where the fault says so, else -EREMOTEIO. */
int client_refuse(struct cm_client *client, const struct fault *fault);

/* Lets go of the last answer and of what was said about it. */
void client_forget(struct cm_client *client);

/*
 * Zeroed room for the list of a result, owned by the client until client_forget(). NULL where there is none, and
 * then the call has no answer but -ENOMEM's sentence.
 */
void *client_list_room(struct cm_client *client, size_t count, size_t size);

/* Connects where not connected. */
int client_connect(struct cm_client *client, struct deadline deadline);
void client_disconnect(struct cm_client *client);

/* One attempt, no autostart: 0, -ECONNREFUSED when nobody listens, or another error. All with a sentence. */
int client_connect_once(struct cm_client *client, struct deadline deadline);

/* Nobody listens: starts the daemon, unless another client is just doing so, and connects. */
int client_autostart(struct cm_client *client, struct deadline deadline);

/*
 * Sends the request, whose id is set here, waits for its answer and reads it into the struct of the
 * request's method. The answer stays in `client->response`.
 */
int client_call(struct cm_client *client, struct request *request, void *result);

/*
 * The same for any answer, refusals included: 0, and the caller looks into `client->response` and ends
 * it; or a negative errno with a sentence, and the connection is not to be used again.
 */
int client_exchange(struct cm_client *client, struct request *request, struct deadline deadline);

/* The same for `client->solve`, as it was sent before. */
int client_exchange_solve(struct cm_client *client, struct deadline deadline);

/* The request just answered solved the puzzle of this id; NULL: no puzzle is to be solved again. */
void client_note_solve(struct cm_client *client, const char *id);

/* For those who exchange messages: waits on the connection. 0 also where nothing came for a while; -ETIMEDOUT. */
int client_await(struct cm_client *client, struct deadline deadline, short events);

/* Reads what is there into `client->in`; 0 also where that is nothing, -EPIPE where the connection is lost. */
int client_receive(struct cm_client *client);

/*
 * Decodes the messages at hand into `client->response`, one after another: `take` ends each, and where it
 * returns something else than 0, that is returned and the rest stays. 0 where no whole message is left.
 */
int client_take_messages(struct cm_client *client, int (*take)(void *context), void *context);

/* After a call that failed so: where the daemon is of another version, the sentence says that too. */
void client_explain(struct cm_client *client, int error);

/* Waits until the daemon has closed the connection, for as long as a call may take. */
int client_await_end(struct cm_client *client);

#endif
