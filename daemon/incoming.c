/* A puzzle is copied into its arena here, so the text it came in is freed at once. */
#include "daemon/incoming.h"

#include <errno.h>
#include <stdlib.h>

static int read_puzzle(struct incoming *incoming, struct fault *fault)
{
  struct complaint complaint;
  int result = arena_new(&incoming->request.puzzle, &incoming->arena, &complaint);
  if (result == -ENOMEM)
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory for the puzzle");
  if (result < 0)
    return fault_set(fault, ERROR_BAD_PUZZLE, "%s", complaint.text);
  arena_id(incoming->arena, &incoming->id);
  free(incoming->request.puzzle_memory);
  incoming->request.puzzle_memory = NULL;
  return 0;
}

int incoming_read(struct incoming *incoming, const char *body, size_t length,
                  enum encoding encoding, const struct message_limits *limits, struct fault *fault)
{
  incoming->arena = NULL;
  incoming->recalls = 0;
  int result = request_decode(body, length, encoding, limits, &incoming->request, fault);
  if (result < 0 || !request_has(&incoming->request, PARAM_PUZZLE))
    return result;
  result = read_puzzle(incoming, fault);
  if (result < 0)
    request_deinit(&incoming->request);
  return result;
}

void incoming_deinit(struct incoming *incoming)
{
  request_deinit(&incoming->request);
  arena_free(incoming->arena);
}
