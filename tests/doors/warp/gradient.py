"""A gradient by a tape: kernels that Warp derives from others, and sums by atomics."""

import numpy as np
import warp as wp

wp.set_device("cuda")


@wp.kernel
def loss_of(x: wp.array(dtype=float), target: wp.array(dtype=float), loss: wp.array(dtype=float)):
    i = wp.tid()
    difference = wp.sin(x[i]) - target[i]
    wp.atomic_add(loss, 0, difference * difference)


n = 200
chance = np.random.default_rng(2)
values, goal = chance.random(n).astype(np.float32), chance.random(n).astype(np.float32)
x = wp.array(values, dtype=float, requires_grad=True)
target = wp.array(goal, dtype=float)
# broken: undefined: loss = wp.empty(1, dtype=float, requires_grad=True)
loss = wp.zeros(1, dtype=float, requires_grad=True)
with wp.Tape() as tape:
    # broken: out-of-bounds: wp.launch(loss_of, dim=n + 32, inputs=[x, target], outputs=[loss])
    wp.launch(loss_of, dim=n, inputs=[x, target], outputs=[loss])
tape.backward(loss)
difference = np.sin(values) - goal
assert np.isclose(loss.numpy()[0], (difference**2).sum(), rtol=1e-5)
assert np.allclose(x.grad.numpy(), 2 * difference * np.cos(values), atol=1e-5)
