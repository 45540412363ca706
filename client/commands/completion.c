/* Completion for shells, made from the tables of commands and options. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "client/commands/commands.h"
#include "client/commands/task.h"

/* Calls `visit` with each option that the command takes, its own first. */
static void each_option(const struct command *command,
                        void (*visit)(const struct command *command,
                                      const struct option_kind *kind))
{
  for (const struct option_kind *kind = command->own; kind && kind->name; kind++)
    visit(command, kind);
  for (const struct option_kind *kind = shared_options; kind->name; kind++) {
    if (command_shared_options(command) & 1u << (kind - shared_options))
      visit(command, kind);
  }
}

static bool takes_id(const struct option_kind *kind)
{
  return strcmp(kind->name, "id") == 0;
}

static bool arguments_are_ids(const struct command *command)
{
  return strncmp(command->arguments, "ID", 2) == 0;
}

/* Such as "bash|zsh|fish". */
static bool arguments_are_choices(const struct command *command)
{
  return islower((unsigned char)command->arguments[0]);
}

static void print_argument_choices(const struct command *command)
{
  for (const char *at = command->arguments; *at; at++)
    putchar(*at == '|' ? ' ' : *at);
}

/* In single quotes, which a shell takes as they are; brackets mean something to zsh. */
static void print_quoted(const char *before, const char *text, const char *after, bool is_zsh)
{
  printf("'%s", before);
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (is_zsh && strchr("[]:", *text))
      printf("\\%c", *text);
    else
      putchar(*text);
  }
  printf("%s'", after);
}

static void print_choices(const struct option_kind *kind)
{
  for (const char *const *choice = kind->choices; *choice; choice++)
    printf("%s%s", choice == kind->choices ? "" : " ", *choice);
}

static void print_command_names(void)
{
  for (const struct command *const *command = commands; *command; command++)
    printf("%s ", (*command)->name);
}

static void bash_option(const struct command *command, const struct option_kind *kind)
{
  (void)command;
  printf(" --%s", kind->name);
}

static void bash_choice(const struct command *command, const struct option_kind *kind)
{
  if (!kind->choices)
    return;
  printf("  %s,--%s) choices='", command->name, kind->name);
  print_choices(kind);
  puts("' ;;");
}

static void print_bash(void)
{
  puts("# bash completion for cmclient\n"
       "_cmclient() {\n"
       "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
       "  local command= word choices= arguments= files=\n"
       "  [[ $current != = ]] || current=\n"
       "  [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
       "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
       "    [[ $word == -* ]] || { command=$word; break; }\n"
       "  done\n"
       "  COMPREPLY=()\n"
       "  case $command,$before in\n"
       "  *,--id | *,-i) choices=$(cmclient list --ids 2>/dev/null) ;;");
  for (const struct command *const *command = commands; *command; command++)
    each_option(*command, bash_choice);
  puts("  esac\n"
       "  if [[ -n $choices ]]; then\n"
       "    mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$current\")\n"
       "    return\n"
       "  fi\n"
       "  case $command in");
  fputs("  '') choices='", stdout);
  print_command_names();
  puts("help --help --version' ;;");
  for (const struct command *const *command = commands; *command; command++) {
    printf("  %s) choices='", (*command)->name);
    each_option(*command, bash_option);
    putchar('\'');
    if (arguments_are_ids(*command))
      fputs(" arguments=$(cmclient list --ids 2>/dev/null)", stdout);
    if (arguments_are_choices(*command)) {
      fputs(" arguments='", stdout);
      print_argument_choices(*command);
      putchar('\'');
    } else if ((*command)->arguments_max > 0)
      fputs(" files=yes", stdout);
    puts(" ;;");
  }
  fputs("  help) arguments='", stdout);
  print_command_names();
  puts("' ;;\n"
       "  esac\n"
       "  [[ -z $command || $current == -* ]] || choices=$arguments\n"
       "  mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$current\")\n"
       "  [[ -z $files || $current == -* ]] ||\n"
       "    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n"
       "}\n"
       "complete -o filenames -F _cmclient cmclient");
}

