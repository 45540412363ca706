/* Solves that take long, as the editor's own progress: begun after a while, told of now and then, cancellable. */
#ifndef CATMOUSE_LSP_PROGRESS_H
#define CATMOUSE_LSP_PROGRESS_H

#include "lsp/server.h"

/* The daemon has come further with a slow solve. */
void progress_tell(struct server *server, struct puzzle_verdict *verdict);

/* The solve is over, or dropped. */
void progress_end(struct server *server, struct puzzle_verdict *verdict);

/* The editor answered a request of ours, which may be the one that asks for a place to show progress. */
void progress_answered(struct server *server, const char *id, bool granted);

/* `window/workDoneProgress/cancel` */
void progress_cancel(struct server *server, const char *token);

#endif
