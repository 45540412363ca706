/* Parsing and help, both from the tables in options.h. Misuse is one sentence and exit status 2. */
#include "client/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/failure.h"

enum { NAME_COLUMN = 32 };

static const uint32_t NUMBER_MAX = CM_LIMIT_OF_GAME - 1; /* what no option takes for "not given" */

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

struct option_kind {
  const char *name;
  uint32_t commands; /* that it goes with */
};

enum option_number {
#define X(constant, ...) OPTION_##constant,
  CLIENT_OPTIONS(X)
#undef X
      OPTION_COUNT
};

static const struct option_kind option_kinds[OPTION_COUNT] = {
#define X(constant, name, argument, commands, meaning) [OPTION_##constant] = {name, commands},
    CLIENT_OPTIONS(X)
#undef X
};

/* getopt_long() returns these numbers, which no character of a short option has. */
enum { OPTION_BASE = 1000 };

static const struct option long_options[] = {
#define X(constant, name, argument, commands, meaning) \
  {name, (argument) ? required_argument : no_argument, NULL, OPTION_BASE + OPTION_##constant},
    CLIENT_OPTIONS(X)
#undef X
        {0},
};

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
#define X(constant, name, argument, commands, meaning) print_row("--", name, argument, meaning);
  CLIENT_OPTIONS(X)
#undef X
  puts("\nFILE holds JSON ({\"graph\": ...}, {\"grid\": ...} or LeetCode's bare list) or what "
       "stands in\n"
       "LeetCode's test-case box; - is standard input. Without FILE, solve reads standard input; "
       "the\n"
       "others leave it alone and are about the puzzle last solved.\n"
       "Exit status: 0 answered, 1 refused by the daemon, 2 misuse or unreadable input, 3 no "
       "daemon\n"
       "or no answer in time.");
}

static _Noreturn void help(void)
{
  print_help();
  exit(answer_end());
}

static uint32_t number_of(const char *name, const char *text)
{
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number > NUMBER_MAX)
    exit(usage_error("--%s is %s, not a number from 0 to %u", name, text, (unsigned)NUMBER_MAX));
  return (uint32_t)number;
}

static void apply(struct options *options, enum option_number option)
{
  const char *name = option_kinds[option].name;
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
  case OPTION_VERSION: puts("cmclient " CATMOUSE_VERSION); exit(answer_end());
  case OPTION_HELP: help();
  case OPTION_COUNT: break;
  }
}

static enum command command_of(const char *name)
{
  for (int command = 0; command < COMMAND_COUNT; command++) {
    if (strcmp(command_kinds[command].name, name) == 0)
      return (enum command)command;
  }
  if (strcmp(name, "help") == 0)
    help();
  exit(usage_error("no command is called %s; see cmclient --help", name));
}

/* `given` is the set of options on the command line. */
static void check(const struct options *options, uint32_t given)
{
  const struct command_kind *command = &command_kinds[options->command];
  for (int option = 0; option < OPTION_COUNT; option++) {
    if ((given & 1u << option) && !(option_kinds[option].commands & 1u << options->command))
      exit(usage_error("%s takes no --%s", command->name, option_kinds[option].name));
  }
  if ((ASKING & 1u << options->command) && !options->state)
    exit(usage_error("%s needs --state M,C,T", command->name));
  if (options->argument && *command->arguments == '\0')
    exit(usage_error("%s takes no argument, but got %s", command->name, options->argument));
  if (options->command == COMMAND_EVICT && !options->argument)
    exit(usage_error("evict needs the ID of a solved puzzle"));
  if (options->id && options->argument)
    exit(usage_error("give a FILE or --id, not both"));
  if (options->json && options->leetcode)
    exit(usage_error("give --json or --leetcode, not both"));
}

void options_parse(int argc, char **argv, struct options *options)
{
  uint32_t given = 0;
  int found;
  *options = (struct options){.limit_plies = CM_LIMIT_OF_GAME};
  while ((found = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
    if (found == 'h')
      help();
    if (found < OPTION_BASE)
      exit(usage_error("see cmclient --help"));
    given |= 1u << (found - OPTION_BASE);
    apply(options, (enum option_number)(found - OPTION_BASE));
  }
  if (optind == argc)
    exit(usage_error("a command is missing; see cmclient --help"));
  options->command = command_of(argv[optind]);
  if (optind + 2 < argc)
    exit(usage_error("what is %s? see cmclient --help", argv[optind + 2]));
  options->argument = optind + 1 < argc ? argv[optind + 1] : NULL;
  check(options, given);
}

bool options_name_puzzle(const struct options *options)
{
  return options->command == COMMAND_SOLVE ||
         (options->argument && options->command != COMMAND_EVICT);
}

bool command_starts_daemon(enum command command)
{
  return command_kinds[command].starts_daemon;
}
