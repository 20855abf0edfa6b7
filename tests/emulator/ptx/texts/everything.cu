// What the front end must read, in one file: structs by value, tables, calls, printf, inline asm.
#include <cuda_fp16.h>
struct Pair { char tag; double weights[2]; short last; };
struct __align__(16) Quad { int x[5]; };
__constant__ int scale_table[4] = {1, -2, 3, 4};
__device__ double total[2] = {3.25, -0.0};
__device__ int numbers[100];
__device__ int *cursor = &numbers[3];
__device__ const char text[] = "hi\n";
__device__ const char *words[2] = {"aa", text};
__shared__ int fixed[32];
extern __shared__ float dynamic[];
__device__ __noinline__ int mix(int a, Pair p, Quad *q) { return a + p.last + q->x[a & 3]; }
__device__ __noinline__ Quad fill(int a) { Quad q; for (int i = 0; i < 5; i++) q.x[i] = a * i; return q; }
__device__ int plus(int a) { return a + 1; }
__device__ int times(int a) { return a * 7; }
__device__ int (*functions[2])(int) = {plus, times};
extern "C" __global__ void everything(Pair p, Quad q, int *out, const float *__restrict__ in, int n) {
  int t = threadIdx.x;
  fixed[t] = t;
  __syncthreads();
  Quad r = fill(t);
  int v = mix(t, p, &q) + r.x[t % 5] + functions[t & 1](t) + scale_table[t & 3] + *cursor + words[t & 1][0];
  switch (t) {
    case 0: v += 3; break;
    case 1: v *= 5; break;
    case 2: v -= 3; break;
    case 3: v ^= 0x55; break;
    case 4: v = __popc(v); break;
    case 5: v = v * v; break;
    default: v |= 1;
  }
  for (int i = 0; i < n; i++) v += fixed[(i + t) & 31] * (int)in[i];
  dynamic[t] = v;
  __syncwarp();
  out[t] = __shfl_xor_sync(0xffffffffu, v, 3) + (int)dynamic[t ^ 1];
  if (t == 5) printf("%d %f\n", v, (double)in[0]);
  if (v == 12345)
    asm volatile("{ .reg .pred p; .reg .b32 %%r<2>; setp.ne.s32 p, %0, 0; mov.u32 %%r1, 5; @p trap; L1: bra.uni L1; }" ::"r"(v));
  atomicAdd(&out[0], 3);
  atomicAdd(&total[0], 2.0);
}
extern "C" __global__ void __launch_bounds__(128, 2) __cluster_dims__(2, 1, 1)
    halves(__half *h, unsigned long long *u) {
  h[0] = h[1] * h[2] + hexp(h[3]);
  u[0] = u[1] / u[2] % 7;
}
