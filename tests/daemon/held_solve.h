/*
 * Solves that take as long as a test likes, for programs linked with --wrap=solve: those of HELD_NODES nodes or more
 * go on when they are let go, or end when they are stopped.
 */
#ifndef CATMOUSE_TESTS_DAEMON_HELD_SOLVE_H
#define CATMOUSE_TESTS_DAEMON_HELD_SOLVE_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

enum { HELD_NODES = 50 };

struct held_solves {
  sem_t begun;   /* posted by each when it begins... */
  sem_t stopped; /* ...and when it was stopped */
  sem_t let_go;  /* to be posted for each that is to go on */
  atomic_uint_fast64_t
      outgrow_bytes;          /* solves that may take less find that too little; 0 for none */
  uint64_t allowed_bytes[32]; /* what those that looked might take */
  atomic_uint outgrown;       /* how many looked */
};

extern struct held_solves held_solves;

/* For cmocka's setup and teardown. */
void held_solves_init(void);
void held_solves_deinit(void);

#endif
