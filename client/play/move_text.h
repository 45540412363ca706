/* Moves as people type them. */
#ifndef CATMOUSE_CLIENT_PLAY_MOVE_TEXT_H
#define CATMOUSE_CLIENT_PLAY_MOVE_TEXT_H

#include "solver/arena.h"

/*
 * Where `text` leads the mover to: a node; in a grid also row:col, "stay", or a direction and how far, such as
 * "up" and "left 2". A single letter is the move of that place in the mover's list, a the first. False where it
 * is none of these; whether it can be reached is not looked at.
 */
bool move_parse(const struct arena *arena, const struct state *state, const char *text,
                uint32_t *to);

/* The letter of a move of the mover, or a space where it has none: there are 26. */
char move_letter(const struct arena *arena, const struct state *state, uint32_t to);

#endif
