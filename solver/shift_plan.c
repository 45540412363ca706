/*
 * Making a plan: each start word's moves are sorted into the slots (word they lead to, rotation), at most one slot a
 * node, and what is new of these into the groups of the words; then the groups are sorted once more by the word they
 * lead to.
 */
#include "solver/level.h"

#include "solver/shift_plan.h"

#include "solver/bit_line.h"

/* A plan pays where a word has at most this many shifts, or where a shift stands for many moves. */
enum { SHIFTS_PER_WORD_MAX = 64, MOVES_PER_SHIFT_MIN = 6 };

#define SLOT_NONE UINT32_MAX

static uint32_t slot_of(uint32_t start, uint32_t lead)
{
  return lead / 64 * 64 + ((start - lead) & 63);
}

static size_t slot_bytes(uint32_t nodes)
{
  return ((size_t)nodes + 64) * sizeof(uint32_t);
}

int shift_count(struct job *job, const struct moves *moves, uint32_t nodes, const uint32_t *node_at,
                const uint32_t *place_of, uint64_t *shifts)
{
  uint32_t *last = job_alloc(job, slot_bytes(nodes)); /* by slot: 1 + the last start word */
  if (!last)
    return job->error;
  uint64_t count = 0;
  for (uint32_t start = 0; start < nodes && !job_over(job); start++) {
    uint32_t node = node_at ? node_at[start] : start;
    for (uint32_t at = moves->begin[node]; at < moves->end[node]; at++) {
      uint32_t slot = slot_of(start, place_of ? place_of[moves->to[at]] : moves->to[at]);
      count += last[slot] != start / 64 + 1;
      last[slot] = start / 64 + 1;
    }
  }
  job_free(job, last, slot_bytes(nodes));
  *shifts = count;
  return job_over(job) ? job->error : 0;
}

static bool plan_possible(const struct engine_options *options)
{
  return options->forall == ENGINE_FORALL_SHIFTS || options->forall == ENGINE_FORALL_AUTO;
}

static bool plan_pays(const struct engine_options *options, const struct lists *lists,
                      enum player player, uint64_t shifts)
{
  if (options->forall == ENGINE_FORALL_SHIFTS)
    return true;
  return shifts <= (uint64_t)SHIFTS_PER_WORD_MAX * (lists->nodes / 64 + 1) ||
         shifts * MOVES_PER_SHIFT_MIN <= lists->edges[player];
}

/* What making a plan needs beside it. */
struct making {
  struct shift_plan *plan;
  uint32_t *slots; /* of the start word: LINE_WORDS * group + shift; SLOT_NONE between words */
  uint32_t *open;  /* by the word led to: the start word's last group, SLOT_NONE between words */
};

static size_t making_bytes(uint32_t nodes, const struct shift_plan *plan)
{
  return slot_bytes(nodes) + plan->words * sizeof(uint32_t);
}

static uint32_t group_of(struct making *making, uint32_t lead_word)
{
  struct shift_plan *plan = making->plan;
  uint32_t group = making->open[lead_word];
  if (group == SLOT_NONE || plan->from[group].count == LINE_WORDS) {
    group = making->open[lead_word] = plan->groups++;
    plan->from[group] = (struct shift_group){.word = lead_word};
  }
  return group;
}

static void add_move(struct making *making, uint32_t start, uint32_t lead)
{
  uint32_t *slot = &making->slots[slot_of(start, lead)];
  if (*slot == SLOT_NONE) {
    uint32_t number = group_of(making, lead / 64);
    struct shift_group *group = &making->plan->from[number];
    group->rotations[group->count] = (start - lead) & 63;
    *slot = number * LINE_WORDS + group->count++;
  }
  making->plan->from[*slot / LINE_WORDS].masks[*slot % LINE_WORDS] |= UINT64_C(1) << start % 64;
}

static void add_word(struct making *making, uint32_t nodes, const struct moves *moves,
                     uint32_t word)
{
  struct shift_plan *plan = making->plan;
  uint32_t end = word * 64 + 64 < nodes ? word * 64 + 64 : nodes;
  plan->from_first[word] = plan->groups;
  for (uint32_t start = word * 64; start < end; start++)
    for (uint32_t at = moves->begin[start]; at < moves->end[start]; at++)
      add_move(making, start, moves->to[at]);
  for (uint32_t at = plan->from_first[word]; at < plan->groups; at++) {
    const struct shift_group *group = &plan->from[at];
    making->open[group->word] = SLOT_NONE;
    for (uint32_t shift = 0; shift < group->count; shift++)
      making->slots[group->word * 64 + group->rotations[shift]] = SLOT_NONE;
  }
}

/* Sorts by the word led to, then puts into `from` where a row has that word. */
static void sort_into(struct shift_plan *plan, const struct lists *lists)
{
  for (uint32_t group = 0; group < plan->groups; group++)
    plan->into_first[plan->from[group].word + 1]++;
  for (uint32_t word = 0; word < plan->words; word++)
    plan->into_first[word + 1] += plan->into_first[word];
  for (uint32_t word = plan->words; word-- > 0;)
    for (uint32_t group = plan->from_first[word]; group < plan->from_first[word + 1]; group++) {
      struct shift_group *from = &plan->from[group];
      struct shift_group *into = &plan->into[--plan->into_first[from->word + 1]];
      *into = *from;
      into->word = word;
      from->word = from->word / LINE_WORDS * lists->nodes * LINE_WORDS + from->word % LINE_WORDS;
    }
  for (uint32_t word = 0; word < plan->words; word++)
    plan->into_first[word] = plan->into_first[word + 1];
  plan->into_first[plan->words] = plan->groups;
}

static void make(struct making *making, const struct lists *lists, enum player player)
{
  struct shift_plan *plan = making->plan;
  memset(making->slots, 0xff, making_bytes(lists->nodes, plan));
  memset(plan->into_first, 0, (plan->words + 1) * sizeof *plan->into_first);
  for (uint32_t word = 0; word < plan->words; word++)
    add_word(making, lists->nodes, &lists->moves[player], word);
  plan->from_first[plan->words] = plan->groups;
  sort_into(plan, lists);
}

int shift_plan_init(struct shift_plan *plan, struct job *job, const struct engine_options *options,
                    const struct lists *lists, enum player player)
{
  *plan = (struct shift_plan){.words = (lists->nodes + 63) / 64};
  uint64_t shifts = 0;
  if (!plan_possible(options))
    return 0;
  if (shift_count(job, &lists->moves[player], lists->nodes, NULL, NULL, &shifts) < 0)
    return job->error;
  if (!plan_pays(options, lists, player, shifts))
    return 0;
  size_t bytes = 2 * shifts * sizeof(struct shift_group) + 2 * (plan->words + 1) * sizeof(uint32_t);
  size_t beside = making_bytes(lists->nodes, plan);
  uint32_t *slots = job_alloc_dirty(job, beside);
  struct shift_group *memory = slots ? job_alloc_dirty(job, bytes) : NULL;
  if (memory) {
    plan->bytes = bytes;
    plan->from = memory;
    plan->into = memory + shifts;
    plan->from_first = (uint32_t *)(plan->into + shifts);
    plan->into_first = plan->from_first + plan->words + 1;
    make(&(struct making){plan, slots, slots + slot_bytes(lists->nodes) / sizeof *slots}, lists,
         player);
  }
  job_free(job, slots, beside);
  return memory ? 0 : job->error;
}

void shift_plan_deinit(struct shift_plan *plan, struct job *job)
{
  job_free(job, plan->from, plan->bytes);
  *plan = (struct shift_plan){0};
}
