// A CTA writes into its neighbour's shared memory and then sets a flag there, which is waited for.
extern "C" __global__ void cluster_flag(unsigned *out) {
  __shared__ unsigned values[96], flag;
  unsigned t = threadIdx.x, next = (cluster_ctarank() + 1) % cluster_nctarank(), seen;
  if (t == 0) flag = 0;
  cluster_sync();
  unsigned to = mapped(shared_address(values + t), next);
  remote_store(to, 7 * blockIdx.x + t);  // NO_RELEASE NO_ACQUIRE
  __syncthreads();
  if (t == 0) {
    unsigned own = shared_address(&flag), where = mapped(own, next);
#ifdef NO_RELEASE
    asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(where) : "memory");
#else
    asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(where) : "memory");
#endif
    do {
#ifdef NO_ACQUIRE
      asm volatile("ld.relaxed.cluster.shared::cta.u32 %0, [%1];"
                   : "=r"(seen) : "r"(own) : "memory");
#else
      asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];"
                   : "=r"(seen) : "r"(own) : "memory");
#endif
    } while (!seen);
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = values[t];  // NO_RELEASE NO_ACQUIRE
#ifndef EXIT
  cluster_sync();
#endif
}