static void zsh_option(const struct command *command, const struct option_kind *kind)
{
  (void)command;
  fputs(" \\\n      ", stdout);
  printf("'--%s[", kind->name);
  for (const char *at = kind->meaning; *at; at++) {
    if (*at == '\'')
      fputs("'\\''", stdout);
    else
      printf(strchr("[]:", *at) ? "\\%c" : "%c", *at);
  }
  fputs("]", stdout);
  if (kind->choices) {
    printf(":%s:(", kind->argument);
    print_choices(kind);
    putchar(')');
  } else if (takes_id(kind)) {
    fputs(":ID:_cmclient_ids", stdout);
  } else if (kind->argument) {
    printf(":%s:%s", kind->argument, strcmp(kind->argument, "PATH") == 0 ? "_files" : " ");
  }
  putchar('\'');
}

static void print_zsh(void)
{
  puts("#compdef cmclient\n"
       "_cmclient_ids() { compadd -- ${(f)\"$(cmclient list --ids 2>/dev/null)\"} }\n"
       "_cmclient() {\n"
       "  local -a commands=(");
  for (const struct command *const *command = commands; *command; command++) {
    fputs("    ", stdout);
    char before[32];
    snprintf(before, sizeof before, "%s:", (*command)->name);
    print_quoted(before, (*command)->meaning, "", true);
    puts("");
  }
  puts("  )\n"
       "  if ((CURRENT == 2)); then\n"
       "    _describe command commands\n"
       "    return\n"
       "  fi\n"
       "  shift words\n"
       "  ((CURRENT--))\n"
       "  case $words[1] in");
  for (const struct command *const *command = commands; *command; command++) {
    printf("    %s) _arguments -s", (*command)->name);
    each_option(*command, zsh_option);
    if (arguments_are_ids(*command)) {
      fputs(" '*:ID:{ _cmclient_ids; _files }'", stdout);
    } else if (arguments_are_choices(*command)) {
      fputs(" '*:word:(", stdout);
      print_argument_choices(*command);
      fputs(")'", stdout);
    } else if ((*command)->arguments_max > 0) {
      fputs(" '*:FILE:_files'", stdout);
    }
    puts(" ;;");
  }
  puts("  esac\n"
       "}\n"
       "_cmclient \"$@\"");
}

static void fish_option(const struct command *command, const struct option_kind *kind)
{
  printf("complete -c cmclient -n '__fish_seen_subcommand_from %s' -l %s", command->name,
         kind->name);
  if (kind->letter)
    printf(" -s %c", kind->letter);
  fputs(" -d ", stdout);
  print_quoted("", kind->meaning, "", false);
  if (kind->choices) {
    fputs(" -x -a '", stdout);
    print_choices(kind);
    putchar('\'');
  } else if (takes_id(kind)) {
    fputs(" -x -a '(cmclient list --ids 2>/dev/null)'", stdout);
  } else if (kind->argument) {
    fputs(" -r", stdout);
  }
  puts("");
}

static void print_fish(void)
{
  puts("# fish completion for cmclient");
  for (const struct command *const *command = commands; *command; command++) {
    printf("complete -c cmclient -n __fish_use_subcommand -f -a %s -d ", (*command)->name);
    print_quoted("", (*command)->meaning, "", false);
    puts("");
    if (arguments_are_ids(*command))
      printf("complete -c cmclient -n '__fish_seen_subcommand_from %s' -a "
             "'(cmclient list --ids 2>/dev/null)'\n",
             (*command)->name);
    if (arguments_are_choices(*command)) {
      printf("complete -c cmclient -n '__fish_seen_subcommand_from %s' -f -a '", (*command)->name);
      print_argument_choices(*command);
      puts("'");
    }
    each_option(*command, fish_option);
  }
}

static int run(struct task *task)
{
  static const struct {
    const char *shell;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
    if (strcmp(task->arguments[0], shells[i].shell) == 0) {
      shells[i].print();
      return EXIT_ANSWERED;
    }
  }
  return task_misuse(task, "there is completion for bash, zsh and fish, not for %s",
                     task->arguments[0]);
}

const struct command command_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .arguments_min = 1,
    .arguments_max = 1,
    .meaning = "print completion for a shell",
    .details = "Installed programs come with it. Elsewhere: source <(cmclient completion bash)",
    .example = "$ cmclient completion bash | head -1\n"
               "# bash completion for cmclient\n",
    .needs = NEEDS_NO_CLIENT,
    .run = run,
};
