/* Is a solver right? Where it is not: the smallest puzzle that shows it. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/batch/append.h"
#include "client/commands/task.h"
#include "client/draw/draw.h"
#include "client/judge/judge.h"
#include "client/words.h"
#include "proto/units.h"
#include "solver/solve.h"

enum {
  EXIT_WRONG = 1,
  EXIT_INTERRUPTED = 130,
  JOBS_MAX = 256,
  COUNT_DEFAULT = 500,
  TIME_DEFAULT_MS = 2000,
  START_MS = 30000,
  COUNT_MAX = 1000000,
};

static const char *const game_names[] = {[GAME_GRAPH] = "graph", [GAME_GRID] = "grid", NULL};

struct judge_options {
  int game; /* enum game */
  bool stream, exhaustive;
  uint32_t seed, count, time_ms, jobs;
  uint64_t memory_bytes;
};

#define FIELD(name) .field = offsetof(struct judge_options, name)

static const struct option_kind own_options[] = {
    {.name = "game",
     .argument = "GAME",
     .take = take_choice,
     FIELD(game),
     .choices = game_names,
     .meaning = "graph or grid: what a program behind -- solves"},
    {.name = "stream",
     .take = take_flag,
     FIELD(stream),
     .meaning = "give a program all cases in one run, and read a line for each"},
    {.name = "exhaustive",
     .take = take_flag,
     FIELD(exhaustive),
     .meaning = "try all legal graphs of up to 6 nodes too"},
    {.name = "seed",
     .argument = "N",
     .take = take_number,
     FIELD(seed),
     .meaning = "of the random cases"},
    {.name = "count",
     .argument = "N",
     .take = take_number,
     FIELD(count),
     .meaning = "so many random cases; 0, as without it, for 500"},
    {.name = "time",
     .argument = "TIME",
     .take = take_ms,
     FIELD(time_ms),
     .meaning = "for each case, such as 500ms; 2s without it"},
    {.name = "memory",
     .argument = "BYTES",
     .take = take_bytes,
     FIELD(memory_bytes),
     .meaning = "that the program may use; 1G without it"},
    {.name = "jobs",
     .argument = "N",
     .take = take_number,
     FIELD(jobs),
     .meaning = "so many runs at once; 0, as without it, for 1"},
    {0}};

/* What the signal handler sets; handlers take no argument of ours. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
  (void)number;
  interrupted = 1;
}

static void on_progress(void *context, size_t done, size_t count)
{
  bool *shown = context;
  if (!isatty(STDERR_FILENO) || (done % 10 && done != count))
    return;
  fprintf(stderr, "\r\033[K%zu of %zu cases", done, count);
  *shown = true;
}

/* A table, and what is read off it. */
struct solved {
  struct arena *arena;
  struct table *table;
  struct line line;
};

static void solved_deinit(struct solved *solved)
{
  free(solved->line.moves);
  if (solved->table)
    table_free(solved->table);
  arena_free(solved->arena);
}

static int solved_init(const struct challenge *challenge, struct solved *solved)
{
  *solved = (struct solved){.arena = challenge_arena(challenge)};
  if (!solved->arena)
    return -ENOMEM;
  uint32_t moves_most = (uint32_t)arena_states(solved->arena);
  int error = solve(solved->arena, NULL, &solved->table);
  if (error == 0)
    error = answer_line(solved->arena, solved->table, &solved->arena->start,
                        solved->arena->limit_plies, moves_most, &solved->line);
  if (error)
    solved_deinit(solved);
  return error;
}

static void print_picture(const struct solved *solved)
{
  struct picture picture;
  if (picture_init(&picture, solved->arena, solved->table, &solved->arena->start, PLAYER_MOUSE,
                   solved->arena->limit_plies) == 0)
    draw_text(stdout, &picture, false, 0);
}

static void print_line(const struct solved *solved)
{
  enum { SHOWN = 60 };
  printf("Best play:");
  for (uint32_t i = 0; i < solved->line.count && i < SHOWN; i++) {
    char place[WORDS_MAX];
    place_words(solved->arena->cols, solved->line.moves[i], place);
    printf(" %s", place);
  }
  puts(solved->line.count > SHOWN ? " ..." : "");
}

static void how_it_ended(const struct reply *reply, char words[static WORDS_MAX])
{
  if (WIFSIGNALED(reply->status))
    snprintf(words, WORDS_MAX, "signal %d (%s)", WTERMSIG(reply->status),
             strsignal(WTERMSIG(reply->status)));
  else
    snprintf(words, WORDS_MAX, "exit status %d", WEXITSTATUS(reply->status));
}

