/* A line of play, ply by ply. */
#ifndef CATMOUSE_CLIENT_SHOW_LINE_H
#define CATMOUSE_CLIENT_SHOW_LINE_H

#include "client/limited.h"

/* What is known of each ply of a line. */
struct shown_line {
  struct cm_line line;           /* `moves` is not used */
  uint32_t *moves;               /* line.moves_count of them; owned */
  bool *only;                    /* by ply: no other move was as good; owned */
  uint32_t known_count;          /* plies whose `only` is known */
  const struct limited *limited; /* NULL without a limit */
  uint32_t limit_plies;          /* of `limited` */
  uint32_t pictures; /* draw the grid after so many plies, again and again; 0 for never */
};

void show_line(const struct style *style, const struct shown_line *shown);

#endif
