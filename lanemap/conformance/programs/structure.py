"""The control flow around the forms of every second program: a loop, an exchange, a collective."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lanemap.conformance.programs.sites import Writer

COLLECTIVES = ("redux.sync.add.u32", "redux.sync.xor.b32", "match.any.sync.b32",
               "vote.sync.ballot.b32", "shfl.sync.idx.b32")  # fmt: skip


@dataclass(frozen=True)
class Structure:
    """How a program's lanes diverge, exchange and reconverge.

    Attributes:
        trips: A lane makes 1 to `trips` trips through the loop.
        stride: Trips are (lane * stride + phase) modulo trips, plus one.
        phase: See above.
        step: A thread reads the word of thread (thread * (2 * step + 1) + phase) modulo threads.
        lanes: Lanes whose number shares a bit with this mask take part in the collective.
        collective: One of COLLECTIVES.
    """

    trips: int
    stride: int
    phase: int
    step: int
    lanes: int
    collective: str


def loop(writer: Writer, structure: Structure, body: Sequence[Callable[[], None]]) -> None:
    """Write a loop whose trip count differs by lane and which changes banks on every trip."""
    line, head = writer.line, writer.label()
    left, go = writer.temporary("r"), writer.temporary("p")
    saved, saved_wide = writer.temporary("r"), writer.temporary("d")
    line(f"mad.lo.u32 {left}, %lane, {structure.stride}, {structure.phase};")
    line(f"rem.u32 {left}, {left}, {structure.trips};", f"{head}:")
    for part in body:
        part()
    line("add.u32 %ri0, %ri0, 0x9e3779b9;", "xor.b32 %ri1, %ri1, %ri0;")
    line(f"mov.b32 {saved}, %rf0;", "mov.b32 %rf0, %rf1;", f"mov.b32 %rf1, {saved};")
    line(f"mov.b64 {saved_wide}, %df0;", "mov.b64 %df0, %df1;", f"mov.b64 %df1, {saved_wide};")
    line(f"setp.ne.u32 {go}, {left}, 0;", f"sub.u32 {left}, {left}, 1;", f"@{go} bra {head};")
    writer.store("(loop)", [("r", "%ri0")])


def exchange(writer: Writer, structure: Structure) -> None:
    """Write an exchange through shared memory between two barriers."""
    line = writer.line
    place, result = writer.temporary("r"), writer.temporary("r")
    line("bar.sync 0;", "st.shared.b32 [%sw], %ri1;", "bar.sync 0;")
    line(f"mad.lo.u32 {place}, %thread, {2 * structure.step + 1}, {structure.phase};")
    line(f"and.b32 {place}, {place}, {writer.threads - 1};")
    line(f"mad.lo.u32 {place}, {place}, 32, %cells;")
    line(f"ld.shared.b32 {result}, [{place}];", "bar.sync 0;")
    line(f"xor.b32 %ri2, %ri2, {result};")
    writer.store("(exchange)", [("r", result)])


def collective(writer: Writer, structure: Structure) -> None:
    """Write a collective among the lanes of a warp that took a branch."""
    line, join = writer.line, writer.label()
    bit, members, result = (writer.temporary("r") for _ in range(3))
    inside = writer.temporary("p")
    line(f"and.b32 {bit}, %lane, {structure.lanes};", f"setp.ne.u32 {inside}, {bit}, 0;")
    line(f"vote.sync.ballot.b32 {members}, {inside}, 0xffffffff;", f"mov.b32 {result}, 0;")
    line(f"@!{inside} bra {join};")
    if structure.collective.startswith("shfl"):
        leader = writer.temporary("r")
        line(f"bfind.u32 {leader}, {members};")
        line(f"{structure.collective} {result}, %ri3, {leader}, 31, {members};")
    else:
        value = "%p0" if "vote" in structure.collective else "%rm0"
        line(f"{structure.collective} {result}, {value}, {members};")
    line(f"{join}:", "bar.warp.sync 0xffffffff;")
    line(f"xor.b32 %ri3, %ri3, {result};")
    writer.store("(collective)", [("r", result)])
