/*
 * Marking and confirming, word by word of a row: for forall_rows.c, which says what they are for.
 */
#ifndef CATMOUSE_SOLVER_ENGINE_ROW_WORDS_H
#define CATMOUSE_SOLVER_ENGINE_ROW_WORDS_H

#include "solver/engine/attractor.h"

/*
 * For what is compiled once with a shift plan and once without: what is done by lists takes the registers that the
 * loop over narrow words needs.
 */
#define EACH_WAY inline __attribute__((always_inline))

/* What a bit costs by lists, measured in groups of shifts: a branch mispredicted now and then. */
enum { GROUPS_PER_BIT = 4 };

struct row_work {
  struct attractor *attractor;
  struct worker *worker;
  struct candidates *candidates;
  uint32_t row;
  const uint64_t *winning; /* the row of `exists`; word w of it is at word_at() */
};

static inline size_t word_at(const struct attractor *attractor, uint32_t word)
{
  return (size_t)(word / LINE_WORDS) * attractor->nodes * LINE_WORDS + word % LINE_WORDS;
}

static inline void touch(struct candidates *candidates, uint32_t word, uint64_t bits)
{
  candidates->words[word] |= bits;
  candidates->touched[word / 64] |= UINT64_C(1) << word % 64;
}

static inline void mark_by_lists(struct row_work *work, uint32_t word, uint64_t fresh)
{
  const struct moves *before = &work->attractor->lists->before[work->attractor->loser];
  for (; fresh; fresh &= fresh - 1) {
    uint32_t lead = word * 64 + (uint32_t)__builtin_ctzll(fresh);
    for (uint32_t at = before->begin[lead]; at < before->end[lead]; at++)
      touch(work->candidates, before->to[at] / 64, UINT64_C(1) << before->to[at] % 64);
  }
}

static inline void mark_wide(struct row_work *work, uint32_t word, uint64_t fresh)
{
  const struct shift_plan *plan = &work->attractor->plan;
  for (uint32_t at = plan->wide_first[word]; at < plan->wide_first[word + 1]; at++) {
    uint64_t bits = shift_union(shift_back(plan, plan->wide[at].group, fresh, true));
    if (bits)
      touch(work->candidates, plan->wide[at].start, bits);
  }
}

/* The narrow words from which moves lead to words of the line. */
static inline void mark_narrow(struct row_work *work, uint32_t column, unsigned presence)
{
  const struct shift_plan *plan = &work->attractor->plan;
  const uint64_t *starts = plan->starts + (size_t)column * LINE_WORDS * plan->start_words;
  for (uint32_t at = 0; at < plan->start_words; at++) {
    uint64_t touched = 0;
    for (unsigned left = presence; left; left &= left - 1)
      touched |= starts[(unsigned)__builtin_ctz(left) * plan->start_words + at];
    work->candidates->touched[at] |= touched;
  }
}

static inline void mark_word(struct row_work *work, uint32_t word, uint64_t fresh)
{
  const struct shift_plan *plan = &work->attractor->plan;
  if (plan->masks && plan->wide_first[word + 1] - plan->wide_first[word] <=
                         GROUPS_PER_BIT * (unsigned)__builtin_popcountll(fresh))
    mark_wide(work, word, fresh);
  else
    mark_by_lists(work, word, fresh);
}

static inline bool all_moves_win(const struct row_work *work, uint32_t start)
{
  const struct moves *moves = &work->attractor->lists->moves[work->attractor->loser];
  for (uint32_t at = moves->begin[start]; at < moves->end[start]; at++) {
    uint32_t lead = moves->to[at];
    if (!(work->winning[word_at(work->attractor, lead / 64)] >> lead % 64 & 1))
      return false;
  }
  return true;
}

static inline uint64_t confirm_by_lists(const struct row_work *work, uint32_t word,
                                        uint64_t candidates)
{
  uint64_t confirmed = 0;
  for (; candidates; candidates &= candidates - 1) {
    uint32_t start = word * 64 + (uint32_t)__builtin_ctzll(candidates);
    confirmed |= all_moves_win(work, start) ? candidates & -candidates : 0;
  }
  return confirmed;
}

/* Called: in line it would take those registers too. */
static __attribute__((noinline)) uint64_t find_wide(const struct row_work *work, uint32_t word,
                                                    uint64_t waiting)
{
  const struct shift_plan *plan = &work->attractor->plan;
  uint64_t candidates = waiting & work->candidates->words[word];
  if (!candidates)
    return 0;
  if (plan->first[word + 1] - plan->first[word] <=
      GROUPS_PER_BIT * (unsigned)__builtin_popcountll(candidates))
    return candidates & ~shift_blocked(plan, word, work->winning);
  return confirm_by_lists(work, word, candidates);
}

/* What of a word is neither decided nor closed. */
static inline uint64_t waiting_word(const struct row_work *work, uint32_t word, uint64_t decided)
{
  uint64_t waiting = ~decided & work->attractor->forall.open[word];
  if (work->attractor->winner == PLAYER_MOUSE && work->row / 64 == word)
    waiting &= ~(UINT64_C(1) << work->row % 64);
  return waiting;
}

/* What of a touched word is won. */
static EACH_WAY uint64_t find(const struct row_work *work, uint32_t word, uint64_t decided,
                              bool planned)
{
  const struct shift_plan *plan = &work->attractor->plan;
  uint64_t waiting = waiting_word(work, word, decided);
  if (!planned)
    return confirm_by_lists(work, word, waiting & work->candidates->words[word]);
  if (shift_is_narrow(plan, word))
    return waiting & ~shift_blocked(plan, word, work->winning);
  return find_wide(work, word, waiting);
}

#endif
