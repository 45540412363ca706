/* Refusals are printed as the daemon words them, everything else as a sentence of cmclient's. */
#include "client/failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/excerpt.h"

void failure_print(const char *name, const char *sentence, const char *details)
{
  fprintf(stderr, "%s: ", name ? name : "cmclient");
  escaped_write(stderr, sentence, strlen(sentence));
  fprintf(stderr, "\n%s", details ? details : "");
}

/* Bytes that are no UTF-8 are none of JSON either. */
static void print_json_text(const char *text)
{
  char *escaped = NULL;
  size_t length = 0;
  FILE *to = open_memstream(&escaped, &length);
  if (to) {
    escaped_lines_write(to, text, strlen(text));
    fclose(to);
  }
  putchar('"');
  for (size_t i = 0; escaped && i < length; i++) {
    if (escaped[i] == '\n')
      fputs("\\n", stdout);
    else if (escaped[i] == '"' || escaped[i] == '\\')
      printf("\\%c", escaped[i]);
    else
      putchar(escaped[i]);
  }
  putchar('"');
  free(escaped);
}

static void print_json_member(const char *key, const char *text)
{
  printf("\"%s\":", key);
  if (text)
    print_json_text(text);
  else
    fputs("null", stdout);
}

void failure_print_json(const char *name, const char *sentence, const char *details)
{
  fputs("{\"error\":{", stdout);
  print_json_member("name", name);
  putchar(',');
  print_json_member("message", sentence);
  if (details) {
    putchar(',');
    print_json_member("details", details);
  }
  puts("}}");
  fflush(stdout);
}

int usage_error(const char *format, ...)
{
  char sentence[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  failure_print(NULL, sentence, NULL);
  return EXIT_USAGE;
}

/* What fflush() has nothing left of may have failed before. */
int answer_end(void)
{
  if (fflush(stdout) != 0 || ferror(stdout))
    return usage_error("cannot write the answer");
  return EXIT_ANSWERED;
}

int call_status(int error)
{
  switch (error) {
  case -EREMOTEIO:
  case -ECANCELED: return EXIT_REFUSED;
  case -EINVAL:
  case -ENAMETOOLONG: return EXIT_USAGE;
  default: return EXIT_UNREACHABLE;
  }
}

int call_failed(const struct cm_client *client, int error)
{
  failure_print(cm_error_name(client), cm_error(client), NULL);
  return call_status(error);
}
