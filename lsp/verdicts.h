/*
 * What is known of each puzzle of a file, kept up with edits. A puzzle without faults is solved after a pause, which
 * grows with the time that solves have taken; an edit of its text cancels that at the daemon. Until the new verdict
 * is there the last one stays at hand.
 */
#ifndef CATMOUSE_LSP_VERDICTS_H
#define CATMOUSE_LSP_VERDICTS_H

#include <uv.h>

#include "lsp/daemon_link.h"
#include "lsp/document.h"

enum { VERDICT_SLOW_MS = 400, VERDICT_PAUSE_MAX_MS = 250, VERDICT_ASKED_MAX = 16 };

enum verdict_phase {
  VERDICT_BROKEN,  /* the text has faults */
  VERDICT_PAUSING, /* the text may change again soon */
  VERDICT_ASKED,
  VERDICT_KNOWN,   /* `last` is of the present text */
  VERDICT_REFUSED, /* `refusal` says why there is none */
};

/* A puzzle's start, as query answers it. */
struct known {
  char id[ID_TEXT + 1];
  enum game game;
  uint32_t nodes;
  enum outcome outcome;
  uint32_t plies;
  bool has_best;
  uint32_t best;
  uint32_t cols; /* of a grid, else 0 */
};

enum progress_shown { PROGRESS_NONE, PROGRESS_CREATING, PROGRESS_BEGUN };

struct verdicts;

struct puzzle_verdict {
  struct verdicts *all;
  uint32_t index; /* of the puzzle in its file */
  uint64_t hash;
  enum verdict_phase phase;
  bool has_last;
  struct known last;
  char refusal[256];
  bool asked_again; /* the daemon was lost once while it worked on this */
  bool slow;        /* not known VERDICT_SLOW_MS after the edit */
  uint64_t edited_ms;
  uint64_t asked_ms;
  struct progress progress;

  /* lsp/progress.c */
  enum progress_shown shown;
  uint32_t token;
  uint64_t told_ms;
};

/* What all files share: how long solves have taken of late. All zeroes at first. */
struct solve_pace {
  double average_ms;
};

uint64_t pace_pause_ms(const struct solve_pace *pace);

struct verdicts {
  uv_timer_t timer;
  struct daemon_link *link;
  struct solve_pace *pace;
  const struct document *document;
  void *context;
  void (*on_change)(void *context,
                    struct puzzle_verdict *verdict); /* its phase, or that it is slow */
  void (*on_progress)(void *context, struct puzzle_verdict *verdict); /* of a slow one */
  void (*on_dropped)(void *context,
                     struct puzzle_verdict *verdict); /* it is about to go, or to begin anew */
  uint64_t pause_ends_ms;                             /* 0: none is pausing */
  uint32_t asked;                                     /* in that phase */
  uint32_t next;                                      /* the first that may be pausing */
  uint32_t count;
  struct puzzle_verdict **verdict; /* as many as the document shows; owned */
};

/* The caller sets `context` and the callbacks. NULL without memory. */
struct verdicts *verdicts_new(uv_loop_t *loop, struct daemon_link *link, struct solve_pace *pace,
                              const struct document *document);

/* Cancels what is under way, then frees when the timer is closed. */
void verdicts_close(struct verdicts *verdicts);

/* The document was edited and scanned. 0, or -ENOMEM and nothing is solved. */
int verdicts_follow(struct verdicts *verdicts);

/* Gives up on this solve, until its text is edited. */
void verdict_cancel(struct puzzle_verdict *verdict);

/* Will it change soon enough to wait for it? */
static inline bool verdict_is_near(const struct puzzle_verdict *verdict)
{
  return (verdict->phase == VERDICT_PAUSING || verdict->phase == VERDICT_ASKED) && !verdict->slow;
}

/* Where the game begins. False where the puzzle has no such place, and then it has faults. */
bool puzzle_start(const struct text_puzzle *puzzle, struct state *state);

/* Columns of a grid; 0 of a graph. */
uint32_t puzzle_cols(const struct text_puzzle *puzzle);

#endif
