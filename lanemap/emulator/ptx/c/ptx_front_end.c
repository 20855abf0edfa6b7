/* PTX callbacks (FrontEnd in runtime.h) for groups that begin, wait and end, for kernels with
 * mbarriers or tensor memory. */
#include "copies.h"
#include "mbarrier.h"
#include "ptx_mbarrier.h"
#include "ptx_warp.h"
#include "rule_numbers.h"
#include "wgmma.h"

void lm_ptx_begin(Group *g) {
  tensor_enter(g);
  for (u32 i = 0; i < g->cta_count; i++) {
    ptx_cta(g->ctas[i])->refusal = 0;
    async_begin(g->ctas[i]);
    mbarriers_begin(g->ctas[i]);
    warpgroups_begin(g->ctas[i]);
  }
}

void lm_ptx_leave(Wave *last) {
  registers_leave(last);
  tensor_leave(last);
  mbarriers_leave(last);
  async_leave(last, RULE_BULK_UNREAD);
}

/* CTAs of other groups may have deallocated columns. */
void lm_ptx_resume(Group *g) { retry_columns(g); }

u32 lm_ptx_stalled(Group *g) {
  if (mbarrier_give_up(g)) return RUN_ON;
  return columns_awaited(g) ? RUN_YIELD : RUN_DEADLOCK;
}
