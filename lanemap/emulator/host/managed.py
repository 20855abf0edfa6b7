"""Memory that has one address on the host and on the device, as managed memory has."""

from __future__ import annotations

import ctypes
import mmap
import weakref

import numpy as np
from numpy.typing import NDArray

from lanemap.errors import UserError

#: mmap(2) of Linux: pages at the address that is asked for, or none.
_PRIVATE_ANONYMOUS, _FIXED_NOREPLACE = 0x22, 0x100000


def bytes_at(address: int, size: int) -> NDArray[np.uint8]:
    """Return zeros that lie at an address of this process; they go when nothing holds the array.

    Raises:
        UserError: the pages are taken, or the system is not Linux.
    """
    start = address // mmap.PAGESIZE * mmap.PAGESIZE
    length = max(address + size - start, 1)
    try:
        library = ctypes.CDLL(None)
        library.mmap.restype = ctypes.c_void_p
        library.munmap.argtypes = ctypes.c_void_p, ctypes.c_size_t
        found = library.mmap(
            ctypes.c_void_p(start),
            ctypes.c_size_t(length),
            mmap.PROT_READ | mmap.PROT_WRITE,
            _PRIVATE_ANONYMOUS | _FIXED_NOREPLACE,
            -1,
            ctypes.c_long(0),
        )
    except (AttributeError, OSError, TypeError):
        found = None
    if found != start:
        raise UserError(f"the host has no {size} bytes at {address:#x} for managed memory")
    held = (ctypes.c_uint8 * size).from_address(address)
    weakref.finalize(held, library.munmap, start, length)
    return np.ctypeslib.as_array(held)
