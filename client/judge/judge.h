/* Judging: a solution is asked case by case, and what it gets wrong is made as small as it can be. */
#ifndef CATMOUSE_CLIENT_JUDGE_JUDGE_H
#define CATMOUSE_CLIENT_JUDGE_JUDGE_H

#include <signal.h>

#include "client/judge/cases.h"
#include "client/judge/runner.h"
#include "client/judge/solution.h"

/* LeetCode's verdicts. */
enum verdict_kind { ACCEPTED, WRONG_ANSWER, TIME_LIMIT_EXCEEDED, RUNTIME_ERROR };

extern const char *const verdict_names[];

/* How one case went. */
struct outcome_of_case {
  enum verdict_kind kind;
  struct answer_value right;
  struct reply reply;
  bool is_outcome; /* `reply.line` is an answer, if perhaps a wrong one */
  enum outcome said;
};

struct judging {
  const struct solution *solution;
  const struct runner_limits *limits;
  const struct case_list *cases;
  unsigned jobs;
  const volatile sig_atomic_t *interrupted;
  void (*on_progress)(void *context, size_t done, size_t count);
  void *context;
};

struct judgement {
  enum verdict_kind kind;
  size_t passed;              /* cases before the first that failed */
  size_t failed;              /* its number, from 0 */
  struct challenge challenge; /* it, made small */
  struct outcome_of_case said;
  uint32_t slowest_ms;
  const char *mistake; /* NULL where none is known */
};

/* 0, or a negative errno: -EINTR where it was interrupted, -ENOMEM, or why the program cannot be run. */
int judge(const struct judging *judging, struct judgement *judgement);

/* Tries smaller puzzles for as long as they fail. For one that was answered wrongly, or that the program died on. */
typedef bool fails_function(void *context, const struct challenge *challenge);
void challenge_shrink(struct challenge *challenge, fails_function *fails, void *context);

#endif
