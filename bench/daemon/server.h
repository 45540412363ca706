/* A server under test: cmdaemon or redis-server, alone on a Unix socket in a folder of its own. */
#ifndef CATMOUSE_BENCH_DAEMON_SERVER_H
#define CATMOUSE_BENCH_DAEMON_SERVER_H

#include <sys/types.h>

enum server_kind {
  SERVER_CATMOUSE,
  SERVER_REDIS,
  SERVER_KINDS,
};

extern const char *const server_names[SERVER_KINDS];

struct server {
  pid_t pid;
  char folder[64];
  char socket[96];
};

/* Where cmdaemon and cmclient of this build lie, seen from the bench: "../daemon/cmdaemon". */
void path_in_build(const char *relative, char *path, size_t size);

/*
 * Starts a server and waits until it takes connections. `program` is a path, or a name that $PATH
 * finds. Ends the bench where it doesn't come up within 10 s.
 */
void server_start(struct server *server, enum server_kind kind, const char *program);

/* Ends the server, waits for it and removes its folder. */
void server_stop(struct server *server);

/* A connected socket that blocks. Ends the bench where nobody listens. */
int server_connect(const struct server *server);

#endif
