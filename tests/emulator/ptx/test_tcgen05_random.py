"""Random accesses of tensor memory by three warps: what is reported is what nothing orders.

Warps load and store, copy with `cp`, and read places as A of `mma`, whose D lies elsewhere.

The order is worked out here as reachability in a graph of what each warp knows (PTX ISA, Memory
Consistency Model for 5th generation of TensorCore operations), pair by pair. A kernel without an
unordered pair must be clean, one with some must have a hazard, each of which must name such a pair.
Strict holds the ISA's rule; by default the two fences may be left out around a release and acquire.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest

import lanemap
from tests.emulator.ptx.tensor_texts import HEAD
from tests.sampled import sampled

#: Warps of one quadrant, so that they reach the same cells; groups of eight columns that they use.
WARPS, GROUPS, EVENTS, KERNELS = (0, 4, 8), 2, 26, 80
#: What a thread hands to the tensor core, and what only reads.
ENGINE, READS = ("cp", "mma"), ("ld", "mma")
Node = tuple[str, int, int]


@dataclass(frozen=True)
class Event:
    """One statement of a warp.

    `kind` is st, ld, cp, mma, wait_ld, wait_st, before, after, arrive, commit or wait.

    `place` is a group of columns, or the number of an mbarrier.
    """

    warp: int
    kind: str
    place: int = 0


def _draw(seed: int) -> list[Event]:
    """Events in an order in which they can all run: nobody waits before somebody arrives.

    Who accesses a place next has it handed over by who did last. Of two kernels one does all that
    the ISA asks, the other forgets something now and then.
    """
    random = np.random.default_rng(seed)
    care = (1.0, 0.97, 1.0, 0.8)[seed % 4]
    events: list[Event] = []
    last: dict[int, Event] = {}
    barriers = 0

    def maybe(*more: Event) -> None:
        events.extend(event for event in more if random.random() < care)

    while len(events) < EVENTS:
        warp, place = int(random.choice(WARPS)), int(random.integers(GROUPS))
        kind = str(random.choice(["st", "ld", "cp", "mma"]))
        before = last.get(place)
        handed = before is not None and before.kind in ENGINE
        if before is not None and handed and (kind not in ENGINE or before.warp != warp):
            maybe(Event(before.warp, "commit", barriers))
        elif before is not None and before.warp != warp:
            maybe(Event(before.warp, "before"))
            events.append(Event(before.warp, "arrive", barriers))
        if events and events[-1].kind in ("arrive", "commit") and events[-1].place == barriers:
            events.append(Event(warp, "wait", barriers))
            maybe(Event(warp, "after"))
            barriers += 1
        events.append(Event(warp, kind, place))
        if kind not in ENGINE:
            maybe(Event(warp, f"wait_{kind}"))
        last[place] = Event(warp, kind, place)
    return events


# -- what is ordered -------------------------------------------------------------------------------
def _edges(events: list[Event], fences: bool) -> dict[Node, set[Node]]:
    """From what is known to what is known then: of a warp at an event (known, published, received)
    and of an mbarrier."""
    edges: dict[Node, set[Node]] = {}

    def edge(a: Node, b: Node) -> None:
        edges.setdefault(a, set()).add(b)

    for time, event in enumerate(events):
        for warp in WARPS:
            for layer in ("known", "published", "received"):
                edge((layer, warp, time), (layer, warp, time + 1))
        w = event.warp
        if event.kind in ("before", "commit"):
            edge(("known", w, time), ("published", w, time + 1))
        if event.kind == "commit":
            edge(("known", w, time), ("barrier", event.place, 0))
        if event.kind in ("arrive", "commit"):
            layer = "published" if fences else "known"
            edge((layer, w, time), ("barrier", event.place, 0))
        if event.kind == "wait":
            layer = "received" if fences else "known"
            edge(("barrier", event.place, 0), (layer, w, time + 1))
        if event.kind == "after":
            edge(("received", w, time), ("known", w, time + 1))
    return edges


def _reached(edges: dict[Node, set[Node]], start: list[Node]) -> set[Node]:
    found, work = set(start), list(start)
    while work:
        for node in edges.get(work.pop(), ()):
            if node not in found:
                found.add(node)
                work.append(node)
    return found


def _ends(events: list[Event], first: int, second: Event) -> list[Node]:
    """Where it is first known that the access is complete, or to the engine, that it was issued."""
    access = events[first]
    if access.kind in ENGINE:
        later = [
            ("barrier", event.place, 0)
            for event in events[first:]
            if event.kind == "commit" and event.warp == access.warp
        ]
        return [*later, ("known", access.warp, first + 1)] if second.kind in ENGINE else later
    for time in range(first, len(events)):
        if events[time] == Event(access.warp, f"wait_{access.kind}"):
            return [("known", access.warp, time + 1)]
    return []


def unordered(events: list[Event], fences: bool) -> set[frozenset[int]]:
    """Pairs of accesses of one place, one of them a write, that nothing orders."""
    edges = _edges(events, fences)
    accesses = [i for i, event in enumerate(events) if event.kind in ("st", "ld", "cp", "mma")]
    found = set()
    for a, b in combinations(accesses, 2):
        first, second = events[a], events[b]
        if first.place != second.place or {first.kind, second.kind} <= set(READS):
            continue
        if {first.kind, second.kind} <= set(ENGINE) and first.warp == second.warp:
            continue
        if ("known", second.warp, b) not in _reached(edges, _ends(events, a, second)):
            found.add(frozenset((a, b)))
    return found


# -- kernels ---------------------------------------------------------------------------------------
_STATEMENTS = {
    "st": "tcgen05.st.sync.aligned.32x32b.x1.b32 [%base+{8}], {{%v0}};",
    "ld": "tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%v1}}, [%base+{8}];",
    "cp": "@%lead tcgen05.cp.cta_group::1.32x128b.warpx4 [%c{0}], %d;",
    "mma": "@%lead tcgen05.mma.cta_group::1.kind::f16 [%sums], [%c{0}], %far, %shape, %false;",
    "wait_st": "tcgen05.wait::st.sync.aligned;",
    "wait_ld": "tcgen05.wait::ld.sync.aligned;",
    "before": "tcgen05.fence::before_thread_sync;",
    "after": "tcgen05.fence::after_thread_sync;",
    "arrive": "@%lead mbarrier.arrive.shared::cta.b64 _, [bar+{8}];",
    "commit": "@%lead tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%b+{8}];",
    "wait": "T{1}: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar+{8}], 0; @!%p bra T{1};",
}


def _statement(event: Event, time: int) -> str:
    numbers = [0] * 9
    numbers[0], numbers[1] = event.place, time
    numbers[8] = 8 * event.place
    return f"{_STATEMENTS[event.kind].format(*numbers)} // event {time}"


def _kernel(events: list[Event]) -> str:
    barriers = 1 + max((e.place for e in events if e.kind == "wait"), default=0)
    objects = barriers + len(WARPS)
    parts = []
    for warp in WARPS:
        mine = [_statement(event, i) for i, event in enumerate(events) if event.warp == warp]
        # at the end everything is waited for, so that the columns can be given back
        last = 8 * (barriers + WARPS.index(warp))
        end = [_STATEMENTS[kind] for kind in ("wait_ld", "wait_st")]
        end += [
            f"@%lead tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%b+{last}];",
            f"E{warp}: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar+{last}], 0;",
            f"@!%p bra E{warp};",
        ]
        parts += [f"setp.ne.u32 %p, %w, {warp};", f"@%p bra N{warp};", *mine, *end, f"N{warp}:"]
    body = "\n".join(parts)
    places = "\n".join(f"add.u32 %c{i}, %base, {8 * i};" for i in range(GROUPS))
    zeros = ", ".join(["%v1"] * 8 * GROUPS)
    initialised = "\n".join(
        f"@%one mbarrier.init.shared::cta.b64 [bar+{8 * i}], 1;" for i in range(objects)
    )
    return f"""{HEAD}.visible .entry kernel() {{
.reg .pred %p, %one, %lead, %false; .reg .b32 %n, %w, %base, %sums, %shape, %v<4>, %c<{GROUPS}>;
.reg .b64 %d, %b, %far;
.shared .align 1024 .b8 source[512]; .shared .align 8 .b64 bar[{objects}]; .shared .b32 slot;
mov.u32 %n, %tid.x; shr.u32 %w, %n, 5; and.b32 %v0, %n, 31;
setp.eq.u32 %one, %n, 0; setp.eq.u32 %lead, %v0, 0; setp.ne.u32 %false, %n, %n;
{initialised}
mov.u32 %v1, source; mad.lo.u32 %v2, %v0, 16, %v1; setp.lt.u32 %p, %n, 32;
@%p st.shared.v4.b32 [%v2], {{%n, %n, %n, %n}};
fence.proxy.async;
@%p tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 64;
shr.u32 %v1, %v1, 4; cvt.u64.u32 %d, %v1; or.b64 %far, %d, 0x401000080000;
or.b64 %d, %d, 0x400800000000; mov.b32 %shape, {128 // 16 << 24 | 16 // 8 << 17 | 1 << 4};
mov.u64 %b, bar; cvta.shared.u64 %b, %b;
bar.sync 0;
ld.shared.b32 %base, [slot];
{places}
mad.lo.u32 %sums, %w, 4, %base; add.u32 %sums, %sums, {8 * GROUPS};
shl.b32 %v2, %w, 21; add.u32 %v2, %v2, %base; mov.u32 %v1, 0; setp.ge.u32 %p, %w, 4;
@%p bra ZERO;
tcgen05.st.sync.aligned.32x32b.x{8 * GROUPS}.b32 [%v2], {{{zeros}}};
tcgen05.wait::st.sync.aligned;
ZERO:
tcgen05.fence::before_thread_sync;
bar.sync 0;
tcgen05.fence::after_thread_sync;
{body}
bar.sync 0;
setp.lt.u32 %p, %n, 32;
@%p tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 64;
ret;
}}
"""


def _reported(events: list[Event], strict: bool) -> set[frozenset[int]]:
    """The pairs of accesses that hazards name."""
    text = _kernel(events)
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report", strict=strict)
    device.load(text)["kernel"]((1,), (32 * (max(WARPS) + 1),), ())
    lines, pairs = text.splitlines(), set()
    for hazard in device.hazards:
        earlier = re.search(r"\(line (\d+)\)", str(hazard))
        assert hazard.kind in ("order", "pending") and earlier is not None, str(hazard)
        numbers = [
            int(lines[line - 1].rpartition("// event ")[2])
            for line in (hazard.line, int(earlier[1]))
        ]
        pairs.add(frozenset(numbers))
    return pairs


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("seed", sampled(range(KERNELS), 3))
def test_hazards_are_the_unordered_pairs(seed: int, strict: bool) -> None:
    events = _draw(seed)
    expected, found = unordered(events, fences=strict), _reported(events, strict)
    assert found <= expected
    assert bool(found) == bool(expected)


@pytest.mark.parametrize("strict", [False, True])
def test_there_are_enough_kernels_of_both_kinds(strict: bool) -> None:
    faulty = [bool(unordered(_draw(seed), fences=strict)) for seed in range(KERNELS)]
    assert KERNELS // 6 <= sum(faulty) <= KERNELS - KERNELS // 6


def test_ptxas_accepts_them() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for seed in range(0, KERNELS, 10):
        cubin, messages = ptxas.judge(_kernel(_draw(seed)), "sm_100a")
        assert cubin is not None, messages
