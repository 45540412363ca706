/*
 * Hovers. On a node, a list or a cell: the mouse is put there, then the cat, and the moves of each are ranked. On the
 * rest of a puzzle: what is known of all of it. The daemon is asked, which has the table at hand; while there is none
 * yet, the hover says how far that is, or what is wrong with the text.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lsp/asking.h"
#include "lsp/methods.h"
#include "lsp/ranges.h"
#include "lsp/spots.h"
#include "lsp/words.h"

enum { PART_MAX = 3000, MOVES_MAX = 12 };

/* A hover under way: a text for each piece, or for the whole puzzle, by the tag of the call. */
struct hover {
  struct request_in *request;
  json_t *range; /* moved into the answer */
  struct known known;
  uint32_t waiting;
  char part[2][PART_MAX];
};

static void add(char part[static PART_MAX], size_t *length, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char part[static PART_MAX], size_t *length, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int wrote = vsnprintf(part + *length, PART_MAX - *length, format, arguments);
  va_end(arguments);
  *length += wrote > 0 ? (size_t)wrote : 0;
  if (*length >= PART_MAX)
    *length = PART_MAX - 1;
}

static json_t *contents(const struct server *server, json_t *range, const char *first,
                        const char *second)
{
  json_t *answer = json_pack("{s{ss, ss++}}", "contents", "kind",
                             server->editor.markdown ? "markdown" : "plaintext", "value", first,
                             *first && *second ? "\n\n" : "", second);
  if (answer && range)
    json_object_set(answer, "range", range);
  return answer;
}

static const char *bold(const struct hover *hover)
{
  return hover->request->server->editor.markdown ? "**" : "";
}

enum group { GROUP_WINNING, GROUP_DRAWING, GROUP_LOSING, GROUPS };

static enum group group_of(const struct ranked_move *move, enum player mover)
{
  if (move->value.outcome == OUTCOME_DRAW)
    return GROUP_DRAWING;
  return (int)move->value.outcome == (int)mover ? GROUP_WINNING : GROUP_LOSING;
}

/* Moves come ranked, so each group's best are met first. */
static void add_group(char part[static PART_MAX], size_t *length, const struct result_query *result,
                      enum group group)
{
  static const char *const names[] = {"winning", "drawing", "losing"};
  uint32_t count = 0;
  for (uint32_t i = 0; i < result->moves_count; i++) {
    const struct ranked_move *move = &result->moves[i];
    char place[WORDS_MAX];
    if (group_of(move, result->state.turn) != group || ++count > MOVES_MAX)
      continue;
    words_of_place(result->cols, move->to, place);
    add(part, length, "%s%s", count == 1 ? "\n- " : ", ", count == 1 ? names[group] : "");
    add(part, length, "%s%s", count == 1 ? ": " : "", place);
    if (move->value.plies == 0)
      add(part, length, " (at once)");
    else if (move->value.plies != PLIES_NONE)
      add(part, length, " (%" PRIu32 " %s)", move->value.plies, words_of_plies(move->value.plies));
  }
  if (count > MOVES_MAX)
    add(part, length, " and %" PRIu32 " more", count - MOVES_MAX);
}

static void describe_state(struct hover *hover, uint32_t tag, const struct result_query *result)
{
  char *part = hover->part[tag], mouse[WORDS_MAX], cat[WORDS_MAX], value[WORDS_MAX];
  size_t length = 0;
  words_of_place(result->cols, result->state.mouse, mouse);
  words_of_place(result->cols, result->state.cat, cat);
  words_of_value(result->outcome, result->plies, value);
  add(part, &length, "Mouse at %s, cat at %s, %s to move: %s%s%s", mouse, cat,
      words_of_player(result->state.turn), bold(hover), value, bold(hover));
  for (enum group group = 0; group < GROUPS; group++)
    add_group(part, &length, result, group);
}

static void add_longest(char part[static PART_MAX], size_t *length, enum player player,
                        const struct longest_win *longest, uint32_t cols)
{
  char mouse[WORDS_MAX], cat[WORDS_MAX];
  if (longest->plies == PLIES_NONE) {
    add(part, length, "\n- the %s wins from nowhere", words_of_player(player));
    return;
  }
  words_of_place(cols, longest->state.mouse, mouse);
  words_of_place(cols, longest->state.cat, cat);
  add(part, length, "\n- longest win of the %s: %" PRIu32 " %s, mouse at %s, cat at %s, %s to move",
      words_of_player(player), longest->plies, words_of_plies(longest->plies), mouse, cat,
      words_of_player(longest->state.turn));
}

static void describe_puzzle(struct hover *hover, const struct result_stats *result)
{
  char *part = hover->part[0], value[WORDS_MAX];
  size_t length = 0;
  words_of_value(hover->known.outcome, hover->known.plies, value);
  add(part, &length, "%s%s%s", bold(hover), value, bold(hover));
  add(part, &length, "\n- %s of %" PRIu32 " nodes, %" PRIu64 " states",
      result->game == GAME_GRAPH ? "graph" : "grid", result->nodes, result->states);
  add_longest(part, &length, PLAYER_MOUSE, &result->longest_mouse, result->cols);
  add_longest(part, &length, PLAYER_CAT, &result->longest_cat, result->cols);
  add(part, &length, "\n- id %s", result->id);
}

