// Each CTA sums a part; the first one of each cluster reads the sums of the others.
extern "C" __global__ void cluster_reduce(const unsigned *in, unsigned *out) {
  __shared__ unsigned sum;
  unsigned t = threadIdx.x, rank = cluster_ctarank(), ranks = cluster_nctarank();
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + t]);
#ifdef NO_SYNC
  __syncthreads();
#else
  cluster_sync();
#endif
  if (rank == 0 && t == 0) {
    unsigned total = 0;
#ifdef BEYOND
    ranks++;
#endif
    for (unsigned other = 0; other < ranks; other++) {
      unsigned *theirs = mapped(&sum, other);
      total += *theirs + 1000000 * owner(theirs);  // NO_SYNC BEYOND EXIT
    }
    out[clusterid().x] = total;
  }
#ifndef EXIT
  cluster_sync();
#endif
}
