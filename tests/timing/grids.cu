// Kernels of many CTAs, each limited by memory, L2 or the ends of the grid.

#define KERNEL(name) extern "C" __global__ void name(const float *in, const float *with, float *out, \
                                                     int rows, int columns)

// Every thread moves 16 bytes.
KERNEL(copy) {
  size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (at < (size_t)rows * columns / 4) ((float4 *)out)[at] = ((const float4 *)in)[at];
}

// out += 3 in, 4 bytes a thread at a time, by as many CTAs as are resident.
KERNEL(axpy) {
  size_t end = (size_t)rows * columns, step = (size_t)gridDim.x * blockDim.x;
  for (size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x; at < end; at += step)
    out[at] += 3.0f * in[at];
}

// A warp multiplies a row by a vector.
KERNEL(gemv) {
  int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  float sum = 0;
  const float4 *a = (const float4 *)(in + (size_t)row * columns), *b = (const float4 *)with;
#pragma unroll 4
  for (int at = lane; at < columns / 4; at += 32) {
    float4 x = a[at], y = b[at];
    sum += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  }
  for (int by = 16; by; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
  if (!lane) out[row] = sum;
}

// A CTA adds up a row.
KERNEL(sums) {
  __shared__ float part[32];
  float sum = 0;
  const float *own = in + (size_t)blockIdx.x * columns;
  for (int at = threadIdx.x; at < columns; at += blockDim.x) sum += own[at];
  for (int by = 16; by; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int by = 16; by; by /= 2) sum += __shfl_xor_sync(~0u, sum, by);
    if (!threadIdx.x) out[blockIdx.x] = sum;
  }
}

// A CTA transposes a tile of 32 by 32.
KERNEL(transpose) {
  __shared__ float tile[32][33];
  int x = threadIdx.x % 32, y = threadIdx.x / 32, tiles = columns / 32;
  int across = blockIdx.x % tiles * 32, down = blockIdx.x / tiles * 32;
  for (int i = y; i < 32; i += 8) tile[i][x] = in[(size_t)(down + i) * columns + across + x];
  __syncthreads();
  for (int i = y; i < 32; i += 8) out[(size_t)(across + i) * rows + down + x] = tile[x][i];
}
