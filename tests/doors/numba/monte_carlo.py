"""Pi by random points, with numba-cuda's generators `xoroshiro128p`."""

import numpy as np
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32


@cuda.jit
def pi(states, rounds, out):
    thread = cuda.grid(1)
    inside = 0
    for _ in range(rounds):
        x = xoroshiro128p_uniform_float32(states, thread)
        y = xoroshiro128p_uniform_float32(states, thread)
        if x * x + y * y <= 1.0:
            inside += 1
    # broken: order: out[thread % 32] = 4.0 * inside / rounds
    out[thread] = 4.0 * inside / rounds


threads, blocks = 32, 4
states = create_xoroshiro128p_states(threads * blocks, seed=1)
out = np.zeros(threads * blocks, np.float32)
pi[blocks, threads](states, 100, out)
assert abs(out.mean() - np.pi) < 0.06, out.mean()
print("pi", out.mean())
