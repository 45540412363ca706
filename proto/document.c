/* msgpack-c believes every count it reads, so the bytes are walked over first (msgpack_scan.h). */
#include "proto/document.h"

#include <errno.h>

#include "proto/msgpack_scan.h"

/* A query and its tree fit into the first; malloc serves it from the thread's own cache. */
enum { ZONE_SMALL = 960, ZONE_LARGE = 64 << 10, SMALL_MESSAGE = 512 };

static int out_of_memory(struct fault *fault)
{
  return fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the message");
}

static int zone_init(msgpack_zone *zone, size_t message_bytes)
{
  return msgpack_zone_init(zone, message_bytes > SMALL_MESSAGE ? ZONE_LARGE : ZONE_SMALL) ? 0
                                                                                          : -ENOMEM;
}

void document_deinit(struct document *document)
{
  msgpack_zone_destroy(&document->zone);
}

static int check_msgpack(const char *bytes, size_t length, const struct message_limits *limits,
                         struct fault *fault)
{
  struct msgpack_scan scan;
  msgpack_scan_init(&scan);
  enum scan_result result = msgpack_scan(&scan, limits, bytes, length, fault);
  if (result == SCAN_MORE)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last item");
  if (result == SCAN_WHOLE && scan.at != length)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last byte");
  return result == SCAN_WHOLE ? 0 : -EBADMSG;
}

int document_from_msgpack(const char *bytes, size_t length, const struct message_limits *limits,
                          struct document *document, struct fault *fault)
{
  struct document read = {0};
  if (check_msgpack(bytes, length, limits, fault))
    return -EBADMSG;
  if (zone_init(&read.zone, length))
    return out_of_memory(fault);
  /* The scan found the bytes whole and well formed: only memory can be missing now. */
  if (msgpack_unpack(bytes, length, NULL, &read.zone, &read.root) != MSGPACK_UNPACK_SUCCESS) {
    document_deinit(&read);
    return out_of_memory(fault);
  }
  *document = read;
  return 0;
}
