/*
 * Linux and glibc. Reads the control group's bounds from /proc and /sys; nothing here fails but by
 * saying so.
 */
#include "solver/system.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* "QUOTA PERIOD", both in microseconds, or "max PERIOD". 0 where there is no bound. */
static unsigned read_share(const char *path)
{
  FILE *file = fopen(path, "re");
  unsigned long long quota = 0, period = 0;
  if (!file)
    return 0;
  int fields = fscanf(file, "%llu %llu", &quota, &period);
  fclose(file);
  if (fields != 2 || quota == 0 || period == 0)
    return 0;
  unsigned long long processors = (quota - 1) / period + 1;
  return processors < INT32_MAX ? (unsigned)processors : 0;
}

/* Writes the group's folder within the mount to `group`. False where it is in none of version 2. */
static bool read_group(const char *membership, char group[static PATH_BYTES])
{
  FILE *file = fopen(membership, "re");
  bool found = false;
  while (file && !found && fgets(group, PATH_BYTES, file))
    found = strncmp(group, "0::/", 4) == 0;
  if (file)
    fclose(file);
  if (!found)
    return false;
  group[strcspn(group, "\n")] = '\0';
  memmove(group, group + 3, strlen(group + 3) + 1);
  return true;
}

/* A group is bound by each of the groups that it lies in. */
unsigned system_group_processors(const char *membership, const char *mount)
{
  char group[PATH_BYTES], path[2 * PATH_BYTES];
  unsigned least = 0;
  if (!read_group(membership, group))
    return 0;
  for (;;) {
    snprintf(path, sizeof path, "%s%s/cpu.max", mount, group);
    unsigned share = read_share(path);
    if (share && (!least || share < least))
      least = share;
    char *last = strrchr(group, '/');
    if (!last)
      return least;
    *last = '\0';
  }
}

unsigned system_processors(void)
{
  cpu_set_t set;
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned processors = online > 0 ? (unsigned)online : 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    processors = (unsigned)CPU_COUNT(&set);
  unsigned share = system_group_processors("/proc/self/cgroup", "/sys/fs/cgroup");
  return share && share < processors ? share : processors;
}

void system_prefer_huge_pages(void *pages, size_t bytes)
{
  madvise(pages, bytes, MADV_HUGEPAGE);
}

bool system_move_pages(void *from, void *to, size_t bytes)
{
  return mremap(from, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
}

/* Before Linux 4.17, which does not know MAP_FIXED_NOREPLACE, it may map elsewhere. */
int system_map_at(void *at, size_t bytes)
{
  void *mapped = mmap(at, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == MAP_FAILED)
    return -errno;
  if (mapped == at)
    return 0;
  munmap(mapped, bytes);
  return -EEXIST;
}

/* Setting the first alone would have malloc() map each block from 128 kB on. */
void system_keep_small_blocks(size_t keep_bytes, size_t map_from_bytes)
{
  mallopt(M_TRIM_THRESHOLD, (int)keep_bytes);
  mallopt(M_MMAP_THRESHOLD, (int)map_from_bytes);
}
