/*
 * A whole daemon on a thread of the test program, of whose loop allocations can be made to fail. What cannot be
 * done fails the test.
 */
#ifndef CATMOUSE_TESTS_DAEMON_DAEMON_THREAD_H
#define CATMOUSE_TESTS_DAEMON_DAEMON_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "daemon/config.h"
#include "proto/buffer.h"
#include "proto/request_read.h"
#include "tests/daemon/case.h"

/* How long an answer is waited for before the test has failed. */
enum { WAIT_S = 300 };

struct daemon_thread {
  char folder[32], socket[48], store[48];
  const struct daemon_limits *limits; /* borrowed, NULL for the default ones */
  uint64_t idle_exit_ms;
  struct config config;
  pthread_t loop;
  int status; /* of server_run(), once joined */
};

/* For cmocka: starts `*state`, a struct daemon_thread, in a folder of its own. There is one at a time. */
int daemon_thread_setup(void **state);
int daemon_thread_setup_with_store(void **state);

/* For cmocka: asks it to leave, waits until it has, which it must do well, and removes the folder. */
int daemon_thread_teardown(void **state);

/* Removes its folder once it has left. 0. */
int daemon_thread_remove_folder(struct daemon_thread *daemon);

/* Asks it to leave, and waits until it has, which it must do well; starts it again, in the same folder. */
void daemon_thread_stop(struct daemon_thread *daemon);
void daemon_thread_start(struct daemon_thread *daemon);

/* From now on the loop's allocation number `nth` fails; or, with `and_later`, none succeeds from there on. */
void daemon_thread_fail(struct daemon_thread *daemon, long nth, bool and_later);

/* Back to normal. True when it came to that. */
bool daemon_thread_recover(struct daemon_thread *daemon);

int daemon_thread_connect(const struct daemon_thread *daemon);

/*
 * Sends `request` on a connection of its own. True with the first answer that comes back and a '\0' in
 * `answer`; false where the connection is closed instead.
 */
bool daemon_thread_ask(const struct daemon_thread *daemon, const struct buffer *request,
                       enum encoding encoding, struct buffer *answer);

/* The same of requests that are sent together: true when as many answers came back as were `wanted`. */
bool daemon_thread_ask_all(const struct daemon_thread *daemon, const struct buffer *requests,
                           enum encoding encoding, unsigned wanted, struct buffer *answers);

/* As daemon_thread_ask() in JSON lines, of a request that must be answered. */
void daemon_thread_ask_json(const struct daemon_thread *daemon, const char *request,
                            struct buffer *answer);

/* The same, where all that matters is that `expected` comes in the answer. */
void daemon_thread_expect(const struct daemon_thread *daemon, const char *request,
                          const char *expected);

/* A test of the daemon in `tested`, in the list of tests. */
#define DAEMON_TEST(name, setup, teardown) \
  cmocka_unit_test_prestate_setup_teardown(test_##name, setup, teardown, &tested.daemon)

/* Lines on a connection of one's own: sends some, and looks for `expected` in the next that comes, of any length. */
void send_text(int fd, const char *text);
void expect_line(int fd, const char *expected);
void ask_line(int fd, const char *text, const char *expected);
void expect_pong(int fd);

/* Reads on until the daemon closes the connection; how many bytes came before. */
size_t read_to_end(int fd);

/* The id that the answer `text` names. */
void find_id(const char *text, char id[static ID_TEXT + 1]);

/* How often `text` comes in an answer. */
unsigned answer_count(const struct buffer *answer, const char *text);

#endif
