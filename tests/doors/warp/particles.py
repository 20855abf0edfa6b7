"""Particles that fall on a plane: vectors, structures, functions."""

import numpy as np
import warp as wp

wp.set_device("cuda")


@wp.struct
class World:
    gravity: wp.vec3
    step: float


@wp.func
def bounced(position: wp.vec3, velocity: wp.vec3):
    if position[1] < 0.0 and velocity[1] < 0.0:
        return wp.vec3(velocity[0], -0.5 * velocity[1], velocity[2])
    return velocity


@wp.kernel
def advance(world: World, positions: wp.array(dtype=wp.vec3), velocities: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    velocity = bounced(positions[i], velocities[i] + world.gravity * world.step)
    velocities[i] = velocity
    positions[i] = positions[i] + velocity * world.step


def on_host(positions, velocities, world, steps):
    gravity = np.array(world.gravity, np.float32)
    for _ in range(steps):
        velocities = velocities + gravity * np.float32(world.step)
        down = (positions[:, 1] < 0) & (velocities[:, 1] < 0)
        velocities[down, 1] *= np.float32(-0.5)
        positions = positions + velocities * np.float32(world.step)
    return positions


count, steps = 300, 20
chance = np.random.default_rng(1)
first = chance.random((count, 3)).astype(np.float32)
speeds = chance.standard_normal((count, 3)).astype(np.float32)
world = World()
world.gravity, world.step = wp.vec3(0.0, -9.8, 0.0), 0.02
positions = wp.array(first, dtype=wp.vec3)
# broken: out-of-bounds: velocities = wp.array(speeds[:-1], dtype=wp.vec3)
velocities = wp.array(speeds, dtype=wp.vec3)
for _ in range(steps):
    wp.launch(advance, dim=count, inputs=[world, positions, velocities])
assert np.allclose(positions.numpy(), on_host(first, speeds, world, steps), atol=1e-4)
