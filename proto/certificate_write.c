/*
 * Proof and puzzle to MessagePack, and from there to JSON. The jumps of a grid are not in its
 * arena: the longest that a player can make there stands for its jump, and allows the same moves.
 */
#include "proto/certificate.h"

#include "proto/json_write.h"
#include "proto/pack.h"

static const char *player_text(enum player player)
{
  return player == PLAYER_MOUSE ? "mouse" : "cat";
}

static const char *outcome_text(enum outcome outcome)
{
  return outcome == OUTCOME_DRAW ? "draw" : player_text((enum player)outcome);
}

static void pack_unless(struct buffer *out, uint32_t number, uint32_t none)
{
  if (number == none)
    pack_nil(out);
  else
    pack_uint64(out, number);
}

static void pack_graph(struct buffer *out, const struct arena *arena)
{
  const struct moves *moves = &arena->moves[PLAYER_MOUSE];
  pack_map_head(out, 1);
  pack_text(out, "graph");
  pack_list_head(out, arena->nodes);
  for (uint32_t node = 0; node < arena->nodes; node++) {
    pack_list_head(out, moves->end[node] - moves->begin[node]);
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++)
      pack_uint64(out, moves->to[i]);
  }
}

/* An arena off the disk has no start: then it is the first two cells where players can stand. */
static struct state start_of_grid(const struct arena *arena)
{
  uint32_t cell[2] = {arena->start.mouse, arena->start.cat}, found = 0;
  bool is_known = cell[0] != cell[1];
  for (uint32_t node = 0; node < arena->nodes && found < 2 && !is_known; node++) {
    if (!node_in(arena->barred[PLAYER_MOUSE], node) && !node_in(arena->home[PLAYER_MOUSE], node))
      cell[found++] = node;
  }
  return (struct state){cell[0], cell[1], PLAYER_MOUSE};
}

static char cell_of_grid(const struct arena *arena, const struct state *start, uint32_t node)
{
  if (node_in(arena->barred[PLAYER_MOUSE], node))
    return '#';
  if (node_in(arena->home[PLAYER_MOUSE], node))
    return 'F';
  if (node == start->mouse)
    return 'M';
  return node == start->cat ? 'C' : '.';
}

static uint32_t longest_jump(const struct arena *arena, enum player player)
{
  const struct moves *moves = &arena->moves[player];
  uint32_t longest = 1;
  for (uint32_t node = 0; node < arena->nodes; node++) {
    for (uint32_t i = moves->begin[node]; i < moves->end[node]; i++) {
      uint32_t to = moves->to[i], far = to > node ? to - node : node - to;
      if (to / arena->cols != node / arena->cols)
        far /= arena->cols;
      longest = far > longest ? far : longest;
    }
  }
  return longest;
}

static void pack_grid(struct buffer *out, const struct arena *arena)
{
  const struct state start = start_of_grid(arena);
  struct buffer cells;
  buffer_init(&cells);
  for (uint32_t node = 0; node < arena->nodes; node++) {
    char cell = cell_of_grid(arena, &start, node);
    buffer_append(&cells, &cell, 1);
  }
  out->failed |= cells.failed;
  pack_map_head(out, 3);
  pack_text(out, "grid");
  pack_list_head(out, arena->rows);
  for (uint32_t row = 0; row < arena->rows && !out->failed; row++)
    pack_bytes_as_text(out, cells.data + (size_t)row * arena->cols, arena->cols);
  pack_text(out, "catJump");
  pack_uint64(out, longest_jump(arena, PLAYER_CAT));
  pack_text(out, "mouseJump");
  pack_uint64(out, longest_jump(arena, PLAYER_MOUSE));
  buffer_deinit(&cells);
}

static void pack_puzzle(struct buffer *out, const struct arena *arena)
{
  if (arena->game == GAME_GRAPH)
    pack_graph(out, arena);
  else
    pack_grid(out, arena);
}

static void pack_claim(struct buffer *out, const struct claim *claim)
{
  pack_map_head(out, 4);
  pack_text(out, "state");
  pack_map_head(out, 3);
  pack_text(out, "mouse");
  pack_uint64(out, claim->state.mouse);
  pack_text(out, "cat");
  pack_uint64(out, claim->state.cat);
  pack_text(out, "turn");
  pack_text(out, player_text(claim->state.turn));
  pack_text(out, "outcome");
  pack_text(out, outcome_text(claim->outcome));
  pack_text(out, "plies");
  pack_unless(out, claim->plies, PLIES_NONE);
  pack_text(out, "limit");
  pack_unless(out, claim->limit_plies, 0);
}

static void pack_state(struct buffer *out, const struct proof_state *at)
{
  pack_list_head(out, 5);
  pack_uint64(out, at->state.mouse);
  pack_uint64(out, at->state.cat);
  pack_text(out, player_text(at->state.turn));
  pack_unless(out, at->move, MOVE_NONE);
  pack_unless(out, at->plies, PLIES_NONE);
}

static void pack_strategy(struct buffer *out, const struct strategy *strategy)
{
  pack_map_head(out, 3);
  pack_text(out, "player");
  pack_text(out, player_text(strategy->player));
  pack_text(out, "goal");
  pack_text(out, strategy->goal == GOAL_WIN ? "win" : "hold");
  pack_text(out, "states");
  pack_list_head(out, strategy->states_count);
  for (uint32_t i = 0; i < strategy->states_count; i++)
    pack_state(out, &strategy->states[i]);
}

void certificate_pack(struct buffer *out, const struct arena *arena, const struct proof *proof)
{
  pack_map_head(out, 4);
  pack_text(out, "version");
  pack_uint64(out, CERTIFICATE_VERSION);
  pack_text(out, "puzzle");
  pack_puzzle(out, arena);
  pack_text(out, "claim");
  pack_claim(out, &proof->claim);
  pack_text(out, "strategies");
  pack_list_head(out, proof->strategies_count);
  for (uint32_t i = 0; i < proof->strategies_count; i++)
    pack_strategy(out, &proof->strategies[i]);
}

int certificate_refuse(uint32_t states_max, struct fault *fault)
{
  return fault_set(fault, ERROR_LONG_PROOF,
                   "the proof is too large: it has more than %u states, or takes as long to find; "
                   "ask for its beginning, by depth on the wire or --depth N of cmclient explain",
                   states_max);
}

/* What is packed, as JSON; without memory, `out` has failed. */
static void write_json(struct buffer *out, struct buffer *packed)
{
  out->failed |= packed->failed;
  if (!packed->failed)
    json_write(out, packed->data, packed->length);
  buffer_deinit(packed);
}

void certificate_to_json(struct buffer *out, const struct arena *arena, const struct proof *proof)
{
  struct buffer packed;
  buffer_init(&packed);
  certificate_pack(&packed, arena, proof);
  write_json(out, &packed);
}

void puzzle_to_json(struct buffer *out, const struct arena *arena)
{
  struct buffer packed;
  buffer_init(&packed);
  pack_puzzle(&packed, arena);
  write_json(out, &packed);
}
