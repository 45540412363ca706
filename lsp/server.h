/* The language server: what all of its files share. One thread, libuv's loop. */
#ifndef CATMOUSE_LSP_SERVER_H
#define CATMOUSE_LSP_SERVER_H

#include <jansson.h>
#include <stdbool.h>
#include <uv.h>

#include "lsp/daemon_link.h"
#include "lsp/document.h"
#include "lsp/transport.h"
#include "lsp/verdicts.h"

enum server_phase {
  SERVER_NEW, /* before `initialize` */
  SERVER_READY,
  SERVER_SHUT,  /* after `shutdown` */
  SERVER_ENDED, /* handles are being closed */
};

/* What the editor said it can do, in `initialize`. */
struct editor {
  enum position_encoding encoding;
  bool lens_refresh;
  bool progress;
  bool related_information;
  bool nested_symbols;
  bool literal_actions; /* code actions, not commands alone */
  bool document_changes;
  bool markdown;
  bool verdict_diagnostics; /* nothing else shows verdicts by itself */
  bool plays;               /* it handles the command catmouse.play */
  bool pictures;            /* it handles the command catmouse.showPicture */
};

/* A file that the editor has open. */
struct open_file {
  struct open_file *next;
  struct server *server;
  struct document *document;
  struct verdicts *verdicts;
  bool edited;      /* since it was last scanned and its diagnostics sent */
  bool lens_old;    /* the editor was sent lenses that will change by themselves */
  uint64_t lens_ms; /* when it was last asked to fetch them again */
};

struct method_row;

/* A request of the editor's until it is answered. */
struct request_in {
  struct request_in *next;
  struct server *server;
  json_t *id;     /* number or text; owned */
  json_t *params; /* owned, may be NULL */
  const struct method_row *row;
  struct open_file *awaits; /* a verdict of this file, or NULL; then it is run again */
  bool due;                 /* to be run again */
  bool asked_again;         /* of another daemon, once the first one was lost */
  void *work;               /* of who answers it later; freed with it */
};

struct server {
  uv_loop_t loop;
  struct transport transport;
  struct daemon_link link;
  struct solve_pace pace;
  uv_poll_t parent; /* readable when the editor's process has ended */
  int parent_fd;
  bool watches_parent;
  enum server_phase phase;
  int status; /* to exit with */
  struct editor editor;
  struct open_file *files;
  struct request_in *requests; /* unanswered */
  bool impatient;              /* requests must be answered with what is known */
  struct picture *pictures;    /* being drawn */
  const char *client_program;  /* cmclient, which draws them */
  uint32_t last_token;
  uint32_t last_id;
};

/* Ends the server: closes all, and the loop then ends. */
void server_end(struct server *server);

/* Scans edited files, sends their diagnostics, has their puzzles solved. */
void server_settle(struct server *server);

/* The file called so, settled; or NULL. */
struct open_file *server_file(struct server *server, const char *uri);

#endif
