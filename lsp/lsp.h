/*
 * The language server for puzzle text: what editors show of catmouse. It speaks the Language Server Protocol on
 * standard input and output, and asks the daemon, which it starts where none runs.
 */
#ifndef CATMOUSE_LSP_LSP_H
#define CATMOUSE_LSP_LSP_H

/*
 * Serves until the editor ends it. `client_program` is cmclient, which draws pictures. The exit status: 0 after
 * `shutdown`, else 1.
 */
int lsp_run(const char *client_program);

#endif