static void print_said(const struct challenge *challenge, const struct outcome_of_case *said,
                       uint32_t time_ms)
{
  char right[WORDS_MAX], ended[WORDS_MAX], time[UNIT_WORDS];
  verdict_words((enum cm_outcome)said->right.outcome, said->right.plies, right);
  if (said->reply.kind == REPLY_LINE) {
    printf("It says: %s\n", said->reply.line);
  } else if (said->reply.kind == REPLY_LATE) {
    printf("It says nothing within %s.\n", ms_option(time_ms, time));
  } else {
    how_it_ended(&said->reply, ended);
    printf("It ends without an answer, with %s.\n", ended);
  }
  printf("Right is: %s. %s\n", outcome_word(challenge->game, said->right.outcome), right);
  if (said->reply.kind != REPLY_LINE && said->reply.last_words[0])
    printf("Its last words:\n%s%s", said->reply.last_words,
           said->reply.last_words[strlen(said->reply.last_words) - 1] == '\n' ? "" : "\n");
}

static void print_limits(const struct runner_limits *limits)
{
  char memory[UNIT_WORDS], time[UNIT_WORDS];
  printf("Limits: %s a case, %s of memory, %s.\n", ms_option(limits->time_ms, time),
         bytes_option(limits->memory_bytes, memory),
         runner_confines_files() ? "files in its scratch folder alone"
                                 : "files anywhere, since this system cannot confine them");
}

static int print_judgement(struct task *task, const struct judgement *judgement, size_t count,
                           const struct runner_limits *limits)
{
  char text[CHALLENGE_TEXT_BYTES];
  struct solved solved;
  if (judgement->kind == ACCEPTED) {
    printf("Accepted: %zu cases, the slowest in %u ms.\n", count, judgement->slowest_ms);
    print_limits(limits);
    return EXIT_ANSWERED;
  }
  if (solved_init(&judgement->challenge, &solved))
    return task_misuse(task, "out of memory for the puzzle");
  size_t length = challenge_write(&judgement->challenge, text);
  printf("%s on case %zu of %zu%s:\n\n%.*s\n", verdict_names[judgement->kind],
         judgement->failed + 1, count,
         judgement->kind == TIME_LIMIT_EXCEEDED ? "" : "; the smallest that shows it", (int)length,
         text);
  print_said(&judgement->challenge, &judgement->said, limits->time_ms);
  if (judgement->mistake)
    printf("It %s.\n", judgement->mistake);
  puts("");
  print_picture(&solved);
  print_line(&solved);
  print_limits(limits);
  solved_deinit(&solved);
  return EXIT_WRONG;
}

/* The test-case box as JSON: an object of the client's own puzzles. */
static void write_puzzle(const struct challenge *challenge, struct buffer *out)
{
  char text[CHALLENGE_TEXT_BYTES];
  size_t length = challenge_write(challenge, text);
  size_t list = (size_t)((char *)memchr(text, '\n', length) - text);
  append(out, challenge->game == GAME_GRAPH ? ",\"puzzle\":{\"graph\":" : ",\"puzzle\":{\"grid\":");
  buffer_append(out, text, list);
  if (challenge->game == GAME_GRID)
    append_format(out, ",\"catJump\":%d,\"mouseJump\":%d", challenge->jump[PLAYER_CAT],
                  challenge->jump[PLAYER_MOUSE]);
  append(out, "}");
}

static void write_failure(const struct judgement *judgement, const struct solved *solved,
                          struct buffer *out)
{
  const struct outcome_of_case *said = &judgement->said;
  static const char *const outcomes[] = {"mouse", "cat", "draw"};
  append_format(out, ",\"case\":%zu", judgement->failed + 1);
  write_puzzle(&judgement->challenge, out);
  append(out, ",\"said\":");
  if (said->reply.kind == REPLY_LINE)
    append_json_text(out, said->reply.line, strlen(said->reply.line));
  else
    append(out, "null");
  append_format(out, ",\"right\":\"%s\",\"outcome\":\"%s\",\"plies\":",
                outcome_word(judgement->challenge.game, said->right.outcome),
                outcomes[said->right.outcome]);
  if (said->right.plies == PLIES_NONE)
    append(out, "null");
  else
    append_number(out, said->right.plies);
  append(out, ",\"line\":[");
  for (uint32_t i = 0; i < solved->line.count; i++)
    append_format(out, "%s%u", i ? "," : "", solved->line.moves[i]);
  append(out, "],\"mistake\":");
  if (judgement->mistake)
    append_json_text(out, judgement->mistake, strlen(judgement->mistake));
  else
    append(out, "null");
  append(out, ",\"last_words\":");
  append_json_text(out, said->reply.last_words, strlen(said->reply.last_words));
}

