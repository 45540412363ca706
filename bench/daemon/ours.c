/* The project's own codec makes the requests and finds the answers' ends; an error answer ends the bench. */
#include "bench/daemon/ours.h"

#include <string.h>
#include <unistd.h>

#include "bench/daemon/wire.h"
#include "bench/measure.h"
#include "bench/solver/families.h"
#include "proto/framer.h"
#include "proto/request_write.h"
#include "proto/response.h"

enum { NODES = 50, SEED = 913, CHUNK = 1 << 16 };

/* One request, one answer; `answer` holds the answer's bytes afterwards. */
static void converse(int fd, const struct request *request, struct buffer *sent,
                     struct buffer *answer)
{
  buffer_clear(sent);
  buffer_clear(answer);
  request_encode(request, sent);
  if (sent->failed)
    die("out of memory for a request");
  wire_send(fd, sent->data, sent->length);
  struct framer framer;
  struct frame frame;
  struct fault fault;
  framer_init(&framer, &message_limits_default);
  for (;;) {
    char *room = buffer_reserve(answer, CHUNK);
    if (!room)
      die("out of memory for an answer");
    answer->length += wire_receive_some(fd, room, CHUNK);
    switch (framer_next(&framer, answer->data, answer->length, &frame, &fault)) {
    case FRAMER_MORE: buffer_consume(answer, frame.consumed); continue;
    case FRAMER_MESSAGE: return;
    default: die("the daemon's answer is no message: %s", fault.text);
    }
  }
}

static void decode(const struct buffer *answer, enum method method, struct response *response,
                   void *result)
{
  struct fault fault = {.text = "out of memory"};
  if (response_decode(answer->data, answer->length, response, &fault) < 0)
    die("the daemon's answer cannot be read: %s", fault.text);
  if (response->kind == RESPONSE_ERROR)
    die("the daemon refuses a request: %s", response->fault.text);
  if (response->kind != RESPONSE_RESULT || response_result(response, method, result, &fault) < 0)
    die("the daemon's answer is none to %s: %s", method_kinds[method].name, fault.text);
}

void ours_solve(int fd, const struct puzzle *puzzle, char id[static ID_TEXT + 1])
{
  struct request request = {
      .method = METHOD_SOLVE,
      .id = {.kind = REQUEST_ID_NUMBER, .number = 1},
      .given = P(PUZZLE),
      .puzzle = *puzzle,
  };
  struct buffer sent, answer;
  struct response response;
  struct result_solve result;
  buffer_init(&sent);
  buffer_init(&answer);
  converse(fd, &request, &sent, &answer);
  decode(&answer, METHOD_SOLVE, &response, &result);
  memcpy(id, result.id, sizeof result.id);
  response_deinit(&response);
  buffer_deinit(&sent);
  buffer_deinit(&answer);
}

/* Both away from the hole and from each other. */
static struct state random_state(struct random *random)
{
  struct state state = {.mouse = 1 + random_below(random, NODES - 1),
                        .turn = random_below(random, 2)};
  do
    state.cat = 1 + random_below(random, NODES - 1);
  while (state.cat == state.mouse);
  return state;
}

static void add_query(int fd, const char *id, struct random *random, struct script *script)
{
  struct request request = {
      .method = METHOD_QUERY,
      .id = {.kind = REQUEST_ID_NUMBER, .number = script->count},
      .given = P(STATE) | P(ID),
      .state = random_state(random),
  };
  memcpy(request.puzzle_id, id, sizeof request.puzzle_id);
  struct buffer sent, answer;
  struct response response;
  struct result_query result;
  buffer_init(&sent);
  buffer_init(&answer);
  converse(fd, &request, &sent, &answer);
  decode(&answer, METHOD_QUERY, &response, &result);
  script_add(script, sent.data, sent.length, answer.data, answer.length);
  response_deinit(&response);
  buffer_deinit(&sent);
  buffer_deinit(&answer);
}

void ours_script(const struct server *server, struct script *script)
{
  struct random random = {SEED};
  struct specimen specimen;
  char id[ID_TEXT + 1];
  family_make(&families[0], NODES, SEED, &specimen);
  int fd = server_connect(server);
  ours_solve(fd, &specimen.puzzle, id);
  script_init(script);
  while (script->count < SCRIPT_EXCHANGES)
    add_query(fd, id, &random, script);
  close(fd);
  specimen_deinit(&specimen);
}
