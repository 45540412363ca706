/*
 * JSON to MessagePack, and its values to a proof, one after another. Only form is checked here: what a place may
 * hold, and that nothing is missing or comes twice. Each failure names the place as its author would:
 * strategies[0].states[3].
 */
#include "proto/certificate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/json_read.h"
#include "proto/puzzle_read.h"
#include "proto/value.h"

enum { KEYS_MOST = 4, PLACE_TEXT = 64, STRATEGIES_MOST = 2, STATE_ITEMS = 5 };

/* The values of a map, in the order that its keys are listed in here, and where their children begin. */
struct entries {
  struct value value[KEYS_MOST];
  struct reader children[KEYS_MOST];
};

static int refuse(struct fault *fault, const char *place, const struct value *value,
                  const char *kind)
{
  return fault_set(fault, ERROR_PARAMS, "%s is %s, not %s", place, value_describe(*value).text,
                   kind);
}

static unsigned key_number(const char *const *keys, unsigned keys_count, const struct value *name)
{
  unsigned key = 0;
  while (key < keys_count && !value_is_text(name, keys[key]))
    key++;
  return key;
}

/* A map that has each of these keys once, and no other. */
static int read_entries(struct reader *reader, const struct value *map, const char *place,
                        const char *const *keys, unsigned keys_count, struct entries *entries,
                        struct fault *fault)
{
  unsigned given = 0;
  if (!value_is_map(map))
    return refuse(fault, place, map, "a map");
  for (uint64_t left = map->children; left > 0; left -= 2) {
    struct value name;
    reader_next(reader, &name);
    unsigned key = key_number(keys, keys_count, &name);
    if (key == keys_count)
      return fault_set(fault, ERROR_PARAMS, "%s has an unknown key: %s", place,
                       value_describe(name).text);
    if (given >> key & 1)
      return fault_set(fault, ERROR_PARAMS, "%s has %s twice", place, keys[key]);
    given |= 1u << key;
    entries->children[key] = *reader;
    reader_next(reader, &entries->value[key]);
    reader_skip(reader, &entries->value[key]);
  }
  for (unsigned key = 0; key < keys_count; key++) {
    if (!(given >> key & 1))
      return fault_set(fault, ERROR_PARAMS, "%s has no %s", place, keys[key]);
  }
  return 0;
}

/* Steps into the value that was found: its children, if any, come next. */
static struct reader inside(const struct entries *entries, unsigned key)
{
  struct value value;
  struct reader reader = entries->children[key];
  reader_next(&reader, &value);
  return reader;
}

/* A number, or null for `none`. No number may be that, nor the largest, which stands for none elsewhere. */
static bool to_number(const struct value *value, uint32_t none, uint32_t *number)
{
  *number = none;
  return value->kind == ITEM_NIL ||
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
  struct entries entries;
  if (read_entries(&reader, map, "claim.state", keys, 3, &entries, fault))
    return -EBADMSG;
  if (!value_uint32(&entries.value[0], &state->mouse))
    return refuse(fault, "claim.state.mouse", &entries.value[0], "a node number");
  if (!value_uint32(&entries.value[1], &state->cat))
    return refuse(fault, "claim.state.cat", &entries.value[1], "a node number");
  if (!to_player(&entries.value[2], &state->turn))
    return refuse(fault, "claim.state.turn", &entries.value[2], "\"mouse\" or \"cat\"");
  return 0;
}

static int read_claim(struct reader reader, const struct value *map, struct claim *claim,
                      struct fault *fault)
{
  static const char *const keys[] = {"state", "outcome", "plies", "limit"};
  struct entries entries;
  enum player winner;
  if (read_entries(&reader, map, "claim", keys, 4, &entries, fault) ||
      read_state(inside(&entries, 0), &entries.value[0], &claim->state, fault))
    return -EBADMSG;
  if (to_player(&entries.value[1], &winner))
    claim->outcome = (enum outcome)winner;
  else if (value_is_text(&entries.value[1], "draw"))
    claim->outcome = OUTCOME_DRAW;
  else
    return refuse(fault, "claim.outcome", &entries.value[1], "\"mouse\", \"cat\" or \"draw\"");
  if (!to_number(&entries.value[2], PLIES_NONE, &claim->plies))
    return refuse(fault, "claim.plies", &entries.value[2], "a number of plies or null");
  if (!to_number(&entries.value[3], 0, &claim->limit_plies))
    return refuse(fault, "claim.limit", &entries.value[3], "a number of plies above 0 or null");
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
  struct entries entries;
  snprintf(place, sizeof place, "strategies[%u]", number);
  reader_next(reader, &map);
  if (read_entries(reader, &map, place, keys, 3, &entries, fault))
    return -EBADMSG;
  bool wins = value_is_text(&entries.value[1], "win");
  if (!wins && !value_is_text(&entries.value[1], "hold"))
    return fault_set(fault, ERROR_PARAMS, "%s.goal is neither \"win\" nor \"hold\"", place);
  if (!to_player(&entries.value[0], &strategy->player))
    return fault_set(fault, ERROR_PARAMS, "%s.player is neither \"mouse\" nor \"cat\"", place);
  strategy->goal = wins ? GOAL_WIN : GOAL_HOLD;
  return read_states(inside(&entries, 2), &entries.value[2], number, strategy, fault);
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
  struct entries entries;
  struct value map;
  uint32_t version;
  reader_next(reader, &map);
  if (read_entries(reader, &map, "the certificate", keys, 4, &entries, fault))
    return -EBADMSG;
  if (!value_uint32(&entries.value[0], &version) || version != CERTIFICATE_VERSION)
    return fault_set(fault, ERROR_PARAMS, "version is %s, but this program reads %d",
                     value_describe(entries.value[0]).text, CERTIFICATE_VERSION);
  if (puzzle_read(&entries.children[1], limits, &certificate->puzzle, &certificate->memory, fault))
    return -EBADMSG;
  return read_claim(inside(&entries, 2), &entries.value[2], &certificate->proof.claim, fault)
             ? -EBADMSG
             : read_strategies(inside(&entries, 3), &entries.value[3], &certificate->proof, fault);
}

int certificate_from_json(const char *text, size_t length, const struct message_limits *limits,
                          struct certificate *certificate, struct fault *fault)
{
  struct certificate read = {0};
  struct buffer packed;
  buffer_init(&packed);
  int error = json_read(text, length, limits, &packed, fault);
  struct reader reader = reader_on(packed.data, packed.length);
  if (error == 0)
    error = read_certificate(&reader, limits, &read, fault);
  buffer_deinit(&packed);
  if (error)
    certificate_deinit(&read);
  else
    *certificate = read;
  return error;
}

void certificate_deinit(struct certificate *certificate)
{
  free(certificate->memory);
  proof_deinit(&certificate->proof);
  *certificate = (struct certificate){0};
}
