/* A binary heap in which each deadline knows its place, so that any of them can leave. */
#include "daemon/deadlines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FIRST_ROOM = 64 };

void deadlines_init(struct deadlines *deadlines)
{
  *deadlines = (struct deadlines){0};
}

void deadlines_deinit(struct deadlines *deadlines)
{
  free(deadlines->heap);
}

static bool is_before(const struct deadline *left, const struct deadline *right)
{
  return left->at_ms < right->at_ms ||
         (left->at_ms == right->at_ms && left->number < right->number);
}

static struct deadline *at(const struct deadlines *deadlines, uint32_t place)
{
  return deadlines->heap[place - 1];
}

static void put(struct deadlines *deadlines, uint32_t place, struct deadline *deadline)
{
  deadlines->heap[place - 1] = deadline;
  deadline->place = place;
}

/* It may belong at `place`, or above. */
static void rise(struct deadlines *deadlines, uint32_t place, struct deadline *deadline)
{
  for (; place > 1 && is_before(deadline, at(deadlines, place / 2)); place /= 2)
    put(deadlines, place, at(deadlines, place / 2));
  put(deadlines, place, deadline);
}

/* 0 where there is none. */
static uint32_t earlier_child(const struct deadlines *deadlines, uint32_t place)
{
  uint32_t child = 2 * place;
  if (child > deadlines->count)
    return 0;
  bool has_other = child < deadlines->count;
  return child + (has_other && is_before(at(deadlines, child + 1), at(deadlines, child)));
}

/* It may belong at `place`, or below. */
static void sink(struct deadlines *deadlines, uint32_t place, struct deadline *deadline)
{
  for (uint32_t child; (child = earlier_child(deadlines, place)) > 0; place = child) {
    if (!is_before(at(deadlines, child), deadline))
      break;
    put(deadlines, place, at(deadlines, child));
  }
  put(deadlines, place, deadline);
}

static int make_room(struct deadlines *deadlines)
{
  if (deadlines->count < deadlines->room)
    return 0;
  uint32_t room = deadlines->room ? 2 * deadlines->room : FIRST_ROOM;
  struct deadline **larger = realloc(deadlines->heap, room * sizeof(struct deadline *));
  if (!larger)
    return -ENOMEM;
  deadlines->heap = larger;
  deadlines->room = room;
  return 0;
}

int deadlines_add(struct deadlines *deadlines, struct deadline *deadline, uint64_t at_ms)
{
  int result = make_room(deadlines);
  if (result < 0)
    return result;
  deadline->at_ms = at_ms;
  deadline->number = deadlines->added++;
  rise(deadlines, ++deadlines->count, deadline);
  return 0;
}

/* The last one takes its place. */
void deadlines_remove(struct deadlines *deadlines, struct deadline *deadline)
{
  uint32_t place = deadline->place;
  if (place == 0)
    return;
  struct deadline *last = at(deadlines, deadlines->count--);
  deadline->place = 0;
  if (last == deadline)
    return;
  if (is_before(last, deadline))
    rise(deadlines, place, last);
  else
    sink(deadlines, place, last);
}

struct deadline *deadlines_first(const struct deadlines *deadlines)
{
  return deadlines->count > 0 ? deadlines->heap[0] : NULL;
}
