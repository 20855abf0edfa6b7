"""Which lines of a block become loops over strips of lanes, in which order (see strips.py)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

from lanemap.emulator.codegen.lines import Kind, Line, bytes_of
from lanemap.emulator.runtime.layout import SLOTS

#: Lines of one loop, or of one basic block: LLVM's time grows faster than a basic block does.
MOST_LINES = 200


def kept_type(element: str) -> str:
    """The type that a lane's element has in the frame."""
    return "i32" if element == "i1" else element


@dataclass(slots=True)
class Strip:
    """Lines that become one loop, and uniform ones that run before it."""

    before: list[Line] = field(default_factory=list)
    body: list[Line] = field(default_factory=list)
    #: Masks that the loop makes: known when it has ended.
    masks: set[str] = field(default_factory=set)
    #: The wave's memory that the body touches.
    touched: list[Line] = field(default_factory=list)

    def conflicts(self, line: Line) -> bool:
        """Whether the line must keep its order with the loop body."""
        if not line.size:
            return False
        first, end = line.offset, line.offset + line.size
        writes = line.kind in (Kind.STORE, Kind.WRITE)
        return any(
            (writes or other.kind is Kind.STORE)
            and first < other.offset + other.size
            and other.offset < end
            and (line.step, first) != (other.step, other.offset)
            for other in self.touched
        )

    def takes(self, line: Line) -> bool:
        """Can the line join, in the body or before it?"""
        uniform = line.kind in (Kind.PURE, Kind.READ, Kind.WRITE, Kind.UNPACK)
        return (
            len(self.before if uniform else self.body) < MOST_LINES
            and self.masks.isdisjoint(line.needs)
            and not self.conflicts(line)
        )


