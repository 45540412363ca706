/* Nothing is given back before all have written: what one has given back would be what the next one gets. */
#include "bench/solver/warm.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bench/measure.h"

static const size_t page_bytes = 4096, huge_page_bytes = 2 << 20;

struct warming {
  size_t bytes;
  pthread_barrier_t written;
};

static void *write_to_fresh_memory(void *argument)
{
  struct warming *warming = argument;
  void *memory =
      mmap(NULL, warming->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    die("out of memory: %zu bytes", warming->bytes);
  madvise(memory, warming->bytes, MADV_HUGEPAGE);
  for (size_t at = 0; at < warming->bytes; at += page_bytes)
    ((volatile char *)memory)[at] = 1;
  pthread_barrier_wait(&warming->written);
  munmap(memory, warming->bytes);
  return NULL;
}

void warm_memory(size_t bytes, unsigned threads)
{
  if (bytes < huge_page_bytes)
    return;
  struct warming warming = {.bytes = bytes};
  pthread_t *others = need_memory(threads, sizeof *others);
  pthread_barrier_init(&warming.written, NULL, threads);
  for (unsigned i = 1; i < threads; i++)
    if (pthread_create(&others[i], NULL, write_to_fresh_memory, &warming) != 0)
      die("cannot start a thread");
  write_to_fresh_memory(&warming);
  for (unsigned i = 1; i < threads; i++)
    pthread_join(others[i], NULL);
  pthread_barrier_destroy(&warming.written);
  free(others);
}
