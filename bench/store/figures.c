#include "bench/store/figures.h"

#include <stdio.h>
#include <unistd.h>

#include "bench/measure.h"

void figure(const struct plan *plan, const char *what, double value, const char *unit)
{
  printf("%-46s %10.*f %s\n", what, value < 10 ? 2 : value < 100 ? 1 : 0, value, unit);
  fflush(stdout);
  json_array_append_new(plan->rows,
                        json_pack("{s:s, s:f, s:s}", "figure", what, "value", value, "unit", unit));
}

double resident_mb(int pid)
{
  char path[64];
  unsigned long total, resident;
  snprintf(path, sizeof path, "/proc/%d/statm", pid);
  FILE *file = fopen(path, "r");
  if (!file || fscanf(file, "%lu %lu", &total, &resident) != 2)
    die("cannot read %s", path);
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}
