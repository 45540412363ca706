/*
 * The first byte of a line tells its form, but for a few bytes with which JSON or DIMACS may begin as well as the
 * graph6 of one certain number of nodes: there the whole line decides. The bytes of graph6 are 63 to 126, so it has
 * neither digits nor spaces.
 */
#include "client/batch/record.h"

#include <stdlib.h>
#include <string.h>

#define GRAPH6_HEADER  ">>graph6<<"
#define SPARSE6_HEADER ">>sparse6<<"
#define UTF8_MARK      "\xef\xbb\xbf" /* with which some editors begin a file */

enum { GRAPH6_LOW = 63, GRAPH6_HIGH = 126, GRAPH6_BITS = 6 };

const char *const record_form_names[] = {
#define X(constant, name) name,
    RECORD_FORMS(X)
#undef X
        NULL,
};

/* A line without its end and the spaces around it. */
struct line {
  const char *text;
  size_t length;
  const char *next; /* where the line behind it begins */
};

static bool is_space(char byte)
{
  return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static bool is_digit(char byte)
{
  return byte >= '0' && byte <= '9';
}

/* False where its end is not there yet. */
static bool line_at(const char *at, const char *end, bool last, struct line *line)
{
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  if (!newline && !last)
    return false;
  const char *stop = newline ? newline : end;
  line->next = newline ? newline + 1 : end;
  while (stop > at && is_space(stop[-1]))
    stop--;
  while (at < stop && is_space(*at))
    at++;
  line->text = at;
  line->length = (size_t)(stop - at);
  return true;
}

static bool begins(const struct line *line, const char *word)
{
  size_t length = strlen(word);
  return line->length >= length && memcmp(line->text, word, length) == 0;
}

size_t graph6_read_nodes(const char *text, size_t length, size_t *nodes)
{
  size_t head = length > 0 && text[0] == GRAPH6_HIGH ? 1 : 0;
  size_t digits = 1;
  if (head)
    digits = length > 1 && text[1] == GRAPH6_HIGH ? 6 : 3;
  head += digits == 6;
  if (length < head + digits)
    return 0;
  *nodes = 0;
  for (size_t i = 0; i < digits; i++) {
    unsigned digit = (unsigned char)text[head + i] - (unsigned)GRAPH6_LOW;
    if (digit > GRAPH6_HIGH - GRAPH6_LOW)
      return 0;
    *nodes = *nodes << GRAPH6_BITS | digit;
  }
  return head + digits;
}

size_t graph6_bytes(size_t nodes)
{
  size_t head = nodes < 63 ? 1 : nodes < 258048 ? 4 : 8;
  return head + (nodes * (nodes - 1) / 2 + GRAPH6_BITS - 1) / GRAPH6_BITS;
}

static bool is_graph6(const struct line *line)
{
  size_t nodes;
  if (!graph6_read_nodes(line->text, line->length, &nodes) || line->length != graph6_bytes(nodes))
    return false;
  for (size_t i = 0; i < line->length; i++) {
    if (line->text[i] < GRAPH6_LOW || line->text[i] > GRAPH6_HIGH)
      return false;
  }
  return true;
}

/* LeetCode's box holds a grid as a list of texts; its list of lists is JSON like any other. */
static enum record_form form_of_list(const struct line *line)
{
  size_t at = 1;
  while (at < line->length && is_space(line->text[at]))
    at++;
  return at < line->length && line->text[at] == '"' ? RECORD_LEETCODE : RECORD_JSON;
}

/* "Input: graph = [[...", as a problem's page has it. */
static bool is_assignment(const struct line *line)
{
  return (line->text[0] == 'I' || line->text[0] == 'g') &&
         (begins(line, "Input:") || begins(line, "graph ") || begins(line, "grid ") ||
          begins(line, "graph=") || begins(line, "grid="));
}

static enum record_form form_of(const struct line *line)
{
  switch (line->text[0]) {
  case '{': return is_graph6(line) ? RECORD_GRAPH6 : RECORD_JSON;
  case '[': return is_graph6(line) ? RECORD_GRAPH6 : form_of_list(line);
  case 'p': return begins(line, "p ") ? RECORD_DIMACS : RECORD_GRAPH6;
  case ':':
  case ';': return RECORD_SPARSE6;
  case '&': return RECORD_GRAPH6;
  default: break;
  }
  if (is_digit(line->text[0]))
    return RECORD_EDGES;
  if (is_assignment(line))
    return RECORD_LEETCODE;
  return line->text[0] >= GRAPH6_LOW && line->text[0] <= GRAPH6_HIGH ? RECORD_GRAPH6 : RECORD_AUTO;
}

/* Comments, of DIMACS too, and lines with nothing on them. */
static bool is_no_record(const struct line *line)
{
  return line->length == 0 || line->text[0] == '#' || begins(line, "c ") ||
         (line->length == 1 && line->text[0] == 'c');
}

static void skip_header(struct line *line)
{
  static const char *const headers[] = {UTF8_MARK, GRAPH6_HEADER, SPARSE6_HEADER};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    if (!begins(line, headers[i]))
      continue;
    line->text += strlen(headers[i]);
    line->length -= strlen(headers[i]);
  }
}

