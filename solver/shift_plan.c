/*
 * Making a plan: each start word's moves are sorted into the slots (word they lead to, rotation), at
 * most one slot a node, then the shifts are sorted once more by the word they lead to.
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

/* Adds the moves of one start word; `slots` is all SLOT_NONE before and after. */
static void add_word(struct shift_plan *plan, const struct lists *lists, const struct moves *moves,
                     uint32_t word, uint32_t *slots)
{
  uint32_t end = word * 64 + 64 < lists->nodes ? word * 64 + 64 : lists->nodes;
  plan->from_first[word] = plan->shifts;
  for (uint32_t start = word * 64; start < end; start++)
    for (uint32_t at = moves->begin[start]; at < moves->end[start]; at++) {
      uint32_t slot = slot_of(start, moves->to[at]);
      if (slots[slot] == SLOT_NONE) {
        slots[slot] = plan->shifts;
        plan->from[plan->shifts++] = (struct shift){0, slot / 64, slot % 64};
      }
      plan->from[slots[slot]].mask |= UINT64_C(1) << start % 64;
    }
  for (uint32_t shift = plan->from_first[word]; shift < plan->shifts; shift++)
    slots[plan->from[shift].word * 64 + plan->from[shift].rotation] = SLOT_NONE;
}

/* Sorts by the word led to, then puts into `from` where a row has that word. */
static void sort_into(struct shift_plan *plan, const struct lists *lists)
{
  for (uint32_t shift = 0; shift < plan->shifts; shift++)
    plan->into_first[plan->from[shift].word + 1]++;
  for (uint32_t word = 0; word < plan->words; word++)
    plan->into_first[word + 1] += plan->into_first[word];
  for (uint32_t word = plan->words; word-- > 0;)
    for (uint32_t shift = plan->from_first[word]; shift < plan->from_first[word + 1]; shift++) {
      struct shift *from = &plan->from[shift];
      struct shift into = {from->mask, word, from->rotation};
      plan->into[--plan->into_first[from->word + 1]] = into;
      from->word = from->word / LINE_WORDS * lists->nodes * LINE_WORDS + from->word % LINE_WORDS;
    }
  for (uint32_t word = 0; word < plan->words; word++)
    plan->into_first[word] = plan->into_first[word + 1];
  plan->into_first[plan->words] = plan->shifts;
}

/* `into` is sorted by both words. */
static uint32_t count_links(const struct shift_plan *plan)
{
  uint32_t links = 0;
  for (uint32_t word = 0; word < plan->words; word++)
    for (uint32_t at = plan->into_first[word]; at < plan->into_first[word + 1]; at++)
      links += at == plan->into_first[word] || plan->into[at].word != plan->into[at - 1].word;
  return links;
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
  size_t bytes = 2 * shifts * sizeof(struct shift) + 2 * (plan->words + 1) * sizeof(uint32_t);
  uint32_t *slots = job_alloc(job, slot_bytes(lists->nodes));
  struct shift *memory = slots ? job_alloc(job, bytes) : NULL;
  if (memory) {
    plan->bytes = bytes;
    plan->from = memory;
    plan->into = memory + shifts;
    plan->from_first = (uint32_t *)(plan->into + shifts);
    plan->into_first = plan->from_first + plan->words + 1;
    for (uint32_t slot = 0; slot < lists->nodes + 64; slot++)
      slots[slot] = SLOT_NONE;
    for (uint32_t word = 0; word < plan->words; word++)
      add_word(plan, lists, &lists->moves[player], word, slots);
    plan->from_first[plan->words] = plan->shifts;
    sort_into(plan, lists);
    plan->links = count_links(plan);
  }
  job_free(job, slots, slot_bytes(lists->nodes));
  return memory ? 0 : job->error;
}

void shift_plan_deinit(struct shift_plan *plan, struct job *job)
{
  job_free(job, plan->from, plan->bytes);
  *plan = (struct shift_plan){0};
}
