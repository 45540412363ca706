#include "client/show_daemon.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "client/words.h"
#include "proto/units.h"

/* Columns of a row without the name, and how wide that may be. */
enum { BESIDE_NAME = 30, NAME_LEAST = 10, NAME_USUAL = 24, NAME_MOST = 40 };

/* "now", "5 s", "3 min", "2 h", "4 d" */
static void age_words(uint64_t ms, char words[static 16])
{
  static const struct {
    uint64_t ms;
    const char *unit;
  } units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}};
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
    if (ms >= units[i].ms) {
      snprintf(words, 16, "%" PRIu64 " %s", ms / units[i].ms % 100000, units[i].unit);
      return;
    }
  }
  snprintf(words, 16, "now");
}

static int name_columns(const struct style *style)
{
  if (style->columns == 0)
    return NAME_USUAL;
  int left = (int)style->columns - BESIDE_NAME;
  return left < NAME_LEAST ? NAME_LEAST : left > NAME_MOST ? NAME_MOST : left;
}

static const char *verdict_of(const struct cm_listed *listed, const struct named *named)
{
  if (listed->where == CM_SOLVING)
    return "solving";
  return named ? named->verdict : "";
}

void show_list(const struct style *style, const struct cm_list *list, const struct names *names)
{
  const int columns = name_columns(style);
  if (list->tables_count == 0)
    puts("No puzzle is solved yet.");
  else
    printf("%-6s %-*s %5s %-9s %s\n", "id", columns, "name", "nodes", "start", "used");
  for (uint32_t i = 0; i < list->tables_count; i++) {
    const struct cm_listed *listed = &list->tables[i];
    const struct named *named = names_find(names, listed->id);
    char age[16];
    age_words(listed->age_ms, age);
    printf("%.6s %-*.*s %5" PRIu32 " %-9.9s %s\n", listed->id, columns, columns,
           named ? named->name : game_name(listed->game), listed->nodes, verdict_of(listed, named),
           age);
  }
  if (list->total > list->tables_count)
    printf("and %" PRIu64 " more\n", list->total - list->tables_count);
}

void show_evicted(const struct cm_evicted *evicted)
{
  char puzzles[WORDS_MAX], bytes[WORDS_MAX];
  count_words(evicted->puzzles, "puzzle", "puzzles", puzzles);
  bytes_words(evicted->bytes, bytes);
  printf("Forgot %s, %s.\n", puzzles, bytes);
}

static void show_store(const struct cm_store *store)
{
  char puzzles[WORDS_MAX], bytes[WORDS_MAX];
  bytes_words(store->bytes, bytes);
  count_words(store->puzzles, "puzzle", "puzzles", puzzles);
  switch (store->state) {
  case CM_STORE_OFF: puts("on disk: nothing is kept"); break;
  case CM_STORE_OPENING: puts("on disk: it is being looked at"); break;
  case CM_STORE_FAILING: printf("on disk: nothing is kept now: %s\n", store->error); break;
  case CM_STORE_ON: printf("on disk: %s, %s in %s\n", puzzles, bytes, store->folder); break;
  }
}

void show_status(const struct cm_status *status)
{
  char bytes[WORDS_MAX], kept[WORDS_MAX], up[WORDS_MAX], tables[WORDS_MAX];
  bytes_words(status->bytes, bytes);
  bytes_words(status->kept_bytes, kept);
  count_words(status->tables, "table", "tables", tables);
  time_words(status->uptime_ms, up);
  printf("cmdaemon %s, process %" PRIu64 ", up for %s%s\n", status->version, status->pid, up,
         status->draining ? ", draining" : "");
  printf("connections: %" PRIu64 "\n", status->connections);
  printf("solves: %" PRIu64 " under way, %" PRIu64 " waiting, %" PRIu64 " done\n",
         status->jobs_running, status->jobs_queued, status->solves);
  printf("requests: %" PRIu64 ", of these %" PRIu64 " answered from memory\n", status->requests,
         status->hits);
  printf("in memory: %s, %s; %s kept ready for the next solve\n", tables, bytes, kept);
  show_store(&status->store);
}

static bool ends_with(const char *name, const char *end)
{
  const size_t length = strlen(name), end_length = strlen(end);
  return length >= end_length && strcmp(name + length - end_length, end) == 0;
}

/* The unit is in the limit's name. */
void show_limits(const struct cm_status *status)
{
  for (uint32_t i = 0; i < status->limits_count; i++) {
    const struct cm_limit *limit = &status->limits[i];
    char words[WORDS_MAX];
    if (ends_with(limit->name, "_ms"))
      time_words(limit->value, words);
    else if (ends_with(limit->name, "bytes"))
      bytes_words(limit->value, words);
    else if (ends_with(limit->name, "_us"))
      us_words(limit->value, words);
    else if (ends_with(limit->name, "_days"))
      count_words(limit->value, "day", "days", words);
    else
      snprintf(words, sizeof words, "%" PRIu64, limit->value);
    printf("%-24s %s\n", limit->name, words);
  }
}
