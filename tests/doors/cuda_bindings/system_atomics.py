"""Atomic operations on managed memory, which the host reads afterwards."""

import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc, runtime

code = b"""
extern "C" __global__ void operate(int *x, int rounds) {
  int t = blockDim.x * blockIdx.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    atomicAdd_system(&x[0], 10);
    atomicExch_system(&x[1], t);
    atomicMax_system(&x[2], t);
    atomicMin_system(&x[3], t);
    // broken: order: x[4] += t;
    atomicInc_system((unsigned *)&x[4], 17);
    atomicDec_system((unsigned *)&x[5], 137);
    atomicCAS_system(&x[6], t - 1, t);
    atomicAnd_system(&x[7], 2 * t + 7);
    // broken: out-of-bounds: atomicOr_system(&x[10], 1 << t);
    atomicOr_system(&x[8], 1 << t);
    atomicXor_system(&x[9], t);
  }
}
"""


def checked(result):
    status, *values = result
    if int(status):
        raise RuntimeError(status)
    return values[0] if len(values) == 1 else values


checked(runtime.cudaSetDevice(0))
attribute = runtime.cudaDeviceAttr
major = checked(runtime.cudaDeviceGetAttribute(attribute.cudaDevAttrComputeCapabilityMajor, 0))
minor = checked(runtime.cudaDeviceGetAttribute(attribute.cudaDevAttrComputeCapabilityMinor, 0))
program = checked(nvrtc.nvrtcCreateProgram(code, b"atomics.cu", 0, [], []))
arch = f"--gpu-architecture=compute_{major}{minor}".encode()
checked(nvrtc.nvrtcCompileProgram(program, 1, [arch]))
text = b" " * checked(nvrtc.nvrtcGetPTXSize(program))
checked(nvrtc.nvrtcGetPTX(program, text))
module = checked(driver.cuModuleLoadData(text))
kernel = checked(driver.cuModuleGetFunction(module, b"operate"))
threads, ctas, rounds, count = 64, 8, 3, 10
memory = checked(runtime.cudaMallocManaged(4 * count, runtime.cudaMemAttachGlobal))
x = np.frombuffer((ctypes.c_int * count).from_address(memory), np.int32)
x[:] = 0
x[7] = 0xFF
arguments = (memory, rounds), (ctypes.c_void_p, ctypes.c_int)
checked(driver.cuLaunchKernel(kernel, ctas, 1, 1, threads, 1, 1, 0, 0, arguments, 0))
checked(runtime.cudaDeviceSynchronize())
total = threads * ctas
value = 0
for _ in range(total * rounds):
    value = 0 if value >= 17 else value + 1
assert x[0] == 10 * total * rounds
assert 0 <= x[1] < total
assert x[2] == total - 1 and x[3] == 0
assert x[4] == value
assert 0 <= x[6] < total
assert x[7] == 1 and x[8] == -1
assert x[9] == np.bitwise_xor.reduce(np.tile(np.arange(total), rounds))
print("added", int(x[0]))
