/*
 * Puzzle text as people write and paste it, with the place of everything in it. The reader takes any bytes at
 * all: each puzzle that it finds becomes a struct puzzle, or a list of all its faults.
 *
 *   struct text *text;
 *   if (text_read(bytes, length, &text))
 *     return out_of_memory();
 *   for (uint32_t i = 0; i < text->puzzles_count; i++)
 *     if (text->puzzles[i].faults.count == 0)
 *       solve(&text->puzzles[i].puzzle);
 *   text_free(text);
 *
 * Understood, any number of them one after another:
 *   {"graph": [[2,5],[3],...]}                  objects, keys in any order
 *   {"grid": ["####F","#C..."], "catJump": 1, "mouseJump": 2}
 *   [[2,5],[3],...]                             a graph's bare list
 *   ["####F","#C..."] 1 2                       LeetCode's test-case box of a grid: catJump, then mouseJump
 *   Input: graph = [[2,5],[3],...], Output: 0   assignments, as on the problem page, with or without types
 *   grid = [...], catJump = 1, mouseJump = 2    on one line or on several
 *   ####F                                       rows without quotes, and the two jumps behind them
 *   #C...
 * with single, double, curly or no quotes round keys, lists in [], () or {}, commas too many at the end of a list,
 * semicolons, comments after // or # and in slashes and stars, fences of Markdown, Windows line ends and a byte order
 * mark.
 */
#ifndef CATMOUSE_TEXT_TEXT_H
#define CATMOUSE_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/puzzle.h"

/* Bytes at .. at + length - 1 of the text. */
struct text_span {
  uint32_t at;
  uint32_t length;
};

/* X(constant, code) Codes stay as they are: editors and scripts know them. */
#define TEXT_CODES(X)                                                            \
  /* the text cannot be read there */                                            \
  X(NO_PUZZLE, "no-puzzle")           /* nothing but space and comments */       \
  X(TOO_LONG, "too-long")             /* 4 GiB and more */                       \
  X(NOT_UNDERSTOOD, "not-understood") /* no part of any form */                  \
  X(UNCLOSED, "unclosed")             /* a bracket or quote without its end */   \
  X(UNOPENED, "unopened")             /* other: what is open, if anything */     \
  X(MISSING_COMMA, "missing-comma")                                              \
  X(MISSING_VALUE, "missing-value")                                              \
  /* it can be read, but is no puzzle */                                         \
  X(NO_GAME, "no-game")     /* neither graph nor grid */                         \
  X(TWO_GAMES, "two-games") /* a graph with a grid or its jumps */               \
  X(UNKNOWN_KEY, "unknown-key")                                                  \
  X(DUPLICATE_KEY, "duplicate-key") /* other: the first */                       \
  X(NOT_A_LIST, "not-a-list")                                                    \
  X(NOT_A_NODE, "not-a-node") /* no whole number in a list of neighbours */      \
  X(NOT_A_ROW, "not-a-row")                                                      \
  X(NOT_A_JUMP, "not-a-jump")                                                    \
  X(TOO_FEW_NODES, "too-few-nodes")                                              \
  X(OUT_OF_RANGE, "out-of-range") /* a neighbour that there is not */            \
  X(SELF_LOOP, "self-loop")                                                      \
  X(DUPLICATE, "duplicate")           /* a neighbour again; other: the first */  \
  X(MISSING_MIRROR, "missing-mirror") /* other: the list that lacks `node` */    \
  X(EMPTY_GRID, "empty-grid")                                                    \
  X(RAGGED_ROW, "ragged-row") /* other: the first row */                         \
  X(UNKNOWN_CELL, "unknown-cell")                                                \
  X(DUPLICATE_MARK, "duplicate-mark") /* a second C, F or M; other: the first */ \
  X(MISSING_MOUSE, "missing-mouse")                                              \
  X(MISSING_CAT, "missing-cat")                                                  \
  X(MISSING_FOOD, "missing-food")                                                \
  X(MISSING_JUMP, "missing-jump")                                                \
  X(JUMP_TOO_SHORT, "jump-too-short")                                            \
  X(BAD_PUZZLE, "bad-puzzle") /* what the solver says and no other names */

