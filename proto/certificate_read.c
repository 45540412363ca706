/*
 * JSON to MessagePack, and its values to a proof, one after another. Only form is checked here:
 * what a place may hold, and that nothing is missing or comes twice. Each failure names the place
 * as its author would: strategies[0].states[3].
 */
#include "proto/certificate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/json_read.h"
#include "proto/map_read.h"
#include "proto/puzzle_read.h"
#include "proto/value.h"

enum { KEYS_MOST = 4, PLACE_TEXT = 64, STRATEGIES_MOST = 2, STATE_ITEMS = 5 };

/* The values of a map that has each of these keys once, and no other. */
static int read_entries(struct reader *reader, const struct value *map, const char *place,
                        const char *const *names, unsigned count, struct entry *entries,
                        struct fault *fault)
{
  const struct map_keys keys = {place, ERROR_PARAMS, true, count, names};
  return map_read(reader, map, &keys, entries, fault);
}

/* A number, or null for `none`. No number may be that, nor UINT32_MAX, which is none elsewhere. */
static bool to_number(const struct value *value, uint32_t none, uint32_t *number)
{
  *number = none;
  return value->kind == VALUE_NIL ||
         (value_uint32(value, number) && *number != none && *number != UINT32_MAX);
}

static bool to_player(const struct value *value, enum player *player)
{
  *player = value_is_text(value, "cat") ? PLAYER_CAT : PLAYER_MOUSE;
  return *player == PLAYER_CAT || value_is_text(value, "mouse");
}

static int read_state(struct reader reader, const struct value *map, struct state *state,
                      struct fault *fault)
{
  static const char *const keys[] = {"mouse", "cat", "turn"};
  struct entry entries[KEYS_MOST];
  if (read_entries(&reader, map, "claim.state", keys, 3, entries, fault))
    return -EBADMSG;
  if (!value_uint32(&entries[0].value, &state->mouse))
    return value_refuse(&entries[0].value, ERROR_PARAMS, "claim.state.mouse", "a node number",
                        fault);
  if (!value_uint32(&entries[1].value, &state->cat))
    return value_refuse(&entries[1].value, ERROR_PARAMS, "claim.state.cat", "a node number", fault);
  if (!to_player(&entries[2].value, &state->turn))
    return value_refuse(&entries[2].value, ERROR_PARAMS, "claim.state.turn", "\"mouse\" or \"cat\"",
                        fault);
  return 0;
}

static int read_claim(struct reader reader, const struct value *map, struct claim *claim,
                      struct fault *fault)
{
  static const char *const keys[] = {"state", "outcome", "plies", "limit"};
  struct entry entries[KEYS_MOST];
  enum player winner;
  if (read_entries(&reader, map, "claim", keys, 4, entries, fault) ||
      read_state(entries[0].children, &entries[0].value, &claim->state, fault))
    return -EBADMSG;
  if (to_player(&entries[1].value, &winner))
    claim->outcome = (enum outcome)winner;
  else if (value_is_text(&entries[1].value, "draw"))
    claim->outcome = OUTCOME_DRAW;
  else
    return value_refuse(&entries[1].value, ERROR_PARAMS, "claim.outcome",
                        "\"mouse\", \"cat\" or \"draw\"", fault);
  if (!to_number(&entries[2].value, PLIES_NONE, &claim->plies))
    return value_refuse(&entries[2].value, ERROR_PARAMS, "claim.plies", "a number of plies or null",
                        fault);
  if (!to_number(&entries[3].value, 0, &claim->limit_plies))
    return value_refuse(&entries[3].value, ERROR_PARAMS, "claim.limit",
                        "a number of plies above 0 or null", fault);
  return 0;
}

static bool to_proof_state(struct reader *reader, struct proof_state *at)
{
  struct value list, item[STATE_ITEMS];
  reader_next(reader, &list);
  if (!value_is_list(&list) || list.children != STATE_ITEMS)
    return false;
  for (unsigned i = 0; i < STATE_ITEMS; i++) {
    reader_next(reader, &item[i]);
    if (value_is_list(&item[i]) || value_is_map(&item[i]))
      return false;
  }
  return value_uint32(&item[0], &at->state.mouse) && value_uint32(&item[1], &at->state.cat) &&
         to_player(&item[2], &at->state.turn) && to_number(&item[3], MOVE_NONE, &at->move) &&
         to_number(&item[4], PLIES_NONE, &at->plies);
}