class _Waiting:
    """Lines without side effects, held until another line needs their results.

    So a chain of operations comes into one loop, although calls lie between them in the text, and
    what it passes on stays in registers.
    """

    def __init__(self) -> None:
        self._lines: dict[str, tuple[int, Line]] = {}
        self._count = 0
        #: Names of loads, by each 64 bytes of the wave that they touch.
        self._loads: dict[int, set[str]] = {}

    def add(self, line: Line) -> None:
        """Let a line of LANES or a LOAD wait."""
        self._count += 1
        self._lines[line.name] = self._count, line
        for granule in _granules(line) if line.size else ():
            self._loads.setdefault(granule, set()).add(line.name)

    def take(self, names: Iterable[str]) -> list[Line]:
        """The lines that make `names`, those that they need before them; they wait no longer."""
        taken = []
        work = list(names)
        while work:
            found = self._lines.pop(work.pop(), None)
            if found is not None:
                taken.append(found)
                work += found[1].needs
                for granule in _granules(found[1]) if found[1].size else ():
                    self._loads[granule].discard(found[1].name)
        taken.sort(key=lambda found: found[0])
        return [line for _, line in taken]

    def everything(self) -> list[str]:
        """The names that all waiting lines make."""
        return list(self._lines)

    def loads(self, granules: Iterable[int] | None = None) -> list[str]:
        """The names of loads that touch some granules, by default of all loads."""
        some = self._loads if granules is None else granules
        return [name for granule in some for name in self._loads.get(granule, ())]

    def loads_of_rows(self) -> list[str]:
        """The names of loads of what calls may write: all but the slots of registers."""
        return self.loads(granule for granule in self._loads if granule < SLOTS // 64)


def _granules(line: Line) -> range:
    return range(line.offset // 64, -(-(line.offset + line.size) // 64))


class Plan:
    """The loops, the lines outside loops, and the values that are kept in the frame."""

    def __init__(self, lines: Sequence[Line], pointers: Container[str]) -> None:
        """`pointers` are the names that stand for addresses in the wave."""
        self.items: list[Strip | Line] = []
        #: The lines that make vectors, by name.
        self.made: dict[str, Line] = {}
        #: The item that makes a vector or mask, and the last one that needs it from the frame.
        self.first: dict[str, int] = {}
        self.last: dict[str, int] = {}
        self._waiting, self._pointers = _Waiting(), pointers
        for line in lines:
            line.needs = self._needs(line)
            if line.element:
                self.made[line.name] = line
            if line.kind is Kind.LANES or line.kind is Kind.LOAD:
                self._waiting.add(line)
                continue
            for other in self._waiting.take(self._before(line)):
                self._place(other)
            self._place(line)

    def _before(self, line: Line) -> Iterable[str]:
        """Return the names whose waiting lines must be placed before a line."""
        text, waiting = line.text, self._waiting
        if line.kind in (Kind.STORE, Kind.WRITE):
            return [*line.needs, *waiting.loads(_granules(line))]
        if line.kind is not Kind.FENCE:
            return line.needs
        if text.endswith(":") or text.startswith("br "):  # what follows may not always run
            return waiting.everything()
        if text.startswith("store ") or any(name in self._pointers for name in line.uses):
            return [*line.needs, *waiting.loads()]
        return [*line.needs, *waiting.loads_of_rows()]

    def _needs(self, line: Line) -> Sequence[str]:
        """Line.needs."""
        made = self.made
        if made.keys().isdisjoint(line.uses):
            return line.uses
        found: list[str] = []
        for name in line.uses:
            maker = made.get(name)
            kind = None if maker is None else maker.kind
            if kind is not Kind.BROADCAST:
                found.append(name)
            if maker is not None and (kind is Kind.BROADCAST or kind is Kind.UNPACK):
                found += maker.uses
        return found

    def _place(self, line: Line) -> None:
        if line.kind is Kind.BROADCAST:
            return
        if line.kind in (Kind.FENCE, Kind.EXTRACT):
            self.items.append(line)
        else:
            strip = self.items[-1] if self.items else None
            if not isinstance(strip, Strip) or not strip.takes(line):
                strip = Strip()
                self.items.append(strip)
            if line.kind in (Kind.PURE, Kind.READ, Kind.WRITE, Kind.UNPACK):
                strip.before.append(line)
            else:
                strip.body.append(line)
                if line.size:
                    strip.touched.append(line)
            if line.kind is Kind.BALLOT:
                strip.masks.add(line.name)
        self._use(line)

    def _use(self, line: Line) -> None:
        here = len(self.items) - 1
        if line.element or line.kind is Kind.BALLOT:
            self.first[line.name] = here
            if line.kind in (Kind.UNPACK, Kind.BALLOT):
                self.last[line.name] = here
        for name in line.needs:
            made, at = self.made.get(name), self.first.get(name)
            if made is None or at is None or made.kind is line.kind is Kind.FENCE:
                continue
            if at != here or name in self.last:
                self.last[name] = here


class Frame:
    """Places of values in the function's frame, used again when nothing needs them any more."""

    def __init__(self, plan: Plan, lanes: int) -> None:
        self.places: dict[str, int] = {}
        self.size = 0
        free: dict[int, list[int]] = {}
        ends: dict[int, list[tuple[int, int]]] = {}
        starts: dict[int, list[str]] = {}
        for name in plan.last:
            starts.setdefault(plan.first[name], []).append(name)
        for item in range(len(plan.items)):
            for name in starts.get(item, ()):
                made = plan.made.get(name)
                mask = made is None or made.kind is Kind.UNPACK
                size = 8 if mask else bytes_of(kept_type(made.element)) * lanes if made else 8
                spare = free.setdefault(size, [])
                place = spare.pop() if spare else self._fresh(size)
                self.places[name] = place
                ends.setdefault(plan.last[name], []).append((size, place))
            for size, place in ends.pop(item, ()):
                free.setdefault(size, []).append(place)

    def _fresh(self, size: int) -> int:
        self.size += -self.size % min(size, 64)
        self.size += size
        return self.size - size
