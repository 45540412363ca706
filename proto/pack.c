#include "proto/pack.h"

#include <string.h>

static int append(void *out, const char *bytes, size_t length)
{
  buffer_append(out, bytes, length);
  return 0;
}

msgpack_packer packer_on(struct buffer *out)
{
  return (msgpack_packer){.data = out, .callback = append};
}

void pack_text(msgpack_packer *packer, const char *text)
{
  msgpack_pack_str_with_body(packer, text, strlen(text));
}

void pack_bool(msgpack_packer *packer, bool truth)
{
  if (truth)
    msgpack_pack_true(packer);
  else
    msgpack_pack_false(packer);
}

void pack_state(msgpack_packer *packer, const struct state *state)
{
  msgpack_pack_map(packer, 3);
  pack_text(packer, "mouse");
  msgpack_pack_uint32(packer, state->mouse);
  pack_text(packer, "cat");
  msgpack_pack_uint32(packer, state->cat);
  pack_text(packer, "turn");
  pack_text(packer, state->turn == PLAYER_MOUSE ? "mouse" : "cat");
}
