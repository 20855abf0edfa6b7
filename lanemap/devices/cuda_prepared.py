"""Launches of an NVIDIA GPU that cost the host little: everything is ready but the addresses.

cuda-bindings makes its objects anew for each launch. Here the driver gets structures that are made
once, so that a launch writes the addresses and the stream and calls one function.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from lanemap.devices.bare.nvidia import LaunchAttribute, LaunchConfig
from lanemap.devices.cuda_tensor_maps import library


def capture(stream: int) -> int:
    """Return the number of the capture that records a stream in a graph; 0 if none does."""
    status, number = ctypes.c_int(), ctypes.c_ulonglong()
    found = library().cuStreamGetCaptureInfo_v2(
        ctypes.c_void_p(stream), ctypes.byref(status), ctypes.byref(number), None, None, None
    )
    return number.value if not found and status.value else 0


class _Ready:
    """What one launch at a time uses: a configuration, and a parameter block as 8-byte words."""

    __slots__ = ("arguments", "config", "kept", "stream", "words")

    def __init__(self, launch: PreparedLaunch) -> None:
        attributes = (LaunchAttribute * len(launch.attributes))()
        for attribute, (number, values) in zip(attributes, launch.attributes, strict=True):
            attribute.id = number
            attribute.value[: len(values)] = values
        self.stream = 0
        self.config = LaunchConfig(launch.grid, launch.block, launch.shared_bytes)
        self.config.attributes, self.config.count = attributes, len(attributes)
        block = (ctypes.c_uint64 * (-(-len(launch.data) // 8) or 1))()
        ctypes.memmove(block, launch.data, len(launch.data))
        self.words = memoryview(block).cast("B").cast("Q")
        size = ctypes.c_size_t(len(launch.data))
        # CU_LAUNCH_PARAM_BUFFER_POINTER, .._SIZE, .._END (CUDA driver API, cuLaunchKernelEx)
        extra = (ctypes.c_void_p * 5)(1, ctypes.addressof(block), 2, ctypes.addressof(size), 0)
        self.kept = attributes, block, size, extra
        function = ctypes.c_void_p(launch.function)
        self.arguments = ctypes.byref(self.config), function, None, ctypes.byref(extra)


class PreparedLaunch:
    """A launch that is called with a stream's handle, and with addresses of its operands.

    Threads may call it at the same time: each call takes a structure that no other one uses.
    """

    def __init__(
        self,
        function: int,
        grid: Sequence[int],
        block: Sequence[int],
        shared_bytes: int,
        attributes: Sequence[tuple[int, Sequence[int]]],
        data: bytes,
        where: Sequence[tuple[int, int, int]],
        failed: Callable[[int], bool],
        kept: Any,
    ) -> None:
        """Make the first structure.

        Args:
            function: Handle of the kernel.
            grid: CTAs.
            block: Threads of a CTA.
            shared_bytes: Dynamic shared memory.
            attributes: Numbers of launch attributes, each with the words of its value.
            data: The parameter block.
            where: See `arguments.places`.
            failed: Is called with a status that is no success. It raises, or returns True if the
                launch is worth another try.
            kept: What must live as long as this.
        """
        self.function, self.grid, self.block = function, tuple(grid), tuple(block)
        self.shared_bytes, self.attributes, self.data = shared_bytes, attributes, data
        assert not any(byte % 8 for byte, _, _ in where)
        self._where = [(byte // 8, number, added) for byte, number, added in where]
        self._failed, self.kept = failed, kept
        self._launch = library().cuLaunchKernelEx
        self._idle = [_Ready(self)]

    def __call__(self, stream: int = 0, *addresses: int) -> None:
        """Enqueue the launch, with other addresses of all operands if any are given."""
        try:
            ready = self._idle.pop()
        except IndexError:
            ready = _Ready(self)
        if addresses:
            words = ready.words
            for word, number, added in self._where:
                words[word] = addresses[number] + added
        if stream != ready.stream:
            ready.config.stream = ready.stream = stream
        status = self._launch(*ready.arguments)
        if status and self._failed(status):
            status = self._launch(*ready.arguments)
            if status:
                self._failed(status)
        self._idle.append(ready)
