/* One option of the command line. Tables of these feed parsing, help, manual pages and completion alike. */
#ifndef CATMOUSE_CLIENT_OPTION_H
#define CATMOUSE_CLIENT_OPTION_H

#include <stddef.h>
#include <stdint.h>

enum { OPTION_WHY_MAX = 512 };

struct option_kind {
  const char *name;     /* after the two dashes; NULL ends a table */
  char letter;          /* after one dash, or 0 */
  const char *argument; /* as help calls it, or NULL where it takes none */

  /*
   * Reads `text` (NULL where it takes no argument) into `field`. 0, or -EINVAL with a sentence. One of those below,
   * or a function of the command's own.
   */
  int (*take)(const struct option_kind *kind, const char *text, void *field,
              char why[static OPTION_WHY_MAX]);
  size_t field;               /* offset into the struct that holds the values */
  const char *const *choices; /* of take_choice, ended by NULL */
  const char *meaning;        /* one line, no capital, no full stop */
};

/* Sets a bool. */
int take_flag(const struct option_kind *kind, const char *text, void *field,
              char why[static OPTION_WHY_MAX]);

/* Leaves a `const char *` that borrows from argv. */
int take_text(const struct option_kind *kind, const char *text, void *field,
              char why[static OPTION_WHY_MAX]);

#define OPTION_NUMBER_MAX (UINT32_MAX - 1) /* UINT32_MAX is left for "not given" */

/* A uint32_t from 0 to OPTION_NUMBER_MAX. */
int take_number(const struct option_kind *kind, const char *text, void *field,
                char why[static OPTION_WHY_MAX]);

/* A uint32_t of milliseconds, from "1500", "2s", "10min" or "1h" (and "500ms"). */
int take_ms(const struct option_kind *kind, const char *text, void *field,
            char why[static OPTION_WHY_MAX]);

/* A uint64_t of bytes, from "4096", "500M", "8G" and their like: powers of 1024. */
int take_bytes(const struct option_kind *kind, const char *text, void *field,
               char why[static OPTION_WHY_MAX]);

/* An int: the place of `text` among the kind's choices. */
int take_choice(const struct option_kind *kind, const char *text, void *field,
                char why[static OPTION_WHY_MAX]);

#endif
