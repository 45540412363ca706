/* What every test of this room begins with. */
#ifndef CATMOUSE_TESTS_PROTO_PROTO_TEST_H
#define CATMOUSE_TESTS_PROTO_PROTO_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
