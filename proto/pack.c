/* msgpack-c writing into a buffer. Its own errors are none: the buffer keeps the one that can happen. */
#include "proto/pack.h"

#include <string.h>

enum { SHORT_TEXT = 0xa0, SHORT_TEXT_MAX = 31 }; /* MessagePack's fixstr */

static int append(void *out, const char *bytes, size_t length)
{
  buffer_append(out, bytes, length);
  return 0;
}

msgpack_packer packer_on(struct buffer *out)
{
  return (msgpack_packer){.data = out, .callback = append};
}

/* Keys and names are most of an answer: head and text in one go. */
static void pack_short_text(struct buffer *out, const char *text, size_t length)
{
  char *end = buffer_reserve(out, length + 1);
  if (!end)
    return;
  end[0] = (char)(SHORT_TEXT | length);
  memcpy(end + 1, text, length);
  out->length += length + 1;
}

void pack_text(msgpack_packer *packer, const char *text)
{
  size_t length = strlen(text);
  if (length <= SHORT_TEXT_MAX)
    pack_short_text(packer->data, text, length);
  else
    msgpack_pack_str_with_body(packer, text, length);
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
