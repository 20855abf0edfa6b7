// All-pairs forces with float4 bodies in shared memory.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SOFTENING 1e-9f
typedef struct { float4 *pos, *vel; } BodySystem;

__global__ void bodyForce(float4 *p, float4 *v, float dt, int n) {
  extern __shared__ float4 spos[];
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  float4 mine = p[i];
  float Fx = 0.0f, Fy = 0.0f, Fz = 0.0f;
  for (int tile = 0; tile < gridDim.x; tile++) {
    spos[threadIdx.x] = p[tile * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float dx = spos[j].x - mine.x, dy = spos[j].y - mine.y, dz = spos[j].z - mine.z;
      float invDist = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
      float invDist3 = invDist * invDist * invDist;
      Fx += dx * invDist3; Fy += dy * invDist3; Fz += dz * invDist3;
    }
    __syncthreads();
  }
  if (i < n) { v[i].x += dt * Fx; v[i].y += dt * Fy; v[i].z += dt * Fz; }
}

int main(const int argc, const char **argv) {
  int nBodies = argc > 1 ? atoi(argv[1]) : 256, blockSize = 64;
  int bytes = 2 * nBodies * sizeof(float4);
  float *buf = (float *)malloc(bytes), *d_buf;
  for (int i = 0; i < 8 * nBodies; i++) buf[i] = 2.0f * (rand() / (float)RAND_MAX) - 1.0f;
  cudaMalloc(&d_buf, bytes);
  BodySystem d_p = {(float4 *)d_buf, ((float4 *)d_buf) + nBodies};
  cudaMemcpy(d_buf, buf, bytes, cudaMemcpyHostToDevice);
  bodyForce<<<nBodies / blockSize, blockSize, blockSize * sizeof(float4)>>>(d_p.pos, d_p.vel, 0.01f, nBodies);
  cudaMemcpy(buf, d_buf, bytes, cudaMemcpyDeviceToHost);
  free(buf);
  cudaFree(d_buf);
}
