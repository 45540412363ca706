/* How cmclient ends, and the one sentence on stderr that says why. */
#ifndef CATMOUSE_CLIENT_FAILURE_H
#define CATMOUSE_CLIENT_FAILURE_H

#include "client/cmclient.h"

enum exit_status {
  EXIT_ANSWERED = 0,
  EXIT_REFUSED = 1,    /* by the daemon, or by what reads puzzles for it, in the same words */
  EXIT_USAGE = 2,      /* or unreadable input, or an answer that could not be written */
  EXIT_UNREACHABLE = 3 /* no daemon, or no answer from it in time */
};

/*
 * On stderr, "NAME: sentence", or "cmclient: sentence" where `name` is NULL, then `details` as they are, or NULL.
 * Control characters in the sentence are shown as \x1b and its like.
 */
void failure_print(const char *name, const char *sentence, const char *details);

/* The same on stdout as one line of JSON: {"error": {"name": ..., "message": ..., "details": ...}}. */
void failure_print_json(const char *name, const char *sentence, const char *details);

/* One sentence, printf style; returns EXIT_USAGE. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The exit status that stands for a call of the library that returned `error`. */
int call_status(int error);

/* What the client's last call said when it returned `error`, and the exit status that stands for it. */
int call_failed(const struct cm_client *client, int error);

/* EXIT_ANSWERED if all that was printed could be written, else EXIT_USAGE with the sentence. */
int answer_end(void);

#endif
