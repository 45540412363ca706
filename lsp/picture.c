#include "lsp/picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/child.h"

/* Outlives a request that is cancelled: the program runs to its end, and its answer is dropped. */
struct picture {
  struct picture *next;
  struct server *server;
  struct child *child;
  json_t *id;
};

static struct request_in *find(const struct picture *picture)
{
  struct request_in *request = picture->server->requests;
  while (request && !json_equal(request->id, picture->id))
    request = request->next;
  return request;
}

static void picture_free(struct picture *picture)
{
  struct picture **at = &picture->server->pictures;
  while (*at && *at != picture)
    at = &(*at)->next;
  if (*at)
    *at = picture->next;
  json_decref(picture->id);
  free(picture);
}

/* The program's complaint: its first line, without its own name. */
static void fail(const struct picture *picture, struct request_in *request,
                 const struct buffer *said)
{
  char line[400];
  int length = said->length < sizeof line ? (int)said->length : (int)sizeof line;
  snprintf(line, sizeof line, "%.*s", length, length ? said->data : "");
  line[strcspn(line, "\n")] = '\0';
  const char *name = "cmclient: ", *sentence = line;
  if (strncmp(line, name, strlen(name)) == 0)
    sentence += strlen(name);
  request_fail(picture->server, request, LSP_FAILED, "%s",
               *sentence ? sentence : "no picture could be drawn");
}

static void on_drawn(void *owner, bool well, const struct buffer *said)
{
  struct picture *picture = owner;
  struct request_in *request = find(picture);
  if (request && well)
    request_reply(picture->server, request, json_pack("{ss%}", "svg", said->data, said->length));
  else if (request)
    fail(picture, request, said);
  picture_free(picture);
}

void pictures_drop(struct server *server)
{
  while (server->pictures) {
    child_drop(server->pictures->child);
    picture_free(server->pictures);
  }
}

void picture_answer(struct server *server, struct request_in *request, const char *bytes,
                    size_t length, const struct state *state)
{
  char at[64];
  snprintf(at, sizeof at, "%" PRIu32 ",%" PRIu32 ",%s", state->mouse, state->cat,
           state->turn == PLAYER_MOUSE ? "mouse" : "cat");
  const char *const arguments[] = {
      server->client_program, "draw", "--format", "svg", "--state", at, "-", NULL};
  struct picture *picture = malloc(sizeof *picture);
  if (!picture) {
    request_reply(server, request, NULL);
    return;
  }
  *picture = (struct picture){server->pictures, server, NULL, json_incref(request->id)};
  server->pictures = picture;
  picture->child = child_start(&server->loop, arguments, bytes, length, picture, on_drawn);
  if (!picture->child) {
    picture_free(picture);
    request_fail(server, request, LSP_FAILED, "cannot run %s", server->client_program);
  }
}
