/*
 * Parsing: options that stand before the command are shared ones; behind it, its own too. Misuse is one
 * sentence and exit status 2.
 */
#include "client/command_line.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/commands/commands.h"
#include "client/failure.h"
#include "client/help.h"
#include "proto/nearest.h"

enum { KINDS_MAX = 48, OPTION_BASE = 1000 }; /* no character of a short option is that high */

/* What getopt_long() is to know for one pass over the command line. */
struct known {
  const struct option_kind *kinds[KINDS_MAX];
  int count;
  int own_count; /* of `kinds`, the first are the command's own */
  struct option longs[KINDS_MAX + 1];
  char letters[2 + 2 * KINDS_MAX + 1];
};

static _Noreturn void __attribute__((format(printf, 2, 3)))
misuse(const struct command_line *line, const char *format, ...)
{
  char sentence[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  if (line->json_seen)
    failure_print_json(NULL, sentence, NULL);
  else
    failure_print(NULL, sentence, NULL);
  exit(EXIT_USAGE);
}

/* Behind what is wrong, too. */
static bool see_json(int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--json") == 0)
      return true;
  }
  return false;
}

static bool knows(const struct known *known, const char *name)
{
  for (int i = 0; i < known->count; i++) {
    if (strcmp(known->kinds[i]->name, name) == 0)
      return true;
  }
  return false;
}

static void add_kind(struct known *known, const struct option_kind *kind)
{
  char *letters = known->letters + strlen(known->letters);
  if (knows(known, kind->name) || known->count == KINDS_MAX)
    return;
  known->longs[known->count] =
      (struct option){kind->name, kind->argument ? required_argument : no_argument, NULL,
                      OPTION_BASE + known->count};
  if (kind->letter)
    snprintf(letters, 3, "%c%s", kind->letter, kind->argument ? ":" : "");
  known->kinds[known->count++] = kind;
}

/* `mode` is "+:" to stop at the first word that is no option, ":" to go on. */
static void known_init(struct known *known, const struct command *command, const char *mode)
{
  *known = (struct known){0};
  snprintf(known->letters, sizeof known->letters, "%s", mode);
  for (const struct option_kind *kind = command ? command->own : NULL; kind && kind->name; kind++)
    add_kind(known, kind);
  known->own_count = known->count;
  for (const struct option_kind *kind = shared_options; kind->name; kind++)
    add_kind(known, kind);
}

static const struct option_kind *kind_found(const struct known *known, int found)
{
  if (found >= OPTION_BASE)
    return known->kinds[found - OPTION_BASE];
  for (int i = 0; i < known->count; i++) {
    if (known->kinds[i]->letter == found)
      return known->kinds[i];
  }
  return NULL;
}

static _Noreturn void unknown_option(const struct command_line *line, const struct known *known,
                                     char **argv)
{
  const char *word = argv[optind - 1];
  struct nearest nearest;
  if (optopt >= OPTION_BASE)
    misuse(line, "--%s takes no argument", kind_found(known, optopt)->name);
  if (optopt)
    misuse(line, "no option is called -%c; see cmclient --help", optopt);
  nearest_init(&nearest, word + 2, strcspn(word + 2, "="));
  for (int i = 0; i < known->count; i++)
    nearest_try(&nearest, known->kinds[i]->name);
  if (nearest.name)
    misuse(line, "no option is called %s; did you mean --%s?", word, nearest.name);
  misuse(line, "no option is called %s; see cmclient --help", word);
}

/* Ends the program where the command takes no such option. */
static void check_taken(const struct command_line *line, const struct option_kind *kind)
{
  const struct command *command = line->command;
  size_t number = (size_t)(kind - shared_options);
  if (!(command_shared_options(command) & 1u << number))
    misuse(line, "%s takes no --%s", command->name, kind->name);
}

/*
 * One pass over `argv`; what it finds goes into `line`, and which shared options these were into `given`.
 * Returns the place of the first word that is no option.
 */
