/* Requests and their answers: each gets exactly one, at once or later, cancelled or not. */
#ifndef CATMOUSE_LSP_REQUESTS_H
#define CATMOUSE_LSP_REQUESTS_H

#include "lsp/send.h"

/* A method that the editor may call. */
struct method_row {
  const char *name;

  /* A request: ends in request_reply(), request_fail() or request_await(), now or later. */
  void (*answer)(struct server *server, struct request_in *request);

  /* A notification. `params` is borrowed and may be NULL. */
  void (*notice)(struct server *server, const json_t *params);
};

/* methods.c: NULL where there is none. */
const struct method_row *method_find(const char *name);

/* What the editor sent: a body that was found. */
void requests_take(struct server *server, const char *body, size_t length);

/* Answers; `result` is taken, NULL stands for lack of memory. The request is gone then. */
void request_reply(struct server *server, struct request_in *request, json_t *result);
void request_fail(struct server *server, struct request_in *request, enum lsp_error code,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Fails with what the daemon said; where it was lost, runs the request once more. */
void request_refuse(struct server *server, struct request_in *request, const struct fault *fault);

/* Runs it again when a verdict of the file changes, or is late. Not while server->impatient. */
void request_await(struct request_in *request, struct open_file *file);

/* Runs those that await verdicts of this file again. */
void requests_resume(struct server *server, struct open_file *file);

/* `$/cancelRequest` */
void requests_cancel(struct server *server, const json_t *id);

/* Cancels all but `kept`. */
void requests_cancel_all(struct server *server, const struct request_in *kept);

#endif
