// A block's product of two tiles; the result takes the place of the second operand.
extern "C" __global__ void shared_alias(const float *a, const float *b, float *out) {
  __shared__ float tile[2][16][17];
  float(*c)[17] = tile[1];
  const int row = threadIdx.x / 16, column = threadIdx.x % 16, at = 256 * blockIdx.x + threadIdx.x;
  tile[0][row][column] = a[at];
  tile[1][row][column] = b[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += tile[0][row][k] * tile[1][k][column];  // hazard
#ifndef FAULTY
  __syncthreads();
#endif
  c[row][column] = sum;  // hazard
  __syncthreads();
  out[256 * blockIdx.x + threadIdx.x] = c[column][row];
}
