/* cmdaemon: cached `query` by id, with every move ranked, in MessagePack-RPC. */
#ifndef CATMOUSE_BENCH_DAEMON_OURS_H
#define CATMOUSE_BENCH_DAEMON_OURS_H

#include "bench/daemon/script.h"
#include "bench/daemon/server.h"
#include "bench/solver/specimen.h"
#include "solver/id.h"

/* Has a puzzle solved over an open connection. */
void ours_solve(int fd, const struct puzzle *puzzle, char id[static ID_TEXT + 1]);

/* Solves a random 50-node graph and asks about 64 of its states, neither of them over. */
void ours_script(const struct server *server, struct script *script);

#endif
