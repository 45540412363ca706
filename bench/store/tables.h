/* Reading tables and puzzles back from disk, beside solving them again. */
#ifndef CATMOUSE_BENCH_STORE_TABLES_H
#define CATMOUSE_BENCH_STORE_TABLES_H

#include <jansson.h>

#include "bench/solver/families.h"
#include "daemon/store/folder.h"

enum { ROUNDS_MAX = 100 };

struct plan {
  unsigned rounds;  /* at most ROUNDS_MAX */
  unsigned threads; /* of a solve; 0 as the solver likes */
  uint64_t seed;
};

/* Prints one row of medians and appends it to `rows`. */
void tables_measure(const struct plan *plan, struct store_folder *folder,
                    const struct family *family, uint32_t nodes, json_t *rows);

void tables_head(void);

#endif
