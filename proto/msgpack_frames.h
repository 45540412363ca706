/* MessagePack messages in a stream of bytes: each is a list of 3 or 4 items. Private to proto. */
#ifndef CATMOUSE_PROTO_MSGPACK_FRAMES_H
#define CATMOUSE_PROTO_MSGPACK_FRAMES_H

#include "proto/frame.h"

/* As framer_next(), where the bytes begin a message and `frame` is empty. */
enum framer_result msgpack_frames_next(struct framer *framer, const char *bytes, size_t length,
                                       struct frame *frame, struct fault *fault);

/* Drops more of a refused message, sets how many bytes, and clears `skipping` at its end. FRAMER_MORE or FRAMER_BROKEN. */
enum framer_result msgpack_frames_skip(struct framer *framer, const char *bytes, size_t length,
                                       size_t *dropped, struct fault *fault);

#endif
