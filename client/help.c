#include "client/help.h"

#include <stdio.h>

#include "client/commands/commands.h"

enum { MEANING_COLUMN = 32 };

static void print_row(const char *left, const char *meaning)
{
  if (printf("%-*s", MEANING_COLUMN - 1, left) >= MEANING_COLUMN)
    printf("\n%*s", MEANING_COLUMN - 1, "");
  printf(" %s\n", meaning);
}

static void print_option(const struct option_kind *kind)
{
  char left[64], letter[5] = "";
  if (kind->letter)
    snprintf(letter, sizeof letter, "-%c, ", kind->letter);
  snprintf(left, sizeof left, "  %s--%s%s%s", letter, kind->name, kind->argument ? " " : "",
           kind->argument ? kind->argument : "");
  print_row(left, kind->meaning);
}

static void print_shared_options(unsigned set)
{
  for (const struct option_kind *kind = shared_options; kind->name; kind++) {
    if (set & 1u << (kind - shared_options))
      print_option(kind);
  }
}

void help_print_beginning(void)
{
  puts("cmclient solves Cat and Mouse puzzles: who wins, in how many plies, by which moves?\n"
       "  cmclient solve puzzle.json   who wins? (without a file: type or paste the puzzle)\n"
       "  cmclient query               the best moves from its start, or from --state 4,2,cat\n"
       "  cmclient line                best play to the end\n"
       "  cmclient --help              all there is; cmclient solve --help tells more of one");
}

void help_print(void)
{
  puts("cmclient COMMAND [OPTION...]\n\nAsks catmouse who wins a Cat and Mouse puzzle.\n");
  for (const struct command *const *command = commands; *command; command++) {
    char left[64];
    snprintf(left, sizeof left, "  %s %s", (*command)->name, (*command)->arguments);
    print_row(left, (*command)->meaning);
  }
  puts("");
  print_shared_options(~0u);
  puts("\n`cmclient COMMAND --help` says more of one, with the options that are its own.\n\n"
       "FILE holds a puzzle as JSON, or as it is pasted from LeetCode; - is standard input, and so "
       "is\n"
       "no FILE where something is piped in. Where nothing is, the puzzle is the one solved last.\n"
       "Exit status: 0 answered, 1 refused by the daemon, 2 misuse or unreadable input, 3 no "
       "daemon\n"
       "or no answer in time.");
}

void help_print_command(const struct command *command)
{
  printf("cmclient %s%s%s [OPTION...]\n\n%s\n", command->name, *command->arguments ? " " : "",
         command->arguments, command->meaning);
  if (command->details)
    printf("\n%s\n", command->details);
  puts("");
  for (const struct option_kind *kind = command->own; kind && kind->name; kind++)
    print_option(kind);
  print_shared_options(command_shared_options(command));
  if (command->example)
    printf("\n%s", command->example);
}
