"""Where undefined bits came from: numbered records that outlive the launch that made them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lanemap.emulator.codegen.wording import Quote, quote_text
from lanemap.emulator.host.cluster import Shape
from lanemap.emulator.runtime import abi

if TYPE_CHECKING:
    from lanemap.emulator.codegen.program import Program

_CHUNKS = 1 << 20  # of _CHUNK records: as many as 32 bits number

_ABSENT = {
    abi.Absent.ENDED: "which had ended",
    abi.Absent.EXCLUDED: "which was not in its member mask",
    abi.Absent.ELSEWHERE: "which was at another instruction",
}  # fmt: skip
#: Origins lie in chunks of this many records; the runtime asks for another (Launch.more_origins).
_CHUNK = 1 << abi.ORIGIN_CHUNK_BITS
_MoreOrigins = ctypes.CFUNCTYPE(ctypes.c_uint64)


class Origins:
    """The origins of a device, numbered from 1; memory keeps the numbers beside undefined bytes."""

    def __init__(self, describe_address: Callable[[int], str]) -> None:
        """`describe_address` names what is at an address of global memory."""
        self._describe_address = describe_address
        self._chunks: list[NDArray[np.uint8]] = []
        self._table: NDArray[np.uint64] | None = None
        self._programs: list[tuple[int, Program, Shape]] = []
        self._more = _MoreOrigins(self._add_chunk)
        self.count = 1

    def _add_chunk(self) -> int:
        """Make room for more origins; return the new capacity, 0 if there is no memory.

        The runtime calls this, so it must not raise.
        """
        if self._table is None or len(self._chunks) == _CHUNKS:
            return 0
        try:
            chunk = np.zeros(_CHUNK * ctypes.sizeof(abi.Origin), np.uint8)
        except MemoryError:
            return 0
        self._table[len(self._chunks)] = chunk.ctypes.data
        self._chunks.append(chunk)
        return len(self._chunks) * _CHUNK

    def begin(self, program: Program, shape: Shape) -> int:
        """Number the registers of a launch's program as origins; return the first number."""
        if self._table is None:
            self._table = np.zeros(_CHUNKS, np.uint64)
        first = self.count
        self._programs.append((first, program, shape))
        for index in range(len(program.slots)):
            if self.count >= len(self._chunks) * _CHUNK and not self._add_chunk():
                break
            record = self._record(self.count)
            record.kind, record.address = abi.OriginKind.REGISTER, index
            self.count += 1
        return first

    def give(self, launch: abi.Launch) -> None:
        """Tell the runtime where to record the origins of a launch."""
        assert self._table is not None
        launch.origins = self._table.ctypes.data
        launch.more_origins = ctypes.cast(self._more, ctypes.c_void_p).value
        launch.first_origin = launch.origin_count = self.count
        launch.origin_room = len(self._chunks) * _CHUNK

    def _record(self, number: int) -> abi.Origin:
        chunk = self._chunks[number // _CHUNK]
        size = ctypes.sizeof(abi.Origin)
        return abi.Origin.from_address(chunk.ctypes.data + number % _CHUNK * size)

    def find(self, number: int) -> tuple[abi.Origin, Program, Shape] | None:
        """Return an origin's record, and the program and launch shape that it refers to."""
        if not 0 < number < self.count:
            return None
        _, program, shape = next(made for made in reversed(self._programs) if made[0] <= number)
        return self._record(number), program, shape

    def raced(self, number: int) -> int:
        """Return the line of the read whose race left bits undefined, 0 if none did."""
        found = self.find(number)
        if found is None:
            return 0
        origin, program, _ = found
        if origin.kind == abi.OriginKind.STORE:
            return self.raced(origin.address)
        raced = origin.kind == abi.OriginKind.RACE
        return program.operation(origin.instruction).line if raced else 0

    def describe(self, number: int, quote: Quote = quote_text) -> str:
        """`; they come from ..` for an origin's number, "" for none."""
        found = self.find(number)
        if found is None:
            return ""
        origin, program, shape = found
        if origin.kind == abi.OriginKind.STORE:
            return self.describe(origin.address, quote)
        if origin.kind == abi.OriginKind.REGISTER:
            name = list(program.slots)[origin.address].name
            return f"; they come from register {name}, which nothing had written"
        operation = program.operation(origin.instruction)
        wave = f"{program.wording.wave} {shape.number(origin.group, origin.wave)[1]}"
        if origin.kind == abi.OriginKind.ABSENT:
            return (
                f"; they come from lane {origin.address}, {_ABSENT[abi.Absent(origin.space)]} "
                f"when lane {origin.lane} of {wave} asked for its value at line "
                f"{operation.line} ({quote(operation)})"
            )
        space = program.wording.memory(origin.space)
        where = program.wording.place(origin.space, origin.address)
        if origin.space == abi.Space.GLOBAL:
            where = self._describe_address(origin.address)
        if origin.kind == abi.OriginKind.RACE:
            return (
                f"; lane {origin.lane} of {wave} read them from {space} at line "
                f"{operation.line} ({quote(operation)}), and a write was not "
                "ordered with that read"
            )
        if origin.kind == abi.OriginKind.LANES:
            return (
                f"; they come from {space}, {where}, to which lane {origin.lane} and another "
                f"lane of {wave} stored different values at line {operation.line} "
                f"({quote(operation)}), and either may stay"
            )
        if origin.kind == abi.OriginKind.LEFT:
            return (
                f"; they come from {space}, {where}, which line {operation.line} "
                f"({quote(operation)}) left undefined"
            )
        return (
            f"; they come from {space}, {where}, which nothing had written when lane "
            f"{origin.lane} of {wave} read it at line {operation.line} ({quote(operation)})"
        )
