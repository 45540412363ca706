/*
 * Finds whole messages in a stream of bytes, however it is split, in any of the three encodings. The
 * first byte of a connection picks the encoding for its life. Looks at each byte once, at headers
 * whenever more has come, and allocates nothing; limits on size and declared counts are checked
 * here, before any decoder runs.
 */
#ifndef CATMOUSE_PROTO_FRAMER_H
#define CATMOUSE_PROTO_FRAMER_H

#include "proto/frame.h"

void framer_init(struct framer *framer, const struct message_limits *limits);

/* Looks for one message at the front of `bytes`: what was left after the last call, and whatever came since. */
enum framer_result framer_next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault);

#endif
