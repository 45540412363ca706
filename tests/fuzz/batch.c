/*
 * A stream of puzzles in any forms, the first byte saying which: cut into records, the same whether more may follow or
 * not, and where they are passed over; read; and answered where that is quick, the same by the verdict and by the table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "client/batch/answer.h"
#include "client/batch/read.h"
#include "tests/fuzz/target.h"

enum { NODES_TO_ANSWER = 24, RECORDS_TO_ANSWER = 8 };

struct answers {
  unsigned count;
  struct answer last;
};

static void take(void *context, const struct answer *answer)
{
  struct answers *answers = context;
  answers->count++;
  answers->last = *answer;
}

static int ask(struct item *item, bool best, bool all_roles, struct answers *answers)
{
  const struct question question = {.roles = {0, 1, 2},
                                    .best = best,
                                    .all_roles = all_roles,
                                    .roles_given = all_roles,
                                    .max_bytes = 16 << 20};
  const struct answer_taker taker = {.take = take, .context = answers};
  *answers = (struct answers){0};
  item->bad[0] = '\0';
  int error = item_answer(item, &question, &taker);
  MUST(error == 0 || (error == -EINVAL && item->bad[0]));
  return error;
}

static void check_answers(struct item *item)
{
  struct answers quick, whole, all;
  int error = ask(item, false, false, &quick);
  MUST(ask(item, true, false, &whole) == error);
  MUST(quick.count == whole.count && quick.count == (error == 0));
  MUST(error || (quick.last.outcome == whole.last.outcome && quick.last.plies == whole.last.plies));
  if (error || item->game == GAME_GRID || item->has_state)
    return;
  MUST(ask(item, false, true, &all) == 0);
  MUST(all.count == item->nodes * (item->nodes - 1) * (item->nodes - 2));
}

/* Where more may follow, the record is the same or not known yet. */
static void check_cut(const char *at, const char *end, enum record_form from,
                      const struct record *record, const char *next)
{
  struct record same;
  enum record_found found = record_next(&at, end, false, from, &same);
  MUST(found == RECORD_MORE ||
       (found == RECORD_FOUND && same.text == record->text && same.length == record->length &&
        same.form == record->form && at == next));
}

/* A record that is passed over, in two pieces, ends where it ends when it is held. */
static void check_passed(const char *text, const char *end, enum record_form from, const char *next)
{
  struct long_record passed;
  long_record_begin(text, end, from, &passed);
  size_t count = long_record_pass(&passed, text, text + (end - text) / 2, false);
  if (!passed.ended)
    count += long_record_pass(&passed, text + count, end, true);
  MUST(passed.ended && text + count == next);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
  enum { FORMS = RECORD_DIMACS + 1 };
  struct item item;
  struct record record;
  unsigned answered = 0;
  if (length == 0)
    return 0;
  enum record_form from = bytes[0] % FORMS;
  const char *at = (const char *)bytes + 1, *end = (const char *)bytes + length;
  item_init(&item);
  for (;;) {
    const char *begin = at;
    enum record_found found = record_next(&at, end, true, from, &record);
    MUST(found != RECORD_MORE);
    if (found == RECORD_NONE)
      break;
    MUST(at > begin && record.length > 0 && record.text + record.length <= at);
    check_cut(begin, end, from, &record, at);
    check_passed(record.text, end, from, at);
    item.bad[0] = '\0';
    if (!item_read(&item, &record))
      MUST(item.bad[0]);
    else if (item.game == GAME_GRID || item.nodes <= NODES_TO_ANSWER) {
      if (answered++ < RECORDS_TO_ANSWER)
        check_answers(&item);
    }
  }
  item_deinit(&item);
  return 0;
}
