/* Parsing and help, both from the tables in options.h. Misuse is one sentence and exit status 2. */
#include "client/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMN = 30 };

struct command_kind {
  const char *name, *arguments;
  bool starts_daemon;
  const char *meaning;
};

static const struct command_kind command_kinds[COMMAND_COUNT] = {
#define X(constant, name, arguments, starts, meaning) \
  [COMMAND_##constant] = {name, arguments, starts, meaning},
    CLIENT_COMMANDS(X)
#undef X
};

enum option_number {
  OPTION_BASE = 1000, /* beyond every character */
#define X(constant, ...) OPTION_##constant,
  CLIENT_OPTIONS(X)
#undef X
};

static const struct option long_options[] = {
#define X(constant, name, argument, meaning) \
  {name, (argument) ? required_argument : no_argument, NULL, OPTION_##constant},
    CLIENT_OPTIONS(X)
#undef X
        {0},
};

int usage_error(const char *format, ...)
{
  va_list arguments;
  fputs("cmclient: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return EXIT_USAGE;
}

static void print_row(const char *before, const char *name, const char *argument,
                      const char *meaning)
{
  char left[64];
  snprintf(left, sizeof left, "  %s%s %s", before, name, argument ? argument : "");
  printf("%-*s%s\n", NAME_COLUMN, left, meaning);
}

static void print_help(void)
{
  puts("cmclient COMMAND [OPTION...]\n\nAsks catmouse who wins a Cat and Mouse puzzle.\n");
  for (int command = 0; command < COMMAND_COUNT; command++)
    print_row("", command_kinds[command].name, command_kinds[command].arguments,
              command_kinds[command].meaning);
  puts("");
#define X(constant, name, argument, meaning) print_row("--", name, argument, meaning);
  CLIENT_OPTIONS(X)
#undef X
  puts("\nFILE holds JSON ({\"graph\": ...}, {\"grid\": ...} or LeetCode's bare list) or what "
       "stands in\n"
       "LeetCode's test-case box. Without FILE or --id, the puzzle last solved is meant.\n"
       "Exit status: 0 answered, 1 refused by the daemon, 2 misuse or unreadable input, 3 no "
       "daemon.");
}

static uint32_t number_of(const char *name, const char *text)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number >= UINT32_MAX)
    exit(usage_error("--%s is %s, not a number", name, text));
  return (uint32_t)number;
}

static void apply(struct options *options, int option, const char *name)
{
  switch (option) {
  case OPTION_STATE: options->state = optarg; break;
  case OPTION_ID: options->id = optarg; break;
  case OPTION_LIMIT: options->limit_plies = number_of(name, optarg); break;
  case OPTION_MAX: options->max = number_of(name, optarg); break;
  case OPTION_JSON: options->json = true; break;
  case OPTION_LEETCODE: options->leetcode = true; break;
  case OPTION_SOCKET: options->socket = optarg; break;
  case OPTION_TIMEOUT: options->timeout_ms = number_of(name, optarg); break;
  case OPTION_NO_AUTOSTART: options->no_autostart = true; break;
  case OPTION_VERSION: puts("cmclient " CATMOUSE_VERSION); exit(EXIT_ANSWERED);
  case OPTION_HELP: print_help(); exit(EXIT_ANSWERED);
  default: exit(usage_error("see cmclient --help"));
  }
}

static enum command command_of(const char *name)
{
  for (int command = 0; command < COMMAND_COUNT; command++) {
    if (strcmp(command_kinds[command].name, name) == 0)
      return (enum command)command;
  }
  exit(usage_error("no command is called %s; see cmclient --help", name));
}

static void check(const struct options *options)
{
  enum command command = options->command;
  const char *name = command_kinds[command].name;
  bool asks = command == COMMAND_QUERY || command == COMMAND_LINE;
  bool takes_argument = *command_kinds[command].arguments != '\0';
  if (asks && !options->state)
    exit(usage_error("%s needs --state M,C,T", name));
  if (options->state && !asks)
    exit(usage_error("%s takes no --state", name));
  if (options->argument && !takes_argument)
    exit(usage_error("%s takes no argument, but got %s", name, options->argument));
  if (command == COMMAND_EVICT && !options->argument)
    exit(usage_error("evict needs the ID of a solved puzzle"));
  if (options->id && options->argument)
    exit(usage_error("give a FILE or --id, not both"));
  if (options->id && command == COMMAND_SOLVE)
    exit(usage_error("solve takes a FILE, not --id"));
}

void options_parse(int argc, char **argv, struct options *options)
{
  *options = (struct options){.limit_plies = CM_LIMIT_OF_GAME};
  int option, at = 0;
  while ((option = getopt_long(argc, argv, "", long_options, &at)) != -1)
    apply(options, option, option == '?' ? "" : long_options[at].name);
  if (optind == argc)
    exit(usage_error("a command is missing; see cmclient --help"));
  options->command = command_of(argv[optind]);
  if (optind + 2 < argc)
    exit(usage_error("what is %s? see cmclient --help", argv[optind + 2]));
  options->argument = optind + 1 < argc ? argv[optind + 1] : NULL;
  check(options);
}

bool command_starts_daemon(enum command command)
{
  return command_kinds[command].starts_daemon;
}
