/* JSON messages in a stream of bytes: one a line. Private to proto. */
#ifndef CATMOUSE_PROTO_JSON_LINES_H
#define CATMOUSE_PROTO_JSON_LINES_H

#include "proto/frame.h"

/* As framer_next(), where the bytes begin a message and `frame` is empty. */
enum framer_result json_lines_next(struct framer *framer, const char *bytes, size_t length,
                                   struct frame *frame, struct fault *fault);

/* Drops more of a refused message, sets how many bytes, and clears `skipping` at its end. FRAMER_MORE or FRAMER_BROKEN. */
enum framer_result json_lines_skip(struct framer *framer, const char *bytes, size_t length,
                                   size_t *dropped, struct fault *fault);

#endif
