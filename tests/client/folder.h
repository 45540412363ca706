/* A private folder for one test's socket and files, gone when the test is. */
#ifndef CATMOUSE_TESTS_CLIENT_FOLDER_H
#define CATMOUSE_TESTS_CLIENT_FOLDER_H

enum { FOLDER_PATH_MAX = 64 };

struct folder {
  char path[FOLDER_PATH_MAX];
  char socket[FOLDER_PATH_MAX + 16];
  char file[FOLDER_PATH_MAX + 16];
};

/* cmocka's set-up and tear-down; the state is the struct folder. */
int folder_make(void **state);
int folder_remove(void **state);

/* Writes `file`, with this mode. */
void folder_write(const struct folder *folder, const char *text, unsigned mode);

#endif
