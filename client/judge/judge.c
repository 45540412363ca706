/*
 * Threads take case after case, each with a run of the program of its own. The first case that fails, by its number,
 * decides; then one run after another is asked smaller puzzles.
 */
#include "client/judge/judge.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/judge/mistakes.h"
#include "client/system.h"

enum {
  EVIDENCE_MOST = 400,
  EVIDENCE_MORE = 40,
  EVIDENCE_NODES_MOST = 12,
  SHRINK_TRIES_MOST = 5000,
};

const char *const verdict_names[] = {"Accepted", "Wrong Answer", "Time Limit Exceeded",
                                     "Runtime Error"};

/* Answers that a mistake must explain; the first place is left for the failure. */
struct evidence {
  struct said said[EVIDENCE_MOST + 1];
  size_t count;
};

/* One program, asked on and on. */
struct asker {
  const struct judging *judging;
  struct runner runner;
  size_t streamed; /* SOLUTION_STREAM: the case whose answer comes next */
};

/* All threads together. */
struct contest {
  const struct judging *judging;
  pthread_mutex_t lock;
  size_t next, done;
  size_t failed; /* the lowest number so far, or the count of cases */
  struct outcome_of_case failure;
  struct evidence evidence;
  uint32_t slowest_ms;
  int error;
};

/* A file with a text, to be read from its beginning. */
static int input_with(const char *text, size_t length)
{
  int input = memory_file_open("case");
  if (input < 0)
    return input;
  for (size_t written = 0; written < length;) {
    ssize_t now = write(input, text + written, length - written);
    if (now < 0 && errno != EINTR) {
      int error = -errno;
      close(input);
      return error;
    }
    written += now > 0 ? (size_t)now : 0;
  }
  lseek(input, 0, SEEK_SET);
  return input;
}

static int start_with_input(struct asker *asker, const char *text, size_t length)
{
  int input = input_with(text, length);
  if (input < 0)
    return input;
  int error =
      runner_start(&asker->runner, asker->judging->solution->argv, asker->judging->limits, input);
  close(input);
  return error;
}

/* The reply to a case, from a program that is started where it does not run. */
static int ask_talking(struct asker *asker, const char *text, size_t length, struct reply *reply)
{
  const struct judging *judging = asker->judging;
  if (!asker->runner.keeper) {
    int error = runner_start(&asker->runner, judging->solution->argv, judging->limits, -1);
    if (error)
      return error;
    runner_await_ready(&asker->runner, judging->limits, reply);
    if (reply->kind != REPLY_LINE)
      return 0;
  }
  runner_ask(&asker->runner, judging->limits, text, length, reply);
  return 0;
}

static int ask_once(struct asker *asker, const char *text, size_t length, struct reply *reply)
{
  int error = start_with_input(asker, text, length);
  if (error)
    return error;
  runner_ask(&asker->runner, asker->judging->limits, NULL, 0, reply);
  runner_stop(&asker->runner);
  return 0;
}

/* All cases in one input; their answers come in order. */
static int start_stream(struct asker *asker)
{
  const struct case_list *cases = asker->judging->cases;
  char *text = malloc(cases->count * CHALLENGE_TEXT_BYTES);
  size_t length = 0;
  if (!text)
    return -ENOMEM;
  for (size_t i = 0; i < cases->count; i++)
    length += challenge_write(&cases->cases[i], text + length);
  int error = start_with_input(asker, text, length);
  free(text);
  return error;
}

static int ask_stream(struct asker *asker, struct reply *reply)
{
  int error = asker->runner.keeper ? 0 : start_stream(asker);
  if (error)
    return error;
  runner_ask(&asker->runner, asker->judging->limits, NULL, 0, reply);
  return 0;
}

static enum verdict_kind verdict_of(const struct outcome_of_case *found,
                                    const struct challenge *challenge)
{
  if (found->reply.kind == REPLY_LATE)
    return TIME_LIMIT_EXCEEDED;
  if (found->reply.kind != REPLY_LINE)
    return RUNTIME_ERROR;
  if (!found->is_outcome)
    return WRONG_ANSWER;
  const char *said = outcome_word(challenge->game, found->said);
  return strcmp(said, outcome_word(challenge->game, found->right.outcome)) == 0 ? ACCEPTED
                                                                                : WRONG_ANSWER;
}

