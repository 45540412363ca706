/*
 * The language server for puzzle text: what editors show of catmouse. It speaks the Language Server Protocol on
 * standard input and output, and asks the daemon, which it starts where none runs.
 */
#ifndef CATMOUSE_LSP_LSP_H
#define CATMOUSE_LSP_LSP_H

/* Serves until the editor ends it. The exit status: 0 after `shutdown`, else 1. */
int lsp_run(void);

#endif
