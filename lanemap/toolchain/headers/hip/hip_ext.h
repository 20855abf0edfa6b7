/* HIP's extensions of launches (HIP documentation, "HIP runtime API reference"). */
#pragma once
#include <hip/hip_runtime.h>

template <class... Parameters, class F, class... Arguments>
__host__ void hipExtLaunchKernelGGL(F kernel, const dim3& grid, const dim3& block,
                                    unsigned shared_bytes, hipStream_t stream, hipEvent_t start,
                                    hipEvent_t stop, unsigned flags, Arguments... arguments) {
  kernel<<<grid, block, shared_bytes, stream>>>(arguments...);
}
