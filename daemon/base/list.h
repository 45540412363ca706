/* Doubly linked lists that run through their members: no allocation, removal in O(1). */
#ifndef CATMOUSE_DAEMON_BASE_LIST_H
#define CATMOUSE_DAEMON_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A list's head, or a member's place in one. */
struct link {
  struct link *prev, *next;
};

/* The struct of type `type` whose field `field` is `*pointer`. */
#define container_of(pointer, type, field) ((type *)((char *)(pointer)-offsetof(type, field)))

static inline void list_init(struct link *head)
{
  head->prev = head->next = head;
}

static inline bool list_empty(const struct link *head)
{
  return head->next == head;
}

static inline void list_append(struct link *head, struct link *link)
{
  link->prev = head->prev;
  link->next = head;
  head->prev->next = link;
  head->prev = link;
}

static inline void list_prepend(struct link *head, struct link *link)
{
  list_append(head->next, link);
}

/* The removed link is a list of its own, so removing it once more does no harm. */
static inline void list_remove(struct link *link)
{
  link->prev->next = link->next;
  link->next->prev = link->prev;
  list_init(link);
}

/* Moves all of `from` to the end of `to`, in O(1). */
static inline void list_move_all(struct link *from, struct link *to)
{
  if (list_empty(from))
    return;
  from->next->prev = to->prev;
  to->prev->next = from->next;
  from->prev->next = to;
  to->prev = from->prev;
  list_init(from);
}

/* Takes the first link off, or NULL. */
static inline struct link *list_pop(struct link *head)
{
  if (list_empty(head))
    return NULL;
  struct link *first = head->next;
  list_remove(first);
  return first;
}

#endif
