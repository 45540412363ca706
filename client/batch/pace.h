/* How a run gets on, as one line on a terminal's standard error. */
#ifndef CATMOUSE_CLIENT_BATCH_PACE_H
#define CATMOUSE_CLIENT_BATCH_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
  bool wanted, shown, under_way;
  uint64_t began_ms, told_ms;
  uint64_t records_before; /* done by an earlier run, */
  uint64_t taken_before;   /* and about so many bytes of the input */
};

/* `wanted`: nothing else is written to the terminal meanwhile, or typed there. */
void pace_begin(struct pace *pace, bool wanted, uint64_t records_before);

/* Shown some times a second. `taken` of `total` bytes of the input are read; 0 where nobody knows how many there are. */
void pace_tell(struct pace *pace, uint64_t records, uint64_t taken, uint64_t total);

/* Wipes the line. */
void pace_end(struct pace *pace);

/* Milliseconds of the monotonic clock. */
uint64_t pace_now_ms(void);

#endif