static int print_json(struct task *task, const struct judgement *judgement, size_t count)
{
  struct buffer out;
  struct solved solved = {0};
  if (judgement->kind != ACCEPTED && solved_init(&judgement->challenge, &solved))
    return task_misuse(task, "out of memory for the puzzle");
  buffer_init(&out);
  append_format(
      &out,
      "{\"verdict\":\"%s\",\"cases\":%zu,\"passed\":%zu,\"slowest_ms\":%u,\"files_confined\":%s",
      verdict_names[judgement->kind], count, judgement->passed, judgement->slowest_ms,
      runner_confines_files() ? "true" : "false");
  if (judgement->kind != ACCEPTED) {
    write_failure(judgement, &solved, &out);
    solved_deinit(&solved);
  }
  append(&out, "}\n");
  fwrite(out.data, 1, out.length, stdout);
  buffer_deinit(&out);
  return judgement->kind == ACCEPTED ? EXIT_ANSWERED : EXIT_WRONG;
}

static int tell_error(struct task *task, const struct solution *solution, int error)
{
  if (error == -EINTR)
    return EXIT_INTERRUPTED;
  return task_misuse(task, "cannot run %s: %s", solution->argv[0], strerror(-error));
}

static int judge_cases(struct task *task, const struct solution *solution,
                       const struct case_list *cases)
{
  const struct judge_options *own = task->own;
  const uint32_t time_ms = own->time_ms ? own->time_ms : TIME_DEFAULT_MS;
  const struct runner_limits limits = {.time_ms = time_ms,
                                       .start_ms = time_ms > START_MS ? time_ms : START_MS,
                                       .memory_bytes =
                                           own->memory_bytes ? own->memory_bytes : 1u << 30,
                                       .scratch = solution->scratch};
  bool shown = false;
  const struct judging judging = {.solution = solution,
                                  .limits = &limits,
                                  .cases = cases,
                                  .jobs = own->jobs ? own->jobs : 1,
                                  .interrupted = &interrupted,
                                  .on_progress = on_progress,
                                  .context = &shown};
  struct judgement *judgement = calloc(1, sizeof *judgement);
  int error = judgement ? judge(&judging, judgement) : -ENOMEM;
  if (shown)
    fputs("\r\033[K", stderr);
  int status = error                 ? tell_error(task, solution, error)
               : task->options->json ? print_json(task, judgement, cases->count)
                                     : print_judgement(task, judgement, cases->count, &limits);
  free(judgement);
  return status;
}

static int judge_solution(struct task *task, const struct solution *solution)
{
  const struct judge_options *own = task->own;
  struct case_list cases;
  if (cases_make(solution->game, own->seed, own->count ? own->count : COUNT_DEFAULT,
                 own->exhaustive, &cases))
    return task_misuse(task, "out of memory for the cases");
  int status = judge_cases(task, solution, &cases);
  cases_free(&cases);
  return status;
}

static void catch_signals(void)
{
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  signal(SIGPIPE, SIG_IGN); /* a program may end before it reads its case */
}

static int run(struct task *task)
{
  const struct judge_options *own = task->own;
  struct solution *solution = calloc(1, sizeof *solution);
  if (own->jobs > JOBS_MAX || own->count > COUNT_MAX) {
    free(solution);
    return task_misuse(task, "at most %d --jobs and a --count of %d", JOBS_MAX, COUNT_MAX);
  }
  if (!solution)
    return task_misuse(task, "out of memory");
  catch_signals();
  enum solution_result result =
      task->arguments_count == 1 && !task->after_dashes
          ? solution_open(task->arguments[0], solution)
          : solution_of_program(task->arguments, (enum game)own->game, own->stream, solution);
  int status;
  if (result == SOLUTION_READY)
    status = judge_solution(task, solution);
  else if (result == SOLUTION_UNUSABLE)
    status = task_misuse(task, "%s", solution->sentence);
  else
    status = task_fail(task, EXIT_WRONG, "Compile Error", "the solution does not compile",
                       solution->sentence);
  solution_deinit(solution);
  free(solution);
  return status;
}

const struct command command_judge = {
    .name = "judge",
    .arguments = "SOLUTION|-- PROGRAM...",
    .arguments_min = 1,
    .arguments_max = INT_MAX,
    .meaning = "find out whether a solver is right, and show where not",
    .details =
        "SOLUTION is LeetCode's class or function in a file that ends in .py .cpp .java .js .ts or "
        ".c.\n"
        "PROGRAM reads the test-case box and prints the answer. Exit status 1 where it is wrong.",
    .example = "$ cmclient judge examples/solvers/two-n-turns.py | head -7\n"
               "Wrong Answer on case 129 of 518; the smallest that shows it:\n"
               "\n"
               "[[2,5,7],[3,4,6,7],[0,3,4,7],[1,2,5,6],[1,2,6,7],[0,3,6,7],[1,3,4,5],[0,1,2,4,5]]\n"
               "\n"
               "It says: 0\n"
               "Right is: 1. The mouse wins in 17 plies.\n"
               "It answers as if the game ended after 2n turns.\n",
    .needs = NEEDS_NO_CLIENT,
    .shared = OPTION(JSON),
    .own = own_options,
    .own_bytes = sizeof(struct judge_options),
    .run = run,
};
