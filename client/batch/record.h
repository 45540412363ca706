/*
 * Where records begin and end in a stream of puzzles, and in which form each is written. What a record says is
 * another file's affair (item.h).
 */
#ifndef CATMOUSE_CLIENT_BATCH_RECORD_H
#define CATMOUSE_CLIENT_BATCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(constant, name) */
#define RECORD_FORMS(X)   \
  X(AUTO, "auto")         \
  X(JSON, "json")         \
  X(LEETCODE, "leetcode") \
  X(GRAPH6, "graph6")     \
  X(SPARSE6, "sparse6")   \
  X(EDGES, "edges")       \
  X(DIMACS, "dimacs")

enum record_form {
#define X(constant, name) RECORD_##constant,
  RECORD_FORMS(X)
#undef X
};

/* By enum record_form, ended by NULL. */
extern const char *const record_form_names[];

/* The longest that is read; longer ones are bad. */
enum { RECORD_BYTES_MAX = 64 << 20 };

struct record {
  const char *text; /* borrowed; without spaces and line ends around it */
  size_t length;
  enum record_form form; /* RECORD_AUTO where its first byte begins no form */
};

enum record_found {
  RECORD_FOUND,
  RECORD_MORE, /* bytes are missing to tell where it ends */
  RECORD_NONE, /* nothing but empty lines and comments */
};

/*
 * The record that begins at or after `*at`, which is moved behind it, and behind what is no record before it.
 * `last`: nothing comes after `end`. `from`: RECORD_AUTO, or the form that all records have. A record is a line, but
 * LeetCode's grid goes on with two lines of numbers, an edge list with as many lines as its first one says, a graph
 * of DIMACS with its lines of edges.
 */
enum record_found record_next(const char **at, const char *end, bool last, enum record_form from,
                              struct record *record);

/* A record that is too long to be held: what of it is passed over as it comes. Its fields are record.c's own, but for
 * `ended`. */
struct long_record {
  enum record_form form;
  uint64_t lines_left; /* at most so many follow the one at hand */
  bool in_line;        /* which has not ended yet, */
  bool ended;          /* nor has the record */
};

/* `text` is where record_next() found RECORD_MORE, and so much of the record that its form can be told. */
void long_record_begin(const char *text, const char *end, enum record_form from,
                       struct long_record *record);

/* How many of the bytes that come next belong to it, from its first on. `last`: nothing comes after `end`. */
size_t long_record_pass(struct long_record *record, const char *text, const char *end, bool last);

/* Bytes of the graph6 text of so many nodes, its head included. */
size_t graph6_bytes(size_t nodes);

/* Reads the number of nodes that graph6 and sparse6 begin with. Returns how many bytes that took, 0 where it is none. */
size_t graph6_read_nodes(const char *text, size_t length, size_t *nodes);

#endif
