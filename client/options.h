/* The command line of cmclient as it was written. One table of commands and one of options feed parsing and help. */
#ifndef CATMOUSE_CLIENT_OPTIONS_H
#define CATMOUSE_CLIENT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/cmclient.h"

/* X(constant, name, arguments, needs a daemon started, meaning) */
#define CLIENT_COMMANDS(X)                                                                        \
  X(SOLVE, "solve", "[FILE|-]", true, "solve a puzzle: who wins from its start?")                 \
  X(QUERY, "query", "--state M,C,T [FILE|-]", true, "who wins from a state, and by which moves?") \
  X(LINE, "line", "--state M,C,T [FILE|-]", true, "play best moves from a state to the end")      \
  X(STATS, "stats", "[FILE|-]", true, "count the outcomes of every state")                        \
  X(VERIFY, "verify", "[FILE|-]", true, "check every state against its successors")               \
  X(LIST, "list", "", false, "list the solved puzzles")                                           \
  X(EVICT, "evict", "ID", false, "forget a solved puzzle")                                        \
  X(CLEAR, "clear", "", false, "forget every solved puzzle")                                      \
  X(STATUS, "status", "", false, "say how the daemon is doing")                                   \
  X(PING, "ping", "", true, "see whether the daemon answers")                                     \
  X(STOP, "stop", "", false, "have the daemon finish and end")                                    \
  X(SOCKNAME, "sockname", "", false, "print where the daemon listens")

enum command {
#define X(constant, ...) COMMAND_##constant,
  CLIENT_COMMANDS(X)
#undef X
      COMMAND_COUNT
};

/* Sets of commands. */
#define ONLY(constant)    (1u << COMMAND_##constant)
#define ALL_BUT(constant) (~ONLY(constant))
#define ALL               (~0u)
#define ASKING            (ONLY(QUERY) | ONLY(LINE))

/* X(constant, name, argument or NULL, commands that it goes with, meaning) */
#define CLIENT_OPTIONS(X)                                                                    \
  X(STATE, "state", "M,C,T", ASKING,                                                         \
    "a state: mouse, cat, mouse or cat to move; row:col in a grid")                          \
  X(ID, "id", "ID", ASKING | ONLY(STATS) | ONLY(VERIFY),                                     \
    "a solved puzzle, by 6 digits or more of its id")                                        \
  X(LIMIT, "limit", "N", ASKING, "what holds if the game stops after N plies; 0 for never")  \
  X(MAX, "max", "N", ONLY(LINE), "at most N moves of a line, 0 for all")                     \
  X(JSON, "json", NULL, ALL_BUT(SOCKNAME), "print the daemon's result, as one line of JSON") \
  X(LEETCODE, "leetcode", NULL, ONLY(SOLVE),                                                 \
    "solve prints what LeetCode asks for: 0, 1, 2 or true, false")                           \
  X(SOCKET, "socket", "PATH", ALL, "where the daemon listens")                               \
  X(TIMEOUT, "timeout", "MS", ALL, "give up after so long; 0 for never")                     \
  X(NO_AUTOSTART, "no-autostart", NULL, ALL, "start no daemon where none runs")              \
  X(VERSION, "version", NULL, ALL, "print the version")                                      \
  X(HELP, "help", NULL, ALL, "print this")

struct options {
  enum command command;
  const char *argument; /* FILE or ID, or NULL */
  const char *state;
  const char *id;
  uint32_t limit_plies; /* CM_LIMIT_OF_GAME where not given */
  uint32_t max;         /* 0 where not given */
  bool json;
  bool leetcode;
  const char *socket;
  uint32_t timeout_ms;
  bool no_autostart;
};

/* Reads the command line. Prints and exits where that is all there is to do: help, version, misuse. */
void options_parse(int argc, char **argv, struct options *options);

/* Does this command start a daemon where none runs? */
bool command_starts_daemon(enum command command);

/* Is a puzzle to be read, from options->argument or standard input? */
bool options_name_puzzle(const struct options *options);

#endif
