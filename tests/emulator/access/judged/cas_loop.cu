// An atomic made of compare and swap, as the CUDA C++ Programming Guide has it (Atomic Functions,
// its atomicAdd of double). The first read is plain; its value only feeds the comparison.
__device__ double add(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address;
  unsigned long long old = *bits, assumed;  // hazard
  do {
    assumed = old;
    old = atomicCAS(bits, assumed,  // hazard
                    __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

extern "C" __global__ void kernel(const double *in, double *sums) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  add(sums + thread % 4, in[thread]);
}
