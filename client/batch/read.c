#include "client/batch/read.h"

bool item_read(struct item *item, const struct record *record)
{
  item_clear(item);
  switch (record->form) {
  case RECORD_JSON: return item_read_json(item, record);
  case RECORD_LEETCODE: return item_read_leetcode(item, record);
  case RECORD_GRAPH6: return item_read_graph6(item, record);
  case RECORD_SPARSE6: return item_read_sparse6(item, record);
  case RECORD_EDGES: return item_read_edges(item, record);
  case RECORD_DIMACS: return item_read_dimacs(item, record);
  case RECORD_AUTO: break;
  }
  return item_refuse(item, "no form of puzzle begins with byte 0x%02x",
                     (unsigned)(unsigned char)record->text[0]);
}
