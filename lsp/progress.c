/*
 * The editor is asked for a token first, and nothing is said under it before it has agreed: some editors stumble
 * over tokens that they do not know.
 */
#include "lsp/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lsp/send.h"

enum { TELL_MS = 200, TOKEN_MAX = 32 };

static const char token_kind[] =
    "progress"; /* the token is the id of the request that asks for it */

static void write_token(uint32_t number, char token[static TOKEN_MAX])
{
  snprintf(token, TOKEN_MAX, "%s-%" PRIu32, token_kind, number);
}

static void send_value(struct server *server, const struct puzzle_verdict *verdict, json_t *value)
{
  char token[TOKEN_MAX];
  write_token(verdict->token, token);
  send_notification(server, "$/progress", json_pack("{ss, so}", "token", token, "value", value));
}

static json_t *how_far(const struct puzzle_verdict *verdict, const char *kind)
{
  const struct progress *progress = &verdict->progress;
  uint64_t states = progress->states ? progress->states : 1;
  char words[64];
  snprintf(words, sizeof words, "%" PRIu64 " plies deep", progress->layers);
  return json_pack("{ss, ss, sI}", "kind", kind, "message", words, "percentage",
                   (json_int_t)((double)progress->decided / (double)states * 100));
}

static void create(struct server *server, struct puzzle_verdict *verdict)
{
  char token[TOKEN_MAX];
  verdict->token = ++server->last_token;
  verdict->shown = PROGRESS_CREATING;
  write_token(verdict->token, token);
  send_request(server, token_kind, verdict->token, "window/workDoneProgress/create",
               json_pack("{ss}", "token", token));
}

void progress_tell(struct server *server, struct puzzle_verdict *verdict)
{
  uint64_t now_ms = uv_now(&server->loop);
  if (!server->editor.progress)
    return;
  if (verdict->shown == PROGRESS_NONE)
    create(server, verdict);
  if (verdict->shown != PROGRESS_BEGUN || now_ms - verdict->told_ms < TELL_MS)
    return;
  verdict->told_ms = now_ms;
  send_value(server, verdict, how_far(verdict, "report"));
}

void progress_end(struct server *server, struct puzzle_verdict *verdict)
{
  if (verdict->shown == PROGRESS_BEGUN)
    send_value(server, verdict, json_pack("{ss}", "kind", "end"));
  verdict->shown = PROGRESS_NONE;
}

static struct puzzle_verdict *find(const struct server *server, const char *wanted,
                                   enum progress_shown shown)
{
  char token[TOKEN_MAX];
  for (struct open_file *file = server->files; file; file = file->next) {
    for (uint32_t i = 0; i < file->verdicts->count; i++) {
      struct puzzle_verdict *verdict = file->verdicts->verdict[i];
      write_token(verdict->token, token);
      if (verdict->shown == shown && strcmp(token, wanted) == 0)
        return verdict;
    }
  }
  return NULL;
}

void progress_answered(struct server *server, const char *id, bool granted)
{
  struct puzzle_verdict *verdict = find(server, id, PROGRESS_CREATING);
  if (!verdict || !granted)
    return;
  json_t *value = how_far(verdict, "begin");
  json_object_set_new(value, "title", json_string("Solving"));
  json_object_set_new(value, "cancellable", json_true());
  verdict->shown = PROGRESS_BEGUN;
  verdict->told_ms = uv_now(&server->loop);
  send_value(server, verdict, value);
}

void progress_cancel(struct server *server, const char *token)
{
  struct puzzle_verdict *verdict = find(server, token, PROGRESS_BEGUN);
  if (verdict)
    verdict_cancel(verdict);
}
