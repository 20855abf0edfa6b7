"""Streams and events, pinned memory, copies, random numbers of kernels."""

import numpy as np
import warp as wp

wp.set_device("cuda")


@wp.kernel
def sample(seed: int, inside: wp.array(dtype=int)):
    i = wp.tid()
    state = wp.rand_init(seed, i)
    x, y = wp.randf(state), wp.randf(state)
    if x * x + y * y < 1.0:
        wp.atomic_add(inside, 0, 1)


@wp.kernel
def square(x: wp.array(dtype=wp.float64)):
    i = wp.tid()
    x[i] = x[i] * x[i]


count = 4096
inside = wp.zeros(1, dtype=int)
wp.launch(sample, dim=count, inputs=[7, inside])
assert abs(4 * inside.numpy()[0] / count - np.pi) < 0.1

values = np.linspace(0, 1, 500)
pinned = wp.array(values, dtype=wp.float64, device="cpu", pinned=True)
x, back = wp.empty(500, dtype=wp.float64), wp.empty_like(pinned, device="cpu", pinned=True)
stream, done = wp.Stream("cuda"), wp.Event("cuda")

wp.copy(x, pinned, stream=stream)  # broken: undefined
wp.launch(square, dim=500, inputs=[x], stream=stream)
stream.record_event(done)
wp.wait_event(done)
wp.copy(back, x)
wp.synchronize()
assert (back.numpy() == values * values).all()
