/* Refusals are printed as the daemon words them, everything else as a sentence of cmclient's. */
#include "client/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int usage_error(const char *format, ...)
{
  va_list arguments;
  fputs("cmclient: ", stderr);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return EXIT_USAGE;
}

/* What fflush() has nothing left of may have failed before. */
int answer_end(void)
{
  if (fflush(stdout) != 0 || ferror(stdout))
    return usage_error("cannot write the answer");
  return EXIT_ANSWERED;
}

int call_failed(const struct cm_client *client, int error)
{
  const char *name = cm_error_name(client);
  fprintf(stderr, "%s: %s\n", name ? name : "cmclient", cm_error(client));
  switch (error) {
  case -EREMOTEIO:
  case -ECANCELED: return EXIT_REFUSED;
  case -EINVAL:
  case -ENAMETOOLONG: return EXIT_USAGE;
  default: return EXIT_UNREACHABLE;
  }
}
