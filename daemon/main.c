/* The command line of cmdaemon: one table of options feeds parsing and --help. */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/server.h"
#include "proto/nearest.h"
#include "proto/units.h"

enum { EXIT_USAGE = 2, OPTION_COLUMN = 30, THREADS_MAX = 1024, OPTION_BASE = 1000 };

/* What an option takes. The units from N on are read into a uint64_t. */
enum unit { VERSION, HELP, FLAG, TEXT, LEVEL, FD, N, US, DAYS, SIZE, TIME };

struct option_kind {
  const char *name;
  const char *argument; /* as --help calls it; NULL: it takes none */
  enum unit unit;
  size_t field; /* offset into struct config */
  uint64_t max;
  const char *meaning;
};

static const struct option_kind kinds[] = {
#define AT(field) offsetof(struct config, field)
    {"socket", "PATH", TEXT, AT(socket), 0, "listen there instead of the usual place"},
    {"store", "FOLDER", TEXT, AT(store), 0, "keep puzzles there instead of the usual place"},
    {"no-store", NULL, FLAG, AT(no_store), 0, "keep nothing on disk"},
    {"log-level", "LEVEL", LEVEL, AT(log.level), 0, "error, warn, info or debug (info)"},
    {"threads", "N", N, AT(threads), THREADS_MAX, "threads that solve, 0 for one a processor"},
    {"idle-exit-ms", "TIME", TIME, AT(idle_exit_ms), UINT64_MAX,
     "leave after so long without connections, 0 for never"},
    {"ready-fd", "FD", FD, AT(ready_fd), INT_MAX,
     "write `ready`, or why not, to this descriptor, and close it"},
    {"version", NULL, VERSION, 0, 0, "print the version"},
    {"help", NULL, HELP, 0, 0, "print this"},
    {"message-max", "SIZE", SIZE, AT(messages.message_bytes), UINT64_MAX, "bytes in one message"},
#define X(field, flag, value, unit, meaning) \
  {flag, #unit, unit, AT(limits.field), UINT64_MAX, meaning},
    DAEMON_LIMITS(X)
#undef X
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct config config_default(void)
{
  struct config config = {
      .ready_fd = -1,
      .messages = message_limits_default,
      .limits = daemon_limits_default,
  };
  log_init(&config.log, LOG_INFO);
  return config;
}

static void print_help(void)
{
  const struct config config = config_default();
  puts("cmdaemon [OPTION...]\n\nSolves Cat and Mouse puzzles and answers questions about them.\n"
       "SIZE is a number of bytes, or of K, M, G or T; TIME one of ms, or of s, min or h.\n");
  for (const struct option_kind *kind = kinds; kind < kinds + KINDS; kind++) {
    char left[64], words[UNIT_WORDS];
    const uint64_t *value = (const void *)((const char *)&config + kind->field);
    snprintf(left, sizeof left, "  --%s %s", kind->name, kind->argument ? kind->argument : "");
    printf("%-*s%s", OPTION_COLUMN, left, kind->meaning);
    if (kind->unit == SIZE)
      printf(" (%s)", bytes_option(*value, words));
    else if (kind->unit == TIME)
      printf(" (%s)", ms_option(*value, words));
    else if (kind->unit >= N)
      printf(" (%" PRIu64 ")", *value);
    putchar('\n');
  }
}

/* The exit status of --help and --version. */
static int printed(void)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return EXIT_SUCCESS;
  fputs("cmdaemon: cannot write the answer\n", stderr);
  return EXIT_USAGE;
}

/* Ends the program with a sentence about the wrong option. */
static void refuse(const struct option_kind *kind, const char *text)
{
  fprintf(stderr, "cmdaemon: --%s is %s, not ", kind->name, text);
  switch (kind->unit) {
  case LEVEL: fputs("error, warn, info or debug\n", stderr); break;
  case SIZE: fputs(BYTES_FORM "\n", stderr); break;
  case TIME: fputs(MS_FORM "\n", stderr); break;
  default: fprintf(stderr, "a number from 0 to %" PRIu64 "\n", kind->max);
  }
  exit(EXIT_USAGE);
}

static void take(struct config *config, const struct option_kind *kind, const char *text)
{
  void *field = (char *)config + kind->field;
  uint64_t number;
  bool taken = true;
  switch (kind->unit) {
  case VERSION: puts("cmdaemon " CATMOUSE_VERSION); exit(printed());
  case HELP: print_help(); exit(printed());
  case FLAG: *(bool *)field = true; break;
  case TEXT: *(const char **)field = text; break;
  case LEVEL:
    *(enum log_level *)field = log_level_by_name(text);
    taken = log_level_by_name(text) != LOG_LEVEL_COUNT;
    break;
  case FD:
    taken = number_read(text, kind->max, &number);
    *(int *)field = taken ? (int)number : -1;
    break;
  case N:
  case US:
  case DAYS: taken = number_read(text, kind->max, field); break;
  case SIZE: taken = bytes_read(text, kind->max, field); break;
  case TIME: taken = ms_read(text, kind->max, field); break;
  }
  if (!taken)
    refuse(kind, text);
}

/* What getopt_long() does not know. */
static int refuse_word(int found, const char *word)
{
  struct nearest nearest;
  nearest_init(&nearest, word + 2, strcspn(word + 2, "="));
  for (int i = 0; i < KINDS; i++)
    nearest_try(&nearest, kinds[i].name);
  if (found == ':')
    fprintf(stderr, "cmdaemon: %s needs an argument; see cmdaemon --help\n", word);
  else if (nearest.name && nearest.distance == 0)
    fprintf(stderr, "cmdaemon: --%s takes no argument\n", nearest.name);
  else if (nearest.name)
    fprintf(stderr, "cmdaemon: no option is called %s; did you mean --%s?\n", word, nearest.name);
  else
    fprintf(stderr, "cmdaemon: no option is called %s; see cmdaemon --help\n", word);
  return EXIT_USAGE;
}

int main(int argc, char **argv)
{
  struct option options[KINDS + 1] = {0};
  struct config config = config_default();
  int option;
  for (int i = 0; i < KINDS; i++)
    options[i] = (struct option){
        .name = kinds[i].name, .has_arg = kinds[i].argument != NULL, .val = OPTION_BASE + i};
  opterr = 0;
  while ((option = getopt_long(argc, argv, ":", options, NULL)) >= OPTION_BASE)
    take(&config, &kinds[option - OPTION_BASE], optarg);
  if (option != -1)
    return refuse_word(option, argv[optind - 1]);
  if (optind < argc) {
    fprintf(stderr, "cmdaemon: what is %s? see cmdaemon --help\n", argv[optind]);
    return EXIT_USAGE;
  }
  exit(server_run(&config)); /* not return: `config` must last */
}
