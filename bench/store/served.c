/* The real daemon, asked by JSON lines as a script would. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "bench/solver/families.h"
#include "bench/store/measures.h"

enum { LINE_MAX_BYTES = 1 << 16, SINGLES = 500, READY_FD = 3 };

struct served {
  pid_t pid;
  int fd; /* a connection */
  uint64_t begun_ns;
  double ready_ms;
};

static pid_t spawn(const struct plan *plan, const char *store, const char *socket, int ready)
{
  pid_t child = fork();
  if (child < 0)
    die("cannot start %s", plan->daemon);
  if (child > 0)
    return child;
  dup2(ready, READY_FD);
  if (store)
    execl(plan->daemon, plan->daemon, "--socket", socket, "--store", store, "--ready-fd", "3",
          "--log-level", "error", (char *)NULL);
  else
    execl(plan->daemon, plan->daemon, "--socket", socket, "--no-store", "--ready-fd", "3",
          "--log-level", "error", (char *)NULL);
  _exit(127);
}

static int connect_to(const char *path)
{
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  memcpy(address.sun_path, path, strlen(path) + 1);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0)
    die("nobody listens on %s", path);
  return fd;
}

static void begin(const struct plan *plan, const char *store, struct served *served)
{
  char path[100], said[16];
  int ready[2];
  snprintf(path, sizeof path, "%.80s/socket", plan->folder);
  if (pipe(ready) < 0)
    die("cannot make a pipe");
  served->begun_ns = wall_ns();
  served->pid = spawn(plan, store, path, ready[1]);
  close(ready[1]);
  if (read(ready[0], said, sizeof said) <= 0 || strncmp(said, "ready", 5) != 0)
    die("the daemon doesn't come up");
  served->ready_ms = (double)(wall_ns() - served->begun_ns) / 1e6;
  close(ready[0]);
  served->fd = connect_to(path);
}

static void finish(struct served *served)
{
  close(served->fd);
  kill(served->pid, SIGTERM);
  waitpid(served->pid, NULL, 0);
}

static void send_all(int fd, const char *bytes, size_t length)
{
  for (size_t sent = 0; sent < length;) {
    ssize_t done = write(fd, bytes + sent, length - sent);
    if (done <= 0)
      die("cannot ask the daemon");
    sent += (size_t)done;
  }
}

/* Reads until so many lines have come; each must be a result. */
static void receive_lines(int fd, unsigned count)
{
  static char bytes[1 << 18];
  while (count > 0) {
    ssize_t got = read(fd, bytes, sizeof bytes - 1);
    if (got <= 0)
      die("the daemon doesn't answer");
    bytes[got] = '\0';
    if (strstr(bytes, "\"error\""))
      die("the daemon refuses: %.300s", bytes);
    for (const char *at = bytes; (at = strchr(at, '\n')); at++)
      count--;
  }
}

/* Appends the line that asks for a solve; returns its end. */
static char *write_solve(char *line, const struct puzzle *puzzle, unsigned id)
{
  line += sprintf(line, "{\"id\":%u,\"method\":\"solve\",\"params\":{\"puzzle\":{\"graph\":[", id);
  for (uint32_t node = 0; node < puzzle->graph.nodes; node++) {
    line += sprintf(line, node > 0 ? ",[" : "[");
    for (uint32_t i = puzzle->graph.first[node]; i < puzzle->graph.first[node + 1]; i++)
      line +=
          sprintf(line, i > puzzle->graph.first[node] ? ",%d" : "%d", puzzle->graph.neighbour[i]);
    *line++ = ']';
  }
  return line + sprintf(line, "]}}}\n");
}

/* Lines that ask for that many new puzzles; `ends` may be NULL. */
static char *make_lines(const struct plan *plan, unsigned count, uint64_t seed, size_t *ends)
{
  char *lines = need_memory(count, LINE_MAX_BYTES / 32), *end = lines;
  for (unsigned i = 0; i < count; i++) {
    struct specimen specimen;
    family_make(&families[0], NODES, plan->seed + seed + i, &specimen);
    end = write_solve(end, &specimen.puzzle, i);
    specimen_deinit(&specimen);
    if (ends)
      ends[i] = (size_t)(end - lines);
  }
  return lines;
}

