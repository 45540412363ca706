/*
 * Edge lists: "n m", then m lines "u v", nodes counted from 0. DIMACS: "p edge n m", then "e u v", nodes counted
 * from 1; many files list each edge both ways and count it once or twice.
 */
#include <string.h>

#include "client/batch/read.h"

struct cursor {
  const char *at, *end;
};

static bool is_blank(char byte)
{
  return byte == ' ' || byte == '\t' || byte == '\r';
}

static void skip_blanks(struct cursor *cursor)
{
  while (cursor->at < cursor->end && is_blank(*cursor->at))
    cursor->at++;
}

static bool take_number(struct cursor *cursor, uint64_t *number)
{
  skip_blanks(cursor);
  const char *begin = cursor->at;
  *number = 0;
  for (; cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++)
    *number = *number < UINT32_MAX ? *number * 10 + (uint64_t)(*cursor->at - '0') : *number;
  return cursor->at > begin;
}

/* True where nothing is left on the line; then the next one begins. */
static bool end_line(struct cursor *cursor)
{
  skip_blanks(cursor);
  if (cursor->at == cursor->end)
    return true;
  return *cursor->at++ == '\n';
}

static bool refuse_line(struct item *item, const struct record *record, const struct cursor *cursor,
                        const char *wanted)
{
  unsigned line = 1;
  for (const char *at = record->text; at < cursor->at; at++)
    line += *at == '\n' && at + 1 < cursor->at;
  return item_refuse(item, "line %u of it is not %s", line, wanted);
}

bool item_read_edges(struct item *item, const struct record *record)
{
  struct cursor cursor = {record->text, record->text + record->length};
  uint64_t nodes, edges, a, b, found = 0;
  if (!take_number(&cursor, &nodes) || !take_number(&cursor, &edges) || !end_line(&cursor))
    return item_refuse(item, "an edge list begins with its nodes and edges, such as 5 4");
  if (!item_begin_edges(item, nodes))
    return false;
  while (cursor.at < cursor.end) {
    if (end_line(&cursor))
      continue;
    if (cursor.at[-1] == '#') {
      const char *newline = memchr(cursor.at, '\n', (size_t)(cursor.end - cursor.at));
      cursor.at = newline ? newline + 1 : cursor.end;
      continue;
    }
    cursor.at--;
    if (!take_number(&cursor, &a) || !take_number(&cursor, &b) || !end_line(&cursor))
      return refuse_line(item, record, &cursor, "an edge, two nodes");
    if (!item_add_edge(item, a, b))
      return false;
    found++;
  }
  if (found != edges)
    return item_refuse(item, "its first line says %llu edges, but there are %llu",
                       (unsigned long long)edges, (unsigned long long)found);
  return item_end_edges(item);
}

/* "p edge 5 4"; "p col" says the same. */
static bool take_problem(struct cursor *cursor, uint64_t *nodes, uint64_t *edges)
{
  cursor->at++;
  skip_blanks(cursor);
  while (cursor->at < cursor->end && *cursor->at >= 'a' && *cursor->at <= 'z')
    cursor->at++;
  return take_number(cursor, nodes) && take_number(cursor, edges) && end_line(cursor);
}

bool item_read_dimacs(struct item *item, const struct record *record)
{
  struct cursor cursor = {record->text, record->text + record->length};
  uint64_t nodes, edges, a, b, found = 0;
  if (record->text[0] != 'p' || !take_problem(&cursor, &nodes, &edges))
    return item_refuse(item,
                       "a graph of DIMACS begins with its nodes and edges, such as p edge 5 4");
  if (!item_begin_edges(item, nodes))
    return false;
  while (cursor.at < cursor.end) {
    skip_blanks(&cursor);
    bool is_edge = cursor.at < cursor.end && *cursor.at == 'e';
    if (!is_edge) {
      const char *newline = memchr(cursor.at, '\n', (size_t)(cursor.end - cursor.at));
      cursor.at = newline ? newline + 1 : cursor.end;
      continue;
    }
    cursor.at++;
    if (!take_number(&cursor, &a) || !take_number(&cursor, &b) || !end_line(&cursor))
      return refuse_line(item, record, &cursor, "an edge such as e 1 2");
    if (a == 0 || b == 0)
      return item_refuse(item, "an edge joins node 0, but DIMACS counts nodes from 1");
    if (!item_add_edge(item, a - 1, b - 1))
      return false;
    found++;
  }
  if (found != edges && found != 2 * edges)
    return item_refuse(item, "its first line says %llu edges, but there are %llu",
                       (unsigned long long)edges, (unsigned long long)found);
  return item_end_edges(item);
}
