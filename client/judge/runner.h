/*
 * A program under judgement: started, asked case by case, and ended with everything that it started. It runs below a
 * keeper, a process of our own that is the parent of whatever it leaves behind.
 */
#ifndef CATMOUSE_CLIENT_JUDGE_RUNNER_H
#define CATMOUSE_CLIENT_JUDGE_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { REPLY_BYTES = 256, LAST_WORDS_BYTES = 2000 };

struct runner_limits {
  uint32_t time_ms;  /* for an answer */
  uint32_t start_ms; /* until the program is ready, where it says so */
  uint64_t memory_bytes;
  const char *scratch; /* the only folder that it may write to, where the system can see to that */
};

enum reply_kind {
  REPLY_LINE,   /* `line` */
  REPLY_LATE,   /* no answer in time */
  REPLY_ENDED,  /* it ended without one: `status` as wait() says it, `last_words` */
  REPLY_FAILED, /* it could not be started, or asked: `status` is a negative errno */
};

struct reply {
  enum reply_kind kind;
  char line[REPLY_BYTES]; /* without spaces around it; cut */
  int status;
  char last_words[LAST_WORDS_BYTES]; /* of standard error, its last lines */
  uint32_t ms;                       /* that it took */
};

struct runner {
  pid_t keeper; /* 0 where nothing runs */
  int control; /* of the keeper: it ends everything once this is closed, and says how the program ended */
  int in, out;     /* of the program */
  int errors;      /* a file that has its standard error */
  char held[4096]; /* read, but not yet a line */
  size_t held_bytes;
};

/*
 * 0 or a negative errno; what the program itself makes of it shows when it is asked. `argv` ends with NULL. It reads
 * `input`, or what it is sent where that is -1.
 */
int runner_start(struct runner *runner, const char *const *argv, const struct runner_limits *limits,
                 int input);

/* Waits for the line that says that it is ready. */
void runner_await_ready(struct runner *runner, const struct runner_limits *limits,
                        struct reply *reply);

/* Sends so many bytes, 0 for none. The answer is the next line that is not empty. */
void runner_ask(struct runner *runner, const struct runner_limits *limits, const char *text,
                size_t length, struct reply *reply);

/* Ends it, with all that it started. How it ended, as wait() says it. */
int runner_stop(struct runner *runner);

/* Can this system keep a program from writing outside its scratch folder? */
bool runner_confines_files(void);

#endif
