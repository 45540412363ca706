/* Why a state is won, or a draw: a proof for people, or one for programs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/client.h"
#include "client/local.h"
#include "client/show_proof.h"
#include "client/words.h"
#include "proto/certificate.h"
#include "solver/explain.h"

enum { LEVELS_SHOWN = 3, STATES_MOST = 50000 };

struct explain_options {
  uint32_t depth; /* 0 where not given */
  bool all;
};

static const struct option_kind own_options[] = {
    {.name = "depth",
     .argument = "N",
     .take = take_number,
     .field = offsetof(struct explain_options, depth),
     .meaning = "show N choices of the loser in a row, and fold what follows; 3 without it"},
    {.name = "all",
     .take = take_flag,
     .field = offsetof(struct explain_options, all),
     .meaning = "fold none"},
    {0}};

static int print_certificate(struct task *task, const struct arena *arena,
                             const struct proof *proof)
{
  struct buffer json;
  buffer_init(&json);
  certificate_to_json(&json, arena, proof);
  int status = json.failed ? task_misuse(task, "out of memory for the certificate") : EXIT_ANSWERED;
  if (status == EXIT_ANSWERED) {
    fwrite(json.data, 1, json.length, stdout);
    puts("");
  }
  buffer_deinit(&json);
  return status;
}

static int too_large(struct task *task)
{
  struct fault fault;
  certificate_refuse(STATES_MOST, &fault);
  return local_refused(task, fault.error, fault.text);
}

/* A path as a shell takes it: quoted where there is more in it than what no shell looks at. */
static void print_path(const char *path)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._+-";
  if (*path && path[strspn(path, plain)] == '\0') {
    fputs(path, stdout);
    return;
  }
  putchar('\'');
  for (; *path; path++)
    fputs(*path == '\'' ? "'\\''" : (char[]){*path, '\0'}, stdout);
  putchar('\'');
}

/* "137 states; check it: cmclient explain --json puzzle | cmclient check puzzle" */
static void print_last_line(const struct task *task, const struct proof *proof, bool folded)
{
  const struct options *options = task->options;
  const bool is_file = task->arguments_count > 0 && strcmp(task->arguments[0], "-") != 0;
  const char *file = is_file ? task->arguments[0] : "FILE";
  char states[WORDS_MAX];
  if (folded)
    puts("\nWhere a line ends in ..., more follows: --depth N shows N choices, --all shows all.");
  count_words(proof_states(proof), "state", "states", states);
  printf("%s%s; check it: cmclient explain --json", folded ? "" : "\n", states);
  if (options->state)
    printf(" --state %s", options->state);
  if (options->limit_plies != CM_LIMIT_OF_GAME)
    printf(" --limit %" PRIu32, options->limit_plies);
  if (options->id)
    printf(" --id %s", options->id);
  if (task->puzzle) {
    putchar(' ');
    print_path(file);
  }
  fputs(" | cmclient check ", stdout);
  print_path(file);
  putchar('\n');
}

static int show(struct task *task, const struct arena *arena, const struct proof *proof, bool whole)
{
  const struct explain_options *own = task->own;
  uint32_t levels = own->all ? UINT32_MAX : own->depth ? own->depth : LEVELS_SHOWN;
  bool folded = false;
  if (show_proof(&task->style, arena, proof, whole, levels, &folded) < 0)
    return task_misuse(task, "out of memory for the proof");
  if (!whole)
    printf("\nThis is the beginning of a proof of more than %d states.\n", STATES_MOST);
  else if (proof->strategies_count > 0)
    print_last_line(task, proof, folded);
  return EXIT_ANSWERED;
}

static int print(struct task *task, const struct arena *arena, const struct proof *proof,
                 bool whole)
{
  return task->options->json ? print_certificate(task, arena, proof)
                             : show(task, arena, proof, whole);
}

/* Of choices that are not folded, and of the answers to them. */
static uint32_t depth_plies(const struct explain_options *own)
{
  return 2 * own->depth + 1;
}

/* For people, the beginning is better than nothing. */
static bool may_be_cut(const struct task *task)
{
  return ((const struct explain_options *)task->own)->depth > 0 && !task->options->json;
}

