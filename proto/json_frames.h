/* JSON messages in a stream of bytes: one a line, or each under headers that say how long it is. Private to proto. */
#ifndef CATMOUSE_PROTO_JSON_FRAMES_H
#define CATMOUSE_PROTO_JSON_FRAMES_H

#include "proto/frame.h"

extern const struct framing json_lines_framing, content_length_framing;

#endif
