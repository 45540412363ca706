/* What the editor's user reads. */
#ifndef CATMOUSE_LSP_WORDS_H
#define CATMOUSE_LSP_WORDS_H

#include "lsp/verdicts.h"

enum { WORDS_MAX = 400, FAULT_WORDS_MAX = 2 * TEXT_SENTENCE_MAX + 4 };

const char *words_of_player(enum player player);

/* "ply" after 1, else "plies" */
const char *words_of_plies(uint32_t plies);

/* "Mouse wins in 7 plies" */
void words_of_value(enum outcome outcome, uint32_t plies, char words[static WORDS_MAX]);

/* "4", or in a grid of so many columns "1:2": its row and column. */
void words_of_place(uint32_t cols, uint32_t node, char words[static WORDS_MAX]);

/* One line on a puzzle, whatever is known of it. */
void words_of_verdict(const struct puzzle_verdict *verdict, char words[static WORDS_MAX]);

/* What is wrong, and what would be right. */
void words_of_fault(const struct text_fault *fault, char words[static FAULT_WORDS_MAX]);

#endif
