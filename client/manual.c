/* cmclient-manual COMMAND: the manual page of one command, in scdoc's form, from the command's own row. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/commands/commands.h"

/* What scdoc would take for marks is escaped. */
static void print_text(const char *text)
{
  for (; *text; text++) {
    if (strchr("*_\\#`~<", *text))
      putchar('\\');
    putchar(*text);
  }
}

static void print_option(const struct option_kind *kind)
{
  printf("*--%s*", kind->name);
  if (kind->argument) {
    fputs(" _", stdout);
    print_text(kind->argument);
    putchar('_');
  }
  if (kind->letter)
    printf(", *-%c*", kind->letter);
  fputs("\n\t", stdout);
  /* Words to be typed stay as they are. */
  putchar(kind->choices ? kind->meaning[0] : toupper((unsigned char)kind->meaning[0]));
  print_text(kind->meaning + 1);
  puts(".\n");
}

static void print_options(const struct command *command)
{
  puts("# OPTIONS\n");
  for (const struct option_kind *kind = command->own; kind && kind->name; kind++)
    print_option(kind);
  for (const struct option_kind *kind = shared_options; kind->name; kind++) {
    if (command_shared_options(command) & 1u << (kind - shared_options))
      print_option(kind);
  }
}

int main(int argc, char **argv)
{
  const struct command *command = argc == 2 ? command_find(argv[1]) : NULL;
  if (!command) {
    fputs("cmclient-manual COMMAND\n", stderr);
    return 2;
  }
  printf("cmclient-%s(1)\n\n# NAME\n\ncmclient-%s - ", command->name, command->name);
  print_text(command->meaning);
  printf("\n\n# SYNOPSIS\n\n*cmclient %s* ", command->name);
  print_text(command->arguments);
  puts(" [_option_...]\n");
  if (command->details) {
    puts("# DESCRIPTION\n");
    print_text(command->details);
    puts("\n");
  }
  print_options(command);
  if (command->example)
    printf("# EXAMPLE\n\n```\n%s```\n\n", command->example);
  puts("# SEE ALSO\n\n*cmclient*(1), which tells of states, of files and of the exit status, and "
       "*catmouse*(7)");
  return 0;
}
