"""Pointers and pools of `cupy.cuda`: memory is NumPy's, and the emulator adopts it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.check.cupy.device import Device
from lanemap.check.cupy.elements import adopted
from lanemap.check.cupy.state import active


class Memory:
    """Some bytes on the GPU."""

    def __init__(self, size: int) -> None:
        """Allocate bytes, which nothing has written."""
        self.bytes: npt.NDArray[np.uint8] = np.empty(size, np.uint8)
        active().device.adopt(self.bytes, defined=False)

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.bytes)

    @property
    def ptr(self) -> int:
        """The address on the GPU."""
        return adopted(self.bytes).pointer().address if self.size else 0


class _Part(Memory):
    """Bytes that an array, a variable or somebody else has."""

    def __init__(self, found: npt.NDArray[np.uint8]) -> None:
        """Take the bytes."""
        self.bytes = found


class UnownedMemory(_Part):
    """Memory of the emulator that somebody else has allocated."""

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        """Take its address and bytes, and keep the owner alive."""
        super().__init__(active().device.lay_open(int(ptr), size))
        self.owner = owner


class MemoryPointer:
    """An address in some memory."""

    def __init__(self, mem: Memory, offset: int) -> None:
        """Point `offset` bytes behind the beginning."""
        self.mem, self._offset = mem, offset

    @staticmethod
    def of(values: npt.NDArray[Any]) -> MemoryPointer:
        """Point to the first element of an array on the GPU."""
        owner = values
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        flat = np.lib.stride_tricks.as_strided(owner.view(), (owner.size,), (owner.itemsize,))
        whole = flat.view(np.uint8) if owner.flags.forc else owner.reshape(-1).view(np.uint8)
        start = values.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        return MemoryPointer(_Part(whole), start)

    @staticmethod
    def variable(address: int, size: int) -> MemoryPointer:
        """Point to a variable of a module."""
        return MemoryPointer(_Part(active().device.lay_open(address, size)), 0)

    def view(self, shape: Any, dtype: np.dtype[Any], strides: Any, order: str) -> npt.NDArray[Any]:
        """Return an array from here on.

        Raises:
            ValueError: the memory has too few bytes.
        """
        memory: Any = self.mem.bytes
        layout: Any = order
        found: npt.NDArray[Any]
        try:
            found = np.ndarray(shape, dtype, memory, self._offset, strides, layout)
            return found
        except TypeError as error:
            raise ValueError(f"the memory has too few bytes for the array: {error}") from None

    @property
    def ptr(self) -> int:
        """The address on the GPU."""
        return self.mem.ptr + self._offset

    @property
    def device(self) -> Any:
        """The only GPU."""
        return Device()

    def _here(self, size: int) -> npt.NDArray[np.uint8]:
        return self.mem.bytes[self._offset : self._offset + size]

    def _written(self, size: int) -> None:
        adopted(self._here(size)).define()

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        """Copy bytes from memory of the GPU."""
        active().device.copy(self.ptr, src.ptr, size)

    def copy_from_host(self, mem: Any, size: int) -> None:
        """Copy bytes from the host: from an address, or from what has a buffer."""
        active().calls.copy(self.ptr, _host_address(mem), size, 1)

    def copy_to_host(self, mem: Any, size: int) -> None:
        """Copy bytes to the host; undefined ones are a hazard."""
        active().calls.copy(_host_address(mem), self.ptr, size, 2)

    def copy_from(self, mem: Any, size: int) -> None:
        """Copy bytes from the GPU or the host."""
        on_gpu = isinstance(mem, MemoryPointer)
        (self.copy_from_device if on_gpu else self.copy_from_host)(mem, size)

    def memset(self, value: int, size: int) -> None:
        """Write a byte again and again."""
        self._here(size)[...] = value
        self._written(size)

    def copy_from_device_async(self, src: Any, size: int, stream: Any = None) -> None:
        """Copy bytes from memory of the GPU: nothing is left to do afterwards."""
        self.copy_from_device(src, size)

    def copy_from_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """Copy bytes from the host: nothing is left to do afterwards."""
        self.copy_from_host(mem, size)

    def copy_to_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """Copy bytes to the host: nothing is left to do afterwards."""
        self.copy_to_host(mem, size)

    def memset_async(self, value: int, size: int, stream: Any = None) -> None:
        """Write a byte again and again: nothing is left to do afterwards."""
        self.memset(value, size)

    def __int__(self) -> int:
        return self.ptr

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self._offset + int(offset))

    def __sub__(self, offset: int) -> MemoryPointer:
        return self + -int(offset)

    __radd__ = __add__


def _host_address(memory: Any) -> int:
    """Return the address of memory of the host: a number, or what has one."""
    if isinstance(memory, int):
        return memory
    found = getattr(memory, "value", None)  # ctypes.c_void_p
    return (
        int(found) if isinstance(found, int) else int(np.frombuffer(memory, np.uint8).ctypes.data)
    )


def alloc(size: int) -> MemoryPointer:
    """Allocate bytes on the GPU, which nothing has written."""
    return MemoryPointer(Memory(int(size)), 0)


def alloc_pinned_memory(size: int) -> Any:
    """Allocate bytes of the host, all of which are as good as pinned."""
    return np.empty(int(size), np.uint8).data


class MemoryPool:
    """What arrays take memory from; here they take NumPy's, and the pool only tells how much."""

    def __init__(self, allocator: Any = None) -> None:
        """Take an allocator, which is not asked."""
        self._limit = 0

    def malloc(self, size: int) -> MemoryPointer:
        """Allocate bytes on the GPU, which nothing has written."""
        return alloc(size)

    def used_bytes(self) -> int:
        """Return the bytes of arrays that are alive."""
        return active().device.adopted_bytes

    total_bytes = used_bytes

    def free_bytes(self) -> int:
        """Return 0: memory goes back at once."""
        return 0

    n_free_blocks = free_bytes

    def free_all_blocks(self, stream: Any = None) -> None:
        """Do nothing: memory goes back at once."""

    free_all_free = free_all_blocks

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """Keep a limit, which nothing is held to."""
        memory = active().target.gpu.memory_bytes
        self._limit = int(size or 0) if fraction is None else int(fraction * memory)

    def get_limit(self) -> int:
        """Return the limit; 0 for none."""
        return self._limit
