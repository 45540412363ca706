/* Does a certificate prove what it claims of a puzzle? By the rules alone: nothing is solved here. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/file_text.h"
#include "client/local.h"
#include "client/words.h"
#include "proto/certificate.h"
#include "solver/id.h"
#include "solver/proof_check.h"

static int fails(const char *why)
{
  fprintf(stderr, "The proof fails: %s.\n", why);
  return EXIT_REFUSED;
}

/* The certificate's own puzzle must be the one at hand, up to the order of neighbours and the start. */
static int check_puzzle(struct task *task, const struct certificate *certificate,
                        const struct arena *arena)
{
  struct arena *other;
  struct complaint complaint;
  struct id ours, theirs;
  int error = arena_new(&certificate->puzzle, &other, &complaint);
  if (error == -ENOMEM)
    return task_misuse(task, "out of memory for the certificate's puzzle");
  if (error)
    return fails(complaint.text);
  arena_id(arena, &ours);
  arena_id(other, &theirs);
  arena_free(other);
  return memcmp(&ours, &theirs, sizeof ours) == 0
             ? 0
             : fails("the certificate is about another puzzle");
}

/* "The cat wins from 1,2,mouse, in at most 16 plies: 137 states hold." */
static void show_claim(const struct arena *arena, const struct proof *proof)
{
  const struct claim *claim = &proof->claim;
  char mouse[WORDS_MAX], cat[WORDS_MAX], states[WORDS_MAX];
  place_words(arena->cols, claim->state.mouse, mouse);
  place_words(arena->cols, claim->state.cat, cat);
  count_words(proof_states(proof), "state holds", "states hold", states);
  if (claim->outcome == OUTCOME_DRAW)
    fputs("Nobody wins", stdout);
  else
    printf("The %s wins", player_name((enum cm_player)claim->outcome));
  printf(" from %s,%s,%s", mouse, cat, player_name((enum cm_player)claim->state.turn));
  if (claim->plies != PLIES_NONE)
    printf(", in at most %" PRIu32 " %s", claim->plies, claim->plies == 1 ? "ply" : "plies");
  else if (claim->limit_plies)
    printf(" within %" PRIu32 " %s%s", claim->limit_plies,
           claim->limit_plies == 1 ? "ply" : "plies",
           claim->outcome == OUTCOME_DRAW ? "" : ", as nobody forces the end");
  printf(": %s.\n", states);
}

static int check(struct task *task, const struct certificate *certificate,
                 const struct arena *arena)
{
  struct complaint complaint;
  int status = check_puzzle(task, certificate, arena);
  if (status)
    return status;
  int error = proof_check(arena, &certificate->proof, &complaint);
  if (error == -ENOMEM)
    return task_misuse(task, "out of memory for the check");
  if (error)
    return fails(complaint.text);
  show_claim(arena, &certificate->proof);
  return EXIT_ANSWERED;
}

static int read_certificate(struct task *task, struct certificate *certificate)
{
  const char *path = task->arguments_count > 1 ? task->arguments[1] : "-";
  bool piped = strcmp(path, "-") == 0;
  const char *name = piped ? "standard input" : path;
  struct message_limits limits = message_limits_default;
  struct file_text text;
  struct fault fault;
  limits.message_bytes = UINT64_MAX;
  int status = file_text_read(piped ? NULL : path, name, &text);
  if (status == 0 && certificate_from_json(text.bytes, text.length, &limits, certificate, &fault)) {
    if (fault.error == ERROR_NO_MEMORY || fault.error == ERROR_PARSE)
      status = task_misuse(task, "%s: %s", name, fault.text);
    else
      status = fails(fault.text);
  }
  free(text.bytes);
  return status;
}

static int run(struct task *task)
{
  struct local local;
  struct certificate certificate;
  if (strcmp(task->arguments[0], "-") == 0 && task->arguments_count == 1)
    return task_misuse(
        task, "check needs the puzzle or the certificate in a file: standard input is one");
  int status = local_read(task, task->arguments[0], &local);
  if (status == 0 && (status = read_certificate(task, &certificate)) == 0) {
    status = check(task, &certificate, local.arena);
    certificate_deinit(&certificate);
  }
  local_deinit(&local);
  return status;
}

const struct command command_check = {
    .name = "check",
    .arguments = "PUZZLE [CERTIFICATE]",
    .arguments_min = 1,
    .arguments_max = 2,
    .meaning = "does a certificate prove what it claims?",
    .details =
        "Goes through a certificate of cmclient explain --json state by state, by the rules of "
        "the\n"
        "game alone. Says that it holds, or names the first state that fails and exits with 1.\n"
        "Without CERTIFICATE, reads it from standard input.",
    .example = "$ cmclient explain --json examples/puzzles/garden.json | cmclient check "
               "examples/puzzles/garden.json\n"
               "The mouse wins from 4:4,3:6,mouse, in at most 15 plies: 277 states hold.\n",
    .needs = NEEDS_NO_CLIENT,
    .run = run,
};
