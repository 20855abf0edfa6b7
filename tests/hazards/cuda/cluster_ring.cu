// In every round each CTA hands its values to the next one; two buffers, so that one barrier of a
// round is enough. What does not depend on the others is done between arriving and waiting.
#if defined(RELAXED)
#define ARRIVE "barrier.cluster.arrive.relaxed.aligned;"
#else
#define ARRIVE "barrier.cluster.arrive.release.aligned;"
#endif

extern "C" __global__ void cluster_ring(unsigned *out, unsigned rounds) {
  __shared__ unsigned values[2][64];
  unsigned t = threadIdx.x, rank = cluster_ctarank(), ranks = cluster_nctarank(), mine = 0;
  unsigned next = (rank + 1) % ranks, moved = blockIdx.x * 1000 + t;
  cluster_sync();
  for (unsigned round = 0; round < rounds; round++) {
    unsigned *to = &values[round % 2][t];
    remote_store(mapped(shared_address(to), next), moved);  // RELAXED TWICE
    asm volatile(ARRIVE ::: "memory");  // AGAIN
    mine += moved * (round + 1);
#ifdef LATE
    remote_store(mapped(shared_address(to), next), moved + 1);  // LATE
#endif
#ifdef AGAIN
    asm volatile(ARRIVE ::: "memory");  // AGAIN
#endif
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#ifdef TWICE
    remote_store(mapped(shared_address(to), next), moved + 1);  // TWICE
#endif
    moved = *to;  // RELAXED LATE TWICE
  }
  out[blockIdx.x * blockDim.x + t] = mine + moved;
  cluster_sync();
}
