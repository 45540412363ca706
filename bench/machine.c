/* Reads /proc/cpuinfo and uname(); what cannot be read is called unknown. */
#include "bench/machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "GCC " __VERSION__
#endif

static void read_processor(char *name, size_t size)
{
  snprintf(name, size, "unknown processor");
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!file)
    return;
  char line[256];
  while (fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon)
      continue;
    snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    break;
  }
  fclose(file);
}

void machine_describe(struct machine *machine)
{
  struct utsname system = {0};
  uname(&system);
  read_processor(machine->processor, sizeof machine->processor);
  machine->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
  snprintf(machine->kernel, sizeof machine->kernel, "%.60s %.60s", system.sysname, system.release);
  machine->compiler = COMPILER;
}

void machine_print(const struct machine *machine)
{
  printf("%s, %d cores, %s, %s\n", machine->processor, machine->cores, machine->kernel,
         machine->compiler);
}

json_t *machine_json(const struct machine *machine)
{
  return json_pack("{s:s, s:i, s:s, s:s}", "processor", machine->processor, "cores", machine->cores,
                   "kernel", machine->kernel, "compiler", machine->compiler);
}
