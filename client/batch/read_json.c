/*
 * JSON lines, and what LeetCode shows. A graph as most programs write it, lists of plain numbers, is read at once.
 * Everything else goes the way of the client's other puzzles, whose reader says what is wrong: an object
 * {"puzzle": ..., "state": ..., "limit": ..., "tag": ...} in its parts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/batch/json_span.h"
#include "client/batch/read.h"
#include "proto/puzzle_read.h"
#include "proto/request_read.h"
#include "text/text.h"

enum { NEIGHBOURS_AT_ONCE = VERDICT_NODES_MAX * VERDICT_NODES_MAX };

struct cursor {
  const char *at, *end;
};

static bool pass(struct cursor *cursor, char byte)
{
  while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
    cursor->at++;
  if (cursor->at == cursor->end || *cursor->at != byte)
    return false;
  cursor->at++;
  return true;
}

/* Digits without a leading zero; more than six are left to the other reader. */
static bool pass_number(struct cursor *cursor, int32_t *number)
{
  while (cursor->at < cursor->end && *cursor->at == ' ')
    cursor->at++;
  const char *begin = cursor->at;
  *number = 0;
  while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9' &&
         cursor->at - begin < 6)
    *number = *number * 10 + (*cursor->at++ - '0');
  return cursor->at > begin && (*begin != '0' || cursor->at - begin == 1);
}

static bool pass_list(struct cursor *cursor, int32_t *neighbour, uint32_t *count)
{
  if (!pass(cursor, '['))
    return false;
  if (pass(cursor, ']'))
    return true;
  do {
    if (*count == NEIGHBOURS_AT_ONCE || !pass_number(cursor, &neighbour[(*count)++]))
      return false;
  } while (pass(cursor, ','));
  return pass(cursor, ']');
}

/* A small graph's lists in its rooms. */
static bool pass_lists(struct cursor *cursor, uint32_t *first, int32_t *neighbour, uint32_t *nodes)
{
  uint32_t count = 0;
  *nodes = 0;
  if (!pass(cursor, '['))
    return false;
  do {
    if (*nodes == VERDICT_NODES_MAX)
      return false;
    first[(*nodes)++] = count;
    if (!pass_list(cursor, neighbour, &count))
      return false;
  } while (pass(cursor, ','));
  first[*nodes] = count;
  return pass(cursor, ']');
}

/* False where it is anything but a small graph with nothing wrong. */
static bool read_plain(struct item *item, const struct record *record)
{
  uint32_t first[VERDICT_NODES_MAX + 1], nodes;
  int32_t neighbour[NEIGHBOURS_AT_ONCE];
  struct cursor cursor = {record->text, record->text + record->length};
  bool is_object = pass(&cursor, '{');
  if (is_object) {
    static const char key[] = "\"graph\"";
    if ((size_t)(cursor.end - cursor.at) < sizeof key ||
        memcmp(cursor.at, key, sizeof key - 1) != 0)
      return false;
    cursor.at += sizeof key - 1;
    if (!pass(&cursor, ':'))
      return false;
  }
  if (!pass_lists(&cursor, first, neighbour, &nodes) || (is_object && !pass(&cursor, '}')) ||
      cursor.at != cursor.end)
    return false;
  item->puzzle = (struct puzzle){GAME_GRAPH, .graph = {nodes, first, neighbour}};
  item_find_sets(item);
  return item->is_sets;
}

static bool read_puzzle(struct item *item, const char *text, size_t length)
{
  struct fault fault;
  if (puzzle_from_json(text, length, &message_limits_default, &item->puzzle, &item->memory, &fault))
    return item_refuse(item, "%s", fault.text);
  item->game = item->puzzle.game;
  if (item->game == GAME_GRAPH)
    item_find_sets(item);
  return true;
}

/* What an object with a puzzle inside may hold. */
enum member { MEMBER_PUZZLE, MEMBER_STATE, MEMBER_LIMIT, MEMBER_TAG, MEMBERS };

static const char *const member_names[MEMBERS] = {"puzzle", "state", "limit", "tag"};

