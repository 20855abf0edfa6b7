// The bins of a histogram are divided among the CTAs of a cluster; each counts in all of them.
extern "C" __global__ void cluster_histogram(const unsigned *in, unsigned n, unsigned *out,
                                             unsigned bins_each) {
  extern __shared__ unsigned bins[];
  unsigned t = threadIdx.x, ranks = cluster_nctarank();
  for (unsigned i = t; i < bins_each; i += blockDim.x) bins[i] = 0;  // NO_FIRST
#ifndef NO_FIRST
  cluster_sync();
#endif
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    unsigned bin = in[i], own = shared_address(bins + bin % bins_each);
    remote_add(mapped(own, bin / bins_each), 1);  // NO_FIRST NO_LAST
  }
#ifndef NO_LAST
  cluster_sync();
#else
  __syncthreads();
#endif
  for (unsigned i = t; i < bins_each; i += blockDim.x)
    atomicAdd(out + (blockIdx.x % ranks) * bins_each + i, bins[i]);  // NO_LAST
}
