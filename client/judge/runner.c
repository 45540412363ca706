/*
 * Between us and the program stands its keeper: a subreaper, so that orphans of the program become its children. When
 * the program has ended, or we closed the control socket (or died), the keeper kills its children until there are none
 * and tells us how the program ended.
 *
 * After fork() in a program with threads, only calls that are safe in signal handlers are made.
 */
#include "client/judge/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/system.h"

enum { FILE_BYTES_MAX = 64 << 20, START_FAILED = 127 };

struct plan {
  const char *const *argv;
  const struct runner_limits *limits;
  int in, out, errors, control;
};

static int64_t now_ms(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void limit(int resource, uint64_t value)
{
  const struct rlimit both = {value, value};
  setrlimit(resource, &both);
}

static _Noreturn void become_program(const struct plan *plan)
{
  setsid();
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  dup2(plan->in, STDIN_FILENO);
  dup2(plan->out, STDOUT_FILENO);
  dup2(plan->errors, STDERR_FILENO);
  limit(RLIMIT_DATA, plan->limits->memory_bytes);
  limit(RLIMIT_FSIZE, FILE_BYTES_MAX);
  limit(RLIMIT_CORE, 0);
  if (chdir(plan->limits->scratch) == 0) {
    confine_to(plan->limits->scratch);
    execvp(plan->argv[0], (char *const *)plan->argv);
  }
  static const char words[] = "cannot be started\n";
  if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
    _exit(START_FAILED);
  _exit(START_FAILED);
}

/* What a killed process leaves behind becomes our child, so it is over when there are none. */
static void end_all(pid_t program, int *status)
{
  const struct timespec pause = {0, 1000000};
  int found;
  kill(-program, SIGKILL);
  for (;;) {
    children_kill();
    pid_t ended = waitpid(-1, &found, WNOHANG);
    if (ended < 0 && errno == ECHILD)
      return;
    if (ended == program)
      *status = found;
    if (ended == 0)
      nanosleep(&pause, NULL);
  }
}

static _Noreturn void keep(const struct plan *plan)
{
  int status = 0;
  setsid(); /* what kills our process group must not leave the program alone */
  orphans_adopt();
  pid_t program = fork();
  if (program == 0)
    become_program(plan);
  close(plan->in);
  close(plan->out);
  if (program < 0)
    _exit(1);
  struct pollfd wait[] = {{.fd = plan->control, .events = POLLIN},
                          {.fd = process_open(program), .events = POLLIN}};
  while (poll(wait, 2, -1) < 0 && errno == EINTR)
    ;
  end_all(program, &status);
  if (write(plan->control, &status, sizeof status) < 0)
    _exit(1);
  _exit(0);
}

static void close_all(const int *files, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (files[i] >= 0)
      close(files[i]);
  }
}

int runner_start(struct runner *runner, const char *const *argv, const struct runner_limits *limits,
                 int input)
{
  int files[] = {-1, -1, -1,
                 -1, -1, -1}; /* in: read, write; out: read, write; control: ours, the keeper's */
  *runner = (struct runner){.errors = memory_file_open("errors"), .in = -1};
  if (runner->errors < 0 || pipe2(files, O_CLOEXEC) < 0 || pipe2(files + 2, O_CLOEXEC) < 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, files + 4) < 0) {
    int error = -errno;
    close_all(files, sizeof files / sizeof *files);
    close_all(&runner->errors, 1);
    return error;
  }
  const struct plan plan = {argv,     limits,         input >= 0 ? input : files[0],
                            files[3], runner->errors, files[5]};
  runner->keeper = fork();
  if (runner->keeper == 0) {
    close(files[1]);
    close(files[2]);
    close(files[4]);
    keep(&plan);
  }
  int error = runner->keeper < 0 ? -errno : 0;
  const int theirs[] = {files[0], files[3], files[5]}, ours[] = {files[1], files[2], files[4]};
  close_all(theirs, 3);
  if (error) {
    close_all(ours, 3);
    close_all(&runner->errors, 1);
    runner->keeper = 0;
    return error;
  }
  runner->in = files[1];
  if (input >= 0) {
    close(runner->in);
    runner->in = -1;
  }
  runner->out = files[2];
  runner->control = files[4];
  return 0;
}

