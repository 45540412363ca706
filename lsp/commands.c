#include "lsp/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/asking.h"
#include "lsp/methods.h"
#include "lsp/picture.h"
#include "lsp/ranges.h"

/* What a command is about. */
struct subject {
  struct open_file *file; /* NULL where the text came with the command */
  uint32_t index;         /* of the puzzle there */
  struct text *text;      /* that came so; owned */
  const struct text_puzzle *puzzle;
  const char *bytes; /* of the puzzle */
  size_t length;
};

struct command_row {
  const char *name;
  enum method method; /* of the daemon; METHOD_COUNT where `run` does something else */
  void (*run)(struct server *server, struct request_in *request, const struct subject *subject,
              const json_t *arguments);
};

static void ask_daemon(struct server *server, struct request_in *request,
                       const struct subject *subject, const json_t *arguments);
static void draw(struct server *server, struct request_in *request, const struct subject *subject,
                 const json_t *arguments);
static void cancel(struct server *server, struct request_in *request, const struct subject *subject,
                   const json_t *arguments);

static const struct command_row rows[] = {
    {"catmouse.solve", METHOD_SOLVE, ask_daemon}, {"catmouse.query", METHOD_QUERY, ask_daemon},
    {"catmouse.line", METHOD_LINE, ask_daemon},   {"catmouse.picture", METHOD_COUNT, draw},
    {"catmouse.cancel", METHOD_COUNT, cancel},
};

static const struct command_row *find_row(const json_t *name)
{
  for (size_t i = 0; json_is_string(name) && i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, json_string_value(name)) == 0)
      return &rows[i];
  return NULL;
}

json_t *command_names(void)
{
  json_t *names = json_array();
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    json_array_append_new(names, json_string(rows[i].name));
  return names;
}

static bool read_uint32(const json_t *number, uint32_t *value)
{
  json_int_t read = json_integer_value(number);
  if (!json_is_integer(number) || read < 0 || read > UINT32_MAX)
    return false;
  *value = (uint32_t)read;
  return true;
}

/* A node, or [row, column] of a grid. */
static bool read_place(const json_t *place, bool *by_row, uint32_t *row, uint32_t *node)
{
  *by_row = json_is_array(place);
  if (!*by_row)
    return read_uint32(place, node);
  return json_array_size(place) == 2 && read_uint32(json_array_get(place, 0), row) &&
         read_uint32(json_array_get(place, 1), node);
}

static bool read_turn(const json_t *turn, enum player *player)
{
  const char *name = json_string_value(turn);
  *player = name && strcmp(name, "cat") == 0 ? PLAYER_CAT : PLAYER_MOUSE;
  return name && (*player == PLAYER_CAT || strcmp(name, "mouse") == 0);
}

/* The start where there is none. False where it is no state. */
static bool read_state(const json_t *state, const struct text_puzzle *puzzle,
                       struct request *request)
{
  bool cat_by_row;
  if (!state)
    return puzzle_start(puzzle, &request->state);
  return read_place(json_object_get(state, "mouse"), &request->by_row, &request->mouse_row,
                    &request->state.mouse) &&
         read_place(json_object_get(state, "cat"), &cat_by_row, &request->cat_row,
                    &request->state.cat) &&
         request->by_row == cat_by_row &&
         read_turn(json_object_get(state, "turn"), &request->state.turn);
}

static void on_answer(void *owner, uint32_t tag, struct response *response,
                      const struct fault *fault)
{
  (void)tag;
  struct request_in *request = owner;
  struct server *server = request->server;
  struct buffer json;
  if (fault) {
    request_refuse(server, request, fault);
    return;
  }
  buffer_init(&json);
  response_json(response, &json);
  request_reply(server, request,
                json.failed ? NULL : json_loadb(json.data, json.length, JSON_DECODE_ANY, NULL));
  buffer_deinit(&json);
}

static void ask_daemon(struct server *server, struct request_in *request,
                       const struct subject *subject, const json_t *arguments)
{
  const json_t *name = json_object_get(request->params, "command");
  struct request asked = {
      .method = find_row(name)->method, .given = P(PUZZLE), .puzzle = subject->puzzle->puzzle};
  bool has_state = asked.method != METHOD_SOLVE;
  if (has_state && !read_state(json_object_get(arguments, "state"), subject->puzzle, &asked)) {
    request_fail(server, request, LSP_INVALID_PARAMS, "state: not {mouse, cat, turn}");
    return;
  }
  asked.given |= has_state ? P(STATE) : 0;
  if (has_state && read_uint32(json_object_get(arguments, "limit"), &asked.limit_plies))
    asked.given |= P(LIMIT);
  if (asked.method == METHOD_LINE && read_uint32(json_object_get(arguments, "max"), &asked.max))
    asked.given |= P(MAX);
  if (link_ask(&server->link, &asked, (struct asker){request, 0, on_answer, NULL}))
    request_reply(server, request, NULL);
}

