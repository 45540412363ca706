/* Prints the words of the wire as a libFuzzer dictionary: methods, parameters, errors, and both games' keys. */
#include <stdio.h>

#include "proto/errors.h"
#include "proto/schema.h"

int main(void)
{
  static const char *const words[] = {
      "jsonrpc",   "2.0",         "method",  "params",    "result",  "error",
      "graph",     "grid",        "catJump", "mouseJump", "mouse",   "cat",
      "turn",      "true",        "false",   "null",      "####F",   "#C...",
      "M....",     "[[2,5],[3],", "draw",    "best",      "outcome", "Content-Length: ",
      "\\x0d\\x0a"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    printf("\"%s\"\n", words[i]);
  for (int method = 0; method < METHOD_COUNT; method++)
    printf("\"%s\"\n", method_kinds[method].name);
  for (int param = 0; param < PARAM_COUNT; param++)
    printf("\"%s\"\n", param_kinds[param].name);
  for (int error = 0; error < ERROR_COUNT; error++)
    printf("\"%s\"\n", error_kinds[error].name);
  return 0;
}
