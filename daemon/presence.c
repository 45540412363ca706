/*
 * The socket's folder is watched, and the socket looked at whenever something happens there. A daemon
 * whose socket is gone would hold its lock, and thereby keep others from serving, though nobody can ask it
 * anything. Where the folder can't be watched, that is noticed by people only.
 */
#include "daemon/presence.h"

static void look(struct server *server)
{
  if (server->draining || listener_is_present(&server->listener))
    return;
  log_line(&server->log, LOG_WARNING, "%s is gone or is another's by now",
           server->listener.endpoint.socket);
  server_drain(server, "nobody can reach it any longer");
}

static void on_folder_changed(uv_fs_event_t *watch, const char *name, int events, int status)
{
  (void)name, (void)events, (void)status;
  look(container_of(watch, struct server, folder_watch));
}

void presence_watch(struct server *server)
{
  if (server->listener.activated)
    return;
  uv_fs_event_init(&server->loop, &server->folder_watch);
  int result = uv_fs_event_start(&server->folder_watch, on_folder_changed,
                                 server->listener.endpoint.folder, 0);
  if (result < 0)
    log_line(&server->log, LOG_INFO, "%s cannot be watched: %s", server->listener.endpoint.folder,
             uv_strerror(result));
  look(server);
}
