extern "C" __global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BROKEN
  c[i] = a[i] + b[i];  // the last CTA has threads too many
#else
  if (i < n) c[i] = a[i] + b[i];
#endif
}
