"""A sum by shared memory, and `cuda.reduce`, as numba-cuda's page on reductions has them."""

import numpy as np
from numba import cuda, int32

n = 256


@cuda.jit
def array_sum(data):
    tid = cuda.threadIdx.x
    size = len(data)
    shared = cuda.shared.array(n, int32)
    if tid < size:
        shared[tid] = data[tid]
    cuda.syncthreads()
    s = 1
    while s < cuda.blockDim.x:
        if tid % (2 * s) == 0:
            shared[tid] += shared[tid + s]
        s *= 2
        cuda.syncthreads()  # broken: order
    if tid == 0:
        data[tid] = shared[tid]


a = cuda.to_device(np.arange(n, dtype=np.int32))
array_sum[1, n](a)
assert a.copy_to_host()[0] == n * (n - 1) // 2


@cuda.reduce
def total(x, y):
    return x + y


values = np.arange(300, dtype=np.float64)
assert total(values) == values.sum()
print("sum", a.copy_to_host()[0])
