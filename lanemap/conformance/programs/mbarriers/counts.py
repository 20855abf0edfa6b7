"""The counts of mbarrier objects, stated a second time, independently of the emulator.

NVIDIA PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier, "Contents of the
mbarrier object", "Lifecycle", "Phase Completion".
"""

from __future__ import annotations

#: The largest count of arrivals, and of bytes in either direction.
MOST = (1 << 20) - 1


class Counts:
    """One object per thread, each with its phase, arrivals and bytes."""

    def __init__(self, objects: int) -> None:
        """Begin with objects that are not initialized."""
        self.phase = [0] * objects
        self.expected = [0] * objects
        self.pending = [0] * objects
        self.bytes = [0] * objects

    def init(self, number: int, count: int) -> None:
        """Begin the first phase of an object."""
        self.phase[number] = self.bytes[number] = 0
        self.expected[number] = self.pending[number] = count

    def arrive(self, number: int, count: int, drop: bool = False, size: int = 0) -> int:
        """Expect bytes, arrive; return what was pending before."""
        before = self.pending[number]
        self.transact(number, size)
        self.pending[number] -= count
        self.expected[number] -= count * drop
        self._complete(number)
        return before

    def transact(self, number: int, change: int) -> None:
        """Expect bytes (positive) or complete them."""
        self.bytes[number] += change
        self._complete(number)

    def is_over(self, number: int, parity: int) -> bool:
        """Return whether the current or the last phase, whichever has the parity, is over."""
        return self.phase[number] % 2 != parity

    def _complete(self, number: int) -> None:
        if not self.pending[number] and not self.bytes[number]:
            self.phase[number] += 1
            self.pending[number] = self.expected[number]
