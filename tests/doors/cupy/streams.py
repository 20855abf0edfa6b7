"""Work on several streams, ordered by events, with copies that do not wait."""

import cupy as cp
import numpy as np

scale = cp.ElementwiseKernel("T x, T factor", "T y", "y = x * factor", "scale")
pinned = np.frombuffer(cp.cuda.alloc_pinned_memory(8 * 256), np.float64)
pinned[...] = np.arange(256)
streams = [cp.cuda.Stream(non_blocking=True) for _ in range(4)]
parts = []
start, end = cp.cuda.Event(), cp.cuda.Event()
start.record()
for number, stream in enumerate(streams):
    with stream:
        part = cp.empty(64)
        part.set(pinned[64 * number : 64 * number + 64], stream=stream)  # broken: undefined
        parts.append(scale(part, float(number)))
for stream in streams:
    stream.synchronize()
end.record()
end.synchronize()
assert not cp.cuda.get_elapsed_time(start, end) < 0
result = cp.concatenate(parts)
result.get(stream=streams[0])
cp.testing.assert_array_equal(result, np.arange(256) * np.repeat(np.arange(4), 64))
assert cp.cuda.get_current_stream() == cp.cuda.Stream.null
print("parts", len(parts), cp.cuda.Device().attributes["MultiProcessorCount"])
