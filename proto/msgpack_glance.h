/* Most messages are small and lie whole in what was just read: their ends are found at a glance. Private to proto. */
#ifndef CATMOUSE_PROTO_MSGPACK_GLANCE_H
#define CATMOUSE_PROTO_MSGPACK_GLANCE_H

#include <stddef.h>

#include "proto/limits.h"

/*
 * The bytes of the message that `bytes` begin with: whole, well formed and within the limits. 0 where that
 * is not so, or takes a closer look (msgpack_scan.h).
 */
size_t msgpack_glance(const char *bytes, size_t length, const struct message_limits *limits);

#endif
