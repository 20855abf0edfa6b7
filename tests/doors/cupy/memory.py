"""Memory: pools, pointers into arrays, copies both ways, and a benchmark without a clock."""

import cupy as cp
import numpy as np
from cupyx.profiler import benchmark

pool = cp.get_default_memory_pool()
before = pool.used_bytes()
x = cp.arange(1024, dtype=np.int32)
assert pool.used_bytes() - before == 4096
shift = cp.RawKernel(
    'extern "C" __global__ void shift(int *x) { x[threadIdx.x] += 1000; }', "shift"
)
# broken: out-of-bounds: shift((1,), (256,), (x.data + 4 * 900,))
shift((1,), (256,), (x.data + 4 * 512,))
expected = np.arange(1024)
expected[512:768] += 1000
assert np.array_equal(x.get(), expected) and np.array_equal(cp.asnumpy(x), expected)
raw = cp.cuda.alloc(64)
raw.copy_from_device(x.data, 64)
cp.testing.assert_array_equal(cp.ndarray((16,), np.int32, raw), np.arange(16))
cp.cuda.runtime.memcpy(raw.ptr, x[512:].data.ptr, 16, cp.cuda.runtime.memcpyDeviceToDevice)
cp.testing.assert_array_equal(cp.ndarray((4,), np.int32, raw), np.arange(1512, 1516))
try:
    np.asarray(x)
except TypeError as error:
    print("refused:", error)
report = benchmark(lambda: x + 1, n_repeat=100)
assert len(report.gpu_times) == 1 and not (report.gpu_times <= 0).any()
pool.free_all_blocks()
print("name", cp.cuda.runtime.getDeviceProperties(0)["name"].decode())
