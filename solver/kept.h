/*
 * Memory that solves and tables have given back, kept for the next. A fresh page has to be cleared first, and in a
 * virtual machine whose host takes back what is free for a while it takes milliseconds to come: a large solve
 * then waits for its memory longer than it computes. Any thread.
 */
#ifndef CATMOUSE_SOLVER_KEPT_H
#define CATMOUSE_SOLVER_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keeps at most so many bytes from now on; none before it is called. */
void kept_allow(uint64_t bytes);

/* Takes pieces of PAGES_PIECE_BYTES from the beginning of a mapping while they may be kept. How many bytes. */
size_t kept_add(void *pages, size_t bytes);

/* Puts one, as it was left, in place of a piece of the caller's. False where there is none. */
bool kept_move(void *piece);

uint64_t kept_bytes(void);

/* Gives all of them back to the system, or as many as there were at all times since the last call. */
void kept_drop(void);
void kept_trim(void);

#endif
