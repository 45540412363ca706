#include "client/options.h"

#include <stddef.h>

const struct option_kind shared_options[] = {
#define X(constant, option, one_letter, value, taker, member, names, words) \
  [SHARED_##constant] = {.name = (option),                                  \
                         .letter = (one_letter),                            \
                         .argument = (value),                               \
                         .take = (taker),                                   \
                         .field = offsetof(struct options, member),         \
                         .choices = (names),                                \
                         .meaning = (words)},
    SHARED_OPTIONS(X)
#undef X
        [SHARED_COUNT] = {0}};
