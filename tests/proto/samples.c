#include "tests/proto/samples.h"

#include <stdio.h>
#include <string.h>

#define GRID_ID "a99665f860725a6d996148ca93e608a0aafce814216e25a03ea078e10d983861"

/* clang-format off */
const char *const sample_json[METHOD_COUNT] = {
  [METHOD_HELLO] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hello\",\"params\":"
                   "{\"client\":\"example\",\"version\":\"1.0\"}}",
  [METHOD_PING] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
  [METHOD_SOLVE] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"solve\",\"params\":{\"puzzle\":"
                   "{\"graph\":[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]},"
                   "\"wait_ms\":1000,\"progress\":true}}",
  [METHOD_QUERY] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"query\",\"params\":{\"state\":"
                   "{\"mouse\":1,\"cat\":2,\"turn\":\"mouse\"},\"id\":\"d5aaf05e\"}}",
  [METHOD_LINE] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"line\",\"params\":{\"puzzle\":"
                  "{\"grid\":[\"M.C...F\"],\"catJump\":1,\"mouseJump\":4},\"state\":"
                  "{\"mouse\":[0,0],\"cat\":[0,2],\"turn\":\"mouse\"},\"limit\":1000,\"max\":20}}",
  [METHOD_EXPLAIN] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"explain\",\"params\":{\"id\":\"d5aaf0\",\"state\":"
                     "{\"mouse\":3,\"cat\":4,\"turn\":\"mouse\"}}}",
  [METHOD_STATS] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"stats\",\"params\":{\"id\":\"d5aaf0\"}}",
  [METHOD_VERIFY] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"verify\"}",
  [METHOD_LIST] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"list\"}",
  [METHOD_EVICT] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"evict\",\"params\":{\"id\":\"d5aaf0\"}}",
  [METHOD_CLEAR] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"clear\"}",
  [METHOD_STATUS] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}",
  [METHOD_CANCEL] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"cancel\",\"params\":{\"id\":7}}",
  [METHOD_SHUTDOWN] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"shutdown\"}",
};

const struct request_id sample_id = {.kind = REQUEST_ID_NUMBER, .number = SAMPLE_ID};
const struct request_id sample_text_id = {.kind = REQUEST_ID_TEXT, .length = 5, .text = "h\xc3\xa9-1"};
const struct progress sample_progress = {.layers = 12, .decided = 3456, .states = 80000};

static const uint32_t first[] = {0, 2, 3, 6, 9, 11, 14};
static const int32_t neighbour[] = {2, 5, 3, 0, 4, 5, 1, 4, 5, 2, 3, 0, 2, 3};
static const char *const row[] = {"M.C...F"};
static const uint32_t row_length[] = {7};

static const struct request requests[METHOD_COUNT] = {
  [METHOD_HELLO] = {.given = P(CLIENT) | P(VERSION), .client = "example", .version = "1.0"},
  [METHOD_SOLVE] = {.given = P(PUZZLE) | P(WAIT_MS) | P(PROGRESS), .wait_ms = 1000, .progress = true,
                    .puzzle = {.game = GAME_GRAPH, .graph = {6, first, neighbour}}},
  [METHOD_QUERY] = {.given = P(STATE) | P(ID), .state = {1, 2, PLAYER_MOUSE}, .puzzle_id = "d5aaf05e"},
  [METHOD_LINE] = {.given = P(PUZZLE) | P(STATE) | P(LIMIT) | P(MAX), .limit_plies = 1000, .max = 20,
                   .state = {0, 2, PLAYER_MOUSE}, .by_row = true,
                   .puzzle = {.game = GAME_GRID, .grid = {1, row, row_length, {4, 1}}}},
  [METHOD_EXPLAIN] = {.given = P(STATE) | P(ID), .state = {3, 4, PLAYER_MOUSE}, .puzzle_id = "d5aaf0"},
  [METHOD_STATS] = {.given = P(ID), .puzzle_id = "d5aaf0"},
  [METHOD_EVICT] = {.given = P(ID), .puzzle_id = "d5aaf0"},
  [METHOD_CANCEL] = {.given = P(REQUEST), .cancels = {.kind = REQUEST_ID_NUMBER, .number = 7}},
};

#define X(constant, name, ...) name,
static const char *const methods[] = {PROTO_METHODS(X)};
#undef X

#define X(field, value, meaning) {#field, value},
static const struct named_limit limits[] = {PROTO_LIMITS(X)};
#undef X

