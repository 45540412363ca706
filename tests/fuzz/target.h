/*
 * A fuzz target takes any bytes at all. It aborts where something that must hold does not; whatever else
 * is wrong the sanitizers see. libFuzzer calls it with bytes of its own making, replay.c with the corpus.
 */
#ifndef CATMOUSE_TESTS_FUZZ_TARGET_H
#define CATMOUSE_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* 0, always. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Aborts, saying what was to hold and where, in release builds too. */
#define MUST(condition) ((condition) ? (void)0 : must_fail(#condition, __FILE__, __LINE__))

_Noreturn void must_fail(const char *condition, const char *file, int line);

#endif
