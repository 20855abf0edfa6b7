"""Arrays in a device's memory, the same for every device: a shape and dtype over raw bytes."""

from __future__ import annotations

import math
import sys
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from types import FrameType
from typing import Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from lanemap.devices.indexing import key_text, part
from lanemap.devices.values import dtype_of, host_array, integer
from lanemap.emulator.api import machine_bytes
from lanemap.errors import UserError

#: Packages that make arrays for whoever calls them.
_ASKING = ("lanemap", "torch", "triton", "cutlass")
#: What arrays of PyTorch have beside those of NumPy to get to the host.
_HOST_METHODS = ("cpu", "numpy")


class Memory(Protocol):
    """A device's memory under its arrays: bytes by address."""

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
        """Return one set bit for every undefined bit, or None if the device does not track them.

        A GPU does not know what was written.
        """
        return None


@dataclass(frozen=True, eq=False)
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
    """A C-contiguous array in device memory; the memory goes back when the array is collected.

    NumPy copies it to the host wherever it asks for an array: `numpy.asarray(x)`, `x == y`. Slices
    share the array's memory, as `x[2:4]`, and can be passed to kernels.
    """

    _whole: DeviceArray  # of a part: the array that owns the memory

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
        self.dtype = dtype_of(dtype)
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

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def get(self) -> npt.NDArray[Any]:
        """Copy the array to the host, after every launch before it has finished."""
        data = bytearray(self._memory.read(self.address, self.nbytes))
        return np.frombuffer(data, dtype=self.dtype).reshape(self.shape)

    def lies_in(self, memory: Any) -> bool:
        """Whether the array was made in a memory: addresses mean nothing in another one."""
        return self._memory is memory

    def undefined(self) -> npt.NDArray[np.bool_] | None:
        """Return the undefined bits: bool[*shape, bits of an element], bit 0 first.

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
        host = host_array(values)
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
        offset = integer(byte_offset, "byte offset")
        if not 0 <= offset <= self.nbytes:
            raise UserError(f"byte offset {offset} lies outside an array of {self.nbytes} bytes")
        return Pointer(self, offset)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Copy the array to the host for NumPy (NumPy, "Interoperability with NumPy")."""
        if copy is False:
            raise ValueError("an array of a device is always copied to the host")
        return self.get().astype(dtype or self.dtype, copy=False)

    def __eq__(self, other: Any) -> Any:
        """Compare the elements on the host, as NumPy does."""
        return np.equal(self.get(), host_array(other))

    def __ne__(self, other: Any) -> Any:
        """Compare the elements on the host, as NumPy does."""
        return np.not_equal(self.get(), host_array(other))

    __hash__ = object.__hash__  # as before `==` was NumPy's

    def __bool__(self) -> bool:
        """NumPy's truth value: of one element, that of the element."""
        return bool(self.get())

    def __int__(self) -> int:
        return int(self.get())

    def __float__(self) -> float:
        return float(self.get())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array of no dimensions has no len()")
        return self.shape[0]

    def __iter__(self) -> Iterator[DeviceArray]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> DeviceArray:
        """Return a part that shares the array's memory.

        Raises:
            UserError: the key is neither integers nor slices, or the part is not contiguous.
            IndexError: an index lies outside the array.
        """
        first, shape, steps = part(key, self.shape, self.strides)
        strides = contiguous(shape, self.dtype.itemsize)
        each = zip(shape, steps, strides, strict=True)
        if 0 not in shape and any(size > 1 and step != own for size, step, own in each):
            raise UserError(
                f"the part [{key_text(key)}] of an array {self.shape} is not contiguous in the "
                "device's memory; x.get()[..] has it on the host"
            )
        found = object.__new__(DeviceArray)
        found._memory, found._whole = self._memory, self
        found.shape, found.strides, found.dtype = shape, strides, self.dtype
        found.nbytes = array_bytes(shape, self.dtype)
        found.address = self.address + first
        return found

    def __setitem__(self, key: Any, values: npt.ArrayLike) -> None:
        """Write values of the host, which are broadcast and converted as NumPy does."""
        chosen = self[key]
        host = np.empty(chosen.shape, chosen.dtype)
        try:
            host[...] = host_array(values)
        except (TypeError, ValueError) as error:
            raise UserError(f"the values do not fit the part {chosen.shape}: {error}") from error
        chosen.set(host)

    def __getattr__(self, name: str) -> NoReturn:
        """Refuse attributes that only NumPy's arrays have, and name the alternative."""
        if not name.startswith("_") and (hasattr(np.ndarray, name) or name in _HOST_METHODS):
            raise AttributeError(
                f"an array of a device has no {name!r}; x.get() copies it to the host as an array "
                "of NumPy"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        """Refuse copies and pickles, which would outlive the memory."""
        raise UserError(
            "an array of a device is neither pickled nor copied by Python; x.get() copies it to "
            "the host, and device.array(x) to a new array of the device"
        )

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}({self.dtype}, shape={self.shape}, address={self.address:#x})"


class SymbolArray(DeviceArray):
    """A variable of a loaded text, as an array of one dimension.

    Its module holds the memory, so the array keeps the module.
    """

    def __init__(
        self, module: Any, memory: Memory, name: str, place: tuple[int, int], dtype: npt.DTypeLike
    ) -> None:
        """Describe the variable `name` that lies at `place`: its address and its bytes.

        Raises:
            UserError: elements of `dtype` do not fill it.
        """
        self.module, self.name = module, name
        self._memory, self.dtype = memory, dtype_of(dtype)
        self.address, self.nbytes = place
        item = self.dtype.itemsize
        if self.dtype.hasobject or not item or self.nbytes % item:
            raise UserError(f"`{name}` has {self.nbytes} bytes, which {self.dtype} does not fill")
        self.shape, self.strides = (self.nbytes // item,), (item,)

    def set(self, values: npt.ArrayLike) -> None:
        """Copy values from the host into the variable; see `DeviceArray.set`."""
        super().set(values)
        self.module.written.add(self.name)

    def __setitem__(self, key: Any, values: npt.ArrayLike) -> None:
        """Write a part; see `DeviceArray.__setitem__`."""
        super().__setitem__(key, values)
        self.module.written.add(self.name)

    def pointer(self, byte_offset: int = 0) -> Pointer:
        """Return a pointer into the variable, which a kernel may write through."""
        self.module.written.add(self.name)
        return super().pointer(byte_offset)


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

    @classmethod
    def at(cls, memory: Memory, holder: Any, address: int, size_bytes: int) -> ForeignArray:
        """Describe bytes from an address on, whatever the holder's elements are."""
        found = object.__new__(cls)
        found.host, found._memory, found.address = holder, memory, address
        found.shape, found.strides, found.dtype = (size_bytes,), (1,), np.dtype(np.uint8)
        found.nbytes = size_bytes
        return found


def contiguous(shape: tuple[int, ...], item_bytes: int) -> tuple[int, ...]:
    """Return the strides in bytes of a C-contiguous array."""
    strides = [item_bytes]
    for size in reversed(shape[1:]):
        strides.insert(0, strides[0] * size)
    return tuple(strides[: len(shape)])


def made_here() -> str:
    """Say which line made a new array: " made at train.py:12"; see `place_here`."""
    return made_at(place_here())


def made_at(place: tuple[str, int] | None) -> str:
    """Say that a line made an array; "" for None."""
    return f" made at {PurePath(place[0]).name}:{place[1]}" if place else ""


def place_here() -> tuple[str, int] | None:
    """Return the file and line that make a new array.

    It is the innermost one outside lanemap, and outside the libraries that ask for a script.
    lanemap's own command line has no such line: what calls it is a script that pip wrote.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith("lanemap.cli."):
            break
        if module.partition(".")[0] not in _ASKING:
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None
