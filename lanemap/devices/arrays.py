"""Arrays in a device's memory, the same for every device: a shape and dtype over raw bytes."""

from __future__ import annotations

import math
import sys
import weakref
from dataclasses import dataclass
from pathlib import PurePath
from types import FrameType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lanemap.emulator.host.limits import machine_bytes
from lanemap.errors import UserError


class Memory(Protocol):
    """What a device offers under its arrays: bytes by address."""

    def allocate(self, size_bytes: int, name: str) -> int:
        """Return the address of fresh memory whose contents are undefined.

        `name` is what reports call it, as in "array `x`"; hardware has no use for it.
        """

    def free(self, address: int) -> None:
        """Give back what `allocate` returned."""

    def write(self, address: int, data: bytes) -> None:
        """Copy bytes from the host to the device."""

    def zero(self, address: int, size_bytes: int) -> None:
        """Fill bytes with zeros."""

    def read(self, address: int, size_bytes: int) -> bytes:
        """Copy bytes from the device to the host."""

    def undefined(self, address: int, size_bytes: int) -> bytes | None:
        """Return one set bit for every bit that nothing defined; None where nobody knows."""


@dataclass(frozen=True)
class Pointer:
    """An address inside an array, which it keeps alive."""

    array: DeviceArray
    byte_offset: int

    @property
    def address(self) -> int:
        """The address in the device's memory."""
        return self.array.address + self.byte_offset


def array_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    """Return the bytes of an array.

    Raises:
        UserError: a size is negative, or NumPy has no arrays of so many dimensions.
    """
    if any(size < 0 for size in shape):
        raise UserError(f"shape {shape} has a negative size")
    try:
        np.empty((0,) * len(shape), np.uint8)
    except ValueError as error:
        raise UserError(f"no array has {len(shape)} dimensions: {error}") from None
    return math.prod(shape) * dtype.itemsize


def host_array_bytes(shape: tuple[int, ...], dtype: np.dtype[Any]) -> int:
    """Return the bytes of an array that is about to be made on the host.

    Raises:
        UserError: NumPy has no such array, or this machine does not have that much memory.
    """
    size = array_bytes(shape, dtype)
    if size > machine_bytes():
        raise UserError(f"{size} bytes are more than the {machine_bytes()} that this machine has")
    return size


class DeviceArray:
    """A C-contiguous array in device memory; the memory goes back when the array is collected."""

    def __init__(
        self, memory: Memory, shape: tuple[int, ...], dtype: npt.DTypeLike, name: str | None = None
    ) -> None:
        """Reserve memory without writing it; `strides` are bytes, as in NumPy.

        Reports call the array by `name`; without one, by the line outside lanemap that made it.

        Raises:
            UserError: the dtype holds Python objects, the shape is none of an array, or the device
                does not have that much memory.
        """
        self.shape = shape
        self.dtype = np.dtype(dtype)
        if self.dtype.hasobject:
            raise UserError(f"dtype {self.dtype} holds Python objects and cannot go to a device")
        self.nbytes = array_bytes(shape, self.dtype)
        self.strides = contiguous(shape, self.dtype.itemsize)
        self._memory = memory
        self.address = memory.allocate(
            self.nbytes, f"array `{name}`" if name else f"array{made_here()}"
        )
        weakref.finalize(self, memory.free, self.address).atexit = False

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.nbytes // self.dtype.itemsize if self.dtype.itemsize else 0

    def get(self) -> npt.NDArray[Any]:
        """Copy the array to the host, after every launch before it has finished."""
        data = bytearray(self._memory.read(self.address, self.nbytes))
        return np.frombuffer(data, dtype=self.dtype).reshape(self.shape)

    def lies_in(self, memory: Any) -> bool:
        """Whether the array was made in a memory: addresses mean nothing in another one."""
        return self._memory is memory

    def undefined(self) -> npt.NDArray[np.bool_] | None:
        """Return which bits nothing defined: bool[*shape, bits of an element], bit 0 first.

        Asking is not a hazard, unlike `get` of such bits. Silicon cannot tell and returns None.
        """
        data = self._memory.undefined(self.address, self.nbytes)
        if data is None:
            return None
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little").astype(np.bool_)
        return bits.reshape(*self.shape, 8 * self.dtype.itemsize)

    def set(self, values: npt.ArrayLike) -> None:
        """Copy values from the host into the whole array.

        Raises:
            UserError: their shape or dtype is not the array's.
        """
        self._memory.write(self.address, self._fitting(values).tobytes())

    def _fitting(self, values: npt.ArrayLike) -> npt.NDArray[Any]:
        """Return values as an array of this one's shape and dtype, which they must have."""
        host = np.asarray(values)
        if host.shape != self.shape or host.dtype != self.dtype:
            raise UserError(
                f"an array of {host.dtype} {host.shape} does not fit into one of "
                f"{self.dtype} {self.shape}"
            )
        return host

    def pointer(self, byte_offset: int = 0) -> Pointer:
        """Return a pointer `byte_offset` bytes into the array, one past its end at most.

        Raises:
            UserError: the offset lies outside the array.
        """
        if not 0 <= byte_offset <= self.nbytes:
            raise UserError(
                f"byte offset {byte_offset} lies outside an array of {self.nbytes} bytes"
            )
        return Pointer(self, byte_offset)

    def __repr__(self) -> str:
        return f"DeviceArray({self.dtype}, shape={self.shape}, address={self.address:#x})"


class ForeignArray(DeviceArray):
    """An array over memory of a GPU that another library holds, such as CuPy or PyTorch."""

    def __init__(self, memory: Memory, holder: Any) -> None:
        """Find the memory through `__cuda_array_interface__` (CuPy, numba), and keep it alive.

        Raises:
            UserError: the holder has no such memory, or its elements are not C-contiguous.
        """
        try:
            found = holder.__cuda_array_interface__
        except (AttributeError, TypeError, RuntimeError) as error:  # PyTorch raises all three
            raise UserError(
                f"a {type(holder).__name__} cannot be adopted by a GPU: it has no "
                "__cuda_array_interface__; device.array copies from the host"
            ) from error
        self.host, self._memory = holder, memory
        self.shape, self.dtype = tuple(found["shape"]), np.dtype(found["typestr"])
        self.strides = contiguous(self.shape, self.dtype.itemsize)
        if found.get("strides") not in (None, self.strides):
            raise UserError("only a C-contiguous array can be adopted by a GPU")
        self.nbytes = array_bytes(self.shape, self.dtype)
        self.address = int(found["data"][0])


def contiguous(shape: tuple[int, ...], item_bytes: int) -> tuple[int, ...]:
    """Return the strides in bytes of a C-contiguous array."""
    strides = [item_bytes]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(strides[: len(shape)])


def made_here() -> str:
    """Say which line made a new array: " made at train.py:12".

    It is the innermost one outside lanemap, and outside PyTorch and Triton where these ask.
    lanemap's own command line has no such line: what calls it is a script that pip wrote.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("lanemap.cli."):
            break
        if module.partition(".")[0] not in ("lanemap", "torch", "triton"):
            return f" made at {PurePath(frame.f_code.co_filename).name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
