/* `solve` requests in JSON lines, of graphs as large as one likes. */
#ifndef CATMOUSE_TESTS_DAEMON_SOLVE_TEXT_H
#define CATMOUSE_TESTS_DAEMON_SOLVE_TEXT_H

#include "proto/buffer.h"

/*
 * A string, owned by the caller: the graph's node `node` has the neighbours that `add` says, and the puzzle is
 * followed by `parameters`, each with a comma before it.
 */
struct buffer solve_text(int nodes, void (*add)(struct buffer *text, int node, int nodes),
                         const char *parameters);

/* Sends that on a connection, and looks for `expected` in the next line that comes. */
void solve_on(int fd, int nodes, void (*add)(struct buffer *text, int node, int nodes),
              const char *expected);

/* Nodes in a row. */
void add_path(struct buffer *text, int node, int nodes);

/* Each node beside every other. */
void add_all(struct buffer *text, int node, int nodes);

/* Node 1 in the middle: from the hole, nobody moves. */
void add_star(struct buffer *text, int node, int nodes);

/* Appends an item of at most 63 bytes. */
__attribute__((format(printf, 2, 3))) void add_text(struct buffer *text, const char *format, ...);

#endif
