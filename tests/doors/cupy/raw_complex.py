"""Complex numbers in a RawKernel: CuPy's header has their type."""

import cupy as cp

kernel = cp.RawKernel(
    r"""
#include <cupy/complex.cuh>
extern "C" __global__ void product(const complex<float> *a, const complex<float> *b,
                                   complex<float> *c) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  c[i] = a[i] * conj(b[i]) + exp(a[i] / b[i]);
}
""",
    "product",
)
rows, columns = 5, 5
a = cp.arange(25, dtype=cp.complex64).reshape(rows, columns) * (1 + 0.25j) / 10
b = cp.ones((rows, columns), dtype=cp.complex64) * (2 - 1j)
c = cp.zeros((rows, columns), dtype=cp.complex64)
# broken: out-of-bounds: kernel((rows + 1,), (columns,), (a, b, c))
kernel((rows,), (columns,), (a, b, c))
cp.testing.assert_allclose(c, a * b.conj() + cp.exp(a / b), rtol=1e-5)
print("products", c[0, :2])
