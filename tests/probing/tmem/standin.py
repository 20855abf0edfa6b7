"""A device of a few lines for the probes of tensor memory: it reads their PTX and moves in NumPy.

Of a kernel it reads what is asked: the form, its operands, where taddr points. It moves words by
rules of the test's own (lane and column of a register of a thread), so that the probes are tested
against rules that no emulator holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# (thread, register) to (lane, column), counted from taddr.
Rule = Callable[[Any, Any], tuple[Any, Any]]
_ASKED = re.compile(
    r"selp\.b32 target, (?P<turned>\d+), (?P<first>\d+), turned;[^{]*?"
    r"tcgen05\.(?P<op>ld|st)\.sync\.aligned\.(?P<shape>\w+)\.x(?P<repeat>\d+)"
    r"(?P<halves>\.(?:un)?pack::16b)?\.b32 (?P<operands>[^;]*);"
)
# NVIDIA PTX ISA, matrix fragments of the data movement shapes.
ISA: dict[str, Rule] = {
    "32x32b": lambda t, r: (t, r),
    "16x64b": lambda t, r: (t // 4 + 8 * (t % 2), t // 2 % 2 + 2 * r),
    "16x128b": lambda t, r: (t // 4 + 8 * (r % 2), t % 4 + 4 * (r // 2)),
    "16x256b": lambda t, r: (t // 4 + 8 * (r // 2 % 2), r % 2 + 2 * (t % 4) + 8 * (r // 4)),
}


@dataclass
class Buffer:
    data: np.ndarray
    marks: np.ndarray | None = None

    def get(self) -> np.ndarray:
        return self.data.copy()

    def undefined(self) -> np.ndarray | None:
        return self.marks


@dataclass(frozen=True)
class Asked:
    """One instruction: cells of [register, thread, half], and the column of taddr."""

    op: str
    lane: np.ndarray
    column: np.ndarray
    first: tuple[int, int]


@dataclass
class TensorStandIn:
    """`rules` replaces the ISA's by shape; `high` is what .unpack::16b makes of high halves."""

    rules: dict[str, Rule] = field(default_factory=dict)
    high: str = "undefined"
    kernels: dict[str, list[Asked]] = field(default_factory=dict)
    name = "emulator"
    evidence = "emulator"
    hazards = ()

    def array(self, data: np.ndarray) -> Buffer:
        return Buffer(np.array(data))

    def zeros(self, shape: tuple[int, ...], dtype: Any) -> Buffer:
        return Buffer(np.zeros(shape, dtype))

    empty = zeros

    def load(self, source: str) -> TensorStandIn:
        for text in source.split(".visible .entry ")[1:]:
            found = [self.asked(match) for match in _ASKED.finditer(text)]
            self.kernels[text.partition("(")[0]] = found
        return self

    def __getitem__(self, entry: str) -> Callable[..., None]:
        asked = self.kernels[entry]
        run = self._load if asked[0].op == "ld" else self._store
        return lambda grid, block, args: run(asked, *args)

    def asked(self, match: re.Match[str]) -> Asked:
        said, shape = match.groupdict(), match["shape"]
        imm = re.search(r"\], (\d+)", said["operands"])
        registers = len(re.findall(r"v\d+", said["operands"]))
        register, thread = np.meshgrid(np.arange(registers), np.arange(32), indexing="ij")
        if shape == "16x32bx2" and shape not in self.rules:
            assert imm is not None
            lane, column, start = thread % 16, register, np.where(thread >= 16, int(imm[1]), 0)
        else:
            lane, column = {**ISA, **self.rules}[shape](thread, register)
            start = 0 * thread
        half = np.arange(2) if said["halves"] else np.zeros(1, int)
        columns = start[..., None] + (2 if said["halves"] else 1) * column[..., None] + half
        first = int(said["first"]), int(said["turned"])
        return Asked(said["op"], np.broadcast_to(lane[..., None], columns.shape), columns, first)

    def _load(
        self, asked: list[Asked], images: Buffer, output: Buffer, offset: int, turned: int
    ) -> None:
        done = 0
        for each in asked:
            count, _, halves = each.lane.shape
            for warp in range(4):
                lane, column = self.place(each, warp, offset, turned)
                at = images.data[:, column, lane]
                word = (at[..., 0] & 0xFFFF) | (at[..., -1] << 16) if halves == 2 else at[..., 0]
                output.data[:, warp, done : done + count] = word
            done += count

    def _store(
        self,
        asked: list[Asked],
        images: Buffer,
        registers: Buffer,
        output: Buffer,
        offset: int,
        turned: int,
    ) -> None:
        output.data[:] = images.data
        output.marks = np.zeros((*output.data.shape, 32), bool)
        for each in asked:
            count, _, halves = each.lane.shape
            for warp in range(4):
                word = registers.data[:, :count, 32 * warp : 32 * warp + 32]
                lane, column = self.place(each, warp, offset, turned)
                for half in range(halves):
                    at = (slice(None), column[..., half], lane[..., half])
                    if halves == 1:
                        output.data[at] = word
                        continue
                    rest = 0 if self.high == "zero" else images.data[at] & 0xFFFF0000
                    output.data[at] = (word >> np.uint32(16 * half)) & 0xFFFF | rest
                    output.marks[(*at, slice(16, 32))] = self.high == "undefined"

    def place(self, asked: Asked, warp: int, offset: int, turned: int) -> tuple[Any, Any]:
        lane = (asked.lane + 32 * warp + (int(offset) >> 16)) % 128
        return lane, asked.column + asked.first[int(turned)]
