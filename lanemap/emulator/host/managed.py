"""Memory that has one address on the host and on the device, as managed memory has.

An `Arena` is such memory for a whole device, which another process maps at the same address.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import weakref

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError

#: mmap(2) of Linux: pages at the address that is asked for, or none.
_PRIVATE_ANONYMOUS, _FIXED_NOREPLACE = 0x22, 0x100000
_SHARED, _NORESERVE = 0x01, 0x4000
#: madvise(2): give back the pages and what they hold, of one process, and for all who map them.
_DONT_NEED, _REMOVE = 4, 9
_READ_WRITE = mmap.PROT_READ | mmap.PROT_WRITE


def bytes_at(address: int, size: int) -> NDArray[np.uint8]:
    """Return zeros that lie at an address of this process; they go when nothing holds the array.

    Raises:
        UserError: the pages are taken, or the system is not Linux.
    """
    start = address // mmap.PAGESIZE * mmap.PAGESIZE
    length = max(address + size - start, 1)
    if not _mapped(start, length, _PRIVATE_ANONYMOUS, -1):
        raise UserError(f"the host has no {size} bytes at {address:#x} for managed memory")
    held = (ctypes.c_uint8 * size).from_address(address)
    weakref.finalize(held, _library().munmap, start, length)
    return np.ctypeslib.as_array(held)


@functools.cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(None)
    library.mmap.restype = ctypes.c_void_p
    library.munmap.argtypes = ctypes.c_void_p, ctypes.c_size_t
    library.madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return library


def _mapped(start: int, length: int, flags: int, descriptor: int) -> bool:
    """Whether pages could be mapped where they are wanted, and nowhere else."""
    try:
        library = _library()
        found = library.mmap(
            ctypes.c_void_p(start),
            ctypes.c_size_t(length),
            _READ_WRITE,
            flags | _FIXED_NOREPLACE,
            descriptor,
            ctypes.c_long(0),
        )
    except (AttributeError, OSError, TypeError):
        return False
    if found == start:
        return True
    if found not in (None, ctypes.c_void_p(-1).value):  # a kernel that knows no such flag
        library.munmap(found, length)
    return False


def give_back(address: int, size: int, *, shared: bool) -> None:
    """Give the pages that begin in a range back to the system: of this process, or `shared`."""
    page = mmap.PAGESIZE
    start, end = -(-address // page) * page, -(-(address + size) // page) * page
    if end > start:
        _library().madvise(start, end - start, _REMOVE if shared else _DONT_NEED)


class Arena:
    """Addresses for all memory of a device, and a file that is mapped there.

    Attributes:
        base: The first address: far from any that Linux chooses by itself.
        size_bytes: Bytes of the addresses. Pages come into being when they are touched. The upper
            half has what is known of the bytes in the lower one (`state`).
        descriptor: The file; another process may map it at the same address.
    """

    base = 0x2000_0000_0000
    size_bytes = 1 << 44

    def __init__(self) -> None:
        """Map it.

        Raises:
            UserError: the system is not Linux, or lets no process have so many addresses.
        """
        try:
            self.descriptor = os.memfd_create("lanemap", os.MFD_CLOEXEC)
            os.ftruncate(self.descriptor, self.size_bytes)
        except (AttributeError, OSError) as error:
            raise UserError(f"the host shares no memory between processes: {error}") from error
        self._next_state = self.base + self.size_bytes // 2
        if not _mapped(self.base, self.size_bytes, _SHARED | _NORESERVE, self.descriptor):
            raise UserError(
                f"the host has no {self.size_bytes >> 40} TiB of addresses at {self.base:#x} for "
                "memory that processes share; a limit of addresses (ulimit -v) is too low"
            )

    def bytes_at(self, address: int, size: int) -> NDArray[np.uint8]:
        """Return the bytes at an address, which are zeros at first.

        Raises:
            UserError: no addresses are left.
        """
        if address + size > self.base + self.size_bytes // 2:
            raise UserError("the device has no addresses left: start the program anew")
        return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))

    def state(self, size: int) -> NDArray[np.uint8]:
        """Return zeros that begin at a page of their own, for what is known of other bytes."""
        start = self._next_state
        self._next_state += -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        return np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(start))

    def give_back(self, address: int, size: int) -> None:
        """Give the pages of freed memory back to the system; nobody has an address there again."""
        give_back(address, size, shared=True)
