/*
 * One message as a request, in the encoding that the first byte of the input picks. What can be decoded
 * can be encoded, and decodes to the same again.
 */
#include <string.h>

#include "proto/buffer.h"
#include "proto/request_read.h"
#include "proto/request_write.h"
#include "tests/fuzz/target.h"

static void check_same(const struct request *a, const struct request *b)
{
  MUST(a->method == b->method);
  MUST(a->given == b->given);
  MUST(!request_has(a, PARAM_REQUEST) || request_id_equal(&a->cancels, &b->cancels));
  MUST(!request_has(a, PARAM_LIMIT) || a->limit_plies == b->limit_plies);
  MUST(!request_has(a, PARAM_STATE) || memcmp(&a->state, &b->state, sizeof a->state) == 0);
  MUST(!(a->given & (P(ID) | P(CANCEL_PUZZLE))) || strcmp(a->puzzle_id, b->puzzle_id) == 0);
  MUST(!request_has(a, PARAM_PUZZLE) || a->puzzle.game == b->puzzle.game);
}

/* The client, which encodes, sends only ids that are numbers. */
static int can_encode(const struct request *request)
{
  const struct request_id *ids[] = {&request->id, &request->cancels};
  for (int i = 0; i < 2; i++)
    if (ids[i]->kind == REQUEST_ID_TEXT || ids[i]->number < 0 || ids[i]->number > UINT32_MAX)
      return 0;
  return 1;
}

static void check_round_trip(const struct request *request)
{
  struct buffer encoded;
  struct request again;
  struct fault fault;
  buffer_init(&encoded);
  request_encode(request, &encoded);
  MUST(!encoded.failed);
  MUST(request_decode(encoded.data, encoded.length, ENCODING_MSGPACK, &message_limits_default,
                      &again, &fault) == 0);
  check_same(request, &again);
  request_deinit(&again);
  buffer_deinit(&encoded);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  static const enum encoding encodings[] = {ENCODING_MSGPACK, ENCODING_JSON_LINES,
                                            ENCODING_CONTENT_LENGTH};
  struct request request;
  struct fault fault;
  if (length == 0)
    return 0;
  if (request_decode((const char *)bytes + 1, length - 1, encodings[bytes[0] % 3],
                     &message_limits_default, &request, &fault) != 0)
    return 0;
  if (can_encode(&request))
    check_round_trip(&request);
  request_deinit(&request);
  return 0;
}