/* One connection that sends them all without waiting. How many a second. */
static double stream_rate(const struct served *served, const char *lines)
{
  uint64_t begin_ns = wall_ns();
  pid_t sender = fork();
  if (sender == 0) {
    send_all(served->fd, lines, strlen(lines));
    _exit(0);
  }
  receive_lines(served->fd, STREAM);
  waitpid(sender, NULL, 0);
  return STREAM * 1e9 / (double)(wall_ns() - begin_ns);
}

/* The median of single ones, each waited for. */
static double single_us(const struct served *served, const char *lines, const size_t *ends)
{
  static double us[SINGLES];
  for (unsigned i = 0; i < SINGLES; i++) {
    size_t from = i > 0 ? ends[i - 1] : 0;
    uint64_t begin_ns = wall_ns();
    send_all(served->fd, lines + from, ends[i] - from);
    receive_lines(served->fd, 1);
    us[i] = (double)(wall_ns() - begin_ns) / 1e3;
  }
  return median(us, SINGLES);
}

/* A daemon of its own for one stream, and for single ones after it. */
static void measure_once(const struct plan *plan, const char *store, const char *lines,
                         const char *single_lines, const size_t *ends, double *rate, double *single)
{
  struct served served;
  begin(plan, store, &served);
  *rate = stream_rate(&served, lines);
  *single = single_us(&served, single_lines, ends);
  finish(&served);
}

/* With and without a store by turns: what else the machine does weighs on both. */
void measure_solving(const struct plan *plan)
{
  double rates[2][ROUNDS_MAX], singles[2][ROUNDS_MAX], shares[ROUNDS_MAX];
  size_t ends[SINGLES];
  char store[100], *lines = make_lines(plan, STREAM, 0, NULL);
  char *single_lines = make_lines(plan, SINGLES, STREAM, ends);
  for (unsigned round = 0; round < plan->rounds; round++) {
    snprintf(store, sizeof store, "%.80s/new-%u", plan->folder, round);
    for (int kind = 0; kind < 2; kind++)
      measure_once(plan, kind == 0 ? store : NULL, lines, single_lines, ends, &rates[kind][round],
                   &singles[kind][round]);
    shares[round] = rates[0][round] / rates[1][round];
  }
  free(lines);
  free(single_lines);
  figure(plan, "solved through one connection, with a store", median(rates[0], plan->rounds), "/s");
  figure(plan, "solved through one connection, --no-store", median(rates[1], plan->rounds), "/s");
  figure(plan, "with a store by --no-store, at least 0.5", median(shares, plan->rounds), "");
  figure(plan, "one new solve, with a store", median(singles[0], plan->rounds), "us");
  figure(plan, "one new solve, --no-store", median(singles[1], plan->rounds), "us");
}

static void query(const struct served *served, const struct id *id)
{
  char text[ID_TEXT + 1], line[256];
  id_format(id, text);
  int length = snprintf(line, sizeof line,
                        "{\"id\":1,\"method\":\"query\",\"params\":{\"id\":\"%s\",\"state\":"
                        "{\"mouse\":1,\"cat\":2,\"turn\":\"mouse\"}}}\n",
                        text);
  send_all(served->fd, line, (size_t)length);
  receive_lines(served->fd, 1);
}

void measure_start(const struct plan *plan, const char *folder, const struct id ids[2])
{
  double ready_ms[ROUNDS_MAX], answer_ms[ROUNDS_MAX], mb[ROUNDS_MAX];
  for (unsigned round = 0; round < plan->rounds; round++) {
    struct served served;
    begin(plan, folder, &served);
    query(&served, &ids[0]);
    answer_ms[round] = (double)(wall_ns() - served.begun_ns) / 1e6;
    ready_ms[round] = served.ready_ms;
    query(&served, &ids[1]);
    mb[round] = resident_mb(served.pid);
    finish(&served);
  }
  figure(plan, "from its start to `ready`, with a full store", median(ready_ms, plan->rounds),
         "ms");
  figure(plan, "from its start to the first answer, an id", median(answer_ms, plan->rounds), "ms");
  figure(plan, "memory of the daemon then, at most 20", median(mb, plan->rounds), "MB");
}
