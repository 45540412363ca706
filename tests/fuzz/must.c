/* Ends a fuzz run at the first thing that does not hold. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/target.h"

_Noreturn void must_fail(const char *condition, const char *file, int line)
{
  fprintf(stderr, "%s:%d: this must hold: %s\n", file, line, condition);
  abort();
}
