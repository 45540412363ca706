/*
 * What a client says and what it must hear, as bytes: requests and their answers, in turn and then from
 * the beginning again. Made once for each server, so that the load generator knows no protocol.
 */
#ifndef CATMOUSE_BENCH_DAEMON_SCRIPT_H
#define CATMOUSE_BENCH_DAEMON_SCRIPT_H

#include <stddef.h>

enum { SCRIPT_EXCHANGES = 64 }; /* a multiple of every depth */

struct script {
  char *requests, *answers;                 /* one after another; owned */
  size_t request_end[SCRIPT_EXCHANGES + 1]; /* exchange i is [end[i], end[i + 1]) */
  size_t answer_end[SCRIPT_EXCHANGES + 1];
  unsigned count; /* exchanges added so far */
};

void script_init(struct script *script);
void script_deinit(struct script *script);

void script_add(struct script *script, const void *request, size_t request_bytes,
                const void *answer, size_t answer_bytes);

/* Mean bytes of an answer. */
double script_answer_bytes(const struct script *script);

#endif
