/* Counting and adding up. What is printed of it is tally_text.c's. */
#include "client/batch/tally.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int tally_init(struct tally *tally, uint32_t longest)
{
  *tally = (struct tally){.list.most = longest};
  if (longest == 0)
    return 0;
  tally->list.wins = calloc(longest, sizeof *tally->list.wins);
  return tally->list.wins ? 0 : -ENOMEM;
}

static void win_drop(struct win *win)
{
  free(win->text);
  *win = (struct win){0};
}

void tally_clear(struct tally *tally)
{
  struct win_list list = tally->list;
  for (int winner = 0; winner < 2; winner++)
    win_drop(&tally->longest[winner]);
  for (; list.count > 0; list.count--)
    win_drop(&list.wins[list.count - 1]);
  tally->records = tally->bad = tally->answers = 0;
  memset(tally->outcomes, 0, sizeof tally->outcomes);
  tally->reasons_count = 0;
  tally->other_reasons = 0;
  tally->list = list;
}

void tally_deinit(struct tally *tally)
{
  tally_clear(tally);
  free(tally->list.wins);
}

/* Keeps what `win` points to as memory of its own. */
static int win_keep(struct win *win, const struct win *found)
{
  char *text = malloc(found->length + 1);
  if (!text)
    return -ENOMEM;
  memcpy(text, found->text, found->length);
  text[found->length] = '\0';
  free(win->text);
  *win = *found;
  win->text = text;
  return 0;
}

/* Where a win of so many plies goes, behind all that are as long. */
static uint32_t list_place(const struct win_list *list, uint32_t plies)
{
  uint32_t place = list->count;
  while (place > 0 && list->wins[place - 1].plies < plies)
    place--;
  return place;
}

static int list_add(struct win_list *list, const struct win *found)
{
  uint32_t place = list_place(list, found->plies);
  struct win kept = {0};
  if (place == list->most)
    return 0;
  int error = win_keep(&kept, found);
  if (error)
    return error;
  if (list->count == list->most)
    win_drop(&list->wins[--list->count]);
  memmove(list->wins + place + 1, list->wins + place, (list->count - place) * sizeof *list->wins);
  list->wins[place] = kept;
  list->count++;
  return 0;
}

static bool list_wants(const struct win_list *list, uint32_t plies)
{
  return list->count < list->most || (list->most > 0 && list->wins[list->count - 1].plies < plies);
}

int tally_answer(struct tally *tally, const struct answer *answer, const struct record *record,
                 uint64_t number)
{
  tally->answers++;
  tally->outcomes[answer->outcome]++;
  if (answer->plies == PLIES_NONE || answer->plies == 0)
    return 0;
  const struct win found = {answer->plies, number, answer->roles, (char *)record->text,
                            record->length};
  struct win *longest = &tally->longest[answer->outcome];
  int error = answer->plies > longest->plies ? win_keep(longest, &found) : 0;
  if (error == 0 && list_wants(&tally->list, answer->plies))
    error = list_add(&tally->list, &found);
  return error;
}

static void reason_add(struct tally *tally, const char *text, uint64_t count)
{
  uint32_t at = 0;
  while (at < tally->reasons_count && strcmp(tally->reasons[at].text, text) != 0)
    at++;
  if (at == REASONS_MAX) {
    tally->other_reasons += count;
    return;
  }
  if (at == tally->reasons_count) {
    snprintf(tally->reasons[at].text, REASON_BYTES, "%s", text);
    tally->reasons[at].count = 0;
    tally->reasons_count++;
  }
  tally->reasons[at].count += count;
}

static bool is_word(char byte)
{
  return isalnum((unsigned char)byte) || byte == '_';
}

/* The sentence with its numbers made N, so that sentences of one kind are one reason. */
void tally_bad(struct tally *tally, const char *why)
{
  char text[REASON_BYTES], before = ' ';
  size_t length = 0;
  while (*why && length + 1 < sizeof text) {
    bool number = *why >= '0' && *why <= '9' && !is_word(before);
    text[length++] = number ? 'N' : *why;
    do
      before = *why++;
    while (number && is_word(*why));
  }
  text[length] = '\0';
  tally->bad++;
  reason_add(tally, text, 1);
}

int tally_add(struct tally *tally, const struct tally *later)
{
  int error = 0;
  tally->records += later->records;
  tally->bad += later->bad;
  tally->answers += later->answers;
  for (int outcome = 0; outcome < OUTCOMES; outcome++)
    tally->outcomes[outcome] += later->outcomes[outcome];
  for (int winner = 0; winner < 2 && error == 0; winner++) {
    if (later->longest[winner].plies > tally->longest[winner].plies)
      error = win_keep(&tally->longest[winner], &later->longest[winner]);
  }
  for (uint32_t i = 0; i < later->list.count && error == 0; i++) {
    if (list_wants(&tally->list, later->list.wins[i].plies))
      error = list_add(&tally->list, &later->list.wins[i]);
  }
  for (uint32_t i = 0; i < later->reasons_count; i++)
    reason_add(tally, later->reasons[i].text, later->reasons[i].count);
  tally->other_reasons += later->other_reasons;
  return error;
}
