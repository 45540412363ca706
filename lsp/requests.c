/*
 * From a message's bytes to who answers it, and back. A request stays in the server's list until it is answered;
 * cancelling one answers it at once and has the daemon drop what was asked for it.
 *
 * Bytes that are no JSON get an error without an id, and the next message is read.
 */
#include "lsp/requests.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/progress.h"
#include "lsp/surrogates.h"

static void forget(struct server *server, struct request_in *request)
{
  for (struct request_in **at = &server->requests; *at; at = &(*at)->next) {
    if (*at == request) {
      *at = request->next;
      break;
    }
  }
  link_forget(&server->link, request);
  json_decref(request->id);
  json_decref(request->params);
  free(request->work);
  free(request);
}

void request_reply(struct server *server, struct request_in *request, json_t *result)
{
  if (!result) {
    request_fail(server, request, LSP_INTERNAL, "out of memory");
    return;
  }
  send_result(server, request->id, result);
  forget(server, request);
}

void request_fail(struct server *server, struct request_in *request, enum lsp_error code,
                  const char *format, ...)
{
  char sentence[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  send_error(server, request->id, code, sentence);
  forget(server, request);
}

/* Runs it from its beginning: the link finds another daemon. */
static void ask_again(struct server *server, struct request_in *request)
{
  request->asked_again = true;
  free(request->work);
  request->work = NULL;
  request->row->answer(server, request);
}

void request_refuse(struct server *server, struct request_in *request, const struct fault *fault)
{
  if (fault->error == ERROR_DRAINING && !request->asked_again) {
    ask_again(server, request);
    return;
  }
  bool asked_badly = fault->error == ERROR_BAD_STATE || fault->error == ERROR_PARAMS;
  request_fail(server, request, asked_badly ? LSP_INVALID_PARAMS : LSP_FAILED, "%s", fault->text);
}

void request_await(struct request_in *request, struct open_file *file)
{
  request->awaits = file;
}

/* The list changes while they are answered, and some await the file again at once. */
void requests_resume(struct server *server, struct open_file *file)
{
  for (struct request_in *request = server->requests; request; request = request->next) {
    request->due = request->awaits == file;
    request->awaits = request->due ? NULL : request->awaits;
  }
  for (struct request_in *request = server->requests; request;) {
    if (!request->due) {
      request = request->next;
      continue;
    }
    request->due = false;
    request->row->answer(server, request);
    request = server->requests;
  }
}

void requests_cancel(struct server *server, const json_t *id)
{
  for (struct request_in *request = server->requests; request; request = request->next) {
    if (json_equal(request->id, id)) {
      request_fail(server, request, LSP_CANCELLED, "cancelled");
      return;
    }
  }
}

void requests_cancel_all(struct server *server, const struct request_in *kept)
{
  struct request_in *request = server->requests;
  while (request) {
    struct request_in *next = request->next;
    if (request != kept)
      request_fail(server, request, LSP_CANCELLED, "the server shuts down");
    request = next;
  }
}

static void run_request(struct server *server, const struct method_row *row, json_t *id,
                        json_t *params)
{
  struct request_in *request = calloc(1, sizeof *request);
  if (!request) {
    send_error(server, id, LSP_INTERNAL, "out of memory");
    return;
  }
  *request = (struct request_in){.next = server->requests,
                                 .server = server,
                                 .id = json_incref(id),
                                 .params = json_incref(params),
                                 .row = row};
  server->requests = request;
  row->answer(server, request);
}

static void take_request(struct server *server, const char *method, json_t *id, json_t *params)
{
  char sentence[128];
  const struct method_row *row = method_find(method);
  bool begins = strcmp(method, "initialize") == 0;
  snprintf(sentence, sizeof sentence, "no method %.64s", method);
  if (server->phase == SERVER_NEW && !begins)
    send_error(server, id, LSP_NOT_INITIALIZED, "initialize comes first");
  else if (server->phase == SERVER_SHUT || (server->phase == SERVER_READY && begins))
    send_error(server, id, LSP_INVALID_REQUEST, "not in this phase of the server's life");
  else if (!row || !row->answer)
    send_error(server, id, LSP_METHOD_NOT_FOUND, sentence);
  else
    run_request(server, row, id, params);
}

static void take_notification(struct server *server, const char *method, const json_t *params)
{
  const struct method_row *row = method_find(method);
  bool ends = strcmp(method, "exit") == 0;
  if (row && row->notice && (server->phase == SERVER_READY || ends))
    row->notice(server, params);
}

static void take_answer(struct server *server, const json_t *id, const json_t *message)
{
  if (json_is_string(id))
    progress_answered(server, json_string_value(id), json_object_get(message, "error") == NULL);
}

static void take_message(struct server *server, json_t *message)
{
  json_t *method = json_object_get(message, "method"), *id = json_object_get(message, "id");
  json_t *params = json_object_get(message, "params");
  bool has_id = json_is_integer(id) || json_is_string(id) || json_is_real(id);
  bool good_params =
      !params || json_is_object(params) || json_is_array(params) || json_is_null(params);
  if (!json_is_object(message) || (method && !json_is_string(method)) || !good_params ||
      (id && !has_id && !json_is_null(id)))
    send_error(server, has_id ? id : NULL, LSP_INVALID_REQUEST, "this is no request");
  else if (!method)
    take_answer(server, id, message);
  else if (has_id)
    take_request(server, json_string_value(method), id, params);
  else
    take_notification(server, json_string_value(method), params);
}

void requests_take(struct server *server, const char *body, size_t length)
{
  json_error_t error = {.text = "out of memory"};
  char *mended = surrogates_mend(body, length);
  json_t *message =
      mended ? json_loadb(mended, length, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error) : NULL;
  if (message)
    take_message(server, message);
  else
    send_error(server, NULL, LSP_PARSE, error.text);
  json_decref(message);
  free(mended);
}
