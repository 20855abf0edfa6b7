// A state space scan: each step's B and C are shared by all channels.
extern "C" __global__ void scan_reuse(const float *b, const float *c, const float *x, float *y,
                                      int steps) {
  __shared__ float shared_b[16], shared_c[16];
  const int channel = threadIdx.x, channels = blockDim.x;
  float state[16] = {};
  for (int step = 0; step < steps; ++step) {
    if (channel < 16) {
      shared_b[channel] = b[16 * step + channel];  // hazard
      shared_c[channel] = c[16 * step + channel];  // hazard
    }
    __syncthreads();
    const float value = x[channels * step + channel];
    float sum = 0;
#pragma unroll
    for (int n = 0; n < 16; ++n) {
      state[n] = 0.5f * state[n] + shared_b[n] * value;  // hazard
      sum += shared_c[n] * state[n];                     // hazard
    }
    y[channels * step + channel] = sum;
#ifndef FAULTY
    __syncthreads();
#endif
  }
}
