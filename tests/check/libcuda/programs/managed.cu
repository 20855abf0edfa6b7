extern "C" __global__ void count(const unsigned char *text, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
  if (i < n) counts[text[i]]++;
#else
  if (i < n) atomicAdd(&counts[text[i]], 1);
#endif
}