/* The daemon's own reader of questions reads the state and the limit, given one to read. */
static bool read_question(struct item *item, const struct json_span *state,
                          const struct json_span *limit)
{
  static const char no_state[] = "{\"mouse\":0,\"cat\":0,\"turn\":0}";
  char *text = NULL;
  struct fault fault;
  item->has_state = state->text != NULL;
  item->has_limit = limit->text && strncmp(limit->text, "null", limit->length) != 0;
  int length =
      asprintf(&text,
               "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"query\",\"params\":"
               "{\"state\":%.*s,\"limit\":%.*s}}",
               item->has_state ? (int)state->length : (int)sizeof no_state - 1,
               item->has_state ? state->text : no_state, item->has_limit ? (int)limit->length : 1,
               item->has_limit ? limit->text : "0");
  if (length < 0)
    return item_refuse(item, "out of memory while reading the puzzle");
  int result = request_decode(text, (size_t)length, ENCODING_JSON_LINES, &message_limits_default,
                              &item->question, &fault);
  free(text);
  if (result)
    return item_refuse(item, "%s", fault.text);
  request_deinit(&item->question);
  return true;
}

/* Any JSON at all; it is said again as it was written. */
static bool check_tag(struct item *item, const struct json_span *tag)
{
  struct puzzle puzzle;
  struct fault fault;
  void *memory = NULL;
  int result =
      puzzle_from_json(tag->text, tag->length, &message_limits_default, &puzzle, &memory, &fault);
  free(memory);
  if (result && fault.error != ERROR_BAD_PUZZLE)
    return item_refuse(item, "tag: %s", fault.text);
  item->tag = tag->text;
  item->tag_length = tag->length;
  return true;
}

static bool read_members(struct item *item, const struct json_span *members)
{
  const struct json_span *puzzle = &members[MEMBER_PUZZLE];
  if (members[MEMBER_TAG].text && !check_tag(item, &members[MEMBER_TAG]))
    return false;
  if ((members[MEMBER_STATE].text || members[MEMBER_LIMIT].text) &&
      !read_question(item, &members[MEMBER_STATE], &members[MEMBER_LIMIT]))
    return false;
  return read_puzzle(item, puzzle->text, puzzle->length);
}

/* `found`: it is an object with members around a puzzle, not the puzzle itself. */
static bool find_members(struct item *item, const struct record *record, struct json_span *members,
                         bool *found)
{
  struct json_walk walk = json_walk_begin((struct json_span){record->text, record->length});
  struct json_span key, value, unknown = {0};
  *found = false;
  while (json_next_member(&walk, &key, &value)) {
    enum member member = 0;
    while (member < MEMBERS && !json_key_is(key, member_names[member]))
      member++;
    if (member == MEMBERS) {
      unknown = key;
      continue;
    }
    if (members[member].text)
      return item_refuse(item, "%s is given twice", member_names[member]);
    members[member] = value;
    *found = true;
  }
  if (*found && !walk.broken && !members[MEMBER_PUZZLE].text)
    return item_refuse(item, "there is no puzzle beside the other members; write {\"puzzle\": "
                             "{\"graph\": ...}, ...}");
  if (*found && !walk.broken && unknown.text)
    return item_refuse(item, "%.*s is none of puzzle, state, limit and tag",
                       unknown.length < 40 ? (int)unknown.length : 40, unknown.text);
  *found = *found && !walk.broken;
  return true;
}

bool item_read_json(struct item *item, const struct record *record)
{
  struct json_span members[MEMBERS] = {0};
  bool found = false;
  if (read_plain(item, record))
    return true;
  if (record->text[0] == '{' && !find_members(item, record, members, &found))
    return false;
  return found ? read_members(item, members) : read_puzzle(item, record->text, record->length);
}

bool item_read_leetcode(struct item *item, const struct record *record)
{
  if (read_plain(item, record))
    return true;
  if (text_read(record->text, record->length, &item->text))
    return item_refuse(item, "out of memory while reading the puzzle");
  const struct text_fault *fault = text_first_fault(item->text);
  if (fault)
    return item_refuse(item, "%s", fault->sentence);
  item->puzzle = item->text->puzzles[0].puzzle;
  item->game = item->puzzle.game;
  if (item->game == GAME_GRAPH)
    item_find_sets(item);
  return true;
}
