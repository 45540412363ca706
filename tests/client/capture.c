#include "tests/client/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/client/client_test.h"

static void read_back(FILE *file, char text[static CAPTURE_MAX])
{
  rewind(file);
  text[fread(text, 1, CAPTURE_MAX - 1, file)] = '\0';
  fclose(file);
}

void capture(int (*run)(void *context), void *context, struct captured *captured)
{
  FILE *out = tmpfile(), *err = tmpfile();
  int how;
  assert_non_null(out);
  assert_non_null(err);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    exit(run(context));
  }
  assert_true(child > 0);
  assert_int_equal(waitpid(child, &how, 0), child);
  captured->status = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
  read_back(out, captured->out);
  read_back(err, captured->err);
}
