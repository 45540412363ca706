/*
 * Making a plan: each start word's moves are sorted into the slots (word they lead to, rotation),
 * at most one slot a node, and what is new of these into the groups of the words; then it is noted
 * for each word from which words moves lead to it.
 */
#include "solver/engine/level.h"

#include "solver/engine/shift_plan.h"

#include "solver/engine/bit_line.h"

/* A plan pays where a word has at most this many shifts, or where a shift stands for many moves. */
enum { SHIFTS_PER_WORD_MAX = 64, MOVES_PER_SHIFT_MIN = 6 };

/* Slots are numbered by group and shift. */
#define SHIFTS_MAX (UINT32_MAX / LINE_WORDS)

_Static_assert((uint64_t)SOLVE_NODES_MAX *SOLVE_NODES_MAX / 64 - 1 <= UINT32_MAX,
               "the words of all rows can be numbered");

#define SLOT_NONE UINT32_MAX

int shift_count(struct solving *solving, const struct moves *moves, uint32_t nodes,
                const uint32_t *node_at, const uint32_t *place_of, uint64_t *shifts)
{
  uint32_t *last =
      solving_alloc(solving, shift_slot_bytes(nodes)); /* by slot: 1 + the last start word */
  if (!last)
    return solving->error;
  uint64_t count = 0;
  for (uint32_t start = 0; start < nodes && !solving_over(solving); start++) {
    uint32_t node = node_at ? node_at[start] : start;
    for (uint32_t at = moves->begin[node]; at < moves->end[node]; at++) {
      uint32_t slot = shift_slot(start, place_of ? place_of[moves->to[at]] : moves->to[at]);
      count += last[slot] != start / 64 + 1;
      last[slot] = start / 64 + 1;
    }
  }
  solving_free(solving, last, shift_slot_bytes(nodes));
  *shifts = count;
  return solving_over(solving) ? solving->error : 0;
}

static bool plan_possible(const struct engine_options *options)
{
  return options->forall == ENGINE_FORALL_SHIFTS || options->forall == ENGINE_FORALL_AUTO;
}

static bool plan_pays(const struct engine_options *options, const struct lists *lists,
                      enum player player, uint64_t shifts)
{
  if (shifts > SHIFTS_MAX)
    return false;
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
  return shift_slot_bytes(nodes) + plan->words * sizeof(uint32_t);
}

static uint32_t group_of(struct making *making, uint32_t lead)
{
  struct shift_plan *plan = making->plan;
  uint32_t group = making->open[lead];
  if (group == SLOT_NONE || plan->groups[group].count == LINE_WORDS) {
    group = making->open[lead] = plan->group_count++;
    plan->groups[group] = (struct shift_group){.at = lead};
    memset(plan->masks + (size_t)group * LINE_WORDS, 0, LINE_BYTES);
  }
  return group;
}

static void add_move(struct making *making, uint32_t start, uint32_t lead)
{
  uint32_t *slot = &making->slots[shift_slot(start, lead)];
  if (*slot == SLOT_NONE) {
    uint32_t number = group_of(making, lead / 64);
    struct shift_group *group = &making->plan->groups[number];
    group->rotations[group->count] = (start - lead) & 63;
    *slot = number * LINE_WORDS + group->count++;
  }
  making->plan->masks[*slot] |= UINT64_C(1) << start % 64;
}

static void add_word(struct making *making, uint32_t nodes, const struct moves *moves,
                     uint32_t word)
{
  struct shift_plan *plan = making->plan;
  uint32_t end = least(word * 64 + 64, nodes);
  plan->first[word] = plan->group_count;
  for (uint32_t start = word * 64; start < end; start++)
    for (uint32_t at = moves->begin[start]; at < moves->end[start]; at++)
      add_move(making, start, moves->to[at]);
  for (uint32_t number = plan->first[word]; number < plan->group_count; number++) {
    const struct shift_group *group = &plan->groups[number];
    uint32_t lead = group->at;
    making->open[lead] = SLOT_NONE;
    for (uint32_t shift = 0; shift < group->count; shift++)
      making->slots[lead * 64 + group->rotations[shift]] = SLOT_NONE;
  }
}

static void note_starts(const struct shift_plan *plan, uint32_t word)
{
  for (uint32_t group = plan->first[word]; group < plan->first[word + 1]; group++) {
    uint64_t *starts = plan->starts + (size_t)plan->groups[group].at * plan->start_words;
    starts[word / 64] |= UINT64_C(1) << word % 64;
  }
}

/* Until here a group has the number of the word that it leads to. */
static void place_groups(struct shift_plan *plan, uint32_t nodes)
{
  for (uint32_t number = 0; number < plan->group_count; number++) {
    struct shift_group *group = &plan->groups[number];
    group->at = group->at / LINE_WORDS * nodes * LINE_WORDS + group->at % LINE_WORDS;
  }
}

static void make(struct making *making, const struct lists *lists, enum player player)
{
  struct shift_plan *plan = making->plan;
  memset(making->slots, 0xff, making_bytes(lists->nodes, plan));
  for (uint32_t word = 0; word < plan->words; word++)
    add_word(making, lists->nodes, &lists->moves[player], word);
  plan->first[plan->words] = plan->group_count;
  for (uint32_t word = 0; word < plan->words; word++)
    note_starts(plan, word);
  place_groups(plan, lists->nodes);
}

/* There are at most as many groups as shifts. */
static size_t plan_bytes(const struct shift_plan *plan, uint64_t shifts)
{
  return shifts * (LINE_BYTES + sizeof *plan->groups) +
         (size_t)plan->words * plan->start_words * sizeof *plan->starts +
         ((size_t)plan->words + 1) * sizeof *plan->first;
}

static void lay_out(struct shift_plan *plan, uint64_t shifts, uint64_t *memory)
{
  size_t starts = (size_t)plan->words * plan->start_words;
  plan->masks = memory;
  plan->groups = (struct shift_group *)(plan->masks + shifts * LINE_WORDS);
  plan->starts = (uint64_t *)(plan->groups + shifts);
  plan->first = (uint32_t *)(plan->starts + starts);
  memset(plan->starts, 0, starts * sizeof *plan->starts);
}

int shift_plan_init(struct shift_plan *plan, struct solving *solving,
                    const struct engine_options *options, const struct lists *lists,
                    enum player player)
{
  uint32_t words = lists->lines * LINE_WORDS;
  *plan = (struct shift_plan){.words = words, .start_words = (words + 63) / 64};
  uint64_t shifts = 0;
  if (!plan_possible(options))
    return 0;
  if (shift_count(solving, &lists->moves[player], lists->nodes, NULL, NULL, &shifts) < 0)
    return solving->error;
  if (!plan_pays(options, lists, player, shifts))
    return 0;
  size_t bytes = plan_bytes(plan, shifts), beside = making_bytes(lists->nodes, plan);
  uint32_t *slots = solving_alloc_dirty(solving, beside);
  uint64_t *memory = slots ? solving_alloc_dirty(solving, bytes) : NULL;
  if (memory) {
    plan->bytes = bytes;
    lay_out(plan, shifts, memory);
    struct making making = {.plan = plan,
                            .slots = slots,
                            .open = slots + shift_slot_bytes(lists->nodes) / sizeof *slots};
    make(&making, lists, player);
  }
  solving_free(solving, slots, beside);
  return memory ? 0 : solving->error;
}

void shift_plan_deinit(struct shift_plan *plan, struct solving *solving)
{
  solving_free(solving, plan->masks, plan->bytes);
  *plan = (struct shift_plan){0};
}