static const struct result_hello hello = {
  .name = "catmouse", .version = "0.1.0", .protocol = PROTOCOL_VERSION,
  .methods = methods, .methods_count = sizeof methods / sizeof methods[0],
  .limits = limits, .limits_count = sizeof limits / sizeof limits[0],
};
static const struct result_solve solved = {
  .id = SAMPLE_PUZZLE, .game = GAME_GRAPH, .nodes = 6, .states = 72, .bytes = 72, .source = SOURCE_SOLVED,
  .solve_us = 21, .start = {{1, 2, PLAYER_MOUSE}, OUTCOME_DRAW, PLIES_NONE},
};
static const struct ranked_move ranked[] = {{3, {OUTCOME_DRAW, PLIES_NONE}}};
static const struct result_query query = {
  .id = SAMPLE_PUZZLE, .state = {1, 2, PLAYER_MOUSE}, .outcome = OUTCOME_DRAW, .plies = PLIES_NONE,
  .best = 3, .has_best = true, .moves = ranked, .moves_count = 1,
};
static const uint32_t played[] = {4, 1, 6};
static const struct result_line line = {
  .id = GRID_ID, .state = {0, 2, PLAYER_MOUSE}, .outcome = OUTCOME_MOUSE, .plies = 3,
  .moves = played, .moves_count = 3, .end = LINE_HOME, .cols = 7,
};
static const char certificate[] =
  "\x84" "\xa7" "version" "\x01"
  "\xa6" "puzzle" "\x81" "\xa5" "graph" "\x96"
    "\x92\x02\x05" "\x91\x03" "\x93\x00\x04\x05" "\x93\x01\x04\x05" "\x92\x02\x03" "\x93\x00\x02\x03"
  "\xa5" "claim" "\x84"
    "\xa5" "state" "\x83" "\xa5" "mouse" "\x03" "\xa3" "cat" "\x04" "\xa4" "turn" "\xa5" "mouse"
    "\xa7" "outcome" "\xa5" "mouse" "\xa5" "plies" "\x03" "\xa5" "limit" "\xc0"
  "\xaa" "strategies" "\x91" "\x83"
    "\xa6" "player" "\xa5" "mouse" "\xa4" "goal" "\xa3" "win"
    "\xa6" "states" "\x94"
      "\x95\x03\x04" "\xa5" "mouse" "\x05\x03" "\x95\x05\x04" "\xa3" "cat" "\xc0\x02"
      "\x95\x05\x02" "\xa5" "mouse" "\x00\x01" "\x95\x05\x03" "\xa5" "mouse" "\x00\x01";
static const struct result_explain explained = {
  .id = SAMPLE_PUZZLE, .whole = true, .certificate = certificate,
  .certificate_bytes = sizeof certificate - 1,
};
static const uint64_t mouse_histogram[] = {10, 8, 4, 4, 1}, cat_histogram[] = {10, 11, 5, 1, 1};
static const struct result_stats stats = {
  .id = SAMPLE_PUZZLE, .game = GAME_GRAPH, .nodes = 6, .states = 60,
  .mouse_to_move = {17, 10, 3}, .cat_to_move = {10, 18, 2},
  .longest_mouse = {4, {4, 1, PLAYER_CAT}}, .longest_cat = {4, {3, 2, PLAYER_MOUSE}},
  .mouse_histogram = mouse_histogram, .mouse_histogram_count = 5,
  .cat_histogram = cat_histogram, .cat_histogram_count = 5,
};
static const struct result_verify verified = {
  .id = SAMPLE_PUZZLE, .checked = 60, .faults = 1,
  .first = {{3, 2, PLAYER_CAT}, {OUTCOME_MOUSE, 4}, {OUTCOME_DRAW, PLIES_NONE}},
};
static const struct listed_table tables[] = {
  {.id = SAMPLE_PUZZLE, .game = GAME_GRAPH, .nodes = 6, .bytes = 632, .hits = 3, .age_ms = 1500,
   .where = PLACE_MEMORY},
  {.id = GRID_ID, .game = GAME_GRID, .nodes = 7, .bytes = 98, .where = PLACE_SOLVING, .progress = {2, 40, 98}},
};
static const struct result_list list = {tables, 2, 2};
static const struct result_evict evicted = {1, 72}, cleared = {2, 170};
static const struct result_status status = {
  .version = "0.1.0", .pid = 4711, .uptime_ms = 60000, .connections = 2, .jobs_running = 1,
  .jobs_queued = 0, .requests = 1234, .hits = 1200, .misses = 34, .solves = 33, .tables = 12,
  .bytes = 123456, .kept_bytes = 4194304,
  .store = {STORE_ON, "/home/me/.cache/catmouse", "", 340, 65432, 2, 0},
  .limits = limits, .limits_count = sizeof limits / sizeof limits[0],
};
static const struct result_cancel cancelled = {true};
static const struct result_shutdown shutting_down = {1};

static const void *const results[METHOD_COUNT] = {
  [METHOD_HELLO] = &hello, [METHOD_PING] = NULL, [METHOD_SOLVE] = &solved, [METHOD_QUERY] = &query,
  [METHOD_LINE] = &line, [METHOD_EXPLAIN] = &explained, [METHOD_STATS] = &stats, [METHOD_VERIFY] = &verified, [METHOD_LIST] = &list,
  [METHOD_EVICT] = &evicted, [METHOD_CLEAR] = &cleared, [METHOD_STATUS] = &status,
  [METHOD_CANCEL] = &cancelled, [METHOD_SHUTDOWN] = &shutting_down,
};
/* clang-format on */

const struct request *sample_request(enum method method)
{
  static struct request request;
  request = requests[method];
  request.method = method;
  request.id = sample_id;
  return &request;
}

const void *sample_result(enum method method)
{
  return results[method];
}

void sample_append_json(struct buffer *out, enum encoding encoding, const char *json)
{
  char header[48];
  if (encoding == ENCODING_CONTENT_LENGTH) {
    snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(json));
    buffer_append(out, header, strlen(header));
  }
  buffer_append(out, json, strlen(json));
  if (encoding == ENCODING_JSON_LINES)
    buffer_append(out, "\n", 1);
}

void sample_append(struct buffer *out, enum encoding encoding, enum method method)
{
  if (encoding == ENCODING_MSGPACK)
    request_encode(sample_request(method), out);
  else
    sample_append_json(out, encoding, sample_json[method]);
}
