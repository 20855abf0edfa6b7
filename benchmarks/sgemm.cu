// C = A B for row-major float matrices, n a multiple of 128: a CTA of 256 threads makes a tile of
// 128 x 128, a thread 8 x 8 of it, eight columns of A and rows of B at a time through shared memory.
extern "C" __global__ void __launch_bounds__(256)
sgemm(const float *a, const float *b, float *c, int n) {
    __shared__ float sa[8][128], sb[8][128];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    const float *rows = a + (size_t)blockIdx.y * 128 * n;
    const float *columns = b + blockIdx.x * 128;
    float sums[8][8] = {};
    for (int k = 0; k < n; k += 8) {
        float4 left = *(const float4 *)(rows + (size_t)(t / 2) * n + k + t % 2 * 4);
        float4 right = *(const float4 *)(columns + (size_t)(k + t / 32) * n + t % 32 * 4);
        sa[t % 2 * 4 + 0][t / 2] = left.x;
        sa[t % 2 * 4 + 1][t / 2] = left.y;
        sa[t % 2 * 4 + 2][t / 2] = left.z;
        sa[t % 2 * 4 + 3][t / 2] = left.w;
        *(float4 *)&sb[t / 32][t % 32 * 4] = right;
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < 8; i++) {
            float p[8], q[8];
            #pragma unroll
            for (int j = 0; j < 8; j++) p[j] = sa[i][y * 8 + j];
            #pragma unroll
            for (int j = 0; j < 8; j++) q[j] = sb[i][x * 8 + j];
            #pragma unroll
            for (int j = 0; j < 64; j++) sums[j / 8][j % 8] += p[j / 8] * q[j % 8];
        }
        __syncthreads();
    }
    #pragma unroll
    for (int j = 0; j < 64; j++)
        c[((size_t)blockIdx.y * 128 + y * 8 + j / 8) * n + blockIdx.x * 128 + x * 8 + j % 8] =
            sums[j / 8][j % 8];
}
