/* Requests as MessagePack-RPC: the client's half of request.c. */
#include <msgpack.h>
#include <string.h>

#include "proto/pack.h"
#include "proto/request.h"

static void pack_request_id(msgpack_packer *packer, const struct request_id *id)
{
  if (id->kind == REQUEST_ID_TEXT)
    pack_text(packer, id->text);
  else
    msgpack_pack_int64(packer, id->number);
}

static void pack_graph(msgpack_packer *packer, const struct puzzle *puzzle)
{
  msgpack_pack_map(packer, 1);
  pack_text(packer, "graph");
  msgpack_pack_array(packer, puzzle->graph.nodes);
  for (uint32_t node = 0; node < puzzle->graph.nodes; node++) {
    uint32_t begin = puzzle->graph.first[node], end = puzzle->graph.first[node + 1];
    msgpack_pack_array(packer, end - begin);
    for (uint32_t i = begin; i < end; i++)
      msgpack_pack_int32(packer, puzzle->graph.neighbour[i]);
  }
}

static void pack_grid(msgpack_packer *packer, const struct puzzle *puzzle)
{
  msgpack_pack_map(packer, 3);
  pack_text(packer, "grid");
  msgpack_pack_array(packer, puzzle->grid.rows);
  for (uint32_t row = 0; row < puzzle->grid.rows; row++)
    msgpack_pack_str_with_body(packer, puzzle->grid.row[row], puzzle->grid.row_length[row]);
  pack_text(packer, "catJump");
  msgpack_pack_int32(packer, puzzle->grid.jump[PLAYER_CAT]);
  pack_text(packer, "mouseJump");
  msgpack_pack_int32(packer, puzzle->grid.jump[PLAYER_MOUSE]);
}

static void pack_puzzle(msgpack_packer *packer, const struct puzzle *puzzle)
{
  if (puzzle->game == GAME_GRAPH)
    pack_graph(packer, puzzle);
  else
    pack_grid(packer, puzzle);
}

static void pack_param(msgpack_packer *packer, const struct request *request, enum param param)
{
  pack_text(packer, param_kinds[param].name);
  switch (param) {
  case PARAM_CLIENT: pack_text(packer, request->client); break;
  case PARAM_VERSION: pack_text(packer, request->version); break;
  case PARAM_PUZZLE: pack_puzzle(packer, &request->puzzle); break;
  case PARAM_WAIT_MS: msgpack_pack_uint32(packer, request->wait_ms); break;
  case PARAM_PROGRESS: pack_bool(packer, request->progress); break;
  case PARAM_STATE: pack_state(packer, &request->state); break;
  case PARAM_ID: pack_text(packer, request->puzzle_id); break;
  case PARAM_LIMIT: msgpack_pack_uint32(packer, request->limit_plies); break;
  case PARAM_MAX: msgpack_pack_uint32(packer, request->max); break;
  case PARAM_REQUEST: pack_request_id(packer, &request->cancels); break;
  default: break;
  }
}

static void pack_params(msgpack_packer *packer, const struct request *request)
{
  if (!request->given) {
    msgpack_pack_array(packer, 0);
    return;
  }
  msgpack_pack_array(packer, 1);
  msgpack_pack_map(packer, (size_t)__builtin_popcount(request->given));
  for (enum param param = 0; param < PARAM_COUNT; param++)
    if (request_has(request, param))
      pack_param(packer, request, param);
}

void request_encode(const struct request *request, struct buffer *out)
{
  size_t length = out->length;
  msgpack_packer packer = packer_on(out);
  msgpack_pack_array(&packer, request->notification ? 3 : 4);
  msgpack_pack_int(&packer, request->notification ? 2 : 0);
  if (!request->notification)
    pack_request_id(&packer, &request->id);
  pack_text(&packer, method_kinds[request->method].name);
  pack_params(&packer, request);
  if (out->failed)
    out->length = length;
}
