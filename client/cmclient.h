/*
 * libcmclient: ask catmouse's daemon about Cat and Mouse puzzles. Calls block until answered.
 *
 *   struct cm_client *client;
 *   struct cm_puzzle *puzzle;
 *   struct cm_solved solved;
 *   if (cm_open(NULL, &client))
 *     return out_of_memory();
 *   if (cm_puzzle_parse(client, text, length, &puzzle) || cm_solve(client, puzzle, &solved))
 *     fprintf(stderr, "%s\n", cm_error(client));
 *
 * The daemon is found by its socket, and started where none runs. The client connects at its first
 * call, and again after a connection was lost.
 *
 * Every call that returns int returns 0, or a negative errno with a sentence in cm_error():
 *   -EREMOTEIO     the daemon refused; cm_error_name() says which of its errors
 *   -ECANCELED     cm_cancel() ended the call
 *   -EINVAL        an argument is no puzzle, id or state at all; nothing was sent
 *   -ENAMETOOLONG  the socket's path does not fit a socket address
 *   -ECONNREFUSED  no daemon runs, and none was or could be started
 *   -EPERM         the socket's folder or the process behind it is not to be trusted
 *   -ETIMEDOUT     no answer in time; the connection is dropped, which ends the daemon's work on it
 *   -EPIPE         the connection was lost before the answer came
 *   -EPROTO        the answer could not be understood; the connection is dropped
 *   -ENOMEM        out of memory here
 * Other values are the errno of a system call that failed. On failure results are left alone.
 *
 * A client and its puzzles belong to one thread at a time. Only cm_cancel() may be called from
 * elsewhere, signal handlers included. No function raises SIGPIPE.
 */
#ifndef CMCLIENT_H
#define CMCLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cm_client; /* opaque */
struct cm_puzzle; /* opaque */

enum cm_game {
  CM_GRAPH, /* LeetCode 913 */
  CM_GRID,  /* LeetCode 1728; node = row * columns + column */
};

enum cm_player {
  CM_MOUSE,
  CM_CAT,
};

/* Never from the mover's side. The first two equal the player who wins. */
enum cm_outcome {
  CM_MOUSE_WINS = CM_MOUSE,
  CM_CAT_WINS = CM_CAT,
  CM_DRAW,
};

struct cm_state {
  uint32_t mouse; /* node */
  uint32_t cat;   /* node */
  enum cm_player turn;

  /* In questions about a grid: `mouse` and `cat` are columns of these rows. Answers have nodes. */
  bool by_row;
  uint32_t mouse_row;
  uint32_t cat_row;
};

/* Plies where nobody can force the end: a draw, or a win because the game never ends. */
#define CM_PLIES_NONE UINT32_MAX

/* A limit on plies: what the rules of the game say, or none at all. */
#define CM_LIMIT_OF_GAME UINT32_MAX
#define CM_LIMIT_NONE    0u

enum { CM_ID_DIGITS = 64 };

struct cm_progress {
  uint64_t layers; /* plies deep the analysis has come */
  uint64_t decided;
  uint64_t states;
};

/* All zeroes is the usual. Texts are copied. */
struct cm_options {
  const char *socket;  /* NULL: $CATMOUSE_SOCKET, else where this user's daemon listens */
  const char *daemon;  /* the program to start; NULL: $CATMOUSE_DAEMON, else it is looked for */
  bool no_autostart;   /* never start a daemon; $CATMOUSE_AUTOSTART=0 says so too */
  uint32_t timeout_ms; /* for a whole call; 0: wait as long as it takes */
  /* Told of a solve under way, some times a second, within the call; NULL: not told. */
  void (*on_progress)(void *context, const struct cm_progress *progress);
  void *context; /* handed to on_progress */
};

/* Contacts nobody yet. `options` may be NULL. 0 or -ENOMEM. */
int cm_open(const struct cm_options *options, struct cm_client **client);
void cm_close(struct cm_client *client);

/* Where the daemon listens, or NULL (see cm_error()) where the path is too long. Owned by the client. */
const char *cm_socket(const struct cm_client *client);

/*
 * Ends the call under way with -ECANCELED, unless its answer was quicker; where none is under way, the next one, of
 * which nothing is sent. Reading a puzzle is no call. Any thread and any signal handler, as long as the client is open.
 */
void cm_cancel(struct cm_client *client);

/*
 * Of the last call, or puzzle read: one sentence where it failed, else an empty one; E_NAME where the daemon refused, or
 * would have, else NULL. Owned by the client until its next call.
 */
const char *cm_error(const struct cm_client *client);
const char *cm_error_name(const struct cm_client *client);

/*
 * The last answer, exactly as the daemon's result map, as JSON on one line. NULL when out of memory or
 * when the last call failed. Owned by the client until its next call.
 */
const char *cm_json(struct cm_client *client);