static int explain_here(struct task *task, struct local *local)
{
  struct state state;
  struct proof proof;
  bool whole = true;
  int status = local_solve(task, local, &state);
  if (status)
    return status;
  uint32_t limit = local_limit(task, local->arena);
  int error = explain(local->arena, local->table, &state, limit, STATES_MOST, &proof);
  if (error == -EFBIG && may_be_cut(task)) {
    whole = false;
    error = explain_beginning(local->arena, local->table, &state, limit, depth_plies(task->own),
                              STATES_MOST, &proof);
  }
  if (error)
    return error == -EFBIG ? too_large(task) : task_misuse(task, "out of memory for the proof");
  status = print(task, local->arena, &proof, whole);
  proof_deinit(&proof);
  return status;
}

/* What the daemon has proved. */
static int show_certificate(struct task *task, const char *json, bool whole)
{
  struct certificate certificate;
  struct fault fault;
  struct arena *arena;
  struct complaint complaint;
  if (certificate_from_json(json, strlen(json), &message_limits_default, &certificate, &fault))
    return local_refused(task, fault.error, fault.text);
  int status, error = arena_new(&certificate.puzzle, &arena, &complaint);
  if (error == 0) {
    status = show(task, arena, &certificate.proof, whole);
    arena_free(arena);
  } else {
    status = error == -ENOMEM ? task_misuse(task, "out of memory for the proof")
                              : local_refused(task, ERROR_BAD_PUZZLE, complaint.text);
  }
  certificate_deinit(&certificate);
  return status;
}

static int explain_there(struct task *task, const struct local *local)
{
  const struct cm_which *which = &local->subject.which;
  const uint32_t limit = task->options->limit_plies;
  struct cm_state state;
  struct cm_explain explain;
  int status = subject_state(task, &local->subject, &state);
  if (status)
    return status;
  int result = cm_explain(task->client, which, &state, limit, 0, &explain);
  if (result && task->client->error_kind == ERROR_LONG_PROOF && may_be_cut(task))
    result = cm_explain(task->client, which, &state, limit, depth_plies(task->own), &explain);
  if (result)
    return subject_failed(task, &local->subject, result);
  if (task->options->json) {
    puts(explain.certificate);
    return EXIT_ANSWERED;
  }
  subject_tell(&local->subject, stdout);
  return show_certificate(task, explain.certificate, explain.whole);
}

static int run(struct task *task)
{
  struct local local;
  int status = local_find(task, true, &local);
  if (status == 0)
    status = local.arena ? explain_here(task, &local) : explain_there(task, &local);
  local_deinit(&local);
  return status;
}

const struct command command_explain = {
    .name = "explain",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "why is it won? a proof to follow, or to check",
    .details = "Proves who wins from a state, the puzzle's start unless --state says another: "
               "whatever the\n"
               "other player does, here is the answer. Each line has a number; \"as in 12\" goes "
               "on as line 12\n"
               "does. With --json, prints a certificate for cmclient check.",
    .example =
        "$ cmclient explain --depth 2 examples/puzzles/graph-list.json\n"
        "The mouse wins in 7 plies: whatever the cat does, the mouse gets home.\n"
        "\n"
        "   1  mouse at 1, cat at 2; mouse to 4: 6 plies left\n"
        "   2    cat to 9, mouse to 5: 4 plies left\n"
        "   3      cat to 2, mouse to 6: 2 plies left ...\n"
        "   4      cat to 7, mouse to 6: 2 plies left ...\n"
        "   5      cat to 12, mouse to 6: 2 plies left ...\n"
        "   6    cat to 12, mouse to 5: 4 plies left\n"
        "   7      cat to 2: as in 3\n"
        "   8      cat to 9, mouse to 6: 2 plies left ...\n"
        "\n"
        "Where a line ends in ..., more follows: --depth N shows N choices, --all shows all.\n"
        "20 states; check it: cmclient explain --json examples/puzzles/graph-list.json | cmclient "
        "check examples/puzzles/graph-list.json\n",
    .needs = NEEDS_DAEMON,
    .shared =
        OPTION(STATE) | OPTION(START) | OPTION(ID) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct explain_options),
    .run = run,
};
