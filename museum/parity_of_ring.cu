// Loads tiles through three stages. One mbarrier counts the bytes of every load.
#include "hopper.cuh"

extern "C" __global__ void parity_of_ring(const float *in, float *out, int tiles) {
  __shared__ alignas(128) float stage[3][1024];
  __shared__ alignas(8) unsigned long long full;
  const unsigned barrier = shared(&full);
  if (threadIdx.x == 0) {
    init_barrier(barrier, 1);
    fence_barrier_init();
  }
  __syncthreads();
  for (int tile = 0; tile < tiles; ++tile) {
    float *place = stage[tile % 3];
    if (threadIdx.x == 0) {
      arrive_expect(barrier, sizeof stage[0]);
      load_bulk(shared(place), in + 1024 * tile, sizeof stage[0], barrier);
    }
#ifdef FAULTY
    wait(barrier, tile / 3 % 2);  // hazard: the parity of a stage's own barrier
#else
    wait(barrier, tile % 2);
#endif
    for (int i = threadIdx.x; i < 1024; i += 128)
      out[1024 * tile + i] = 2 * place[i];
    __syncthreads();
  }
}
