/* The command line: what is understood, and that every option is refused where it means nothing. */
#include "client/options.h"

#include <stdio.h>
#include <string.h>

#include "client/failure.h"
#include "tests/client/capture.h"
#include "tests/client/client_test.h"

enum { ARGUMENTS_MAX = 12 };

struct line {
  const char *arguments[ARGUMENTS_MAX];
};

static void parse_line(const struct line *line, struct options *options)
{
  char *argv[ARGUMENTS_MAX + 2] = {"cmclient"};
  int argc = 1;
  while (line->arguments[argc - 1]) {
    argv[argc] = (char *)line->arguments[argc - 1];
    argc++;
  }
  options_parse(argc, argv, options);
}

static int parse(void *context)
{
  struct options options;
  parse_line(context, &options);
  return EXIT_ANSWERED;
}

static int parse_and_print(void *context)
{
  struct options parsed;
  const struct options *options = &parsed;
  parse_line(context, &parsed);
  printf("%d %s %s %s %u %u %d %d %s %u %d %d %d", options->command,
         options->argument ? options->argument : "-", options->state ? options->state : "-",
         options->id ? options->id : "-", options->limit_plies, options->max, options->json,
         options->leetcode, options->socket ? options->socket : "-", options->timeout_ms,
         options->no_autostart, options_name_puzzle(options),
         command_starts_daemon(options->command));
  return EXIT_ANSWERED;
}

static void assert_parsed(const struct line *line, const char *expected)
{
  struct line copy = *line;
  struct captured captured;
  capture(parse_and_print, &copy, &captured);
  assert_string_equal(captured.err, "");
  assert_string_equal(captured.out, expected);
}

static void test_understood(void **state)
{
  (void)state;
  assert_parsed(&(struct line){{"ping"}}, "9 - - - 4294967295 0 0 0 - 0 0 0 1");
  assert_parsed(&(struct line){{"solve"}}, "0 - - - 4294967295 0 0 0 - 0 0 1 1");
  assert_parsed(&(struct line){{"solve", "-", "--leetcode"}}, "0 - - - 4294967295 0 0 1 - 0 0 1 1");
  assert_parsed(&(struct line){{"--state=1,2,0", "line", "--max", "3", "f", "--limit", "0"}},
                "2 f 1,2,0 - 0 3 0 0 - 0 0 1 1");
  assert_parsed(&(struct line){{"stats", "--id", "012345", "--json", "--timeout", "7"}},
                "3 - - 012345 4294967295 0 1 0 - 7 0 0 1");
  assert_parsed(&(struct line){{"evict", "012345", "--socket", "/s", "--no-autostart"}},
                "6 012345 - - 4294967295 0 0 0 /s 0 1 0 0");
}

static const char *const option_names[] = {
#define X(constant, name, ...) "--" name,
    CLIENT_OPTIONS(X)
#undef X
};
static const char *const option_values[] = {
#define X(constant, name, argument, ...) (argument) ? "1" : NULL,
    CLIENT_OPTIONS(X)
#undef X
};
static const uint32_t option_commands[] = {
#define X(constant, name, argument, commands, meaning) (commands),
    CLIENT_OPTIONS(X)
#undef X
};
static const char *const command_names[] = {
#define X(constant, name, ...) name,
    CLIENT_COMMANDS(X)
#undef X
};

static void test_options_go_with_their_commands_only(void **state)
{
  (void)state;
  for (size_t option = 0; option < sizeof option_names / sizeof option_names[0]; option++) {
    for (int command = 0; command < COMMAND_COUNT; command++) {
      struct line line = {{command_names[command], option_names[option], option_values[option]}};
      struct captured captured;
      char complaint[64];
      snprintf(complaint, sizeof complaint, "%s takes no %s", command_names[command],
               option_names[option]);
      capture(parse, &line, &captured);
      bool refused = strstr(captured.err, complaint);
      assert_int_equal(refused, !(option_commands[option] & 1u << command));
    }
  }
}

static void assert_misuse(const struct line *line, const char *sentence)
{
  struct line copy = *line;
  struct captured captured;
  capture(parse, &copy, &captured);
  assert_int_equal(captured.status, EXIT_USAGE);
  assert_string_equal(captured.out, "");
  assert_contains(captured.err, sentence);
}

static void test_misuse(void **state)
{
  (void)state;
  assert_misuse(&(struct line){{NULL}}, "a command is missing");
  assert_misuse(&(struct line){{"slove"}}, "no command is called slove");
  assert_misuse(&(struct line){{"solve", "a", "b"}}, "what is b?");
  assert_misuse(&(struct line){{"list", "a"}}, "list takes no argument, but got a");
  assert_misuse(&(struct line){{"evict"}}, "evict needs the ID");
  assert_misuse(&(struct line){{"line"}}, "line needs --state M,C,T");
  assert_misuse(&(struct line){{"stats", "f", "--id", "012345"}}, "a FILE or --id, not both");
  assert_misuse(&(struct line){{"solve", "--json", "--leetcode"}}, "--json or --leetcode");
  assert_misuse(&(struct line){{"ping", "--timeout"}}, "requires an argument");
  assert_misuse(&(struct line){{"ping", "--frob"}}, "see cmclient --help");
  static const char *const numbers[] = {
      "", "x", "-1", "+1", " 1", "1x", "4294967295", "1e3", "99999999999999999999"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    assert_misuse(&(struct line){{"ping", "--timeout", numbers[i]}},
                  "not a number from 0 to 4294967294");
}

static void assert_said(const struct line *line, const char *part)
{
  struct line copy = *line;
  struct captured captured;
  capture(parse, &copy, &captured);
  assert_int_equal(captured.status, EXIT_ANSWERED);
  assert_contains(captured.out, part);
}

static void test_help_and_version(void **state)
{
  (void)state;
  assert_said(&(struct line){{"--version"}}, "cmclient " CATMOUSE_VERSION "\n");
  assert_said(&(struct line){{"help"}}, "Exit status: 0 answered");
  assert_said(&(struct line){{"-h"}}, "Exit status: 0 answered");
  for (size_t option = 0; option < sizeof option_names / sizeof option_names[0]; option++)
    assert_said(&(struct line){{"--help"}}, option_names[option]);
  for (int command = 0; command < COMMAND_COUNT; command++)
    assert_said(&(struct line){{"--help"}}, command_names[command]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_understood),
      cmocka_unit_test(test_options_go_with_their_commands_only),
      cmocka_unit_test(test_misuse),
      cmocka_unit_test(test_help_and_version),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
