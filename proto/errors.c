#include "proto/errors.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct error_kind error_kinds[ERROR_COUNT] = {
#define X(constant, name, json_code, caller_at_fault, retry, meaning) \
  [ERROR_##constant] = {name, json_code, caller_at_fault, retry, meaning},
    PROTO_ERRORS(X)
#undef X
};

enum error error_by_name(const char *name)
{
  enum error error = 0;
  while (error < ERROR_COUNT && strcmp(error_kinds[error].name, name) != 0)
    error++;
  return error;
}

int fault_set(struct fault *fault, enum error error, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fault->error = error;
  vsnprintf(fault->text, sizeof fault->text, format, arguments);
  va_end(arguments);
  return -EBADMSG;
}
