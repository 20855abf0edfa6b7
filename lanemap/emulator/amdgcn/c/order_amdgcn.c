/* What gfx950 releases to the agent (LLVM, AMDGPUUsage, "Memory Model gfx942"). */
#include "runtime.h"

/* In Wave.front_end: accesses to global memory before the last buffer_wbl2 sc1. */
typedef struct { u64 accesses; } WrittenBack;

/* buffer_wbl2 sc1 begins a release to the agent. What it writes back is released once a wait says that it is
 * complete: at the next flag. */
void lm_write_back(Wave *w) { ((WrittenBack *)w->front_end)->accesses = w->sequence[0]; }

void lm_release_written(Wave *w) {
  u64 written = ((WrittenBack *)w->front_end)->accesses;
  if (written) lm_release_all(w, written < w->completed[0] ? written : w->completed[0]);
}