/*
 * A puzzle from text: {"graph": [[2,5],...]}, the bare list, {"grid": [...], "catJump": 1, "mouseJump": 2}, what
 * LeetCode's test-case box or problem page holds, and what else catmouse(7) lists. -EINVAL where it cannot be read or
 * holds several puzzles; -EREMOTEIO where the daemon would refuse it, with the daemon's words. The caller frees the
 * puzzle.
 */
int cm_puzzle_parse(struct cm_client *client, const char *text, size_t length,
                    struct cm_puzzle **puzzle);

/*
 * A graph: the neighbours of node v are neighbour[first[v]] .. neighbour[first[v + 1] - 1]. Copied. -EINVAL where
 * `first` does not begin with 0 or falls; -EREMOTEIO as above.
 */
int cm_puzzle_graph(struct cm_client *client, uint32_t nodes, const uint32_t *first,
                    const int32_t *neighbour, struct cm_puzzle **puzzle);
void cm_puzzle_free(struct cm_puzzle *puzzle);

enum cm_game cm_puzzle_game(const struct cm_puzzle *puzzle);

/* Of a grid: its rows, as written, and how many. 0 and NULL for a graph. Owned by the puzzle. */
uint32_t cm_puzzle_rows(const struct cm_puzzle *puzzle);
const char *cm_puzzle_row(const struct cm_puzzle *puzzle, uint32_t row, uint32_t *length);

/*
 * Which solved puzzle a call is about: by id (a prefix of 6 digits or more will do), by the puzzle
 * itself, or, where this is NULL or both are, the one last solved. The puzzle that the client solved last is solved
 * again where the daemon does not know it: it may be another daemon, or have dropped it.
 */
struct cm_which {
  const char *id;
  const struct cm_puzzle *puzzle;
};

/* Lists and texts of every result below are owned by the client until its next call. */

enum cm_source {
  CM_FROM_MEMORY,
  CM_SOLVED,
};

struct cm_solved {
  char id[CM_ID_DIGITS + 1];
  enum cm_game game;
  uint32_t nodes;
  uint64_t states;
  uint64_t bytes; /* of the table */
  enum cm_source source;
  uint64_t solve_us; /* what the solve took when it was done */
  struct cm_state start;
  enum cm_outcome outcome; /* of the start */
  uint32_t plies;          /* of the start */
};

struct cm_move {
  uint32_t to;             /* node */
  enum cm_outcome outcome; /* after the move */
  uint32_t plies;          /* after the move */
};

struct cm_query {
  char id[CM_ID_DIGITS + 1];
  struct cm_state state;
  enum cm_outcome outcome;
  uint32_t plies;
  bool over;                   /* someone is home, or caught */
  const struct cm_move *moves; /* best first */
  uint32_t moves_count;        /* 0 where the game is over or the mover is stuck */
  uint32_t cols;               /* of a grid, whose node is row * cols + column; 0 for a graph */
};

enum cm_line_end {
  CM_END_HOME,    /* someone reached home */
  CM_END_CAUGHT,  /* the cat stands on the mouse */
  CM_END_REPEATS, /* the last move led to a state the line had seen */
  CM_END_LIMIT,   /* the limit's plies are played */
  CM_END_STUCK,   /* the mover has no move */
  CM_END_MAX,     /* as many moves as were asked for */
};

struct cm_line {
  char id[CM_ID_DIGITS + 1];
  struct cm_state state;
  enum cm_outcome outcome;
  uint32_t plies;
  const uint32_t *moves; /* nodes, the players taking turns from `state` on */
  uint32_t moves_count;
  enum cm_line_end end;
  uint32_t cols; /* as in struct cm_query */
};

/* No move: the strategy's player is not to move, or is stuck. */
#define CM_MOVE_NONE UINT32_MAX

/* A state of a strategy. */
struct cm_step {
  struct cm_state state;
  uint32_t move; /* of the strategy's player, a node or CM_MOVE_NONE */
  uint32_t
      plies; /* it wins within so many; where it holds, the other does not, CM_PLIES_NONE for ever */
};

/* What a player does wherever the game may come to while the player follows it. */
struct cm_strategy {
  enum cm_player player;
  bool wins;                   /* else it holds: the other does not win */
  const struct cm_step *steps; /* the state asked about is the first; none is over */
  uint32_t steps_count;
};

struct cm_explain {
  char id[CM_ID_DIGITS + 1];
  struct cm_state state;
  enum cm_outcome outcome;
  uint32_t plies;
  uint32_t limit_plies; /* CM_LIMIT_NONE or the plies after which the game stops */
  bool whole;           /* else the beginning of a proof, which proves nothing */
  struct cm_strategy strategies[2];
  uint32_t
      strategies_count; /* 0 where the game is over; 1 for who wins; 2 for a draw, the mouse's first */
  uint32_t cols;        /* as in struct cm_query */
  const char *certificate; /* all of it and the puzzle as JSON, which cmclient check reads */
};

