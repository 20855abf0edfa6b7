"""Streams, events, pinned and mapped memory: order alone."""

import numpy as np
from numba import cuda


@cuda.jit
def scale(x, factor):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= factor


@cuda.jit
def scale_all(x, factor):
    x[cuda.grid(1)] *= factor


stream = cuda.stream()
start, end = cuda.event(), cuda.event()
host = cuda.pinned_array(100, np.float32)
host[:] = np.arange(100)
with stream.auto_synchronize():
    start.record(stream)
    device = cuda.to_device(host, stream=stream)
    # broken: out-of-bounds: scale_all[4, 32, stream](device, 3)
    scale[4, 32, stream](device, 3)
    device.copy_to_host(host, stream=stream)
    end.record(stream)
np.testing.assert_array_equal(host, 3 * np.arange(100, dtype=np.float32))
assert not cuda.event_elapsed_time(start, end) < 0
part = device[10:20]
scale[1, 32](part, 2)
assert device.copy_to_host()[15] == 90 and device.copy_to_host()[25] == 75
mapped = cuda.mapped_array(8, np.int32)
mapped[:] = 5
scale[1, 8](mapped, 2)
cuda.synchronize()
assert (np.asarray(mapped) == 10).all()
print("name", cuda.get_current_device().name)
