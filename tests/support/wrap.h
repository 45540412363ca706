/* A function that a test wraps at link time (--wrap=NAME): callers get __wrap_NAME(), and __real_NAME() is as it was. */
#ifndef CATMOUSE_TESTS_SUPPORT_WRAP_H
#define CATMOUSE_TESTS_SUPPORT_WRAP_H

#define WRAPPED(type, name, ...)   \
  type __real_##name(__VA_ARGS__); \
  type __wrap_##name(__VA_ARGS__)

#endif
