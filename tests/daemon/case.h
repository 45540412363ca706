/* cmocka with the headers that it needs, and the head of a test. */
#ifndef CATMOUSE_TESTS_DAEMON_CASE_H
#define CATMOUSE_TESTS_DAEMON_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define CASE(name) static void test_##name(__attribute__((unused)) void **state)

#endif
