/*
 * Halves of UTF-16 pairs in JSON. An editor that counts in UTF-16 may send half of a pair as an escape, and no JSON
 * library takes that. It is one unit of UTF-16, and so is U+FFFD, which takes its place.
 */
#ifndef CATMOUSE_LSP_SURROGATES_H
#define CATMOUSE_LSP_SURROGATES_H

#include <stddef.h>

/* A copy, as long, with each lone half replaced; the caller free()s it. NULL without memory. */
char *surrogates_mend(const char *json, size_t length);

#endif
