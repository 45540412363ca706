/*
 * Warm: the file is in the page cache. Cold: it was written, synced and dropped from the cache. What a
 * table costs to read back is the table alone; who only knows its id reads the puzzle, too.
 */
#include "bench/store/tables.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "bench/measure.h"
#include "daemon/limits.h"
#include "daemon/store/puzzle_log.h"
#include "daemon/store/rule.h"
#include "daemon/store/table_file.h"
#include "solver/solve.h"

enum { ZSTD_LEVEL = 1 };

struct subject {
  struct store_folder *folder;
  struct arena *arena;
  struct table *table;
  struct id id;
  struct place place;
};

struct medians {
  double solve_ms, write_ms, warm_ms, cold_ms, puzzle_ms, expand_ms, ratio;
};

static double ms_since(uint64_t begin_ns)
{
  return (double)(wall_ns() - begin_ns) / 1e6;
}

static double solve_again(const struct plan *plan, struct subject *subject)
{
  struct solve_options options = {.threads = plan->threads};
  uint64_t begin = wall_ns();
  table_free(subject->table);
  if (solve(subject->arena, &options, &subject->table) < 0)
    die("a puzzle cannot be solved");
  return ms_since(begin);
}

static double write_table(const struct subject *subject)
{
  const struct table_file file = {.id = subject->id, .game = subject->arena->game};
  uint64_t begin = wall_ns();
  if (table_file_write(subject->folder, &file, subject->table, NULL) < 0)
    die("a table cannot be written");
  return ms_since(begin);
}

static double read_table(const struct subject *subject)
{
  struct table_file file = {.id = subject->id};
  struct table *table;
  uint64_t begin = wall_ns();
  if (table_file_read(subject->folder, &file, subject->arena->nodes, UINT64_MAX, NULL, &table) < 0)
    die("a table cannot be read back");
  double ms = ms_since(begin);
  table_free(table);
  return ms;
}

static void drop_from_cache(const struct subject *subject)
{
  char name[ID_TEXT + 1];
  id_format(&subject->id, name);
  int fd = openat(subject->folder->fd[SUBFOLDER_TABLES], name, O_RDONLY | O_CLOEXEC);
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  close(fd);
}

static double read_puzzle(const struct subject *subject)
{
  struct arena *arena;
  uint64_t begin = wall_ns();
  if (puzzle_log_read(subject->folder, &subject->place, &subject->id, &arena) < 0)
    die("a puzzle cannot be read back");
  double ms = ms_since(begin);
  arena_free(arena);
  return ms;
}

/* What it would take to expand the cells, had they been compressed. */
static double expand(const struct subject *subject, double *ratio)
{
  size_t bytes = table_bytes(subject->table->nodes, subject->table->width);
  size_t room = ZSTD_compressBound(bytes);
  char *compressed = need_memory(room, 1);
  size_t size = ZSTD_compress(compressed, room, subject->table->cells, bytes, ZSTD_LEVEL);
  uint64_t begin = wall_ns();
  struct table *table = table_new(subject->table->nodes, subject->table->width);
  for (uint32_t piece = 0; table && piece < table_pieces(table); piece++)
    table_fill(table, piece);
  if (!table || ZSTD_decompress(table->cells, bytes, compressed, size) != bytes)
    die("a table cannot be expanded");
  double ms = ms_since(begin);
  *ratio = (double)bytes / (double)size;
  table_free(table);
  free(compressed);
  return ms;
}

static struct medians measure(const struct plan *plan, struct subject *subject)
{
  double solve_ms[ROUNDS_MAX], write_ms[ROUNDS_MAX], warm_ms[ROUNDS_MAX], cold_ms[ROUNDS_MAX];
  double puzzle_ms[ROUNDS_MAX], expand_ms[ROUNDS_MAX], ratio = 0;
  for (unsigned i = 0; i < plan->rounds; i++) {
    solve_ms[i] = solve_again(plan, subject);
    write_ms[i] = write_table(subject);
    warm_ms[i] = read_table(subject);
    drop_from_cache(subject);
    cold_ms[i] = read_table(subject);
    puzzle_ms[i] = read_puzzle(subject);
    expand_ms[i] = expand(subject, &ratio);
  }
  return (struct medians){median(solve_ms, plan->rounds),
                          median(write_ms, plan->rounds),
                          median(warm_ms, plan->rounds),
                          median(cold_ms, plan->rounds),
                          median(puzzle_ms, plan->rounds),
                          median(expand_ms, plan->rounds),
                          ratio};
}

static void subject_init(struct subject *subject, struct store_folder *folder,
                         const struct puzzle *puzzle)
{
  struct complaint complaint = {.text = "out of memory"};
  struct puzzle_log log;
  *subject = (struct subject){.folder = folder};
  if (arena_new(puzzle, &subject->arena, &complaint) < 0)
    die("a puzzle is refused: %s", complaint.text);
  arena_id(subject->arena, &subject->id);
  puzzle_log_init(&log, folder);
  if (puzzle_log_append(&log, subject->arena, &subject->id, 1, &subject->place) < 0)
    die("a puzzle cannot be written");
  puzzle_log_deinit(&log);
}

static void subject_deinit(struct subject *subject)
{
  table_file_remove(subject->folder, &subject->id);
  table_free(subject->table);
  arena_free(subject->arena);
}

void tables_head(void)
{
  printf("%-12s %6s %11s %9s %9s %9s %9s %9s  %-4s  %9s %7s\n", "family", "n", "bytes", "solve ms",
         "write ms", "warm ms", "cold ms", "puzzle ms", "kept", "zstd ms", "smaller");
}

static void print_row(const char *family, const struct subject *subject,
                      const struct medians *medians, bool kept, json_t *rows)
{
  uint64_t bytes = table_file_bytes(subject->table);
  printf("%-12s %6u %11llu %9.2f %9.2f %9.2f %9.2f %9.3f  %-4s  %9.2f %6.1fx\n", family,
         subject->arena->nodes, (unsigned long long)bytes, medians->solve_ms, medians->write_ms,
         medians->warm_ms, medians->cold_ms, medians->puzzle_ms, kept ? "yes" : "no",
         medians->expand_ms, medians->ratio);
  fflush(stdout);
  json_array_append_new(
      rows, json_pack("{s:s, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:b, s:f, s:f}", "family", family,
                      "nodes", (int)subject->arena->nodes, "bytes", (json_int_t)bytes, "solve_ms",
                      medians->solve_ms, "write_ms", medians->write_ms, "warm_ms", medians->warm_ms,
                      "cold_ms", medians->cold_ms, "puzzle_ms", medians->puzzle_ms, "kept", kept,
                      "zstd_ms", medians->expand_ms, "zstd_smaller", medians->ratio));
}

void tables_measure(const struct plan *plan, struct store_folder *folder,
                    const struct family *family, uint32_t nodes, json_t *rows)
{
  struct specimen specimen;
  struct subject subject;
  family_make(family, nodes, plan->seed, &specimen);
  subject_init(&subject, folder, &specimen.puzzle);
  struct medians medians = measure(plan, &subject);
  bool kept = table_pays((uint64_t)(medians.solve_ms * 1000), table_file_bytes(subject.table),
                         daemon_limits_default.store_read_rate);
  print_row(family->name, &subject, &medians, kept, rows);
  subject_deinit(&subject);
  specimen_deinit(&specimen);
}
