/* The tables of schema.h, spelt out. */
#include "proto/schema.h"

#include "proto/value.h"

const struct param_kind param_kinds[PARAM_COUNT] = {
#define X(constant, name, type) [PARAM_##constant] = {name, type},
    PROTO_PARAMS(X)
#undef X
};

const struct method_kind method_kinds[METHOD_COUNT] = {
#define X(constant, name, required, optional, meaning) \
  [METHOD_##constant] = {name, required, optional, meaning},
    PROTO_METHODS(X)
#undef X
};

enum method method_by_name(const char *name, uint32_t length)
{
  enum method method = 0;
  while (method < METHOD_COUNT && !text_is(name, length, method_kinds[method].name))
    method++;
  return method;
}
