"""Where NumPy arrays and CPU tensors lie in the host's memory, and what that memory is part of."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.errors import UserError

#: Of the memory behind an array; NumPy and torch give at least as much.
ALIGNMENT_BYTES = 16


@dataclass(frozen=True)
class Place:
    """Bytes of the host's memory, from an address on."""

    start: int
    size: int

    @property
    def end(self) -> int:
        """The address behind the last byte."""
        return self.start + self.size

    def within(self, other: Place) -> bool:
        """Whether all of these bytes are among the others."""
        return other.start <= self.start and self.end <= other.end

    def bytes(self) -> npt.NDArray[np.uint8]:
        """View the bytes, without keeping them alive."""
        if not self.size:
            return np.empty(0, np.uint8)
        return np.ctypeslib.as_array((ctypes.c_uint8 * self.size).from_address(self.start))


@dataclass(frozen=True)
class HostView:
    """A NumPy array or a tensor: `values` are its elements where they lie.

    `owner` owns the memory behind it, which is `place_of(owner)` for now: a storage can be resized.
    """

    values: npt.NDArray[Any]
    owner: Any
    place_of: Callable[[Any], Place]
    read_only: bool

    @property
    def place(self) -> Place:
        """The memory of the owner."""
        return self.place_of(self.owner)


def extent(shape: Sequence[int], strides: Sequence[int], item_bytes: int) -> tuple[int, int]:
    """Return where the first byte of an array lies before its first element, and its bytes.

    `strides` are bytes and may be negative.
    """
    if 0 in shape:
        return 0, 0
    steps = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
    before = -sum(step for step in steps if step < 0)
    return before, before + sum(step for step in steps if step > 0) + item_bytes


def owner_of(host: Any) -> tuple[Any, Callable[[Any], Place]]:
    """Return the owner of the memory behind an array or tensor, and a function for its address."""
    if not isinstance(host, np.ndarray):
        return host.untyped_storage(), _storage_place
    owner = host
    while owner.base is not None:
        below: Any = owner.base
        if _is_tensor(below):  # tensor.numpy()
            return below.untyped_storage(), _storage_place
        if not isinstance(below, np.ndarray):
            below = getattr(below, "base", None)  # what as_strided puts between two arrays
        if not isinstance(below, np.ndarray):
            break
        owner = below
    return owner, _numpy_place


def view_of(host: Any) -> HostView:
    """Return where a NumPy array or a CPU tensor lies.

    Raises:
        UserError: it is neither, its elements do not lie in the memory of this process as they
            are, or the memory is not aligned.
    """
    if isinstance(host, np.ndarray):
        view = _numpy_view(host)
    elif _is_tensor(host):
        view = _tensor_view(host)
    else:
        raise UserError(
            f"a {type(host).__name__} cannot be adopted; a NumPy array or a CPU tensor can"
        )
    if view.place.start % ALIGNMENT_BYTES:
        raise UserError(
            f"memory at {view.place.start:#x} cannot be adopted: its address is not a multiple of "
            f"{ALIGNMENT_BYTES} bytes; device.array copies it"
        )
    return view


def _is_tensor(host: Any) -> bool:
    return hasattr(host, "untyped_storage") and hasattr(host, "storage_offset")


def _numpy_place(owner: npt.NDArray[Any]) -> Place:
    before, size = extent(owner.shape, owner.strides, owner.itemsize)
    return Place(owner.__array_interface__["data"][0] - before, size)


def _numpy_view(host: npt.NDArray[Any]) -> HostView:
    if host.dtype.hasobject:
        raise UserError(f"dtype {host.dtype} holds Python objects and cannot go to a device")
    owner, place_of = owner_of(host)
    if host.size and not _numpy_place(host).within(place_of(owner)):
        raise UserError("the array extends beyond the array that it is a view of")
    return HostView(host, owner, place_of, not getattr(owner, "flags", host.flags).writeable)


def _storage_place(storage: Any) -> Place:
    return Place(storage.data_ptr(), storage.nbytes())


def _numpy_dtype(tensor: Any) -> np.dtype[Any]:
    """Return the NumPy type of a tensor, or the unsigned integers of its width where it has none.

    Two numbers of 4 bits (float4_e2m1fn_x2) are a byte.
    """
    import ml_dtypes

    name = str(tensor.dtype).removeprefix("torch.").replace("bool", "bool_")
    kind = getattr(ml_dtypes, name, None) or getattr(np, name, None)
    return np.dtype(f"u{tensor.element_size()}" if kind is None else kind)


def _tensor_view(host: Any) -> HostView:
    """Describe a tensor: plain elements in the memory of this process, in whatever order."""
    if str(host.layout) != "torch.strided":
        raise UserError(f"a tensor of layout {host.layout} cannot be adopted; make it dense")
    if host.is_conj() or host.is_neg():
        raise UserError(
            "a tensor with its conjugation or negation pending cannot be adopted; "
            "call resolve_conj() and resolve_neg()"
        )
    storage = host.untyped_storage()
    if storage.device.type != "cpu":
        raise UserError(
            f"a tensor on {storage.device} cannot be adopted by the emulator; one on cpu can"
        )
    dtype, place = _numpy_dtype(host), _storage_place(storage)
    values: npt.NDArray[Any] = (
        np.ndarray(
            tuple(host.shape),
            dtype,
            buffer=place.bytes(),
            offset=host.storage_offset() * dtype.itemsize,
            strides=tuple(step * dtype.itemsize for step in host.stride()),
        )
        if place.size
        else np.empty(tuple(host.shape), dtype)
    )
    return HostView(values, storage, _storage_place, False)
