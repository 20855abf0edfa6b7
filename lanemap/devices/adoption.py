"""Memory of the host as arrays of the emulator, without copying.

The unit is the whole memory behind an array: the storage of a tensor, or what the NumPy array below
all views owns. Each becomes one memory of the emulator, at an address of its own and with
untouchable bytes behind it, however close other tensors lie on the host. Views point into it.
"""

from __future__ import annotations

import bisect
import ctypes
import functools
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lanemap.devices.arrays import DeviceArray, Memory, Pointer, made_here
from lanemap.devices.host_views import HostView, Place, extent, owner_of, view_of
from lanemap.devices.indexing import basic_key
from lanemap.devices.values import integer
from lanemap.emulator.api import Loan, Turns, in_turn
from lanemap.errors import UserError


class Borrower(Memory, Protocol):
    """An emulator's interface for borrowing memory of the host."""

    def borrow(self, loan: Loan, name: str) -> int:
        """Return the address of bytes of the host, which stay where they are."""

    def end_loan(self, address: int) -> None:
        """Forget what `borrow` returned, if it is not forgotten already."""

    def lay_open(self, address: int) -> tuple[npt.NDArray[np.uint8], int]:
        """Return the bytes of the memory that holds an address, and where they begin."""

    def all_defined(self, address: int, size_bytes: int) -> bool:
        """Whether no bit is undefined."""

    def define(self, address: int, size_bytes: int) -> None:
        """Mark bytes as defined."""

    def mark(self, address: int, defined: npt.NDArray[np.bool_]) -> None:
        """Mark each byte from an address on as defined or undefined."""

    @property
    def turns(self) -> Turns:
        """The lock that gives the emulator to one thread at a time."""


@dataclass(frozen=True)
class Adopted:
    """Memory that has been adopted: where it lies on the host and on the device.

    `owner` is the identity of who owns it; `holder` returns that, None once it is gone or its
    memory has moved.
    """

    owner: int
    place: Place
    address: int
    holder: Callable[[], object | None]


