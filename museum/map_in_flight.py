"""A tensor map is pointed at another matrix while a bulk store still reads it."""

import numpy as np

from lanemap.conformance.museum.exhibit import Device, Exhibit, Module, Pairs


def launch(device: Device, module: Module) -> Pairs:
    """Store a tile to rows 8 to 15 of one matrix, and to rows 0 to 7 of the next."""
    first, second = (device.zeros((16, 8), np.float32) for _ in range(2))
    described = np.frombuffer(device.tensor_map(first, (8, 8)).data, np.uint8)
    module["map_in_flight"](1, 32, (device.array(described), second))
    tile, none = np.arange(64, dtype=np.float32).reshape(8, 8), np.zeros((8, 8), np.float32)
    return [
        (first.get(), np.concatenate([none, tile])),
        (second.get(), np.concatenate([tile, none])),
    ]


EXHIBIT = Exhibit(
    threads=(
        "https://github.com/NVIDIA/cutlass/issues/2162",
        "https://github.com/NVIDIA/cutlass/pull/3280",
    ),
    cause="The store reads its tensor map when it executes, not when it is issued. "
    "tensormap.replace may come once cp.async.bulk.wait_group.read says that the map was read.",
    kind="pending",
    says="reads asynchronously",
    launch=launch,
)
