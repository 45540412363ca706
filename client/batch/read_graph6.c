/*
 * graph6 and sparse6, as nauty's formats.txt defines them. Bytes hold 6 bits each, highest first, plus 63.
 * graph6: the number of nodes, then the upper triangle of the matrix, column by column.
 * sparse6: ':', the number of nodes n, then pairs of one bit b and a number x of as many bits as n - 1 has.
 */
#include <string.h>

#include "client/batch/read.h"

enum { LOW = 63, BITS = 6, HIGHEST = 1 << (BITS - 1), VALUES = 1 << BITS };

/* A byte's bits the other way round: the first is the lowest then. */
static const uint8_t reversed[VALUES] = {
    0,  32, 16, 48, 8,  40, 24, 56, 4,  36, 20, 52, 12, 44, 28, 60, 2,  34, 18, 50, 10, 42,
    26, 58, 6,  38, 22, 54, 14, 46, 30, 62, 1,  33, 17, 49, 9,  41, 25, 57, 5,  37, 21, 53,
    13, 45, 29, 61, 3,  35, 19, 51, 11, 43, 27, 59, 7,  39, 23, 55, 15, 47, 31, 63};

static bool check_bytes(struct item *item, const struct record *record)
{
  unsigned wrong = 0;
  for (size_t i = 0; i < record->length; i++)
    wrong |= (unsigned)(unsigned char)record->text[i] - LOW >= VALUES;
  for (size_t i = 0; wrong && i < record->length; i++) {
    if ((unsigned)(unsigned char)record->text[i] - LOW >= VALUES)
      return item_refuse(item, "byte %zu is 0x%02x, which no graph6 has", i + 1,
                         (unsigned)(unsigned char)record->text[i]);
  }
  return true;
}

/* Up to 64 nodes: a column is a word, the neighbours of its node among those before it. */
static void read_sets(struct item *item, const char *at)
{
  enum { PIECE = 32 };
  uint64_t bits = 0;
  uint32_t have = 0;
  item->neighbours[0] = 0;
  for (uint32_t node = 1; node < item->nodes; node++) {
    uint64_t column = 0;
    for (uint32_t got = 0; got < node; got += PIECE) {
      uint32_t want = node - got < PIECE ? node - got : PIECE;
      for (; have < want; have += BITS)
        bits |= (uint64_t)reversed[(unsigned char)*at++ - LOW] << have;
      column |= (bits & ((UINT64_C(1) << want) - 1)) << got;
      bits >>= want;
      have -= want;
    }
    item->neighbours[node] = column;
    for (uint64_t left = column; left; left &= left - 1)
      item->neighbours[__builtin_ctzll(left)] |= UINT64_C(1) << node;
  }
}

static bool read_edges(struct item *item, const char *at)
{
  unsigned byte = 0, mask = 0;
  for (uint32_t b = 1; b < item->nodes; b++) {
    for (uint32_t a = 0; a < b; a++, mask >>= 1) {
      if (mask == 0) {
        byte = (unsigned)(unsigned char)*at++ - LOW;
        mask = HIGHEST;
      }
      if (byte & mask && !item_add_edge(item, a, b))
        return false;
    }
  }
  return item_end_edges(item);
}

bool item_read_graph6(struct item *item, const struct record *record)
{
  size_t nodes;
  if (record->text[0] == '&')
    return item_refuse(item, "digraph6 is not read: the moves of a puzzle go both ways");
  size_t head = graph6_read_nodes(record->text, record->length, &nodes);
  if (head == 0 || !check_bytes(item, record))
    return head ? false : item_refuse(item, "no graph6: it does not say how many nodes there are");
  if (!item_begin_edges(item, nodes))
    return false;
  if (record->length != graph6_bytes(nodes))
    return item_refuse(item, "graph6 of %zu nodes takes %zu bytes, but there are %zu", nodes,
                       graph6_bytes(nodes), record->length);
  if (!item->is_sets)
    return read_edges(item, record->text + head);
  read_sets(item, record->text + head);
  return true;
}

/* The bits behind the head. */
struct bits {
  const char *at, *end;
  unsigned byte, mask;
};

/* False where not so many are left. */
static bool bits_take(struct bits *bits, unsigned count, uint64_t *number)
{
  *number = 0;
  for (; count > 0; count--, bits->mask >>= 1) {
    if (bits->mask == 0) {
      if (bits->at == bits->end)
        return false;
      bits->byte = (unsigned)(unsigned char)*bits->at++ - LOW;
      bits->mask = HIGHEST;
    }
    *number = *number << 1 | ((bits->byte & bits->mask) != 0);
  }
  return true;
}

static unsigned bits_of(size_t number)
{
  unsigned bits = 0;
  for (; number; number >>= 1)
    bits++;
  return bits;
}

bool item_read_sparse6(struct item *item, const struct record *record)
{
  struct record body = {record->text + 1, record->length - 1, record->form};
  size_t nodes;
  if (record->text[0] != ':')
    return item_refuse(item, record->text[0] == ';' ? "incremental sparse6 is not read"
                                                    : "no sparse6: it begins with ':'");
  size_t head = graph6_read_nodes(body.text, body.length, &nodes);
  if (head == 0)
    return item_refuse(item, "no sparse6: it does not say how many nodes there are");
  if (!check_bytes(item, &body) || !item_begin_edges(item, nodes))
    return false;
  struct bits bits = {.at = body.text + head, .end = body.text + body.length};
  uint64_t up, x, v = 0;
  unsigned width = bits_of(nodes - 1);
  /* What is left of the last byte may look like an edge of a node that is not there. */
  while (bits_take(&bits, 1, &up) && bits_take(&bits, width, &x)) {
    v += up;
    if (x >= nodes || v >= nodes)
      break;
    if (x > v)
      v = x;
    else if (!item_add_edge(item, x, v))
      return false;
  }
  return item_end_edges(item);
}