/* All parts are there, or what could be had of them. */
static void finish(struct hover *hover, const struct fault *fault)
{
  struct server *server = hover->request->server;
  json_t *range = hover->range;
  bool any = *hover->part[0] || *hover->part[1];
  if (!any && fault && fault->error != ERROR_BAD_STATE)
    request_refuse(server, hover->request, fault);
  else
    request_reply(server, hover->request,
                  any ? contents(server, range, hover->part[0], hover->part[1]) : json_null());
}

static void on_state(void *owner, uint32_t tag, struct response *response,
                     const struct fault *fault)
{
  struct hover *hover = ((struct request_in *)owner)->work;
  struct result_query result;
  struct fault own;
  if (response && response_result(response, METHOD_QUERY, &result, &own) == 0)
    describe_state(hover, tag, &result);
  if (--hover->waiting == 0)
    finish(hover, fault);
}

static void on_stats(void *owner, uint32_t tag, struct response *response,
                     const struct fault *fault)
{
  (void)tag;
  struct hover *hover = ((struct request_in *)owner)->work;
  struct result_stats result;
  struct fault own;
  if (response && response_result(response, METHOD_STATS, &result, &own) == 0)
    describe_puzzle(hover, &result);
  finish(hover, fault);
}

static struct hover *hover_new(struct request_in *request, json_t *range)
{
  struct hover *hover = calloc(1, sizeof *hover);
  if (!hover)
    return NULL;
  hover->request = request;
  hover->range = json_object_set_new(request->params, "range", range) ? NULL : range;
  request->work = hover;
  return hover;
}

/* The mouse there and to move, then the cat there and to move; the other where the game begins. */
static void ask_states(struct server *server, struct hover *hover, const struct shown *shown,
                       uint32_t node)
{
  struct state start;
  puzzle_start(shown->puzzle, &start);
  for (enum player player = PLAYER_MOUSE; player <= PLAYER_CAT; player++) {
    struct request request = {.method = METHOD_QUERY,
                              .given = P(PUZZLE) | P(STATE),
                              .puzzle = shown->puzzle->puzzle,
                              .state = start};
    request.state.turn = player;
    *(player == PLAYER_MOUSE ? &request.state.mouse : &request.state.cat) = node;
    hover->waiting += link_ask(&server->link, &request,
                               (struct asker){hover->request, player, on_state, NULL}) == 0;
  }
  if (hover->waiting == 0)
    request_reply(server, hover->request, NULL);
}

static void ask_stats(struct server *server, struct hover *hover, const struct shown *shown)
{
  struct request request = {
      .method = METHOD_STATS, .given = P(PUZZLE), .puzzle = shown->puzzle->puzzle};
  if (link_ask(&server->link, &request, (struct asker){hover->request, 0, on_stats, NULL}))
    request_reply(server, hover->request, NULL);
}

/* That under the cursor, else the first. */
static const struct text_fault *find_fault(const struct shown *shown, uint32_t offset)
{
  const struct text_faults *faults = &shown->puzzle->faults;
  for (uint32_t i = 0; i < faults->count; i++) {
    struct text_span span = shown_span(shown, faults->fault[i].span);
    if (offset >= span.at && offset <= span.at + span.length)
      return &faults->fault[i];
  }
  return faults->fault;
}

/* Not solved as yet, or not at all. */
static void answer_unsolved(struct hover *hover, const struct puzzle_verdict *verdict,
                            const struct shown *shown, uint32_t offset)
{
  struct server *server = hover->request->server;
  char words[WORDS_MAX], fault[FAULT_WORDS_MAX] = "";
  words_of_verdict(verdict, words);
  if (verdict->phase == VERDICT_BROKEN)
    words_of_fault(find_fault(shown, offset), fault);
  request_reply(server, hover->request, contents(server, hover->range, words, fault));
}

static void ask(struct server *server, struct request_in *request, const struct open_file *file,
                const struct shown *shown, uint32_t offset)
{
  const struct puzzle_verdict *verdict = file->verdicts->verdict[shown - file->document->shown];
  struct spot spot = spot_at(file->document, shown, offset);
  struct hover *hover =
      hover_new(request, range_json(file->document, server->editor.encoding, spot.span));
  if (!hover) {
    request_reply(server, request, NULL);
  } else if (verdict->phase != VERDICT_KNOWN) {
    answer_unsolved(hover, verdict, shown, offset);
  } else if (spot.kind == SPOT_HEAD) {
    hover->known = verdict->last;
    ask_stats(server, hover, shown);
  } else {
    ask_states(server, hover, shown, spot.node);
  }
}

void hover_answer(struct server *server, struct request_in *request)
{
  struct open_file *file;
  uint32_t offset;
  if (!asked_place(server, request, &file, &offset))
    return;
  const struct shown *shown = document_puzzle_at(file->document, offset);
  if (!shown)
    request_reply(server, request, json_null());
  else if (!server->impatient &&
           verdict_is_near(file->verdicts->verdict[shown - file->document->shown]))
    request_await(request, file);
  else
    ask(server, request, file, shown, offset);
}