enum text_code {
#define X(constant, code) TEXT_##constant,
  TEXT_CODES(X)
#undef X
      TEXT_CODES_COUNT
};

const char *text_code_name(enum text_code code);

/* Can the text not even be read there? Otherwise what it says makes no puzzle. */
bool text_code_is_syntax(enum text_code code);

enum { TEXT_FAULTS_MAX = 100, TEXT_SENTENCE_MAX = 200 };

struct text_fault {
  enum text_code code;
  struct text_span span; /* where; of no length where something is missing there */
  bool has_other;
  struct text_span other; /* the second place, as the code's line above says */
  uint32_t
      node; /* the list or row that `span` is in or, for MISSING_MIRROR, that lists `neighbour` */
  uint32_t neighbour;               /* the number there; the column of a cell */
  char sentence[TEXT_SENTENCE_MAX]; /* what is wrong; no capital, no full stop */
  char advice[TEXT_SENTENCE_MAX];   /* what would be right, or empty */
};

struct text_faults {
  struct text_fault *fault; /* ordered by place */
  uint32_t count;           /* at most TEXT_FAULTS_MAX */
  bool more;                /* there are others */
};

enum text_form {
  TEXT_OBJECT,   /* {"graph": ...} */
  TEXT_LIST,     /* a graph's bare list */
  TEXT_BOX,      /* a grid's bare list, jumps behind it */
  TEXT_ASSIGNED, /* graph = ... */
  TEXT_ROWS,     /* rows of cells without a list */
};

enum text_key { TEXT_KEY_GRAPH, TEXT_KEY_GRID, TEXT_KEY_CAT_JUMP, TEXT_KEY_MOUSE_JUMP, TEXT_KEYS };

extern const char *const text_key_names[TEXT_KEYS];

struct text_entry {
  bool given;
  struct text_span key;   /* with its quotes; of no length where a form has none */
  struct text_span value; /* with its brackets */
};

struct text_puzzle {
  enum text_form form;
  struct text_span span; /* all of it */
  struct text_entry entry[TEXT_KEYS];

  /*
   * The lists of a graph, with their brackets; or the rows of a grid, without their quotes. Of a puzzle with
   * faults these are what could be read; a number that is none is not among them.
   */
  bool has_game; /* false: neither list was found, and `game` means nothing */
  enum game game;
  struct text_span list; /* all of them, with their brackets */
  bool list_closed;
  uint32_t items_count;
  struct text_span *item;

  /* Of a graph: item v lists number[first[v]] .. number[first[v + 1] - 1]. */
  uint32_t *first; /* items_count + 1 */
  int32_t *neighbour;
  struct text_span *number;

  int32_t jump[2]; /* by enum player; 0 where not given */

  struct text_faults faults;
  struct puzzle puzzle; /* where faults.count is 0; borrows from this struct */

  /* What the reader keeps here for `puzzle`. */
  const char **row;
  uint32_t *row_length;
  char *cells;
};

struct text {
  struct text_puzzle *puzzles; /* in their order */
  uint32_t puzzles_count;
  struct text_faults faults; /* of what belongs to no puzzle */
  bool awaits_more;          /* it ends within a bracket, or before a jump of a grid */
};

/*
 * Reads `length` bytes, which are not kept. 0, and the caller frees `*text` with text_free(); -ENOMEM. Any number
 * of faults is no failure. Time and memory O(length). A puzzle has no fault exactly where arena_new() takes it.
 */
int text_read(const char *bytes, size_t length, struct text **text);
void text_free(struct text *text);

/* The first fault of the text in the order of places, or NULL. Borrowed from `text`. */
const struct text_fault *text_first_fault(const struct text *text);

/* The cell at `column` of a grid's row, in the bytes that were read. */
struct text_span text_cell_span(const struct text_puzzle *puzzle, const char *bytes, uint32_t row,
                                uint32_t column);

/* Counted from 1; columns count characters, a tab as one. */
struct text_place {
  uint32_t line;
  uint32_t column;
  struct text_span line_span; /* without its end */
};

struct text_place text_place_of(const char *bytes, size_t length, uint32_t at);

#endif