static void draw(struct server *server, struct request_in *request, const struct subject *subject,
                 const json_t *arguments)
{
  struct request read = {0};
  uint32_t cols = puzzle_cols(subject->puzzle);
  if (!read_state(json_object_get(arguments, "state"), subject->puzzle, &read)) {
    request_fail(server, request, LSP_INVALID_PARAMS, "state: not {mouse, cat, turn}");
    return;
  }
  if (read.by_row) {
    read.state.mouse += read.mouse_row * cols;
    read.state.cat += read.cat_row * cols;
  }
  picture_answer(server, request, subject->bytes, subject->length, &read.state);
}

static void cancel(struct server *server, struct request_in *request, const struct subject *subject,
                   const json_t *arguments)
{
  (void)arguments;
  struct puzzle_verdict *verdict =
      subject->file ? subject->file->verdicts->verdict[subject->index] : NULL;
  bool any = verdict && (verdict->phase == VERDICT_PAUSING || verdict->phase == VERDICT_ASKED);
  if (any)
    verdict_cancel(verdict);
  request_reply(server, request, json_pack("{sb}", "cancelled", any));
}

/* Whoever has a file solved that is not called a puzzle says that it is one: from then on it is shown as such. */
static void take_for_puzzles(struct server *server, struct open_file *file)
{
  if (file->document->shown_count > 0 || file->document->kind == FILE_MARKDOWN)
    return;
  document_set_kind(file->document, FILE_PUZZLES);
  file->edited = true;
  server_settle(server);
}

/* By `puzzle`, its number in the file; by `position`, a place in it; else the first. */
static bool find_index(const struct server *server, const struct document *document,
                       const json_t *arguments, uint32_t *index)
{
  const json_t *number = json_object_get(arguments, "puzzle");
  const json_t *position = json_object_get(arguments, "position");
  const struct shown *shown = NULL;
  uint32_t offset;
  *index = 0;
  if (number)
    return read_uint32(number, index);
  if (position && !position_read(document, server->editor.encoding, position, &offset))
    return false;
  if (position)
    shown = document_puzzle_at(document, offset);
  if (shown)
    *index = (uint32_t)(shown - document->shown);
  return true;
}

static bool find_in_file(struct server *server, const json_t *arguments, bool solves,
                         struct subject *subject)
{
  uint32_t index;
  struct open_file *file =
      server_file(server, json_string_value(json_object_get(arguments, "uri")));
  if (file && solves)
    take_for_puzzles(server, file);
  if (!file || !file->verdicts || !find_index(server, file->document, arguments, &index) ||
      index >= file->document->shown_count || index >= file->verdicts->count)
    return false;
  const struct shown *shown = &file->document->shown[index];
  subject->file = file;
  subject->index = index;
  subject->puzzle = shown->puzzle;
  subject->bytes = document_plain(file->document) + shown->at + shown->puzzle->span.at;
  subject->length = shown->puzzle->span.length;
  return true;
}

static bool read_text(const json_t *text, struct subject *subject)
{
  if (text_read(json_string_value(text), json_string_length(text), &subject->text) ||
      subject->text->puzzles_count == 0)
    return false;
  subject->puzzle = subject->text->puzzles;
  subject->bytes = json_string_value(text);
  subject->length = json_string_length(text);
  return true;
}

void commands_answer(struct server *server, struct request_in *request)
{
  const struct command_row *row = find_row(json_object_get(request->params, "command"));
  const json_t *arguments = json_array_get(json_object_get(request->params, "arguments"), 0);
  const json_t *text = json_object_get(arguments, "text");
  struct subject subject = {0};
  if (!row) {
    request_fail(server, request, LSP_INVALID_PARAMS, "there is no such command");
    return;
  }
  bool found = json_is_string(text)
                   ? read_text(text, &subject)
                   : find_in_file(server, arguments, row->method == METHOD_SOLVE, &subject);
  if (!found)
    request_fail(server, request, LSP_INVALID_PARAMS, "no such puzzle");
  else if (subject.puzzle->faults.count > 0 && row->run != cancel)
    request_fail(server, request, LSP_FAILED, "%s", subject.puzzle->faults.fault[0].sentence);
  else
    row->run(server, request, &subject, arguments);
  text_free(subject.text);
}
