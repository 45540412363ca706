/* Each asker's puzzles have seeds of their own, so that none is in the cache. */
#include "bench/daemon/busy.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/daemon/ours.h"
#include "bench/measure.h"
#include "bench/solver/families.h"

enum { NODES = 5000 };

static const struct family *maze(void)
{
  const struct family *family = families;
  while (strcmp(family->name, "maze") != 0)
    family++;
  return family;
}

static void ask_forever(const struct server *server, unsigned asker)
{
  char id[ID_TEXT + 1];
  int fd = server_connect(server);
  for (uint64_t seed = 1000000u * (asker + 1);; seed++) {
    struct specimen specimen;
    family_make(maze(), NODES, seed, &specimen);
    ours_solve(fd, &specimen.puzzle, id);
    specimen_deinit(&specimen);
  }
}

void busy_start(struct busy *busy, const struct server *server)
{
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  busy->count = cores + 1 < ASKERS_MAX ? (unsigned)cores + 1 : ASKERS_MAX;
  for (unsigned i = 0; i < busy->count; i++) {
    busy->askers[i] = fork();
    if (busy->askers[i] < 0)
      die("cannot fork");
    if (busy->askers[i] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      ask_forever(server, i);
    }
  }
}

void busy_stop(struct busy *busy)
{
  for (unsigned i = 0; i < busy->count; i++) {
    kill(busy->askers[i], SIGKILL);
    waitpid(busy->askers[i], NULL, 0);
  }
}