static bool is_number(const struct line *line)
{
  for (size_t i = 0; i < line->length; i++) {
    if (!is_digit(line->text[i]) && line->text[i] != '-')
      return false;
  }
  return line->length > 0;
}

static bool is_pair(const struct line *line)
{
  return line->length == 0 || is_digit(line->text[0]) || line->text[0] == '-' ||
         line->text[0] == '#';
}

static bool is_dimacs(const struct line *line)
{
  return begins(line, "e ") || begins(line, "n ") || is_no_record(line);
}

/* How many edges the first line of an edge list says, where it says so. */
static uint64_t edges_of(const struct line *line)
{
  size_t at = 0;
  while (at < line->length && is_digit(line->text[at]))
    at++;
  uint64_t edges = 0;
  while (at < line->length && is_space(line->text[at]))
    at++;
  for (; at < line->length && is_digit(line->text[at]); at++)
    edges = edges < RECORD_BYTES_MAX ? edges * 10 + (uint64_t)(line->text[at] - '0') : edges;
  return edges;
}

/* How many lines more a record may have, behind its first one. */
static uint64_t lines_behind(enum record_form form, const struct line *first)
{
  switch (form) {
  case RECORD_LEETCODE: return form_of_list(first) == RECORD_LEETCODE ? 2 : 0;
  case RECORD_EDGES: return edges_of(first);
  case RECORD_DIMACS: return UINT64_MAX;
  default: return 0;
  }
}

/* Does a line behind the first belong to the record? */
static bool belongs(enum record_form form, const struct line *line)
{
  switch (form) {
  case RECORD_LEETCODE: return is_number(line);
  case RECORD_EDGES: return is_pair(line);
  default: return is_dimacs(line);
  }
}

/* Is it one of the lines that a record has so many of? */
static bool counts(const struct line *line)
{
  return line->length > 0 && line->text[0] != '#';
}

/* Moves `*end` and `*next` over the lines that go with the first. False where bytes are missing. */
static bool take_rest(enum record_form form, uint64_t lines, const char *limit, bool last,
                      const char **end, const char **next)
{
  while (lines > 0) {
    struct line line;
    if (*next == limit && last)
      return true;
    if (!line_at(*next, limit, last, &line))
      return false;
    if (!belongs(form, &line))
      return true;
    lines -= counts(&line);
    *next = line.next;
    *end = line.text + line.length;
  }
  return true;
}

enum record_found record_next(const char **at, const char *end, bool last, enum record_form from,
                              struct record *record)
{
  struct line line;
  for (;;) {
    if (*at == end)
      return RECORD_NONE;
    if (!line_at(*at, end, last, &line))
      return RECORD_MORE;
    skip_header(&line);
    if (!is_no_record(&line))
      break;
    *at = line.next;
  }
  enum record_form form = from == RECORD_AUTO ? form_of(&line) : from;
  const char *stop = line.text + line.length, *next = line.next;
  if (!take_rest(form, lines_behind(form, &line), end, last, &stop, &next))
    return RECORD_MORE;
  *record = (struct record){line.text, (size_t)(stop - line.text), form};
  *at = next;
  return RECORD_FOUND;
}

void long_record_begin(const char *text, const char *end, enum record_form from,
                       struct long_record *record)
{
  struct line line;
  line_at(text, end, true, &line);
  skip_header(&line);
  enum record_form form = from == RECORD_AUTO ? form_of(&line) : from;
  *record = (struct long_record){form, lines_behind(form, &line), true, false};
}

/* The line at `*at`, as far as it is there: the first bytes of a long one tell whose it is. False where more is awaited. */
static bool pass_line(struct long_record *record, const char **at, const char *end, bool last)
{
  enum { TELLING_BYTES = 4096 };
  struct line line;
  bool whole = line_at(*at, end, last, &line);
  if (!whole && end - *at < TELLING_BYTES)
    return false;
  if (!whole)
    line_at(*at, end, true, &line);
  record->ended = !belongs(record->form, &line);
  if (record->ended)
    return true;
  record->lines_left -= counts(&line);
  record->in_line = !whole;
  *at = line.next;
  return true;
}

size_t long_record_pass(struct long_record *record, const char *text, const char *end, bool last)
{
  const char *at = text;
  while (at < end && !record->ended) {
    if (record->in_line) {
      const char *newline = memchr(at, '\n', (size_t)(end - at));
      record->in_line = !newline;
      at = newline ? newline + 1 : end;
    } else if (!pass_line(record, &at, end, last)) {
      break;
    }
    record->ended |= !record->in_line && record->lines_left == 0;
  }
  record->ended |= last && at == end;
  return (size_t)(at - text);
}
