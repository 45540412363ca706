/* Patches tried on the text that they are for. */
#ifndef CATMOUSE_LSP_TRIAL_H
#define CATMOUSE_LSP_TRIAL_H

#include "lsp/patch.h"

/*
 * Would the text have fewer faults of each of their codes with all of these, which are in the order of their places,
 * and no more that keep it from being read? False without memory too. O(length of the puzzle's section)
 */
bool patches_help(const struct document *document, const struct shown *shown,
                  const struct patch *patch, uint32_t count);

#endif
