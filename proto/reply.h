/* Answers and notifications into the encoding of their connection, for the daemon. */
#ifndef CATMOUSE_PROTO_REPLY_H
#define CATMOUSE_PROTO_REPLY_H

#include "proto/buffer.h"
#include "proto/framer.h"
#include "proto/result.h"
#include "proto/schema.h"

/*
 * Appends the answer to request `id`: `result` points to the struct of `method` (see result.h;
 * ignored for ping, struct result_evict for clear). Nothing is appended when `out` fails half-way.
 */
void reply_result(struct buffer *out, enum encoding encoding, const struct request_id *id,
                  enum method method, const void *result);

/* The answer to a request that waited for a solve as long as it had asked to. */
void reply_solving(struct buffer *out, enum encoding encoding, const struct request_id *id,
                   const struct result_solving *solving);

void reply_error(struct buffer *out, enum encoding encoding, const struct request_id *id,
                 const struct fault *fault);

/* The notification `progress` about request `id`. */
void reply_progress(struct buffer *out, enum encoding encoding, const struct request_id *id,
                    const struct progress *progress);

#endif
