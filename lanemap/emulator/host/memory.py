"""Global memory: allocations with data, undefined bits, order stamps and origins."""

from __future__ import annotations

import bisect
import ctypes
from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.host.limits import machine_bytes
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

#: Device addresses begin here: far from any pointer of the host, and the same in every run.
FIRST_ADDRESS = 0x7F00_0000_0000
#: Untouchable bytes after every allocation, so that running past an end meets nothing.
GUARD_BYTES = 1 << 16
_ALIGNMENT = 256
GRANULE_BYTES = ctypes.sizeof(abi.Granule)
Bytes = NDArray[np.uint8]


def aligned_bytes(size: int, fill: int | None = None) -> Bytes:
    """A uint8 array of `size` bytes that begins at a multiple of 64 bytes."""
    room = np.empty(size + 64, np.uint8) if fill is not None else np.zeros(size + 64, np.uint8)
    start = -room.ctypes.data % 64
    view = room[start:start + size]
    if fill is not None:
        view.fill(fill)
    return view


def pattern(size: int, seed: int) -> Bytes:
    """What undefined memory holds: bytes from a seed, so that runs repeat."""
    return np.random.Generator(np.random.PCG64(seed)).integers(0, 256, size, np.uint8)


class Allocation:
    """One range of global memory."""

    def __init__(self, base: int, size: int, identity: int, read_only: bool, name: str,
                 number: int) -> None:
        self.base, self.size, self.identity = base, size, identity
        self.read_only, self.name, self.number = read_only, name, number
        rounded = (size + 3) // 4 * 4
        self.data = aligned_bytes(rounded)
        self.data[:] = pattern(rounded, identity)
        self.undefined = aligned_bytes(rounded, 0xFF)
        self.order = np.zeros(rounded // 4 * (GRANULE_BYTES // 8), np.uint64)
        self.origin: NDArray[np.uint32] | None = None

    @property
    def title(self) -> str:
        """What reports call it: its name, its number unless it is the first of it, its size."""
        number = f" #{self.number}" if self.number > 1 else ""
        return f"{self.name}{number} of {self.size} bytes"

    def distance(self, address: int) -> int:
        """Bytes from an address outside to the nearer edge: its first byte, or one past its end."""
        return max(self.base - address, address - (self.base + self.size))

    def fill(self, region: abi.Region, precise: bool) -> None:
        """Describe the allocation to the runtime."""
        if precise and self.origin is None:
            self.origin = np.zeros(max(len(self.data) // 4, 1), np.uint32)
        region.base, region.size = self.base, self.size
        region.data = self.data.ctypes.data
        region.undefined = self.undefined.ctypes.data
        region.order = self.order.ctypes.data
        region.origin = self.origin.ctypes.data if precise and self.origin is not None else None
        region.read_only, region.identity = int(self.read_only), self.identity


class Names:
    """Tells living allocations of one name apart by numbers; the first of a name is 1."""

    def __init__(self) -> None:
        self._living: Counter[str] = Counter()
        self._last: Counter[str] = Counter()

    def take(self, name: str) -> int:
        """The number of a new allocation of that name."""
        self._living[name] += 1
        self._last[name] += 1
        return self._last[name]

    def give_back(self, name: str) -> None:
        """One allocation of that name is gone; with the last one the numbers begin again."""
        self._living[name] -= 1
        if not self._living[name]:
            del self._living[name], self._last[name]


class GlobalMemory:
    """All allocations of a device, by address."""

    def __init__(self) -> None:
        self._allocations: dict[int, Allocation] = {}
        self._bases: list[int] = []
        self._names = Names()
        self._next = FIRST_ADDRESS
        self._count = 0

    def allocate(self, size: int, read_only: bool = False, name: str = "array") -> Allocation:
        """A new allocation of `size` bytes whose contents are undefined; reports call it `name`.

        Raises:
            UserError: the machine has not so much memory.
        """
        held = sum(allocation.size for allocation in self.allocations)
        if held + size > machine_bytes():
            raise UserError(f"{size} bytes for {name} do not fit: this machine has "
                            f"{machine_bytes()} bytes of memory, and the device holds {held} of it")
        self._count += 1
        allocation = Allocation(self._next, size, self._count, read_only, name,
                                self._names.take(name))
        self._allocations[allocation.base] = allocation
        self._bases.append(allocation.base)
        end = self._next + size + GUARD_BYTES
        self._next = (end + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
        return allocation

    def free(self, base: int) -> None:
        """Forget the allocation at `base`."""
        self._names.give_back(self._allocations.pop(base).name)
        self._bases.remove(base)

    def at(self, address: int, size: int = 1) -> Allocation:
        """The allocation that holds `size` bytes at `address`; UserError if there is none."""
        found = self.find(address)
        if found is None or address + size > found.base + found.size:
            raise UserError(f"{size} bytes at {address:#x} are not inside an array of this device")
        return found

    def find(self, address: int) -> Allocation | None:
        """The allocation that holds `address`."""
        i = bisect.bisect_right(self._bases, address) - 1
        if i < 0:
            return None
        found = self._allocations[self._bases[i]]
        return found if address < found.base + max(found.size, 1) else None

    def describe(self, address: int) -> str:
        """Where an address lies, in words: its byte of an array, or how far the nearest one is."""
        found = self.find(address)
        if found is not None and address < found.base + found.size:
            return f"byte {address - found.base} of {found.title}"
        if not self._bases:
            return "there are no arrays"
        i = bisect.bisect_right(self._bases, address)
        around = [self._allocations[base] for base in self._bases[max(i - 1, 0):i + 1]]
        nearest = min(around, key=lambda a: a.distance(address))
        side = "before the start" if address < nearest.base else "past the end"
        return f"{nearest.distance(address)} bytes {side} of {nearest.title}"

    def write(self, address: int, data: bytes) -> None:
        """Copy bytes from the host; they are defined."""
        a = self.at(address, len(data))
        start = address - a.base
        a.data[start:start + len(data)] = np.frombuffer(data, np.uint8)
        a.undefined[start:start + len(data)] = 0

    def regions(self, precise: bool) -> ctypes.Array[abi.Region]:
        """The allocations for the runtime, by address."""
        table = (abi.Region * max(len(self._bases), 1))()
        for region, base in zip(table, self._bases, strict=False):
            self._allocations[base].fill(region, precise)
        return table

    @property
    def allocations(self) -> Iterable[Allocation]:
        """All allocations."""
        return self._allocations.values()

    def __len__(self) -> int:
        return len(self._bases)

    def snapshot(self) -> list[tuple[Allocation, Bytes, Bytes]]:
        """Copies of all that a launch may change."""
        return [(a, a.data.copy(), a.undefined.copy()) for a in self.allocations
                if not a.read_only]

    @staticmethod
    def restore(copies: list[tuple[Allocation, Bytes, Bytes]]) -> None:
        """Put back what `snapshot` copied."""
        for allocation, data, undefined in copies:
            allocation.data[:] = data
            allocation.undefined[:] = undefined
            if allocation.origin is not None:
                allocation.origin.fill(0)

    def forget_order(self) -> None:
        """Drop all stamps (when group numbers begin again)."""
        for allocation in self.allocations:
            allocation.order.fill(0)
