/* Shapes that result.c takes from result_puzzles.c. */
#ifndef CATMOUSE_PROTO_RESULT_PUZZLES_H
#define CATMOUSE_PROTO_RESULT_PUZZLES_H

#include "proto/shape.h"

extern const struct shape shape_solve;
extern const struct shape shape_query, shape_query_of_grid;
extern const struct shape shape_line, shape_line_of_grid;
extern const struct shape shape_stats, shape_stats_of_grid;
extern const struct shape shape_verify, shape_verify_of_grid;
extern const struct shape shape_list;
extern const struct shape shape_evict;

#endif
