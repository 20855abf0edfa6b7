"""Prices of options by the formula of Black and Scholes, in the shape of CuPy's `finance`."""

import math

import cupy as cp
import numpy as np

price = cp.ElementwiseKernel(
    "T s, T x, T t, T r, T v", "T call, T put",
    """
    const T sqrt_t = sqrt(t);
    const T d1 = (log(s / x) + (r + v * v / 2) * t) / (v * sqrt_t);
    const T d2 = d1 - v * sqrt_t;
    const T below1 = normal(d1), below2 = normal(d2);
    const T discount = exp(-r * t);
    call = s * below1 - x * discount * below2;
    put = x * discount * (1 - below2) - s * (1 - below1);
    """,
    "price",
    preamble="template <typename T> __device__ T normal(T x) { return erfc(-x / sqrt(T(2))) / 2; }",
)  # fmt: skip
rng = np.random.default_rng(2)
spot, strike, years = rng.uniform(5, 30, 100), rng.uniform(1, 100, 100), rng.uniform(0.25, 10, 100)
# broken: undefined: device = [cp.empty(100) for each in (spot, strike, years)]
device = [cp.asarray(each) for each in (spot, strike, years)]
call, put = price(*device, 0.02, 0.3)
root = 0.3 * np.sqrt(years)
d1 = (np.log(spot / strike) + (0.02 + 0.045) * years) / root
below = np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2)
discounted = strike * np.exp(-0.02 * years)
cp.testing.assert_allclose(
    call, spot * below(d1) - discounted * below(d1 - root), rtol=1e-9, atol=1e-12
)
cp.testing.assert_allclose(call - put, spot - discounted, rtol=1e-9, atol=1e-9)
print("calls", call[:3])
