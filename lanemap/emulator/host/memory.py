"""Global memory: allocations with data, undefined bits, order stamps and origins."""

from __future__ import annotations

import bisect
import ctypes
import mmap
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lanemap.emulator.codegen.compiler import native
from lanemap.emulator.host.contents import DEFINED, FILLED, PAGE_BYTES, Bytes, Contents, state_bytes
from lanemap.emulator.host.limits import machine_bytes
from lanemap.emulator.host.managed import Arena, bytes_at
from lanemap.emulator.host.reserve import RESERVE_BYTES, Ledger, Reserve, Row
from lanemap.emulator.runtime import abi
from lanemap.errors import UserError

#: Device addresses begin here: far from any pointer of the host, and the same in every run.
FIRST_ADDRESS = 0x7F00_0000_0000
#: Untouchable bytes after every allocation, so that running past an end meets nothing.
GUARD_BYTES = 1 << 16
#: Addresses below are a null pointer with an offset.
NULL_BYTES = 1 << 16
_ALIGNMENT = 256
_STATES, _TAG_SHIFT = abi.PageState.STATES, abi.PAGE_TAG_SHIFT
_LAST_TAG = (1 << 32 - _TAG_SHIFT) - 1


@dataclass(frozen=True)
class Loan:
    """Memory of the host that a device borrows.

    `holder` returns what keeps the memory where it is, None once it is gone or has moved.
    """

    data: Bytes
    holder: Callable[[], object | None]
    read_only: bool = False
    defined: bool = True


class Allocation:
    """One range of global memory."""

    def __init__(
        self,
        base: int,
        size: int,
        identity: int,
        read_only: bool,
        name: str,
        number: int,
        loan: Loan | None = None,
        room: Bytes | None = None,
        state: Bytes | None = None,
    ) -> None:
        self.base, self.size, self.identity = base, size, identity
        self.read_only, self.name, self.number = read_only, name, number
        self.loan = loan
        #: Whether a kernel made it (`heap.Heap`), and the place where one freed it; "" if none did.
        self.in_heap, self.freed = False, ""
        #: Whether its bytes lie at its address.
        self.shared = room is not None or (loan is not None and loan.data.ctypes.data == base)
        self.contents = Contents(size, data=room if loan is None else loan.data, state=state)
        if loan is not None and loan.defined:
            self.contents.pages[:] = FILLED | DEFINED
        self._row = b""

    @property
    def holder(self) -> object | None:
        """The object that keeps the bytes in place; None for a loan that has ended."""
        return self if self.loan is None else self.loan.holder()

    def row(self, precise: bool) -> bytes:
        """The runtime's structure (abi.Memory) as bytes; `precise` code needs room for bits."""
        if precise and self.contents.partial is None:
            self.contents.track_bits()
            self._row = b""
        if not self._row:
            memory = abi.Memory()
            self.contents.describe_to(memory, self.base, abi.Space.GLOBAL, self.identity)
            memory.read_only = int(self.read_only)
            self._row = bytes(memory)
        return self._row

    def forget_bits(self) -> None:
        """Free the undefined bits, and drop the row that points to them."""
        if self.contents.forget_bits():
            self._row = b""

    @property
    def data(self) -> Bytes:
        """Its bytes."""
        return self.contents.data[: self.size]

    @property
    def called(self) -> str:
        """Its name in reports, with its number unless it is the first of that name."""
        return f"{self.name} #{self.number}" if self.number > 1 else self.name

    @property
    def title(self) -> str:
        """Title in reports: what it is called, and its size."""
        return f"{self.called} of {self.size} bytes"

    def distance(self, address: int) -> int:
        """Bytes from an address outside to the nearer edge: its first byte, or one past its end."""
        return max(self.base - address, address - (self.base + self.size))


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
        """Note that an allocation of this name was freed; after the last one, numbers restart."""
        self._living[name] -= 1
        if not self._living[name]:
            del self._living[name], self._last[name]


