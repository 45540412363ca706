/* The command line of cmdaemon: one table of options feeds parsing and --help. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/server.h"

enum { EXIT_USAGE = 2, OPTION_COLUMN = 30, THREADS_MAX = 1024 };

/* X(constant, name, argument or NULL, meaning) */
#define OPTIONS(X)                                                                               \
  X(SOCKET, "socket", "PATH", "listen there instead of the usual place")                         \
  X(STORE, "store", "FOLDER", "keep puzzles there instead of the usual place")                   \
  X(NO_STORE, "no-store", NULL, "keep nothing on disk")                                          \
  X(LOG_LEVEL, "log-level", "LEVEL", "error, warn, info or debug (info)")                        \
  X(THREADS, "threads", "N", "threads that solve (one a processor)")                             \
  X(IDLE_EXIT, "idle-exit-ms", "MS", "leave after so long without connections, 0 for never (0)") \
  X(READY_FD, "ready-fd", "FD", "write `ready`, or why not, to this descriptor, and close it")   \
  X(MESSAGE, "message-max", "BYTES", "bytes in one message")                                     \
  X(VERSION, "version", NULL, "print the version")                                               \
  X(HELP, "help", NULL, "print this")

enum option_number {
  OPTION_BASE = 1000, /* beyond every character */
#define X(constant, ...) OPTION_##constant,
  OPTIONS(X)
#undef X
#define X(field, ...) OPTION_LIMIT_##field,
      DAEMON_LIMITS(X)
#undef X
};

static const struct option long_options[] = {
#define X(constant, name, argument, meaning) \
  {name, (argument) ? required_argument : no_argument, NULL, OPTION_##constant},
    OPTIONS(X)
#undef X
#define X(field, flag, ...) {flag, required_argument, NULL, OPTION_LIMIT_##field},
        DAEMON_LIMITS(X)
#undef X
            {0},
};

static void print_option(const char *name, const char *argument, const char *meaning)
{
  char left[64];
  snprintf(left, sizeof left, "  --%s %s", name, argument ? argument : "");
  printf("%-*s%s", OPTION_COLUMN, left, meaning);
}

static void print_default(uint64_t value)
{
  printf(" (%" PRIu64 ")\n", value);
}

static void print_plain_option(enum option_number option, const char *name, const char *argument,
                               const char *meaning)
{
  print_option(name, argument, meaning);
  if (option == OPTION_MESSAGE)
    print_default(message_limits_default.message_bytes);
  else
    putchar('\n');
}

static void print_help(void)
{
  puts("cmdaemon [OPTION...]\n\nSolves Cat and Mouse puzzles and answers questions about them.\n");
#define X(constant, name, argument, meaning) \
  print_plain_option(OPTION_##constant, name, argument, meaning);
  OPTIONS(X)
#undef X
#define X(field, flag, value, unit, meaning) \
  print_option(flag, unit, meaning);         \
  print_default(value);
  DAEMON_LIMITS(X)
#undef X
}

/* What --help and --version end with. */
static int printed(void)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return EXIT_SUCCESS;
  fputs("cmdaemon: cannot write the answer\n", stderr);
  return EXIT_USAGE;
}

/* A whole number without sign, up to `most`; anything else ends the program with a sentence. */
static uint64_t number_up_to(uint64_t most, const char *name, const char *text)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number > most) {
    fprintf(stderr, "cmdaemon: --%s is %s, not a number from 0 to %" PRIu64 "\n", name, text, most);
    exit(EXIT_USAGE);
  }
  return number;
}

static uint64_t number_of(const char *name, const char *text)
{
  return number_up_to(UINT64_MAX, name, text);
}

static enum log_level level_of(const char *text)
{
  enum log_level level = log_level_by_name(text);
  if (level == LOG_LEVEL_COUNT) {
    fprintf(stderr, "cmdaemon: --log-level is %s, not error, warn, info or debug\n", text);
    exit(EXIT_USAGE);
  }
  return level;
}

static void apply(struct config *config, int option, const char *name, const char *argument)
{
  switch (option) {
  case OPTION_SOCKET: config->socket = argument; break;
  case OPTION_STORE: config->store = argument; break;
  case OPTION_NO_STORE: config->no_store = true; break;
  case OPTION_LOG_LEVEL: config->log_level = level_of(argument); break;
  case OPTION_THREADS: config->threads = number_up_to(THREADS_MAX, name, argument); break;
  case OPTION_IDLE_EXIT: config->idle_exit_ms = number_of(name, argument); break;
  case OPTION_READY_FD: config->ready_fd = (int)number_up_to(INT_MAX, name, argument); break;
  case OPTION_MESSAGE: config->messages.message_bytes = number_of(name, argument); break;
  case OPTION_VERSION: puts("cmdaemon " CATMOUSE_VERSION); exit(printed());
  case OPTION_HELP: print_help(); exit(printed());
#define X(field, ...) \
  case OPTION_LIMIT_##field: config->limits.field = number_of(name, argument); break;
    DAEMON_LIMITS(X)
#undef X
  default: fputs("cmdaemon: see cmdaemon --help\n", stderr); exit(EXIT_USAGE);
  }
}

int main(int argc, char **argv)
{
  struct config config = {
      .log_level = LOG_INFO,
      .ready_fd = -1,
      .messages = message_limits_default,
      .limits = daemon_limits_default,
  };
  int option, at = 0;
  while ((option = getopt_long(argc, argv, "", long_options, &at)) != -1)
    apply(&config, option, long_options[at].name, optarg);
  if (optind < argc) {
    fprintf(stderr, "cmdaemon: what is %s? see cmdaemon --help\n", argv[optind]);
    return EXIT_USAGE;
  }
  return server_run(&config);
}