static int parse_options(const struct known *known, int argc, char **argv,
                         struct command_line *line, unsigned *given)
{
  char why[OPTION_WHY_MAX];
  int found;
  optind = 0; /* begins anew */
  opterr = 0;
  while ((found = getopt_long(argc, argv, known->letters, known->longs, NULL)) != -1) {
    const struct option_kind *kind = kind_found(known, found);
    if (found == ':')
      misuse(line, "%s needs an argument; see cmclient --help", argv[optind - 1]);
    if (!kind)
      unknown_option(line, known, argv);
    bool is_own = kind < shared_options || kind >= shared_options + SHARED_COUNT;
    void *values = is_own ? line->own : (void *)&line->options;
    if (kind->take(kind, optarg, (char *)values + kind->field, why))
      misuse(line, "%s", why);
    if (!is_own)
      *given |= 1u << (kind - shared_options);
  }
  return optind;
}

static const struct command *find_command(const struct command_line *line, const char *name)
{
  struct nearest nearest;
  const struct command *command = command_find(name);
  if (command)
    return command;
  nearest_init(&nearest, name, strlen(name));
  for (const struct command *const *other = commands; *other; other++)
    nearest_try(&nearest, (*other)->name);
  if (nearest.name)
    misuse(line, "no command is called %s; did you mean %s?", name, nearest.name);
  if (access(name, R_OK) == 0)
    misuse(line, "no command is called %s; did you mean cmclient solve %s?", name, name);
  misuse(line, "no command is called %s; see cmclient --help", name);
}

/* `help COMMAND` and `help` alone. */
static _Noreturn void help_for(const struct command_line *line, int count, char **names)
{
  if (count > 0)
    help_print_command(find_command(line, names[0]));
  else
    help_print();
  exit(answer_end());
}

static void print_what_is_asked(const struct command_line *line)
{
  if (line->options.version)
    puts("cmclient " CATMOUSE_VERSION);
  else if (line->options.help && line->command)
    help_print_command(line->command);
  else if (line->options.help)
    help_print();
  else
    return;
  exit(answer_end());
}

static void check_arguments(const struct command_line *line)
{
  const struct command *command = line->command;
  if (command->arguments_max == 0 && line->arguments_count > 0)
    misuse(line, "%s takes no argument, but got %s", command->name, line->arguments[0]);
  if (line->arguments_count > command->arguments_max)
    misuse(line, "what is %s? see cmclient %s --help", line->arguments[command->arguments_max],
           command->name);
  if (line->arguments_count < command->arguments_min)
    misuse(line, "%s needs %s; see cmclient %s --help", command->name, command->arguments,
           command->name);
}

static void take_arguments(struct command_line *line, int count, char **arguments)
{
  line->arguments = calloc((size_t)count + 1, sizeof *line->arguments);
  if (!line->arguments)
    misuse(line, "out of memory");
  for (int i = 0; i < count; i++)
    line->arguments[i] = arguments[i];
  line->arguments_count = count;
  line->after_dashes = count > 0 && strcmp(arguments[-1], "--") == 0;
}

static void parse_command(int argc, char **argv, struct command_line *line, unsigned given)
{
  struct known known;
  line->command = find_command(line, argv[0]);
  line->own = calloc(1, line->command->own_bytes + 1);
  if (!line->own)
    misuse(line, "out of memory");
  known_init(&known, line->command, ":");
  int first = parse_options(&known, argc, argv, line, &given);
  print_what_is_asked(line);
  for (const struct option_kind *kind = shared_options; kind->name; kind++) {
    if (given & 1u << (kind - shared_options))
      check_taken(line, kind);
  }
  take_arguments(line, argc - first, argv + first);
  check_arguments(line);
}

void command_line_parse(int argc, char **argv, struct command_line *line)
{
  struct known known;
  unsigned given = 0;
  *line = (struct command_line){.options.limit_plies = CM_LIMIT_OF_GAME,
                                .json_seen = see_json(argc, argv)};
  known_init(&known, NULL, "+:");
  int first = parse_options(&known, argc, argv, line, &given);
  print_what_is_asked(line);
  if (first == argc) {
    help_print_beginning();
    exit(EXIT_USAGE);
  }
  if (strcmp(argv[first], "help") == 0)
    help_for(line, argc - first - 1, argv + first + 1);
  parse_command(argc - first, argv + first, line, given);
}

void command_line_deinit(struct command_line *line)
{
  free(line->own);
  free(line->arguments);
}
