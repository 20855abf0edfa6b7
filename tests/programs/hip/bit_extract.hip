// The sample of bit fields that HIP's own documentation tells people to try first.
#include "hip/hip_runtime.h"

__global__ void bit_extract(uint32_t* out, const uint32_t* in, size_t n) {
  size_t offset = (blockIdx.x * blockDim.x + threadIdx.x), stride = blockDim.x * gridDim.x;
  for (size_t i = offset; i < n; i += stride) {
#ifdef __HIP_PLATFORM_AMD__
    out[i] = __bitextract_u32(in[i], 8, 4);
#else
    out[i] = (in[i] & 0xf00) >> 8;
#endif
    uint64_t wide = (uint64_t)in[i] << 16;
    out[i] |= (uint)__bitextract_u64(wide, 24, 4) << 8;
    out[i] |= __bitinsert_u32(0u, in[i], 16, 8);
  }
}

int main() {
  uint32_t *in, *out;
  hipMalloc(&in, 4096);
  hipMalloc(&out, 4096);
  hipLaunchKernelGGL(bit_extract, dim3(512), dim3(256), 0, 0, out, in, (size_t)1024);
}