class GlobalMemory:
    """All allocations of a device, by address.

    `arena`: where their bytes lie, if another process shares them.
    """

    def __init__(self, arena: Arena | None = None) -> None:
        self._allocations: dict[int, Allocation] = {}
        self._bases: list[int] = []
        self._names = Names()
        self._arena = arena
        self._next = FIRST_ADDRESS if arena is None else arena.base
        self._count = 0
        self._tag = 0
        self._held = 0
        self._reserves: list[Reserve] = []
        self._ledger: Ledger | None = None
        #: Returns what reports call the allocation that a driver made at an address.
        self.name_at: Callable[[int], str] = lambda _: "array"

    def allocate(
        self, size: int, read_only: bool = False, name: str = "array", private: bool = False
    ) -> Allocation:
        """A new allocation of `size` bytes whose contents are undefined; reports call it `name`.

        `private`: no other process reads or writes it, whatever the device shares.

        Raises:
            UserError: the machine has not so much memory.
        """
        self._require_room(size, name)
        room = None
        if self._arena is not None and not private:
            pages = -(-max(size, 1) // PAGE_BYTES)
            room = self._arena.bytes_at(self._next, pages * PAGE_BYTES)
        self._held += size
        return self._place(size, read_only, name, None, room)

    def _require_room(self, size: int, name: str) -> None:
        if self._held + size > machine_bytes():
            raise UserError(
                f"{size} bytes for {name} do not fit: this machine has "
                f"{machine_bytes()} bytes of memory, and the device holds {self._held} "
                "of it"
            )

    # -- what a driver allocates by itself (reserve.py) --------------------------------------------
    def reserve(self) -> tuple[Reserve, Ledger]:
        """Give a driver memory to divide, and where it says how.

        Raises:
            UserError: the machine has not so much memory, or no addresses are left.
        """
        self._require_room(RESERVE_BYTES, "allocations of a driver")
        base = -(-self._next // PAGE_BYTES) * PAGE_BYTES
        made = Reserve.made(base, self._arena)
        self._reserves.append(made)
        self._next = base + RESERVE_BYTES + GUARD_BYTES
        if self._ledger is None:
            self._ledger = Ledger(self._arena)
        return made, self._ledger

    def settle(self) -> None:
        """Take note of what a driver has made and freed by itself since the last time."""
        for row in () if self._ledger is None else self._ledger.news():
            if row.size:
                self._take_over(row)
            else:
                self.free(row.base)

    def _take_over(self, row: Row) -> None:
        reserve = next(each for each in self._reserves if row.base in each)
        self._count += 1
        name = self.name_at(row.base)
        state = reserve.state_at(row.state, state_bytes(row.size))
        room = reserve.room(row.base, row.size)
        allocation = Allocation(
            row.base, row.size, self._count, False, name, self._names.take(name), None, room, state
        )
        self._held += row.size
        self._allocations[row.base] = allocation
        bisect.insort(self._bases, row.base)

    # -- what the host lends -----------------------------------------------------------------------
    def borrow(self, loan: Loan, name: str) -> Allocation:
        """An allocation of bytes that exist already.

        It has an address of its own, apart from other allocations, whatever lies beside the bytes
        on the host. It ends by `end_loan`, or when the loan's holder is found to be gone. Bytes
        that are not `defined` are filled with the pattern of undefined memory.
        """
        size = len(loan.data)
        allocation = self._place(size, loan.read_only, name, loan)
        if size and not loan.defined:
            self.fill_pages(allocation, 0, size)
        return allocation

    def manage(self, size: int, name: str) -> Allocation:
        """An allocation of zeros that the host reaches at the same address.

        Raises:
            UserError: the host's memory there is taken.
        """
        data = (bytes_at if self._arena is None else self._arena.bytes_at)(self._next, size)
        return self.borrow(Loan(data, lambda: data), name)

    def register(self, address: int, size: int, name: str) -> Allocation:
        """An allocation of memory that lies at `address` of a process of the host's.

        Both begin at the same byte of a page. In an arena it is zeros, which the other process puts
        in the place of its own.
        """
        page = mmap.PAGESIZE
        self._next = -(-self._next // page) * page + address % page
        if self._arena is not None:
            return self.manage(size, name)
        memory = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(address))
        return self.borrow(Loan(memory, lambda: memory), name)

    def _place(
        self, size: int, read_only: bool, name: str, loan: Loan | None, room: Bytes | None = None
    ) -> Allocation:
        """A new allocation behind all others."""
        self._count += 1
        shared = room is not None or (self._arena is not None and loan is not None)
        state = self._arena.state(state_bytes(size)) if self._arena and shared else None
        allocation = Allocation(
            self._next,
            size,
            self._count,
            read_only,
            name,
            self._names.take(name),
            loan,
            room,
            state,
        )
        self._allocations[allocation.base] = allocation
        self._bases.append(allocation.base)
        end = self._next + size + GUARD_BYTES
        self._next = (end + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
        return allocation

    def free(self, base: int) -> None:
        """Forget the allocation at `base`."""
        gone = self._allocations.pop(base)
        self._held -= gone.size if gone.loan is None else 0
        self._names.give_back(gone.name)
        del self._bases[bisect.bisect_left(self._bases, base)]
        reserve = next((each for each in self._reserves if base in each), None)
        if reserve is not None:
            reserve.give_back(gone.contents.data)
            reserve.give_back(gone.contents.state)
        elif self._arena is not None and gone.shared:
            self._arena.give_back(base, gone.size)
            self._arena.give_back(gone.contents.defined.ctypes.data, state_bytes(gone.size))

    def end_loan(self, base: int) -> None:
        """Forget an allocation that was borrowed, if that has not happened yet."""
        if base in self._allocations:
            self.free(base)

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
        if found.holder is None:
            self.free(found.base)
            return None
        return found if address < found.base + max(found.size, 1) else None

    def nearest(self, address: int) -> Allocation | None:
        """The allocation that holds an address, or the one that begins or ends next to it."""
        if not self._bases:
            return None
        i = bisect.bisect_right(self._bases, address)
        around = [self._allocations[base] for base in self._bases[max(i - 1, 0) : i + 1]]
        return min(around, key=lambda a: a.distance(address))  # negative inside

    def describe(self, address: int) -> str:
        """Describe an address: its byte in an array, or the distance to the nearest array."""
        found = self.find(address)
        if found is not None and address < found.base + found.size:
            freed = f", which was freed at {found.freed}" if found.freed else ""
            return f"byte {address - found.base} of {found.title}{freed}"
        nearest = self.nearest(address)
        if nearest is None:
            return "there are no arrays"
        if address < NULL_BYTES and nearest.distance(address) > NULL_BYTES:
            return "a null pointer, or an offset from one"
        side = "before the start" if address < nearest.base else "past the end"
        return f"{nearest.distance(address)} bytes {side} of {nearest.title}"

    def write(self, address: int, data: bytes) -> None:
        """Copy bytes from the host; they are defined."""
        a, start = self._prepared(address, len(data))
        a.data[start : start + len(data)] = np.frombuffer(data, np.uint8)
        a.contents.define(start, len(data))

    def prepare_write(self, address: int, size: int) -> None:
        """Say that bytes are defined, which somebody is about to write where they lie."""
        a, start = self._prepared(address, size)
        a.contents.define(start, size)

    def zero(self, address: int, size: int) -> None:
        """Fill bytes with zeros; for untouched pages only the page state changes."""
        a, start = self._prepared(address, size)
        c, last = a.contents, (start + size - 1) // PAGE_BYTES
        for page in np.flatnonzero(c.pages[start // PAGE_BYTES : last + 1] & FILLED):
            at = (start // PAGE_BYTES + int(page)) * PAGE_BYTES
            a.data[max(at, start) : min(at + PAGE_BYTES, start + size)] = 0
        c.define(start, size)

    def _prepared(self, address: int, size: int) -> tuple[Allocation, int]:
        """Return the allocation of a range, after filling pages that the range covers in part."""
        a = self.at(address, size)
        start = address - a.base
        for at in (start, start + size):
            if at % PAGE_BYTES and at < a.size:
                self.fill_pages(a, at, 1)
        return a, start

    def fill_pages(self, a: Allocation, start: int, size: int) -> None:
        """Fill untouched pages with the pattern of undefined memory."""
        first, last = start // PAGE_BYTES, (start + size - 1) // PAGE_BYTES + 1
        if not (a.contents.pages[first:last] & FILLED).all():
            memory = abi.Memory()
            a.contents.describe_to(memory, a.base, abi.Space.GLOBAL, a.identity)
            native().function("lm_fill_pages")(ctypes.addressof(memory), start, size)

    def read(self, address: int, size: int) -> bytes:
        """Copy bytes to the host, whether they are defined or not."""
        a, start = self.prepare_read(address, size)
        return a.data[start : start + size].tobytes()

    def prepare_read(self, address: int, size: int) -> tuple[Allocation, int]:
        """Return the allocation of a range and the start in it; undefined bytes have a pattern."""
        a = self.at(address, size)
        start = address - a.base
        self.fill_pages(a, start, size)
        return a, start

    def lay_open(self, address: int) -> tuple[Bytes, int]:
        """The bytes of the allocation that holds an address, where they lie, and its base."""
        a = self.at(address)
        self.fill_pages(a, 0, a.size)
        return a.data, a.base

    @property
    def tag(self) -> int:
        """The tag of the launch that got the last table."""
        return self._tag

    def table(
        self, precise: bool, spare: int = 0
    ) -> tuple[ctypes.Array[abi.Memory], list[tuple[Allocation, object]]]:
        """Return the runtime's table of allocations, sorted by address, for a new launch.

        It has room for `spare` more.

        The caller must keep the returned allocations and their holders alive, since `free` may run
        meanwhile.
        """
        arrays = []  # in the order of their addresses
        for base in list(self._bases):
            allocation = self._allocations[base]
            holder = allocation.holder
            if holder is None:
                self.end_loan(base)
            else:
                arrays.append((allocation, holder))
        if self._tag == _LAST_TAG:
            for allocation in self._allocations.values():
                allocation.contents.pages &= np.uint32(_STATES)
            self._tag = 0
        self._tag += 1
        count = max(len(arrays) + spare, 1)
        rows = b"".join(each.row(precise) for each, _ in arrays)
        table = (abi.Memory * count).from_buffer_copy(
            rows.ljust(count * ctypes.sizeof(abi.Memory), b"\0")
        )
        tags = np.ndarray(
            len(table),
            np.uint32,
            memoryview(table).cast("B"),
            abi.Memory.tag.offset,
            (ctypes.sizeof(abi.Memory),),
        )
        tags[:] = self._tag
        return table, arrays

    def forget_bits(self) -> None:
        """Free undefined bits that are all clear, after a launch that tracked them."""
        for allocation in self._allocations.values():
            allocation.forget_bits()

    def __len__(self) -> int:
        return len(self._bases)