class AdoptedArray(DeviceArray):
    """An array over memory of the host; `host` is the NumPy array or tensor that was adopted.

    Its address is that of its first element; `strides` are bytes, and it need not be contiguous.
    The host may read and write the elements as it likes between launches. `get` also checks that
    they are defined.
    """

    def __init__(self, memory: Borrower, host: Any, view: HostView, adopted: Adopted) -> None:
        """Describe a view of adopted memory, and keep that alive."""
        self.host, self._values, self._view = host, view.values, view
        self._holds = adopted.holder()
        self.shape, self.strides, self.dtype = (
            view.values.shape,
            view.values.strides,
            view.values.dtype,
        )
        self.nbytes = view.values.nbytes
        self._adopted = adopted
        start = view.values.__array_interface__["data"][0] if adopted.place.size else 0
        self.address = adopted.address + (start - adopted.place.start if start else 0)
        self._memory = self._borrower = memory

    def pointer(self, byte_offset: int = 0) -> Pointer:
        """Return a pointer relative to the first element, one past the memory's end at most.

        Raises:
            UserError: it would lie outside the memory that the array is in.
        """
        offset = integer(byte_offset, "byte offset")
        at, size = self.address + offset - self._adopted.address, self._adopted.place.size
        if not 0 <= at <= size:
            raise UserError(f"byte offset {offset} lies outside the array's memory of {size} bytes")
        return Pointer(self, offset)

    def __getitem__(self, key: Any) -> AdoptedArray:
        """Return a part, contiguous or not; see `DeviceArray`. Its `host` is a NumPy array."""
        where = (*basic_key(key, self.ndim), ...)
        values = self._values[where]
        view = replace(self._view, values=values)
        return AdoptedArray(self._borrower, values, view, self._adopted)

    def _span(self) -> tuple[int, int]:
        """Return the lowest address of the elements, and the bytes up to their last one."""
        before, size = extent(self.shape, self.strides, self.dtype.itemsize)
        return self.address - before, size

    def _undefined_bytes(self) -> npt.NDArray[np.uint8]:
        """Return the undefined bits of each byte of the span."""
        return np.frombuffer(self._borrower.undefined(*self._span()) or b"", np.uint8)

    def _elements(self, span: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """View one item for each byte of the span as [*shape, bytes of an element]."""
        shape = (*self.shape, self.dtype.itemsize)
        if not span.size:
            return np.empty(shape, span.dtype)
        item = span.itemsize
        steps = (*(step * item for step in self.strides), item)
        first = (self.address - self._span()[0]) * item
        elements: npt.NDArray[Any] = np.ndarray(shape, span.dtype, span, first, steps)
        return elements

    def undefined(self) -> npt.NDArray[np.bool_]:
        """Return the undefined bits: bool[*shape, bits of an element], bit 0 first."""
        each = np.ascontiguousarray(self._elements(self._undefined_bytes()))
        return np.unpackbits(each, axis=-1, bitorder="little").astype(np.bool_)

    def undefined_elements(self) -> npt.NDArray[np.bool_]:
        """Return the elements with an undefined bit: bool[*shape]."""
        return np.asarray(self._elements(self._undefined_bytes()).any(-1))

    @property
    def _is_contiguous(self) -> bool:
        return self._values.flags.c_contiguous

    @property
    def all_defined(self) -> bool:
        """Whether every element has a value, as far as a look at its memory's span can tell."""
        return self._borrower.all_defined(*self._span())

    def check(self) -> None:
        """Check the elements as a read by the host does: undefined ones are a hazard."""
        if self.all_defined:
            return
        if self._is_contiguous:
            self._memory.read(self.address, self.nbytes)
            return
        bad = np.argwhere(self.undefined_elements())
        if len(bad):
            first = self.address + int(bad[0] @ np.array(self.strides, np.int64))
            self._memory.read(first, self.dtype.itemsize)

    def define(self, defined: npt.NDArray[np.bool_] | bool = True) -> None:
        """Note that the host wrote the elements; bool[*shape] says which hold a value now."""
        if not self.nbytes:
            return
        if defined is True and self._is_contiguous:
            self._borrower.define(self.address, self.nbytes)
            return
        with self._borrower.turns.take():  # what lies between the elements is as it was
            flags = np.equal(self._undefined_bytes(), 0)
            self._elements(flags)[...] = np.asarray(defined)[..., None]
            self._borrower.mark(self._span()[0], flags)

    def get(self) -> npt.NDArray[Any]:
        """Copy the elements, which must be defined: else that is a hazard."""
        self.check()
        return np.array(self._values)

    def set(self, values: npt.ArrayLike) -> None:
        """Copy values from the host into the elements.

        Raises:
            UserError: their shape or dtype is not the array's, or the host may not write it.
        """
        if not self._values.flags.writeable:
            raise UserError("the array that was adopted is read-only; adopt a writable one")
        self._values[...] = self._fitting(values)
        self.define()


class Adoptions:
    """The memories that a device has adopted, until their owners let go of them."""

    def __init__(self, memory: Borrower) -> None:
        """Adopt into the memory of a device."""
        self._memory, self.turns = memory, memory.turns
        self._by_owner: dict[int, Adopted] = {}
        self._in_order: list[Adopted] = []  # of their places, which do not overlap
        #: Bytes of the memories whose owners still have them.
        self.held_bytes = 0

    @in_turn
    def adopt(self, host: Any, name: str | None, defined: bool) -> AdoptedArray:
        """Return an array over a NumPy array or a CPU tensor; see `EmulatorDevice.adopt`."""
        view = view_of(host)
        known = self._by_owner.get(id(view.owner))
        if known is not None and known.holder() is None:
            self._forget(known)  # the storage was resized, or its owner is gone
            known = None
        known = known or self._around(view.place)
        if known is None:
            title = f"array `{name}`" if name else f"array{made_here()}"
            known = self._borrow(view, title, defined)
        return AdoptedArray(self._memory, host, view, known)

    @in_turn
    def lay_open(self, address: int, size_bytes: int) -> npt.NDArray[np.uint8]:
        """Return bytes of the device's own memory as an array of the host: uint8[size_bytes].

        It is as if that array had been adopted: `adopt` of it and of its views finds the memory.

        Raises:
            UserError: the device has no memory there.
        """
        data, base = self._memory.lay_open(address)
        known = self._around(Place(data.ctypes.data, data.size))
        owner: Any = known.holder() if known is not None else None
        if owner is None:
            buffer: Any = (ctypes.c_uint8 * data.size).from_address(data.ctypes.data)
            buffer.holds = data  # as long as an array needs it
            owner = np.ctypeslib.as_array(buffer)
            known = Adopted(id(owner), _place(owner), base, weakref.ref(owner))
            self._by_owner[id(owner)] = known
            bisect.insort(self._in_order, known, key=_start)
        return owner[address - base : address - base + size_bytes]  # type: ignore[no-any-return]

    @in_turn
    def known(self, host: Any) -> Adopted | None:
        """Return the adopted memory of a NumPy array or a tensor, None where it is not adopted."""
        owner, place_of = owner_of(host)
        known, place = self._by_owner.get(id(owner)), place_of(owner)
        found = known is not None and known.place == place and known.holder() is not None
        return known if found else self._around(place)

    @in_turn
    def has_undefined(self, host: Any) -> bool:
        """Whether some bits of an array's memory are undefined, be they its own or not."""
        known = self.known(host)
        return known is not None and not self._memory.all_defined(known.address, known.place.size)

    def _around(self, place: Place) -> Adopted | None:
        """Return the adopted memory that holds a place; an array and a tensor may share it."""
        if not place.size:
            return None
        i = max(bisect.bisect_right(self._in_order, place.start, key=_start) - 1, 0)
        while i < len(self._in_order) and self._in_order[i].place.start < place.end:
            each = self._in_order[i]
            if each.place.end <= place.start:
                i += 1
            elif each.holder() is None:
                self._forget(each)
            elif place.within(each.place):
                return each
            else:
                raise UserError(
                    "part of this memory has been adopted already as that of another array; "
                    "adopt the whole first"
                )
        return None

    def _borrow(self, view: HostView, title: str, defined: bool) -> Adopted:
        place, place_of, owner = view.place, view.place_of, weakref.ref(view.owner)

        def holder() -> object | None:
            found = owner()
            return found if found is not None and place_of(found) == place else None

        loan = Loan(place.bytes(), holder, view.read_only, defined)
        adopted = Adopted(id(view.owner), place, self._memory.borrow(loan, title), holder)
        self._by_owner[id(view.owner)] = adopted
        self.held_bytes += place.size
        if place.size:
            bisect.insort(self._in_order, adopted, key=_start)
        weakref.finalize(view.owner, _end, weakref.ref(self), adopted).atexit = False
        return adopted

    def _forget(self, gone: Adopted) -> None:
        """Forget memory, unless that has happened already."""
        if self._by_owner.get(gone.owner) is not gone:
            return
        del self._by_owner[gone.owner]
        self.held_bytes -= gone.place.size
        i = bisect.bisect_left(self._in_order, gone.place.start, key=_start)
        for at in range(i, len(self._in_order)):
            if self._in_order[at] is gone:
                del self._in_order[at]
                break
        self._memory.end_loan(gone.address)


def _place(owner: npt.NDArray[Any]) -> Place:
    """Return the place of an array that owns its memory, or is taken for the owner."""
    return Place(owner.ctypes.data, owner.nbytes)


def _start(adopted: Adopted) -> int:
    return adopted.place.start


def _end(adoptions: weakref.ref[Adoptions], adopted: Adopted) -> None:
    """Forget memory whose owner is gone."""
    known = adoptions()
    if known is not None:
        known.turns.put_off(functools.partial(known._forget, adopted))
