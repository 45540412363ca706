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
#define X(constant, wire_name, ...)     \
  if (text_is(name, length, wire_name)) \
    return METHOD_##constant;
  PROTO_METHODS(X)
  PROTO_METHOD_ALIASES(X)
#undef X
  return METHOD_COUNT;
}
