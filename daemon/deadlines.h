/*
 * Times by which something is to happen, the next one first: however many there are, one is added or removed in a
 * few steps. For one thread alone.
 */
#ifndef CATMOUSE_DAEMON_DEADLINES_H
#define CATMOUSE_DAEMON_DEADLINES_H

#include <stdint.h>

/* Embedded in what it is for, zeroed before it is added. */
struct deadline {
  uint64_t at_ms;  /* in the caller's clock */
  uint64_t number; /* private: of two at the same time the first to be added is the first */
  uint32_t place;  /* private: in the heap, from 1 on; 0 where it is in none */
};

struct deadlines {
  struct deadline **heap; /* owned; a parent is no later than its two children */
  uint32_t count, room;
  uint64_t added;
};

void deadlines_init(struct deadlines *deadlines);
void deadlines_deinit(struct deadlines *deadlines);

/* 0 or -ENOMEM. It is borrowed until it is removed. */
int deadlines_add(struct deadlines *deadlines, struct deadline *deadline, uint64_t at_ms);

/* Nothing happens to one that is in none. */
void deadlines_remove(struct deadlines *deadlines, struct deadline *deadline);

/* The next one, or NULL. */
struct deadline *deadlines_first(const struct deadlines *deadlines);

#endif
