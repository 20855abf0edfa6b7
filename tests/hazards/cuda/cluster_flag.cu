// A CTA writes into its neighbour's shared memory and then sets a flag there, which is waited for.
// FENCES orders by fences what otherwise the flag's own release and acquire do.
#if defined(FENCES)
#define FENCE asm volatile("fence.acq_rel.cluster;" ::: "memory")
#elif defined(CTA_FENCES)
#define FENCE asm volatile("fence.acq_rel.cta;" ::: "memory")
#else
#define FENCE
#endif
#if defined(FENCES) || defined(CTA_FENCES) || defined(NO_RELEASE)
#define SET "st.relaxed.cluster.shared::cluster.u32 [%0], 1;"
#else
#define SET "st.release.cluster.shared::cluster.u32 [%0], 1;"
#endif
#if defined(FENCES) || defined(CTA_FENCES) || defined(NO_ACQUIRE)
#define GET "ld.relaxed.cluster.shared::cta.u32 %0, [%1];"
#else
#define GET "ld.acquire.cluster.shared::cta.u32 %0, [%1];"
#endif

extern "C" __global__ void cluster_flag(unsigned *out) {
  __shared__ unsigned values[96], flag;
  unsigned t = threadIdx.x, next = (cluster_ctarank() + 1) % cluster_nctarank(), seen;
  if (t == 0) flag = 0;
  cluster_sync();
  unsigned to = mapped(shared_address(values + t), next);
  remote_store(to, 7 * blockIdx.x + t);  // NO_RELEASE NO_ACQUIRE CTA_FENCES
  __syncthreads();
  if (t == 0) {
    unsigned own = shared_address(&flag), where = mapped(own, next);
    FENCE;
    asm volatile(SET ::"r"(where) : "memory");
    do {
      asm volatile(GET : "=r"(seen) : "r"(own) : "memory");
    } while (!seen);
    FENCE;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = values[t];  // NO_RELEASE NO_ACQUIRE CTA_FENCES
  // no barrier: a CTA that has seen its flag may end, and does not look elsewhere any more
}
