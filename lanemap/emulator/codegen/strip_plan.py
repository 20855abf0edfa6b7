"""Which operations of a block become loops over strips of lanes, in which order (see strips.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lanemap.emulator.codegen.element_types import bytes_of, kept_type
from lanemap.emulator.codegen.ops import Kind, Op
from lanemap.emulator.runtime.layout import SLOTS

#: Operations of one loop, or of one basic block: LLVM's time grows faster than a basic block does.
MOST_OPS = 200
#: Bytes of the wave whose accesses are looked for together.
_GRANULE = 64
_UNIFORM = (Kind.PURE, Kind.READ, Kind.WRITE, Kind.UNPACK)


def _granules(op: Op) -> range:
    return range(op.offset // _GRANULE, -(-(op.offset + op.size) // _GRANULE))


@dataclass(slots=True)
class Strip:
    """Operations that become one loop, and uniform ones that run before it."""

    before: list[Op] = field(default_factory=list)
    body: list[Op] = field(default_factory=list)
    #: Masks that the loop makes: known when it has ended.
    masks: dict[Op, None] = field(default_factory=dict)
    #: Accesses of the body, by the granules of the wave that they touch.
    touched: dict[int, list[Op]] = field(default_factory=dict)

    def _conflicts(self, op: Op) -> bool:
        """Whether the operation must keep its order with the loop body."""
        first, end = op.offset, op.offset + op.size
        writes = not op.type
        return any(
            (writes or not other.type)
            and first < other.offset + other.size
            and other.offset < end
            and (op.step != other.step or first != other.offset)
            for granule in _granules(op)
            for other in self.touched.get(granule, ())
        )

    def takes(self, op: Op) -> bool:
        """Add the operation, to the body or before it, if that is possible."""
        place = self.before if op.kind in _UNIFORM else self.body
        if len(place) >= MOST_OPS or not self.masks.keys().isdisjoint(op.needs):
            return False
        if op.size and self._conflicts(op):
            return False
        place.append(op)
        if op.size and place is self.body:
            for granule in _granules(op):
                self.touched.setdefault(granule, []).append(op)
        if op.kind is Kind.BALLOT:
            self.masks[op] = None
        return True


class _Waiting:
    """Operations without side effects, held until another one needs their results.

    So a chain of operations comes into one loop, although calls lie between them in the text, and
    what it passes on stays in registers.
    """

    def __init__(self) -> None:
        #: In the order of the text, which `_order` numbers.
        self._ops: dict[Op, int] = {}
        self._count = 0
        #: Loads, by each granule of the wave that they touch.
        self._loads: dict[int, set[Op]] = {}

    def add(self, op: Op) -> None:
        """Let an operation of LANES or a LOAD wait."""
        self._count += 1
        self._ops[op] = self._count
        if op.size:
            for granule in _granules(op):
                self._loads.setdefault(granule, set()).add(op)

    def take(self, wanted: Iterable[Op]) -> list[Op]:
        """Those of `wanted` that wait, with those that they need before them; they wait no more."""
        taken = []
        work = list(wanted)
        while work:
            op = work.pop()
            number = self._ops.pop(op, 0)
            if number:
                taken.append((number, op))
                work += op.needs
                if op.size:
                    for granule in _granules(op):
                        self._loads[granule].discard(op)
        taken.sort(key=lambda found: found[0])
        return [op for _, op in taken]

    def loads(self, granules: Iterable[int]) -> list[Op]:
        """Loads that touch some granules."""
        return [op for granule in granules for op in self._loads.get(granule, ())]

    def loads_of_rows(self) -> list[Op]:
        """Loads of what calls may write: all but the slots of registers."""
        return self.loads([granule for granule in self._loads if granule < SLOTS // _GRANULE])


class Plan:
    """The loops, the operations outside loops, and the values that are kept in the frame."""

    def __init__(self, ops: Sequence[Op]) -> None:
        """Plan operations of which each is needed."""
        self.items: list[Strip | Op] = []
        #: The item that makes a vector, and the last one that needs it from the frame.
        self.first: dict[Op, int] = {}
        self.last: dict[Op, int] = {}
        self._waiting = _Waiting()
        for op in ops:
            if op.kind is Kind.LANES or op.kind is Kind.LOAD:
                self._waiting.add(op)
                continue
            for other in self._waiting.take(self._before(op)):
                self._place(other)
            self._place(op)

    def _before(self, op: Op) -> Sequence[Op]:
        """What may wait but must be placed before an operation."""
        kind, waiting = op.kind, self._waiting
        if kind is Kind.STORE or kind is Kind.WRITE:
            return [*op.needs, *waiting.loads(_granules(op))]
        if kind is Kind.FENCE:
            return [*op.needs, *waiting.loads_of_rows()]
        return op.needs

    def _place(self, op: Op) -> None:
        items, kind = self.items, op.kind
        if kind is Kind.FENCE or kind is Kind.EXTRACT or kind is Kind.LEAVE:
            items.append(op)
        else:
            strip = items[-1] if items else None
            if not isinstance(strip, Strip) or not strip.takes(op):
                strip = Strip()
                strip.takes(op)
                items.append(strip)
        here, first, last = len(items) - 1, self.first, self.last
        if op.element:
            first[op] = here
            if kind is Kind.UNPACK:
                last[op] = here
        for made in op.needs:
            if made.element and not (made.kind is kind is Kind.FENCE):
                at = first.get(made)
                if at is not None and (at != here or made in last):
                    last[made] = here


class Frame:
    """Places of values in the function's frame, used again when nothing needs them any more.

    `once`: loops run once, so that registers hold all but flags, for which no processor has
    registers of every width.
    """

    def __init__(self, plan: Plan, lanes: int, once: bool = False) -> None:
        self.places: dict[Op, int] = {}
        self.size = 0
        free: dict[int, list[int]] = {}
        ends: dict[int, list[tuple[int, int]]] = {}
        starts: dict[int, list[Op]] = {}
        for op in plan.last:
            if once and op.kind is not Kind.UNPACK and op.element != "i1":
                continue
            starts.setdefault(plan.first[op], []).append(op)
        for item in range(len(plan.items)):
            for op in starts.get(item, ()):
                size = 8 if op.kind is Kind.UNPACK else bytes_of(kept_type(op.element)) * lanes
                spare = free.setdefault(size, [])
                place = spare.pop() if spare else self._fresh(size)
                self.places[op] = place
                ends.setdefault(plan.last[op], []).append((size, place))
            for size, place in ends.pop(item, ()):
                free.setdefault(size, []).append(place)

    def _fresh(self, size: int) -> int:
        self.size += -self.size % min(size, 64)
        self.size += size
        return self.size - size
