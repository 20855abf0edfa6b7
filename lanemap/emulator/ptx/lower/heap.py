"""malloc and free of kernels, which `new` and `delete` call: objects in global memory.

They outlive the launch (CUDA C++ Programming Guide, Dynamic Global Memory Allocation).
"""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.codegen.operation import Heap
from lanemap.emulator.host.heap import free_each, make_each
from lanemap.emulator.ptx.lower.runtime import ROW
from lanemap.emulator.runtime import abi


def allocating(where: str) -> Callable[[abi.Wave, Heap], None]:
    """Return what makes an object for each active lane, at a call in a line of the source."""

    def allocate(wave: abi.Wave, heap: Heap) -> None:
        make_each(heap, wave, wave.active, ROW, where)

    return allocate


def freeing(
    file: str, line: int, where: str, places: tuple[tuple[str, int], ...]
) -> Callable[[abi.Wave, Heap], None]:
    """Return what frees an object of each active lane, at a call in `places` of the source.

    A free of something else stops the launch in every mode, as a GPU's does.
    """

    def free(wave: abi.Wave, heap: Heap) -> None:
        free_each(heap, wave, wave.active, ROW, where, (file, line), places, "warp")

    return free
