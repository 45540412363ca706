/* The command line: what is understood, and that every option is refused where it means nothing. */
#include "client/command_line.h"

#include <stdio.h>
#include <string.h>

#include "client/commands/commands.h"
#include "client/failure.h"
#include "tests/client/capture.h"
#include "tests/client/client_test.h"

enum { ARGUMENTS_MAX = 12 };

struct line {
  const char *arguments[ARGUMENTS_MAX];
};

static void parse_line(const struct line *line, struct command_line *parsed)
{
  char *argv[ARGUMENTS_MAX + 2] = {"cmclient"};
  int argc = 1;
  while (line->arguments[argc - 1]) {
    argv[argc] = (char *)line->arguments[argc - 1];
    argc++;
  }
  command_line_parse(argc, argv, parsed);
}

static int parse(void *context)
{
  struct command_line line;
  parse_line(context, &line);
  command_line_deinit(&line);
  return EXIT_ANSWERED;
}

static int parse_and_print(void *context)
{
  struct command_line line;
  const struct options *options = &line.options;
  parse_line(context, &line);
  printf("%s", line.command->name);
  for (int i = 0; i < line.arguments_count; i++)
    printf(" [%s]", line.arguments[i]);
  printf(" %s %s %u %d %d %s %u %d", options->state ? options->state : "-",
         options->id ? options->id : "-", options->limit_plies, options->json, options->colour,
         options->socket ? options->socket : "-", options->timeout_ms, options->no_autostart);
  command_line_deinit(&line);
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
  assert_parsed(&(struct line){{"ping"}}, "ping - - 4294967295 0 0 - 0 0");
  assert_parsed(&(struct line){{"solve", "-", "--leetcode"}}, "solve [-] - - 4294967295 0 0 - 0 0");
  assert_parsed(&(struct line){{"--state=1,2,0", "line", "--max", "3", "f", "--limit", "0"}},
                "line [f] 1,2,0 - 0 0 0 - 0 0");
  assert_parsed(&(struct line){{"query", "-s", "1,2,0", "-i012345"}},
                "query 1,2,0 012345 4294967295 0 0 - 0 0");
  assert_parsed(&(struct line){{"stats", "--id", "012345", "--json", "--timeout", "7"}},
                "stats - 012345 4294967295 1 0 - 7 0");
  assert_parsed(&(struct line){{"evict", "--color", "never", "012345", "--socket", "/s"}},
                "evict [012345] - - 4294967295 0 2 /s 0 0");
  assert_parsed(&(struct line){{"--no-autostart", "solve", "--", "--odd"}},
                "solve [--odd] - - 4294967295 0 0 - 0 1");
}

static void test_times(void **state)
{
  static const struct {
    const char *text, *parsed;
  } times[] = {{"1500", "1500"},    {"250ms", "250"},  {"2s", "2000"}, {"10min", "600000"},
               {"10MIN", "600000"}, {"1h", "3600000"}, {"0", "0"}};
  (void)state;
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
    char expected[64];
    snprintf(expected, sizeof expected, "ping - - 4294967295 0 0 - %s 0", times[i].parsed);
    assert_parsed(&(struct line){{"ping", "--timeout", times[i].text}}, expected);
  }
}

static void test_options_go_with_their_commands_only(void **state)
{
  (void)state;
  for (const struct option_kind *kind = shared_options; kind->name; kind++) {
    for (const struct command *const *command = commands; *command; command++) {
      char option[32], complaint[64];
      const char *value = !kind->argument ? NULL : kind->choices ? kind->choices[0] : "1";
      snprintf(option, sizeof option, "--%s", kind->name);
      struct line line = {{(*command)->name, option, value}};
      struct captured captured;
      snprintf(complaint, sizeof complaint, "%s takes no %s", (*command)->name, option);
      capture(parse, &line, &captured);
      const char *said = strcmp(option, "--json") == 0 ? captured.out : captured.err;
      bool refused = strstr(said, complaint);
      bool taken = command_shared_options(*command) & 1u << (kind - shared_options);
      assert_int_equal(refused, !taken);
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
  assert_misuse(&(struct line){{"stats", "a", "b"}}, "what is b?");
  assert_misuse(&(struct line){{"list", "a"}}, "list takes no argument, but got a");
  assert_misuse(&(struct line){{"evict"}}, "evict needs ID");
  assert_misuse(&(struct line){{"ping", "--timeout"}}, "--timeout needs an argument");
  assert_misuse(&(struct line){{"query", "-s"}}, "-s needs an argument");
  assert_misuse(&(struct line){{"ping", "-x"}}, "no option is called -x");
  assert_misuse(&(struct line){{"list", "--json=1"}}, "--json takes no argument");
  assert_misuse(&(struct line){{"list", "--color", "blue"}},
                "--color is blue, not auto, always or never");
  static const char *const numbers[] = {
      "", "x", "-1", "+1", " 1", "1x", "4294967295", "1e3", "99999999999999999999"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    assert_misuse(&(struct line){{"query", "--limit", numbers[i]}},
                  "not a number from 0 to 4294967294");
  static const char *const times[] = {"", "x", "-1", "1.5s", "5 s", "50000h", "4294967295"};
  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
    assert_misuse(&(struct line){{"ping", "--timeout", times[i]}}, "not a time such as 500ms, 2s");
}

static void test_mistyped(void **state)
{
  (void)state;
  assert_misuse(&(struct line){{"slove"}}, "no command is called slove; did you mean solve?");
  assert_misuse(&(struct line){{"qery"}}, "did you mean query?");
  assert_misuse(&(struct line){{"frobnicate"}}, "no command is called frobnicate; see");
  assert_misuse(&(struct line){{"solve", "--letcode"}}, "did you mean --leetcode?");
  assert_misuse(&(struct line){{"query", "--sate=1"}}, "did you mean --state?");
  assert_misuse(&(struct line){{"ping", "--frob"}}, "no option is called --frob; see");
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
  assert_said(&(struct line){{"-V"}}, "cmclient " CATMOUSE_VERSION "\n");
  assert_said(&(struct line){{"help"}}, "Exit status: 0 answered");
  assert_said(&(struct line){{"-h"}}, "Exit status: 0 answered");
  for (const struct option_kind *kind = shared_options; kind->name; kind++)
    assert_said(&(struct line){{"--help"}}, kind->name);
  for (const struct command *const *command = commands; *command; command++)
    assert_said(&(struct line){{"--help"}}, (*command)->name);
}

/* Each command tells its meaning and each option that it takes, and no other shared one. */
static void test_help_of_a_command(void **state)
{
  (void)state;
  for (const struct command *const *command = commands; *command; command++) {
    struct line line = {{(*command)->name, "--help"}};
    struct captured captured;
    capture(parse, &line, &captured);
    assert_contains(captured.out, (*command)->meaning);
    for (const struct option_kind *kind = (*command)->own; kind && kind->name; kind++)
      assert_contains(captured.out, kind->meaning);
    for (const struct option_kind *kind = shared_options; kind->name; kind++) {
      bool taken = command_shared_options(*command) & 1u << (kind - shared_options);
      assert_int_equal(strstr(captured.out, kind->meaning) != NULL, taken);
    }
    assert_said(&(struct line){{"help", (*command)->name}}, (*command)->meaning);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_understood),
      cmocka_unit_test(test_times),
      cmocka_unit_test(test_options_go_with_their_commands_only),
      cmocka_unit_test(test_misuse),
      cmocka_unit_test(test_mistyped),
      cmocka_unit_test(test_help_and_version),
      cmocka_unit_test(test_help_of_a_command),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
