/*
 * The store's folder: where it lies, that it is ours alone, and its subfolders. What is found in it and
 * cannot be used is set aside. Any thread, once it is made.
 */
#ifndef CATMOUSE_DAEMON_STORE_FOLDER_H
#define CATMOUSE_DAEMON_STORE_FOLDER_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* X(constant, name) */
#define STORE_SUBFOLDERS(X)   \
  X(ROOT, ".")                \
  X(PUZZLES, "puzzles")       \
  X(TABLES, "tables")         \
  X(UNFINISHED, "unfinished") \
  X(DAMAGED, "damaged")

enum subfolder {
#define X(constant, name) SUBFOLDER_##constant,
  STORE_SUBFOLDERS(X)
#undef X
      SUBFOLDER_COUNT
};

enum { SET_ASIDE_MAX = 16 }; /* files kept in damaged/; the oldest gives way */

struct store_folder {
  char path[PATH_MAX];
  int fd[SUBFOLDER_COUNT]; /* of the subfolders; of /dev/null until they are opened */
  atomic_uint set_aside;   /* files moved to damaged/ */
};

/* Finds the path (`given`, or else the usual place) and touches nothing. 0 or a negative errno. */
int store_folder_init(struct store_folder *folder, const char *given);
void store_folder_deinit(struct store_folder *folder);

/*
 * Makes the folders where they lack, checks them and opens them; to be called again when they have gone.
 * 0, -EPERM when the folder is no folder, is not ours or is open to others, or a negative errno.
 */
int store_folder_open(struct store_folder *folder);

/* Was it, or a subfolder, removed since it was opened? */
bool store_folder_is_gone(const struct store_folder *folder);

/* Moves a file that cannot be used to damaged/; where even that fails, removes it. */
void store_folder_set_aside(struct store_folder *folder, enum subfolder subfolder,
                            const char *name);

/* Calls `visit` for each entry, until it returns something else than 0. That, 0, or a negative errno. */
int store_folder_visit(const struct store_folder *folder, enum subfolder subfolder,
                       int (*visit)(void *context, const char *name), void *context);

/* Of the files in a subfolder, together. */
uint64_t store_folder_bytes(const struct store_folder *folder, enum subfolder subfolder);

/* Removes every file of a subfolder. 0 or a negative errno. */
int store_folder_empty(const struct store_folder *folder, enum subfolder subfolder);

/* Removes what writers who are gone left in unfinished/. */
void store_folder_remove_unfinished(const struct store_folder *folder);

#endif
