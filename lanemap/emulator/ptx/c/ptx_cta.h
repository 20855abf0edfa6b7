/* What PTX keeps for a CTA, beside what the memory model does. */
#ifndef LANEMAP_PTX_CTA_H
#define LANEMAP_PTX_CTA_H
#include "objects.h"
#include "tensor.h"

/* A tensor map that was modified, as the tensormap proxy of a CTA sees it: which write was the
 * last. */
typedef struct MapSeen { u64 address, stamp; } MapSeen;
enum { MOST_MAPS = 64 };

/* What is kept for a CTA of a kernel that has mbarriers or tensor memory (Cta.extension). */
typedef struct PtxCta {
  Objects objects;
  TensorMemory *tensor;      /* that of its SM; null where the kernel has no tcgen05 */
  u32 relinquished, columns; /* it allocates no more; columns of its last allocation */
  TensorAsk ask;
  TensorStored stored;
  Collected collected[COLLECTORS];
  MapSeen maps[MOST_MAPS];
  u64 refusal;                  /* stamp of a response that no cluster could be canceled */
  struct Warpgroup *warpgroups; /* null where the kernel has no wgmma */
  u32 tracked, unused;          /* registers of wgmma that it tracks in each warp */
} PtxCta;
_Static_assert(__builtin_offsetof(PtxCta, objects) == 0, "the memory model finds its own there");
static inline PtxCta *ptx_cta(const Cta *c) { return c->extension; }
#endif
