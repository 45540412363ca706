#include "tests/support/failing_alloc.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef FAILING_ALLOC_WRAPS
#define OURS(name)   __wrap_##name
#define THEIRS(name) __real_##name
#else
#define OURS(name)           name
#define THEIRS(name)         __libc_##name
#define __libc_aligned_alloc __libc_memalign
#endif

void *THEIRS(malloc)(size_t size);
void *THEIRS(calloc)(size_t count, size_t size);
void *THEIRS(realloc)(void *block, size_t size);
void *THEIRS(aligned_alloc)(size_t alignment, size_t size);
void THEIRS(free)(void *block);
void *OURS(malloc)(size_t size);
void *OURS(calloc)(size_t count, size_t size);
void *OURS(realloc)(void *block, size_t size);
void *OURS(aligned_alloc)(size_t alignment, size_t size);
void OURS(free)(void *block);

/*
 * Mappings are wrapped everywhere: the allocator makes its own without calling by these names. Where files may be
 * larger than 2 GB the C library's headers have mmap() call mmap64().
 */
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t size);
int __wrap_munmap(void *at, size_t size);
void *__real_mremap(void *from, size_t old_size, size_t size, int flags, void *to);
void *__wrap_mremap(void *from, size_t old_size, size_t size, int flags, void *to);

static _Thread_local struct {
  bool armed;
  bool and_later;
  atomic_bool *flag;
  bool failed;
  long next;
  long nth;
  long outstanding;
  long mapped;
} injection;

void failing_alloc_arm(long nth)
{
  injection.armed = true;
  injection.and_later = false;
  injection.flag = NULL;
  injection.failed = false;
  injection.next = 0;
  injection.nth = nth;
  injection.outstanding = 0;
  injection.mapped = 0;
}

void failing_alloc_arm_from(long nth)
{
  failing_alloc_arm(nth);
  injection.and_later = true;
}

void failing_alloc_arm_flag(long nth, atomic_bool *flag)
{
  failing_alloc_arm(nth);
  injection.flag = flag;
}

bool failing_alloc_disarm(void)
{
  injection.armed = false;
  return injection.failed;
}

long failing_alloc_outstanding(void)
{
  return injection.outstanding;
}

long failing_alloc_mapped(void)
{
  return injection.mapped;
}

static bool must_fail(void)
{
  long number = injection.next;
  if (!injection.armed)
    return false;
  injection.next++;
  if (number < injection.nth || (number > injection.nth && !injection.and_later))
    return false;
  injection.failed = true;
  if (injection.flag)
    atomic_store(injection.flag, true);
  errno = ENOMEM;
  return !injection.flag;
}

static void *count_block(void *block)
{
  if (injection.armed && block)
    injection.outstanding++;
  return block;
}

void *OURS(malloc)(size_t size)
{
  return must_fail() ? NULL : count_block(THEIRS(malloc)(size));
}

void *OURS(calloc)(size_t count, size_t size)
{
  return must_fail() ? NULL : count_block(THEIRS(calloc)(count, size));
}

void *OURS(realloc)(void *block, size_t size)
{
  if (must_fail())
    return NULL;
  void *moved = THEIRS(realloc)(block, size);
  return block ? moved : count_block(moved);
}

void *OURS(aligned_alloc)(size_t alignment, size_t size)
{
  return must_fail() ? NULL : count_block(THEIRS(aligned_alloc)(alignment, size));
}

void OURS(free)(void *block)
{
  if (injection.armed && block)
    injection.outstanding--;
  THEIRS(free)(block);
}

#ifdef FAILING_ALLOC_WRAPS
/* The C library's own would call a malloc that is not wrapped. */
char *OURS(strdup)(const char *text);

char *OURS(strdup)(const char *text)
{
  size_t bytes = strlen(text) + 1;
  char *copy = OURS(malloc)(bytes);
  return copy ? memcpy(copy, text, bytes) : NULL;
}
#endif

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
  if (must_fail())
    return MAP_FAILED;
  void *mapped = __real_mmap(at, size, protection, flags, file, offset);
  if (injection.armed && mapped != MAP_FAILED)
    injection.mapped += (long)size;
  return mapped;
}

void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
  return __wrap_mmap(at, size, protection, flags, file, offset);
}

int __wrap_munmap(void *at, size_t size)
{
  if (injection.armed)
    injection.mapped -= (long)size;
  return __real_munmap(at, size);
}

/* As the kernel at its worst: what is to make room is gone already when it fails. */
void *__wrap_mremap(void *from, size_t old_size, size_t size, int flags, void *to)
{
  if (!must_fail())
    return __real_mremap(from, old_size, size, flags, to);
  __wrap_munmap(to, size);
  errno = ENOMEM;
  return MAP_FAILED;
}
