/* From a record to what it says. */
#ifndef CATMOUSE_CLIENT_BATCH_READ_H
#define CATMOUSE_CLIENT_BATCH_READ_H

#include "client/batch/item.h"

/* Reads a record, which must live on while the item is used. False with `item->bad`. */
bool item_read(struct item *item, const struct record *record);

/* The readers of each form, in read_*.c. They fill a clear item; each is false with `item->bad`. */
bool item_read_json(struct item *item, const struct record *record);
bool item_read_leetcode(struct item *item, const struct record *record);
bool item_read_graph6(struct item *item, const struct record *record);
bool item_read_sparse6(struct item *item, const struct record *record);
bool item_read_edges(struct item *item, const struct record *record);
bool item_read_dimacs(struct item *item, const struct record *record);

#endif
