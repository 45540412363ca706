/* The real daemon, started anew for each figure, and asked by JSON lines as a script would. */
#include "bench/store/restart.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "daemon/store/puzzle_log.h"
#include "daemon/store/table_file.h"
#include "solver/solve.h"

enum { SMALL_NODES = 20, STORED_NODES = 5000, LINE_MAX_BYTES = 1 << 20, READY_FD = 3 };

/* What is asked for after a restart. */
struct question {
  const char *what;
  char id[ID_TEXT + 1];
};

static void append(struct puzzle_log *log, const struct family *family, uint32_t nodes,
                   uint64_t seed, struct arena **arena, struct id *id)
{
  static uint64_t used_s = 1000000000;
  struct specimen specimen;
  struct place place;
  struct complaint complaint = {.text = "out of memory"};
  family_make(family, nodes, seed, &specimen);
  if (arena_new(&specimen.puzzle, arena, &complaint) < 0)
    die("a puzzle is refused: %s", complaint.text);
  arena_id(*arena, id);
  if (puzzle_log_append(log, *arena, id, used_s++, &place) < 0)
    die("a puzzle cannot be written");
  specimen_deinit(&specimen);
}

static void fill(const struct plan *plan, struct store_folder *folder, unsigned puzzles,
                 struct question questions[2])
{
  struct puzzle_log log;
  struct arena *arena;
  struct table_file file = {0};
  struct table *table;
  struct id id;
  puzzle_log_init(&log, folder);
  for (unsigned i = 0; i < puzzles; i++) {
    append(&log, &families[0], SMALL_NODES, plan->seed + i, &arena, &id);
    arena_free(arena);
  }
  questions[0].what = "a puzzle of 20 nodes, solved again";
  id_format(&id, questions[0].id);
  append(&log, &families[0], STORED_NODES, plan->seed, &arena, &file.id);
  if (solve(arena, NULL, &table) < 0 || table_file_write(folder, &file, table, NULL) < 0)
    die("a table cannot be made");
  questions[1].what = "a table of 5,000 nodes, read back";
  id_format(&file.id, questions[1].id);
  table_free(table);
  arena_free(arena);
  puzzle_log_deinit(&log);
}

static pid_t spawn(const char *program, const char *store, const char *socket, int ready)
{
  pid_t child = fork();
  if (child == 0) {
    dup2(ready, READY_FD);
    execl(program, program, "--socket", socket, "--store", store, "--store-age", "0", "--ready-fd",
          "3", "--log-level", "error", (char *)NULL);
    _exit(127);
  }
  if (child < 0)
    die("cannot start %s", program);
  return child;
}

static int connect_to(const char *socket_path)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memcpy(address.sun_path, socket_path, strlen(socket_path) + 1);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
    die("nobody listens on %s", socket_path);
  return fd;
}

static void ask(int fd, const char *id)
{
  static char answer[LINE_MAX_BYTES];
  char request[256];
  int length = snprintf(request, sizeof request,
                        "{\"id\":1,\"method\":\"query\",\"params\":{\"id\":\"%s\",\"state\":"
                        "{\"mouse\":1,\"cat\":2,\"turn\":\"mouse\"}}}\n",
                        id);
  if (write(fd, request, (size_t)length) != length)
    die("cannot ask the daemon");
  size_t got = 0;
  do {
    ssize_t more = read(fd, answer + got, sizeof answer - 1 - got);
    if (more <= 0)
      die("the daemon doesn't answer");
    got += (size_t)more;
    answer[got] = '\0';
  } while (!strchr(answer, '\n'));
  if (!strstr(answer, "\"result\""))
    die("the daemon refuses: %s", answer);
}

/* Both in milliseconds from the start of the program. */
static void measure_once(const char *program, const char *store, const char *id, double *ready_ms,
                         double *answer_ms)
{
  char socket_path[128], said[16];
  int ready[2];
  snprintf(socket_path, sizeof socket_path, "%.100s/../s", store);
  if (pipe(ready) < 0)
    die("cannot make a pipe");
  uint64_t begin = wall_ns();
  pid_t child = spawn(program, store, socket_path, ready[1]);
  close(ready[1]);
  if (read(ready[0], said, sizeof said) <= 0 || strncmp(said, "ready", 5) != 0)
    die("the daemon doesn't come up");
  *ready_ms = (double)(wall_ns() - begin) / 1e6;
  close(ready[0]);
  int fd = connect_to(socket_path);
  ask(fd, id);
  *answer_ms = (double)(wall_ns() - begin) / 1e6;
  close(fd);
  kill(child, SIGTERM);
  waitpid(child, NULL, 0);
}

void restart_measure(const struct plan *plan, const char *program, struct store_folder *folder,
                     unsigned puzzles, json_t *rows)
{
  struct question questions[2];
  double ready_ms[ROUNDS_MAX], answer_ms[ROUNDS_MAX];
  fill(plan, folder, puzzles, questions);
  for (int i = 0; i < 2; i++) {
    for (unsigned round = 0; round < plan->rounds; round++)
      measure_once(program, folder->path, questions[i].id, &ready_ms[round], &answer_ms[round]);
    double ready = median(ready_ms, plan->rounds), answer = median(answer_ms, plan->rounds);
    printf("%-36s %9u %9.1f %9.1f\n", questions[i].what, puzzles, ready, answer);
    fflush(stdout);
    json_array_append_new(rows,
                          json_pack("{s:s, s:i, s:f, s:f}", "asked", questions[i].what, "puzzles",
                                    (int)puzzles, "ready_ms", ready, "answer_ms", answer));
  }
}