int runner_stop(struct runner *runner)
{
  int status = 0;
  if (runner->keeper <= 0)
    return 0;
  shutdown(runner->control, SHUT_WR);
  while (read(runner->control, &status, sizeof status) < 0 && errno == EINTR)
    ;
  while (waitpid(runner->keeper, NULL, 0) < 0 && errno == EINTR)
    ;
  const int files[] = {runner->in, runner->out, runner->control, runner->errors};
  close_all(files, sizeof files / sizeof *files);
  *runner = (struct runner){0};
  return status;
}

static void read_last_words(const struct runner *runner, struct reply *reply)
{
  off_t end = lseek(runner->errors, 0, SEEK_END);
  off_t begin = end > LAST_WORDS_BYTES - 1 ? end - (LAST_WORDS_BYTES - 1) : 0;
  ssize_t got = pread(runner->errors, reply->last_words, LAST_WORDS_BYTES - 1, begin);
  reply->last_words[got > 0 ? got : 0] = '\0';
}

/* It has closed its output: how did it end? It may do so a little later, and has its time for that. */
static void note_end(struct runner *runner, struct reply *reply)
{
  reply->kind = REPLY_ENDED;
  int errors = dup(runner->errors);
  reply->status = runner_stop(runner);
  runner->errors = errors;
  read_last_words(runner, reply);
  close_all(&errors, 1);
  runner->errors = -1;
}

/* Takes the first line that is not empty out of what was read. `ended`: what is left is a line too. */
static bool take_line(struct runner *runner, bool ended, char line[static REPLY_BYTES])
{
  for (;;) {
    char *newline = memchr(runner->held, '\n', runner->held_bytes);
    bool full = runner->held_bytes == sizeof runner->held;
    if (!newline && !full && !(ended && runner->held_bytes > 0))
      return false;
    size_t length = newline ? (size_t)(newline - runner->held) : runner->held_bytes;
    size_t taken = newline ? length + 1 : length, begin = 0;
    while (begin < length && (unsigned char)runner->held[begin] <= ' ')
      begin++;
    while (length > begin && (unsigned char)runner->held[length - 1] <= ' ')
      length--;
    size_t kept = length - begin < REPLY_BYTES - 1 ? length - begin : REPLY_BYTES - 1;
    memcpy(line, runner->held + begin, kept);
    line[kept] = '\0';
    runner->held_bytes -= taken;
    memmove(runner->held, runner->held + taken, runner->held_bytes);
    if (kept > 0)
      return true;
  }
}

static void await_line(struct runner *runner, int64_t until_ms, struct reply *reply)
{
  int64_t began_ms = now_ms();
  bool ended = false;
  for (;;) {
    reply->ms = (uint32_t)(now_ms() - began_ms);
    if (take_line(runner, ended, reply->line)) {
      reply->kind = REPLY_LINE;
      return;
    }
    if (ended) {
      note_end(runner, reply);
      return;
    }
    int64_t left_ms = until_ms - now_ms();
    struct pollfd wait = {.fd = runner->out, .events = POLLIN};
    int ready = left_ms > 0 ? poll(&wait, 1, (int)left_ms) : 0;
    if (ready == 0) {
      reply->kind = REPLY_LATE;
      read_last_words(runner, reply);
      return;
    }
    if (ready < 0)
      continue;
    ssize_t got = read(runner->out, runner->held + runner->held_bytes,
                       sizeof runner->held - runner->held_bytes);
    ended = got == 0;
    runner->held_bytes += got > 0 ? (size_t)got : 0;
  }
}

void runner_await_ready(struct runner *runner, const struct runner_limits *limits,
                        struct reply *reply)
{
  *reply = (struct reply){0};
  await_line(runner, now_ms() + limits->start_ms, reply);
}

void runner_ask(struct runner *runner, const struct runner_limits *limits, const char *text,
                size_t length, struct reply *reply)
{
  int64_t until_ms = now_ms() + limits->time_ms;
  *reply = (struct reply){0};
  /* A program that does not read has lost what it was sent; that it says nothing shows then. */
  for (size_t sent = 0; sent < length;) {
    ssize_t now = write(runner->in, text + sent, length - sent);
    if (now < 0 && errno != EINTR)
      break;
    sent += now > 0 ? (size_t)now : 0;
  }
  await_line(runner, until_ms, reply);
}

bool runner_confines_files(void)
{
  return confine_works();
}
