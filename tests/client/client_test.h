/* What every test of this room begins with. */
#ifndef CATMOUSE_TESTS_CLIENT_CLIENT_TEST_H
#define CATMOUSE_TESTS_CLIENT_CLIENT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* That `text` holds `part`; says both where it does not. */
#define assert_contains(text, part)                           \
  do {                                                        \
    if (!strstr((text), (part)))                              \
      fail_msg("'%s' does not contain '%s'", (text), (part)); \
  } while (0)

#endif
