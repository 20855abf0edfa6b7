/* Hazards of the async proxy and of what is not known to be complete. */
#ifndef LANEMAP_PROXIES_H
#define LANEMAP_PROXIES_H
#include "memory_model.h"

/* The detail of HAZARD_ASYNC: the earlier agent, and of HAZARD_ENGINE: what is missing; and these.
 * WROTE: the earlier access. WAITED: somebody knows that it is over. ELSEWHERE: of another group.
 */
enum Detail {
  DETAIL_MISSING = 0xff,
  DETAIL_WRITES = 0x100,
  DETAIL_WROTE = 0x200,
  DETAIL_GIVES_BACK = 0x400,
  DETAIL_WAITED = 0x800,
  DETAIL_ELSEWHERE = 0x1000
};

/* Hazards between an access and an asynchronous one; and between one of the async proxy and a
 * write of the generic one, without a proxy fence between them: 0 if it is none. */
int proxy_conflict(Touch *t, HazardRecord *h, u64 earlier, int read);
void async_conflict(Touch *t, HazardRecord *h, u64 earlier);
#endif
