/* MessagePack into a buffer, by msgpack-c. Private to proto. */
#ifndef CATMOUSE_PROTO_PACK_H
#define CATMOUSE_PROTO_PACK_H

#include <msgpack.h>
#include <stdbool.h>

#include "proto/buffer.h"
#include "solver/game.h"

/* Packs to the end of `out`, which keeps the error when memory runs out. */
msgpack_packer packer_on(struct buffer *out);

void pack_text(msgpack_packer *packer, const char *text);
void pack_bool(msgpack_packer *packer, bool truth);
void pack_state(msgpack_packer *packer, const struct state *state);

#endif
