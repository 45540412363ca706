/*
 * The server's life: begun, fed by the transport, ended by `exit`, by the end of standard input, or by the end of
 * the editor's process. Then all handles are closed, and the loop ends when the last one is.
 *
 * Nothing is ever written to standard error, and a descriptor that the editor left closed is opened on /dev/null, so
 * that no socket of ours gets its number.
 */
#include "lsp/server.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lsp/diagnostics.h"
#include "lsp/lsp.h"
#include "lsp/picture.h"
#include "lsp/progress.h"
#include "lsp/requests.h"

enum { LENS_REFRESH_MS = 1000 };

static void ask_for_lenses(struct server *server, struct open_file *file)
{
  if (!file->lens_old || !server->editor.lens_refresh)
    return;
  file->lens_old = false;
  file->lens_ms = uv_now(&server->loop);
  send_request(server, "refresh", ++server->last_id, "workspace/codeLens/refresh", NULL);
}

static void on_verdict_change(void *context, struct puzzle_verdict *verdict)
{
  struct open_file *file = context;
  struct server *server = file->server;
  if (verdict->phase == VERDICT_KNOWN || verdict->phase == VERDICT_REFUSED)
    progress_end(server, verdict);
  if (verdict_is_near(verdict))
    return;
  requests_resume(server, file);
  ask_for_lenses(server, file);
  if (server->editor.verdict_diagnostics && verdict->phase == VERDICT_KNOWN)
    diagnostics_send(server, file);
}

static void on_verdict_progress(void *context, struct puzzle_verdict *verdict)
{
  struct open_file *file = context;
  progress_tell(file->server, verdict);
  if (uv_now(&file->server->loop) - file->lens_ms >= LENS_REFRESH_MS)
    ask_for_lenses(file->server, file);
}

static void on_verdict_dropped(void *context, struct puzzle_verdict *verdict)
{
  struct open_file *file = context;
  progress_end(file->server, verdict);
}

static void settle(struct server *server, struct open_file *file)
{
  file->edited = false;
  if (document_scan(file->document))
    return; /* out of memory: the next edit scans again */
  if (!file->verdicts)
    file->verdicts = verdicts_new(&server->loop, &server->link, &server->pace, file->document);
  if (!file->verdicts)
    return;
  file->verdicts->context = file;
  file->verdicts->on_change = on_verdict_change;
  file->verdicts->on_progress = on_verdict_progress;
  file->verdicts->on_dropped = on_verdict_dropped;
  verdicts_follow(file->verdicts);
  diagnostics_send(server, file);
  server->impatient = true;
  requests_resume(server, file);
  server->impatient = false;
}

void server_settle(struct server *server)
{
  for (struct open_file *file = server->files; file; file = file->next)
    if (file->edited)
      settle(server, file);
}

struct open_file *server_file(struct server *server, const char *uri)
{
  for (struct open_file *file = server->files; uri && file; file = file->next) {
    if (strcmp(file->document->uri, uri) == 0) {
      if (file->edited)
        settle(server, file);
      return file;
    }
  }
  return NULL;
}

static struct server *server_of(struct transport *transport)
{
  return (struct server *)((char *)transport - offsetof(struct server, transport));
}

static void on_message(struct transport *transport, const char *body, size_t length)
{
  requests_take(server_of(transport), body, length);
}

static void on_junk(struct transport *transport)
{
  send_error(server_of(transport), NULL, LSP_PARSE, "the headers say no length of a message");
}

static void on_batch(struct transport *transport)
{
  struct server *server = server_of(transport);
  if (server->phase == SERVER_READY)
    server_settle(server);
}

static void on_end(struct transport *transport)
{
  server_end(server_of(transport));
}

static void on_trouble(void *context, const char *sentence)
{
  send_notification(context, "window/showMessage",
                    json_pack("{si, ss+}", "type", 2, "message", "catmouse: ", sentence));
}

void server_end(struct server *server)
{
  if (server->phase == SERVER_ENDED)
    return;
  server->status = server->phase == SERVER_SHUT ? 0 : 1;
  server->phase = SERVER_ENDED;
  requests_cancel_all(server, NULL);
  pictures_drop(server);
  while (server->files) {
    struct open_file *file = server->files;
    server->files = file->next;
    if (file->verdicts)
      verdicts_close(file->verdicts);
    document_free(file->document);
    free(file);
  }
  if (server->watches_parent)
    uv_close((uv_handle_t *)&server->parent, NULL);
  server->watches_parent = false;
  link_close(&server->link);
  transport_close(&server->transport);
}

static void open_standard_descriptors(void)
{
  for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = open("/dev/null", O_RDWR)) {
    if (fd > STDERR_FILENO) {
      close(fd);
      return;
    }
  }
}

int lsp_run(const char *client_program)
{
  struct server server = {.client_program = client_program};
  open_standard_descriptors();
  signal(SIGPIPE, SIG_IGN);
  if (uv_loop_init(&server.loop))
    return 1;
  server.transport = (struct transport){
      .on_message = on_message, .on_junk = on_junk, .on_batch = on_batch, .on_end = on_end};
  server.link.context = &server;
  server.link.on_trouble = on_trouble;
  link_init(&server.link, &server.loop);
  if (transport_start(&server.transport, &server.loop))
    return 1;
  uv_run(&server.loop, UV_RUN_DEFAULT);
  uv_loop_close(&server.loop);
  link_deinit(&server.link);
  transport_deinit(&server.transport);
  if (server.parent_fd > 0)
    close(server.parent_fd);
  return server.status;
}
