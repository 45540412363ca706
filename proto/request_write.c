#include "proto/request_write.h"

#include "proto/pack.h"

static void pack_request_id(struct buffer *out, const struct request_id *id)
{
  if (id->kind == REQUEST_ID_TEXT)
    pack_bytes_as_text(out, id->text, id->length);
  else
    pack_int64(out, id->number);
}

static void pack_graph(struct buffer *out, const struct puzzle *puzzle)
{
  pack_map_head(out, 1);
  pack_text(out, "graph");
  pack_list_head(out, puzzle->graph.nodes);
  for (uint32_t node = 0; node < puzzle->graph.nodes; node++) {
    uint32_t begin = puzzle->graph.first[node], end = puzzle->graph.first[node + 1];
    pack_list_head(out, end - begin);
    for (uint32_t i = begin; i < end; i++)
      pack_int64(out, puzzle->graph.neighbour[i]);
  }
}

static void pack_grid(struct buffer *out, const struct puzzle *puzzle)
{
  pack_map_head(out, 3);
  pack_text(out, "grid");
  pack_list_head(out, puzzle->grid.rows);
  for (uint32_t row = 0; row < puzzle->grid.rows; row++)
    pack_bytes_as_text(out, puzzle->grid.row[row], puzzle->grid.row_length[row]);
  pack_text(out, "catJump");
  pack_int64(out, puzzle->grid.jump[PLAYER_CAT]);
  pack_text(out, "mouseJump");
  pack_int64(out, puzzle->grid.jump[PLAYER_MOUSE]);
}

static void pack_puzzle(struct buffer *out, const struct puzzle *puzzle)
{
  if (puzzle->game == GAME_GRAPH)
    pack_graph(out, puzzle);
  else
    pack_grid(out, puzzle);
}

static void pack_place(struct buffer *out, const struct request *request, uint32_t row,
                       uint32_t node)
{
  if (request->by_row) {
    pack_list_head(out, 2);
    pack_uint64(out, row);
  }
  pack_uint64(out, node);
}

static void pack_state(struct buffer *out, const struct request *request)
{
  const struct state *state = &request->state;
  pack_map_head(out, 3);
  pack_text(out, "mouse");
  pack_place(out, request, request->mouse_row, state->mouse);
  pack_text(out, "cat");
  pack_place(out, request, request->cat_row, state->cat);
  pack_text(out, "turn");
  pack_text(out, state->turn == PLAYER_MOUSE ? "mouse" : "cat");
}

static void pack_param(struct buffer *out, const struct request *request, enum param param)
{
  pack_text(out, param_kinds[param].name);
  switch (param) {
  case PARAM_CLIENT: pack_text(out, request->client); break;
  case PARAM_VERSION: pack_text(out, request->version); break;
  case PARAM_PUZZLE: pack_puzzle(out, &request->puzzle); break;
  case PARAM_WAIT_MS: pack_uint64(out, request->wait_ms); break;
  case PARAM_PROGRESS: pack_bool(out, request->progress); break;
  case PARAM_STATE: pack_state(out, request); break;
  case PARAM_ID:
  case PARAM_CANCEL_PUZZLE: pack_text(out, request->puzzle_id); break;
  case PARAM_LIMIT: pack_uint64(out, request->limit_plies); break;
  case PARAM_MAX: pack_uint64(out, request->max); break;
  case PARAM_DEPTH: pack_uint64(out, request->depth_plies); break;
  case PARAM_REQUEST: pack_request_id(out, &request->cancels); break;
  default: break;
  }
}

static void pack_params(struct buffer *out, const struct request *request)
{
  if (!request->given) {
    pack_list_head(out, 0);
    return;
  }
  pack_list_head(out, 1);
  pack_map_head(out, (uint32_t)__builtin_popcount(request->given));
  for (enum param param = 0; param < PARAM_COUNT; param++)
    if (request_has(request, param))
      pack_param(out, request, param);
}

void request_encode(const struct request *request, struct buffer *out)
{
  size_t length = out->length;
  pack_list_head(out, request->notification ? 3 : 4);
  pack_int64(out, request->notification ? 2 : 0);
  if (!request->notification)
    pack_request_id(out, &request->id);
  pack_text(out, method_kinds[request->method].name);
  pack_params(out, request);
  if (out->failed)
    out->length = length;
}
