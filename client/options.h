/* The options that commands share. */
#ifndef CATMOUSE_CLIENT_OPTIONS_H
#define CATMOUSE_CLIENT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/cmclient.h"
#include "client/colour.h"
#include "client/option.h"

/* What any number of commands may take. */
struct options {
  const char *state;
  bool start;
  const char *id;
  uint32_t limit_plies; /* CM_LIMIT_OF_GAME where not given */
  bool json;
  int colour; /* enum colour_when */
  const char *socket;
  uint32_t timeout_ms;
  bool no_autostart;
  bool version;
  bool help;
};

/* X(constant, name, letter or 0, argument or NULL, take, field, choices, meaning) */
#define SHARED_OPTIONS(X)                                                                          \
  X(STATE, "state", 's', "M,C,T", take_text, state, NULL,                                          \
    "a state: mouse, cat, mouse or cat to move; row:col in a grid")                                \
  X(START, "start", 0, NULL, take_flag, start, NULL, "the puzzle's own start, as without --state") \
  X(ID, "id", 'i', "ID", take_text, id, NULL, "a solved puzzle, by 6 digits or more of its id")    \
  X(LIMIT, "limit", 0, "N", take_number, limit_plies, NULL,                                        \
    "what holds if the game stops after N plies; 0 for never")                                     \
  X(JSON, "json", 0, NULL, take_flag, json, NULL, "print the result as one line of JSON")          \
  X(COLOUR, "color", 0, "WHEN", take_choice, colour, colour_names, "auto, always or never")        \
  X(SOCKET, "socket", 0, "PATH", take_text, socket, NULL, "where the daemon listens")              \
  X(TIMEOUT, "timeout", 0, "TIME", take_ms, timeout_ms, NULL,                                      \
    "give up after so long, such as 2s; 0 for never")                                              \
  X(NO_AUTOSTART, "no-autostart", 0, NULL, take_flag, no_autostart, NULL,                          \
    "start no daemon where none runs")                                                             \
  X(VERSION, "version", 'V', NULL, take_flag, version, NULL, "print the version")                  \
  X(HELP, "help", 'h', NULL, take_flag, help, NULL, "print this")

enum shared_option {
#define X(constant, ...) SHARED_##constant,
  SHARED_OPTIONS(X)
#undef X
      SHARED_COUNT
};

/* Sets of shared options. */
#define OPTION(constant)  (1u << SHARED_##constant)
#define OPTIONS_OF_ALL    (OPTION(VERSION) | OPTION(HELP))
#define OPTIONS_OF_CLIENT (OPTION(SOCKET) | OPTION(TIMEOUT) | OPTION(NO_AUTOSTART))

/* By enum shared_option; a last one without a name ends the table. */
extern const struct option_kind shared_options[];

#endif
