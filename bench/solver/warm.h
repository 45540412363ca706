/* Memory that whoever touches it next need not wait for. */
#ifndef CATMOUSE_BENCH_SOLVER_WARM_H
#define CATMOUSE_BENCH_SOLVER_WARM_H

#include <stddef.h>

/*
 * Each of `threads`, all at once, writes to so many bytes of fresh memory; then they give them back. A hypervisor
 * takes back what has been free for a while, and whoever touches it next waits for it: no contestant's fault. A
 * processor has free memory of its own, hence the threads. Fewer bytes than a huge page are let be.
 */
void warm_memory(size_t bytes, unsigned threads);

#endif
