/* A text being read: what the files of text/ share. Private to text/. */
#ifndef CATMOUSE_TEXT_READER_H
#define CATMOUSE_TEXT_READER_H

#include "text/scan.h"
#include "text/text.h"

enum { BRACKETS_MAX = 8 };

struct reader {
  struct scanner scanner;
  struct token token; /* the next one, not yet taken */
  struct token last;  /* the one before it */
  struct text *text;
  struct text_puzzle *puzzle; /* the last of `text`, while it may still get something; or NULL */
  bool failed;                /* out of memory: what is read no longer matters */
  struct text_fault spare;    /* takes the faults past the hundredth */

  char closers[BRACKETS_MAX]; /* of the brackets that are open, outermost first */
  uint32_t open;

  /* Of `puzzle`. */
  uint32_t puzzles_room;
  uint32_t items_room, first_room, neighbours_room, numbers_room, lengths_room, cells_room;
  uint32_t neighbours_count;
  uint32_t cells_count;
  bool *damaged; /* by item: part of it could not be read, so what it lacks is no fault; owned */
  uint32_t damaged_room;
};

/* reader.c */

/* Takes the token: the next one moves up. */
void reader_take(struct reader *reader);

/* Passes the value that begins with the token, brackets and all. Its span. */
struct text_span reader_skip_value(struct reader *reader);

/* Goes back or forward to `at`. */
void reader_move(struct reader *reader, uint32_t at);

/* Is the token a word or a text, and an assignment behind it? */
bool reader_at_key(const struct reader *reader);

/*
 * Makes room for one thing more of `size` bytes behind `count` things. False without memory, and then
 * the reader has failed.
 */
bool reader_grow(struct reader *reader, void *things, uint32_t count, uint32_t *room, size_t size);

/* Begins a puzzle, ending the one before. False without memory. */
bool reader_begin_puzzle(struct reader *reader, enum text_form form);

/* Checks the puzzle and closes it; nothing where there is none. */
void reader_end_puzzle(struct reader *reader);

/* The puzzle reaches from what it has to `span`. */
void reader_extend(struct reader *reader, struct text_span span);

/* faults.c: adds a fault to the puzzle, or to the text where there is none. What comes back may be written to. */
struct text_fault *reader_fault(struct reader *reader, enum text_code code, struct text_span span,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same for what stands outside of any puzzle: a fault of the text. */
struct text_fault *reader_stray(struct reader *reader, enum text_code code, struct text_span span,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));
void fault_advise(struct text_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fault_set_other(struct text_fault *fault, struct text_span other);
void faults_sort(struct text_faults *faults);

/* keys.c: which key `span` names, quotes and case apart; TEXT_KEYS for none. */
enum text_key key_find(const struct scanner *scanner, const struct token *token);

/* The entry behind a key that was taken, its assignment too: its value is read. */
void read_entry(struct reader *reader, enum text_key key, struct text_span name);

/* An object, from its opening bracket on: a puzzle of its own. */
void read_object(struct reader *reader);

/* "graph is 7, not a list" */
void fault_no_list(struct reader *reader, enum text_key key, struct text_span value);

/* lists.c: from the opening bracket on; each becomes the list of the puzzle. */
void read_graph(struct reader *reader);
void read_grid(struct reader *reader);

/* Rows without a list: quoted ones from the token on, bare ones from where the scanner stands. */
void read_quoted_rows(struct reader *reader);
void read_bare_rows(struct reader *reader);

/* Does a block of bare rows begin at `at`, which is the first word of its line? */
bool is_bare_rows(const struct scanner *scanner, uint32_t at);

/* words.c: a word that stands outside of any list. */
void read_word(struct reader *reader);

/* check_graph.c, check_grid.c: all faults of what was read. */
void check_graph(struct reader *reader);
void check_grid(struct reader *reader);

#endif
