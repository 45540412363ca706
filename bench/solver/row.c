/*
 * A child makes the puzzle, runs the contestants in turn and leaves the row in shared memory: what one
 * row does to the heap is no concern of the next. The peak of memory, stopping and proving have a child
 * each. A child that fails has said why and ends the bench.
 */
#include "bench/solver/row.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "bench/solver/contest.h"
#include "bench/solver/memory.h"
#include "bench/solver/proof.h"
#include "bench/solver/stop.h"

typedef void measurer(struct row *row, const struct bench_options *options);

static void run_apart(measurer *measure, struct row *shared, const struct bench_options *options)
{
  pid_t child = fork();
  if (child < 0)
    die("cannot fork");
  if (child == 0) {
    measure(shared, options);
    _exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) < 0 || status != 0)
    die("measuring %s at n = %u failed", shared->family->name, shared->asked_nodes);
}

void row_measure(struct row *row, const struct bench_options *options)
{
  struct row *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    die("out of memory for a row");
  *shared = *row;
  run_apart(memory_measure, shared, options);
  run_apart(contest_measure, shared, options);
  run_apart(stop_measure, shared, options);
  run_apart(proof_measure, shared, options);
  *row = *shared;
  munmap(shared, sizeof *shared);
}