struct cm_longest {
  uint32_t plies; /* CM_PLIES_NONE where this player wins nowhere; then `state` means nothing */
  struct cm_state state;
};

struct cm_stats {
  char id[CM_ID_DIGITS + 1];
  enum cm_game game;
  uint32_t nodes;
  uint64_t states;              /* that can be asked about */
  uint64_t outcomes[2][3];      /* [enum cm_player to move][enum cm_outcome]; CM_DRAW: endless */
  struct cm_longest longest[2]; /* by winner */
  const uint64_t *histogram[2]; /* by winner: states won in 0, 1, 2... plies */
  uint32_t histogram_count[2];
  uint32_t cols; /* as in struct cm_query */
};

struct cm_verdict {
  enum cm_outcome outcome;
  uint32_t plies;
};

struct cm_verify {
  char id[CM_ID_DIGITS + 1];
  bool correct;
  uint64_t checked; /* states */
  uint64_t faults;
  struct cm_state first;    /* the first fault, where there is one */
  struct cm_verdict stored; /* what the table says there */
  struct cm_verdict proper; /* what the state's successors say */
  uint32_t cols;            /* as in struct cm_query */
};

enum cm_place {
  CM_IN_MEMORY, /* with its table; the puzzle may be on disk, too */
  CM_ON_DISK,   /* the puzzle alone, which is solved again when asked for */
  CM_SOLVING,   /* nowhere yet: it is being solved, or waits for that */
};

struct cm_listed {
  char id[CM_ID_DIGITS + 1];
  enum cm_game game;
  uint32_t nodes;
  uint64_t bytes;      /* in memory */
  uint64_t disk_bytes; /* on disk; 0 unless CM_ON_DISK */
  uint64_t hits;
  uint64_t age_ms; /* since it was last asked for */
  enum cm_place where;
};

struct cm_list {
  const struct cm_listed *tables; /* those in memory first, then most recently used first */
  uint32_t tables_count;
  uint64_t total; /* puzzles there are, listed or not */
};

struct cm_evicted {
  uint64_t puzzles;
  uint64_t bytes;
};

struct cm_limit {
  const char *name;
  uint64_t value;
};

enum cm_store_state {
  CM_STORE_OFF,
  CM_STORE_OPENING, /* what it holds is not known yet */
  CM_STORE_ON,
  CM_STORE_FAILING, /* nothing is kept, until it works again */
};

struct cm_store {
  enum cm_store_state state;
  const char *folder; /* empty where off */
  const char *error;  /* why it fails, else empty */
  uint64_t puzzles;
  uint64_t bytes;
  uint64_t unkept;  /* puzzles that wait to be written */
  uint64_t damaged; /* databases set aside, and puzzles dropped, because of damage */
};

struct cm_status {
  const char *version;
  uint64_t pid;
  uint64_t uptime_ms;
  uint64_t connections;
  uint64_t jobs_running;
  uint64_t jobs_queued;
  uint64_t requests;
  uint64_t hits; /* answered from a table at hand */
  uint64_t misses;
  uint64_t solves;
  uint64_t tables;
  uint64_t bytes;
  uint64_t kept_bytes; /* of memory left by solves for the next */
  bool draining;
  struct cm_store store;
  const struct cm_limit *limits;
  uint32_t limits_count;
};

int cm_solve(struct cm_client *client, const struct cm_puzzle *puzzle, struct cm_solved *solved);
int cm_query(struct cm_client *client, const struct cm_which *which, const struct cm_state *state,
             uint32_t limit_plies, struct cm_query *query);

/* `max` moves at most; 0: as many as the daemon allows. */
int cm_line(struct cm_client *client, const struct cm_which *which, const struct cm_state *state,
            uint32_t limit_plies, uint32_t max, struct cm_line *line);

/*
 * Proves who wins. `depth_plies` 0: the whole proof, or E_LONG_PROOF where it is too large; else the states of so
 * many plies alone.
 */
int cm_explain(struct cm_client *client, const struct cm_which *which, const struct cm_state *state,
               uint32_t limit_plies, uint32_t depth_plies, struct cm_explain *explain);

/* `id` NULL: the puzzle last solved. */
int cm_stats(struct cm_client *client, const char *id, struct cm_stats *stats);
int cm_verify(struct cm_client *client, const char *id, struct cm_verify *verify);

int cm_list(struct cm_client *client, struct cm_list *list);
int cm_evict(struct cm_client *client, const char *id, struct cm_evicted *evicted);
int cm_clear(struct cm_client *client, struct cm_evicted *evicted);
int cm_status(struct cm_client *client, struct cm_status *status);
int cm_ping(struct cm_client *client);

/*
 * Asks the daemon to finish what it was asked and end, and waits until it has let go of us. `pending`
 * (may be NULL): requests it still had to answer.
 */
int cm_shutdown(struct cm_client *client, uint64_t *pending);

#ifdef __cplusplus
}
#endif

#endif
