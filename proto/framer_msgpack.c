/* MessagePack has no frames: a message ends where its last item ends, which the scan finds. */
#include "proto/framer_formats.h"
#include "proto/msgpack_glance.h"

static void note_id(const struct msgpack_scan *scan, struct frame *frame)
{
  frame->has_message_id = scan->has_message_id && scan->type == 0;
  frame->message_id = frame->has_message_id ? scan->message_id : 0;
}

static enum framer_result next(struct framer *framer, const char *bytes, size_t length,
                               struct frame *frame, struct fault *fault)
{
  struct msgpack_scan *scan = &framer->msgpack;
  size_t size = scan->at == 0 ? msgpack_glance(bytes, length, framer->limits) : 0;
  if (size > 0) {
    *frame = (struct frame){.body = bytes, .length = size, .consumed = size};
    return FRAMER_MESSAGE;
  }
  switch (msgpack_scan(scan, framer->limits, bytes, length, fault)) {
  case SCAN_MORE: return FRAMER_MORE;
  case SCAN_WHOLE:
    *frame = (struct frame){.body = bytes, .length = scan->at, .consumed = scan->at};
    msgpack_scan_init(scan);
    return FRAMER_MESSAGE;
  case SCAN_LIMIT:
    note_id(scan, frame);
    frame->consumed = msgpack_scan_give_up(scan, length);
    framer->skipping = true;
    return FRAMER_REFUSED;
  default: note_id(scan, frame); return FRAMER_BROKEN;
  }
}

static enum framer_result skip(struct framer *framer, const char *bytes, size_t length,
                               size_t *dropped, struct fault *fault)
{
  struct msgpack_scan *scan = &framer->msgpack;
  enum scan_result result = msgpack_scan_skip(scan, bytes, length, fault);
  *dropped = msgpack_scan_give_up(scan, length);
  if (result == SCAN_WHOLE) {
    msgpack_scan_init(scan);
    framer->skipping = false;
  }
  return result == SCAN_BROKEN ? FRAMER_BROKEN : FRAMER_MORE;
}

const struct framer_format format_msgpack = {next, skip};
