/* What the daemon sent, out of MessagePack, for the client. */
#ifndef CATMOUSE_PROTO_RESPONSE_H
#define CATMOUSE_PROTO_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/buffer.h"
#include "proto/errors.h"
#include "proto/result.h"
#include "proto/schema.h"

enum response_kind {
  RESPONSE_RESULT,
  RESPONSE_SOLVING, /* the puzzle is not solved yet, and the request had asked not to wait longer */
  RESPONSE_ERROR,
  RESPONSE_PROGRESS,
};

struct response_memory; /* opaque */

/* One message from the daemon, owning all it holds. */
struct response {
  enum response_kind kind;
  bool has_id;        /* an error may lack one: the daemon could not tell which request it was */
  uint32_t id;        /* valid when has_id */
  struct fault fault; /* RESPONSE_ERROR */
  struct progress progress;      /* RESPONSE_PROGRESS */
  struct result_solving solving; /* RESPONSE_SOLVING */
  struct response_memory *memory;
};

/* Decodes one MessagePack message. 0, -EBADMSG with `fault` (nothing is held), or -ENOMEM. */
int response_decode(const char *body, size_t length, struct response *response,
                    struct fault *fault);
void response_deinit(struct response *response);

/*
 * Reads a RESPONSE_RESULT into the struct of `method`; its texts and lists live as long as the
 * response. 0, -EBADMSG with `fault`, or -ENOMEM.
 */
int response_result(struct response *response, enum method method, void *result,
                    struct fault *fault);

/* Appends a RESPONSE_RESULT as JSON on one line, without the newline. */
void response_json(const struct response *response, struct buffer *out);

#endif