/* Asks about one puzzle; `streamed`: it is the next of the stream. 0 or a negative errno. */
static int ask(struct asker *asker, const struct challenge *challenge, bool streamed,
               struct outcome_of_case *found)
{
  char text[CHALLENGE_TEXT_BYTES];
  enum solution_way way = asker->judging->solution->way;
  size_t length = challenge_write(challenge, text);
  *found = (struct outcome_of_case){0};
  int error = challenge_solve(challenge, &found->right);
  if (error)
    return error;
  if (way == SOLUTION_TALKS)
    error = ask_talking(asker, text, length, &found->reply);
  else if (way == SOLUTION_STREAM && streamed)
    error = ask_stream(asker, &found->reply);
  else
    error = ask_once(asker, text, length, &found->reply);
  if (error)
    return error;
  if (found->reply.kind == REPLY_LINE)
    found->is_outcome = outcome_read(challenge->game, found->reply.line, &found->said);
  found->kind = verdict_of(found, challenge);
  if (found->reply.kind != REPLY_LINE)
    runner_stop(&asker->runner);
  return 0;
}

static bool is_small(const struct challenge *challenge)
{
  return challenge->game == GAME_GRID || challenge->nodes <= EVIDENCE_NODES_MOST;
}

static void keep_evidence(struct evidence *evidence, const struct challenge *challenge,
                          const struct outcome_of_case *found)
{
  if (found->is_outcome && is_small(challenge) && evidence->count < EVIDENCE_MOST)
    evidence->said[++evidence->count] = (struct said){*challenge, found->said};
}

/* With the lock held. */
static void note(struct contest *contest, size_t number, const struct outcome_of_case *found)
{
  const struct challenge *challenge = &contest->judging->cases->cases[number];
  contest->done++;
  if (found->reply.ms > contest->slowest_ms)
    contest->slowest_ms = found->reply.ms;
  keep_evidence(&contest->evidence, challenge, found);
  if (found->kind != ACCEPTED && number < contest->failed) {
    contest->failed = number;
    contest->failure = *found;
  }
  if (contest->judging->on_progress)
    contest->judging->on_progress(contest->judging->context, contest->done,
                                  contest->judging->cases->count);
}

/* The next case, unless an earlier one failed. */
static bool take(struct contest *contest, size_t *number)
{
  pthread_mutex_lock(&contest->lock);
  bool is_left = !contest->error && !*contest->judging->interrupted &&
                 contest->next < contest->failed && contest->next < contest->judging->cases->count;
  *number = contest->next;
  contest->next += is_left;
  pthread_mutex_unlock(&contest->lock);
  return is_left;
}

static void *work(void *context)
{
  struct contest *contest = context;
  struct asker asker = {.judging = contest->judging};
  size_t number;
  while (take(contest, &number)) {
    struct outcome_of_case found;
    int error = ask(&asker, &contest->judging->cases->cases[number], true, &found);
    pthread_mutex_lock(&contest->lock);
    if (error)
      contest->error = error;
    else
      note(contest, number, &found);
    pthread_mutex_unlock(&contest->lock);
  }
  runner_stop(&asker.runner);
  return NULL;
}

