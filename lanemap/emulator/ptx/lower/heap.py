"""malloc and free of kernels, which `new` and `delete` call: objects in global memory.

They outlive the launch (CUDA C++ Programming Guide, Dynamic Global Memory Allocation).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lanemap.emulator.codegen.operation import Heap
from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.ptx.lower.printing import who
from lanemap.emulator.ptx.lower.runtime import ROW
from lanemap.emulator.runtime import abi


def allocating(where: str) -> Callable[[abi.Wave, Heap], None]:
    """Return what makes an object for each active lane, at a call in a line of the source."""

    def allocate(wave: abi.Wave, heap: Heap) -> None:
        for lane, size in _arguments(wave):
            address = heap.allocate(size, f"object made at {where}")
            wave.value[ROW][lane] = address & 0xFFFFFFFF
            wave.value[ROW + 1][lane] = address >> 32

    return allocate


def freeing(file: str, line: int, where: str) -> Callable[[abi.Wave, Heap], None]:
    """Return what frees an object of each active lane; null is none.

    A free of something else stops the launch in every mode, as a GPU's does.
    """

    def free(wave: abi.Wave, heap: Heap) -> None:
        for lane, address in _arguments(wave):
            if address and not heap.free(address, where):
                cta, text = who(wave, 1 << lane)
                raise Hazard(
                    "rule",
                    f"frees {address:#x} ({text}), where no object begins that malloc or new made "
                    "and nothing has freed",
                    file=file,
                    line=line,
                    cta=cta,
                    wave=wave.index,
                    lane=lane,
                    lanes=1 << lane,
                )

    return free


def _arguments(wave: abi.Wave) -> Iterator[tuple[int, int]]:
    """Yield each active lane with its 64 bits of the first argument."""
    for lane in range(32):
        if wave.active >> lane & 1:
            yield lane, int(wave.value[ROW][lane]) | int(wave.value[ROW + 1][lane]) << 32
