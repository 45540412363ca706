/* A process that is killed while it keeps puzzles has lost none that it was told are on disk. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/daemon/store/side.h"
#include "tests/solver/random_puzzle.h"

enum { ROUNDS = 40, AT_ONCE = 100, KEPT_MAX = 1 << 20 };

/* Which puzzles are on disk, as the killed processes knew: written before anyone would be answered. */
struct kept {
  uint32_t count;
  uint32_t seeds[KEPT_MAX];
};

static void keep_for_ever(struct side *side, struct kept *kept, uint32_t seed)
{
  static struct asked asked[AT_ONCE];
  for (;; seed += AT_ONCE) {
    for (uint32_t i = 0; i < AT_ONCE; i++)
      if (side_begin_keep(side, seed + i, &asked[i]) < 0)
        _exit(1);
    for (uint32_t i = 0; i < AT_ONCE; i++) {
      if (side_wait(side, &asked[i]) < 0)
        _exit(2);
      kept->seeds[kept->count] = seed + i;
      kept->count++;
    }
    if (seed % (3 * AT_ONCE) == 0)
      side_forget(side, 0); /* so that there are removals, too */
  }
}

static void test_killed(void **state)
{
  (void)state;
  struct side side;
  struct chance chance = {(uint64_t)time(NULL)};
  printf("# seed %llu\n", (unsigned long long)chance.state);
  struct kept *kept =
      mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_ptr_not_equal(kept, MAP_FAILED);
  side_init(&side);
  side_close(&side);
  uint32_t round = 0, checked = 0;
  for (; round < ROUNDS || kept->count <= ROUNDS * AT_ONCE;
       round++) { /* slow ones take more rounds */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      side_open(&side);
      keep_for_ever(&side, kept, 2 + (round << 20));
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000L * (5 + chance_below(&chance, 100))}, NULL);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    side_open(&side);
    for (; checked < kept->count; checked++)
      if (!side_has(&side, kept->seeds[checked]))
        fail_msg("puzzle %u is lost in round %u", kept->seeds[checked], round);
    side_leave(&side);
  }
  side_open(&side);
  for (uint32_t i = 0; i < kept->count; i += 7)
    assert_true(side_has(&side, kept->seeds[i]));
  printf("# %u puzzles in %u rounds\n", kept->count, round);
  side_deinit(&side);
  munmap(kept, sizeof *kept);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