static int run_contest(struct contest *contest)
{
  /* A stream has one order, so one run. */
  unsigned jobs = contest->judging->solution->way == SOLUTION_STREAM ? 1 : contest->judging->jobs;
  pthread_t *threads = calloc(jobs, sizeof *threads);
  unsigned started = 0;
  if (!threads)
    return -ENOMEM;
  while (started < jobs && pthread_create(&threads[started], NULL, work, contest) == 0)
    started++;
  for (unsigned i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  free(threads);
  if (started == 0)
    return -EAGAIN;
  return contest->error ? contest->error : *contest->judging->interrupted ? -EINTR : 0;
}

struct shrinking {
  struct asker asker;
  struct judgement *judgement;
  struct evidence *evidence;
  unsigned tries;
};

/* In the same way, that is: a wrong answer must not become a crash. */
static bool still_fails(void *context, const struct challenge *challenge)
{
  struct shrinking *shrinking = context;
  struct outcome_of_case found;
  if (shrinking->tries++ >= SHRINK_TRIES_MOST || *shrinking->asker.judging->interrupted ||
      ask(&shrinking->asker, challenge, false, &found))
    return false;
  keep_evidence(shrinking->evidence, challenge, &found);
  if (found.kind != shrinking->judgement->kind)
    return false;
  shrinking->judgement->said = found;
  return true;
}

/* A puzzle that takes too long takes that long at each try, so it is left as it is. */
static void shrink(const struct judging *judging, struct evidence *evidence,
                   struct judgement *judgement)
{
  struct shrinking shrinking = {
      .asker = {.judging = judging}, .judgement = judgement, .evidence = evidence};
  if (judgement->kind == TIME_LIMIT_EXCEEDED)
    return;
  challenge_shrink(&judgement->challenge, still_fails, &shrinking);
  runner_stop(&shrinking.asker.runner);
}

/* Answers to more cases, so that a mistake is not taken for another. */
static void gather(const struct judging *judging, size_t failed, struct evidence *evidence)
{
  struct asker asker = {.judging = judging};
  size_t most = evidence->count + EVIDENCE_MORE;
  for (size_t i = failed + 1; i < judging->cases->count && evidence->count < most; i++) {
    const struct challenge *challenge = &judging->cases->cases[i];
    struct outcome_of_case found;
    if (*judging->interrupted || !is_small(challenge))
      continue;
    if (ask(&asker, challenge, false, &found) || found.reply.kind == REPLY_LATE)
      break;
    keep_evidence(evidence, challenge, &found);
  }
  runner_stop(&asker.runner);
}

/*
 * The mistake that is behind the failure. Where two explain all that was said, the solver is asked about a puzzle on
 * which they differ.
 */
static const char *find_mistake(const struct judging *judging, struct evidence *evidence)
{
  enum { QUESTIONS_MOST = 12, TRIES_MOST = 2000, QUESTION_NODES = 8 };
  struct asker asker = {.judging = judging};
  size_t numbers[2], found = 0;
  for (unsigned question = 0; question < QUESTIONS_MOST; question++) {
    struct challenge challenge;
    struct outcome_of_case said;
    unsigned tries = 0;
    found = mistakes_behind(evidence->said, evidence->count + 1, 2, numbers);
    if (found < 2)
      break;
    do
      case_make(judging->solution->game, tries, QUESTION_NODES, &challenge);
    while (!mistakes_differ(numbers[0], numbers[1], &challenge) && ++tries < TRIES_MOST);
    if (tries == TRIES_MOST || ask(&asker, &challenge, false, &said) || !said.is_outcome)
      break;
    keep_evidence(evidence, &challenge, &said);
  }
  runner_stop(&asker.runner);
  return found ? mistake_words(numbers[0]) : NULL;
}

/* What failed, made small, and the mistake that is behind it. */
static void look_into(struct contest *contest, struct judgement *judgement)
{
  const struct judging *judging = contest->judging;
  struct evidence *evidence = &contest->evidence;
  judgement->kind = contest->failure.kind;
  judgement->said = contest->failure;
  judgement->challenge = judging->cases->cases[contest->failed];
  shrink(judging, evidence, judgement);
  if (!judgement->said.is_outcome)
    return;
  gather(judging, contest->failed, evidence);
  evidence->said[0] = (struct said){judgement->challenge, judgement->said.said};
  judgement->mistake = find_mistake(judging, evidence);
}

int judge(const struct judging *judging, struct judgement *judgement)
{
  struct contest *contest = calloc(1, sizeof *contest);
  if (!contest)
    return -ENOMEM;
  contest->judging = judging;
  contest->failed = judging->cases->count;
  pthread_mutex_init(&contest->lock, NULL);
  int error = run_contest(contest);
  *judgement = (struct judgement){
      .passed = contest->failed, .failed = contest->failed, .slowest_ms = contest->slowest_ms};
  if (error == 0 && contest->failed < judging->cases->count)
    look_into(contest, judgement);
  pthread_mutex_destroy(&contest->lock);
  free(contest);
  return error;
}