static int read_states(struct reader reader, const struct value *list, uint32_t number,
                       struct strategy *strategy, struct fault *fault)
{
  if (!value_is_list(list) || list->children > UINT32_MAX)
    return fault_set(fault, ERROR_PARAMS, "strategies[%u].states is no list", number);
  uint32_t count = (uint32_t)list->children;
  strategy->states = malloc((count ? (size_t)count : 1) * sizeof *strategy->states);
  if (!strategy->states)
    return fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the certificate");
  for (uint32_t at = 0; at < count; at++) {
    if (!to_proof_state(&reader, &strategy->states[at]))
      return fault_set(fault, ERROR_PARAMS,
                       "strategies[%u].states[%u] is not [mouse, cat, turn, move or null, plies or "
                       "null]",
                       number, at);
  }
  strategy->states_count = count;
  return 0;
}

static int read_strategy(struct reader *reader, uint32_t number, struct strategy *strategy,
                         struct fault *fault)
{
  static const char *const keys[] = {"player", "goal", "states"};
  char place[PLACE_TEXT];
  struct value map;
  struct entry entries[KEYS_MOST];
  snprintf(place, sizeof place, "strategies[%u]", number);
  reader_next(reader, &map);
  if (read_entries(reader, &map, place, keys, 3, entries, fault))
    return -EBADMSG;
  bool wins = value_is_text(&entries[1].value, "win");
  if (!wins && !value_is_text(&entries[1].value, "hold"))
    return fault_set(fault, ERROR_PARAMS, "%s.goal is neither \"win\" nor \"hold\"", place);
  if (!to_player(&entries[0].value, &strategy->player))
    return fault_set(fault, ERROR_PARAMS, "%s.player is neither \"mouse\" nor \"cat\"", place);
  strategy->goal = wins ? GOAL_WIN : GOAL_HOLD;
  return read_states(entries[2].children, &entries[2].value, number, strategy, fault);
}

static int read_strategies(struct reader reader, const struct value *list, struct proof *proof,
                           struct fault *fault)
{
  if (!value_is_list(list) || list->children > STRATEGIES_MOST)
    return fault_set(fault, ERROR_PARAMS, "strategies is no list of at most %u", STRATEGIES_MOST);
  for (uint32_t i = 0; i < list->children; i++) {
    proof->strategies_count++;
    if (read_strategy(&reader, i, &proof->strategies[i], fault))
      return -EBADMSG;
  }
  return 0;
}

static int read_certificate(struct reader *reader, const struct message_limits *limits,
                            struct certificate *certificate, struct fault *fault)
{
  static const char *const keys[] = {"version", "puzzle", "claim", "strategies"};
  struct entry entries[KEYS_MOST];
  struct value map;
  uint32_t version;
  reader_next(reader, &map);
  if (read_entries(reader, &map, "the certificate", keys, 4, entries, fault))
    return -EBADMSG;
  if (!value_uint32(&entries[0].value, &version) || version != CERTIFICATE_VERSION)
    return fault_set(fault, ERROR_PARAMS, "version is %s, but this program reads %d",
                     value_describe(entries[0].value).text, CERTIFICATE_VERSION);
  if (puzzle_read(&entries[1].value, &entries[1].children, limits, &certificate->puzzle,
                  &certificate->memory, fault))
    return -EBADMSG;
  return read_claim(entries[2].children, &entries[2].value, &certificate->proof.claim, fault)
             ? -EBADMSG
             : read_strategies(entries[3].children, &entries[3].value, &certificate->proof, fault);
}

int certificate_from_packed(const char *packed, size_t length, const struct message_limits *limits,
                            struct certificate *certificate, struct fault *fault)
{
  struct certificate read = {0};
  struct reader reader = reader_on(packed, length);
  int error = read_certificate(&reader, limits, &read, fault);
  if (error)
    certificate_deinit(&read);
  else
    *certificate = read;
  return error;
}

int certificate_from_json(const char *text, size_t length, const struct message_limits *limits,
                          struct certificate *certificate, struct fault *fault)
{
  struct buffer packed;
  buffer_init(&packed);
  int error = json_read(text, length, limits, &packed, fault);
  if (error == 0)
    error = certificate_from_packed(packed.data, packed.length, limits, certificate, fault);
  buffer_deinit(&packed);
  return error;
}

void certificate_deinit(struct certificate *certificate)
{
  free(certificate->memory);
  proof_deinit(&certificate->proof);
  *certificate = (struct certificate){0};
}
