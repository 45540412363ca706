/* MessagePack messages in a stream of bytes: each is a list of 3 or 4 items. Private to proto. */
#ifndef CATMOUSE_PROTO_MSGPACK_FRAMES_H
#define CATMOUSE_PROTO_MSGPACK_FRAMES_H

#include "proto/frame.h"

extern const struct framing msgpack_framing;

#endif
