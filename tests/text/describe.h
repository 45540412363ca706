/* What was read, in one line that a test can compare. */
#ifndef CATMOUSE_TESTS_TEXT_DESCRIBE_H
#define CATMOUSE_TESTS_TEXT_DESCRIBE_H

#include "text/text.h"

enum { DESCRIPTION_MAX = 1 << 13 };

/*
 * Puzzles apart by " | ". A graph is its lists, "2,5 3 0,4,5"; a grid its rows, catJump and mouseJump,
 * "##F/#C./M.. 1 2". One with faults is "!" and these: code@"what stands there", "<-" and the other place.
 * The faults of no puzzle come last, behind "?".
 */
void describe_text(const char *bytes, const struct text *text,
                   char description[static DESCRIPTION_MAX]);

#endif
