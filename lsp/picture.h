/* Pictures of puzzles, which `cmclient draw` makes. */
#ifndef CATMOUSE_LSP_PICTURE_H
#define CATMOUSE_LSP_PICTURE_H

#include "lsp/requests.h"

/* Answers {svg}: the puzzle, as text, in that state. */
void picture_answer(struct server *server, struct request_in *request, const char *bytes,
                    size_t length, const struct state *state);

/* Ends those under way. */
void pictures_drop(struct server *server);

#endif
