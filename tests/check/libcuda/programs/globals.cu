__constant__ int weights[4];
__device__ int seen[8] = {1, 1, 1, 1, 1, 1, 1, 1};
extern "C" __global__ void weigh(int n) {
  int i = threadIdx.x;
#ifdef BROKEN
  seen[i] = weights[i % 4] * i;  // for a CTA of any size
#else
  if (i < 8) seen[i] = weights[i % 4] * i;
#endif
  if (!i) printf("%d weights of %s\n", n, "the kernel");
}
