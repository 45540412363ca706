/* Why a state is won, or a draw: a proof for people, or one for programs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
     .meaning = "fold choices after N, one another; 3 without it"},
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

static int too_large(void)
{
  char words[160];
  snprintf(words, sizeof words,
           "the proof is too large, of more than %d states; ask for --depth N to see its beginning",
           STATES_MOST);
  return local_refused(ERROR_LIMIT, words);
}

/* "137 states; check it: cmclient explain --json puzzle | cmclient check puzzle" */
static void print_last_line(const struct task *task, const struct proof *proof, bool folded)
{
  const char *state = task->options->state;
  const bool is_file = task->arguments_count > 0 && strcmp(task->arguments[0], "-") != 0;
  const char *file = is_file ? task->arguments[0] : "FILE";
  char states[WORDS_MAX], limit[WORDS_MAX] = "";
  if (folded)
    puts("\nWhere a line ends in ..., more follows: --depth N shows N choices, --all shows all.");
  count_words(proof_states(proof), "state", "states", states);
  if (task->options->limit_plies != CM_LIMIT_OF_GAME)
    snprintf(limit, sizeof limit, "--limit %" PRIu32 " ", task->options->limit_plies);
  printf("%s%s; check it: cmclient explain --json %s%s%s%s%s | cmclient check %s\n",
         folded ? "" : "\n", states, state ? "--state " : "", state ? state : "", state ? " " : "",
         limit, file, file);
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

static int explain_state(struct task *task, const struct local *local, const struct state *state)
{
  const struct explain_options *own = task->own;
  uint32_t limit = local_limit(task, local->arena);
  struct proof proof;
  bool whole = true;
  int error = explain(local->arena, local->table, state, limit, STATES_MOST, &proof);
  if (error == -EFBIG && own->depth > 0 && !task->options->json) {
    whole = false;
    error = explain_beginning(local->arena, local->table, state, limit, 2 * own->depth + 1,
                              STATES_MOST, &proof);
  }
  if (error)
    return error == -EFBIG ? too_large() : task_misuse(task, "out of memory for the proof");
  int status = task->options->json ? print_certificate(task, local->arena, &proof)
                                   : show(task, local->arena, &proof, whole);
  proof_deinit(&proof);
  return status;
}

static int run(struct task *task)
{
  struct local local;
  struct state state;
  int status = local_solve(task, &local);
  if (status == 0)
    status = local_state(task, local.arena, &state);
  if (status == 0)
    status = explain_state(task, &local, &state);
  local_deinit(&local);
  return status;
}

const struct command command_explain = {
    .name = "explain",
    .arguments = "[FILE|-]",
    .arguments_max = 1,
    .meaning = "why does who wins win? a proof to follow, or to check",
    .details = "Proves who wins from a state, the puzzle's start unless --state says another: "
               "whatever the\n"
               "other player does, here is the answer. Each line has a number; \"as in 12\" goes "
               "on as line 12\n"
               "does. With --json, prints a certificate for cmclient check.",
    .example = "$ cmclient explain --depth 2 examples/puzzles/graph-list.json\n",
    .needs = NEEDS_NO_CLIENT,
    .shared = OPTION(STATE) | OPTION(START) | OPTION(LIMIT) | OPTION(JSON) | OPTION(COLOUR),
    .own = own_options,
    .own_bytes = sizeof(struct explain_options),
    .run = run,
};
