"""What a warp does ahead of a unit: in the shadow of a barrier, into a queue, behind a branch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lanemap.timing.control_words import Patch
from lanemap.timing.global_memory import ring
from lanemap.timing.launch import WARP
from lanemap.timing.series import Series, SeriesProbe

_SYNC = "BAR.SYNC.DEFER_BLOCKING"
#: The longest stall counts that nvdisasm reads with the yield bit set.
_LONGEST = 11


def _stall(opcode: str, stall: int) -> Patch:
    return Patch(opcode, {"stall": stall, "yields": int(stall <= _LONGEST)})


#: Ends a basic block, so that nothing moves across; ptxas cannot know that it never exits.
_END = "setp.eq.u32 gone, x, 0x7fffff17; @gone exit;"
_ENDED = {"ISETP.NE.U32.AND": 1, "EXIT": 1}
_EXIT = "EXIT, which waits for a comparison of its result"


def _shadows() -> Iterator[Series]:
    """A barrier, and what follows: the stall counts tell what issues before the barrier ends."""
    own: dict[str, Any] = {
        "exact": False,
        "registers": ".reg .pred gone; .reg .b64 c; .reg .b32 v, w;",
    }
    for warps in (1, 4, 16):
        for stall in range(1, 12) if warps == 1 else (1, 2, 8):
            for count in (1, 2) if stall in (1, 2, 8) else (1,):
                yield Series(
                    "bar.sync and IMAD",
                    _SYNC,
                    (f"issue of {_SYNC}", f"issue of the next {_SYNC}, after IMAD and {_EXIT}"),
                    "event",
                    "bar.sync 0;" + "mad.lo.u32 x, x, k0, k1;" * count + _END,
                    {_SYNC: 1, "IMAD": count, **_ENDED},
                    {"stall": stall, "IMAD": count, "warps": warps},
                    warps,
                    patches=(_stall(_SYNC, stall),),
                    **own,
                )
    for stall in (1, 2, 8):
        yield Series(
            "bar.sync and CS2R",
            _SYNC,
            (f"issue of {_SYNC}", f"issue of the next {_SYNC}, after a timer read and {_EXIT}"),
            "event",
            "bar.sync 0; mov.u64 c, %globaltimer; mov.b64 {v, w}, c; lop3.b32 x, x, v, w, 0x96;"
            + _END,
            {_SYNC: 1, "CS2R": 1, "LOP3.LUT": 1, **_ENDED},
            {"stall": stall},
            patches=(_stall(_SYNC, stall),),
            **own,
        )


def _queued(
    name: str, opcode: str, text: str, count: int, warps: int, drained: int, **more: Any
) -> Series:
    """Accesses of 32 passes, then IMAD that take longer than all passes of a link."""
    chain = drained * count // 4 + 16
    links = max(min(1600 // (chain + 3 * count + 4), 6), 3)
    own: dict[str, Any] = {
        "registers": ".reg .b32 start, v<12>; .reg .pred gone;",
        "setup": "and.b32 start, thread, 31; mad.lo.u32 start, start, 128, shared;",
        "shared_bytes": 8192,
    }
    return Series(
        f"{name} ahead of IMAD",
        opcode,
        (f"issue of {opcode}", f"issue of the same {opcode} of the next link"),
        "event",
        "".join(text.format(j=j, at=4 * j) for j in range(count))
        + _END.replace("17;", "19;")
        + "mad.lo.u32 x, x, k0, k1; " * chain
        + _END,
        {opcode: count, "IMAD": chain, "ISETP.NE.U32.AND": 2, "EXIT": 2},
        {"accesses": count, "IMAD": chain, "warps": warps},
        warps,
        exact=False,
        lengths=tuple(range(2, 2 + links)),
        **(own | more),
    )


def _queues() -> Iterator[Series]:
    """How many accesses with conflicts a warp issues before it must wait for their passes."""
    for warps, counts in ((1, (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)), (4, (1, 2, 3, 4, 6))):
        for count in counts:
            text = "st.volatile.shared.b32 [start+{at}], k0;"
            yield _queued("STS", "STS", text, count, warps, 32 * max(warps, 2))


def _branches() -> Iterator[Series]:
    """A loop whose branch has another stall count."""
    for stall in (5, 6, 7, 8, 9, 10, 11):
        yield Series(
            "loop by the stall count of BRA",
            "BRA",
            ("issue of BRA at the end of a loop, taken", "issue of the same BRA a turn later"),
            "event",
            "lop3.b32 s{i%8}, s{i%8}, k0, k1, 0x6a;",
            {"LOP3.LUT": 8, "VIADD": 1, "ISETP.NE.U32.AND": 1, "BRA": 1},
            {"stall": stall},
            turns=8,
            exact=False,
            patches=(_stall("BRA", stall),),
            registers=".reg .b32 s<8>;",
            setup="".join(f"xor.b32 s{j}, k{j % 4}, {j};" for j in range(8)),
            last="".join(f"xor.b32 x, x, s{j};" for j in range(8)),
        )


def _vectors() -> Iterator[Series]:
    """A load of 16 bytes whose first two words are the next address."""
    opcode, slots, stride = "LDG.E.128", 32, 128
    for lane_bytes in (0, 16):
        yield Series(
            "ld.global.v2.b64 chase",
            opcode,
            (f"issue of {opcode}", f"issue of {opcode} with the result as its address"),
            "event",
            "ld.global.v2.b64 {a, v}, [a]; mov.b64 {u0, u1}, v; xor.b32 x, x, u0;" * 2,
            {opcode: 2, "LOP3.LUT": 1},
            {"residency": "L1", "bytes between lanes": lane_bytes},
            per_link=2,
            exact=False,
            parameters=", .param .u64 ring_at",
            registers=".reg .b64 a, start, ring, v;",
            arguments=ring(slots, WARP * lane_bytes or stride, lane_bytes),
            setup="ld.param.u64 ring, [ring_at]; mov.u64 start, ring; and.b32 u0, thread, 31;"
            + (f"mad.wide.u32 start, u0, {lane_bytes}, start;" if lane_bytes else ""),
            first="and.b32 low, low, zero; cvt.u64.u32 d0, low; add.u64 a, start, d0;",
            last="sub.u64 d0, a, ring; mov.b64 {u0, u1}, d0; xor.b32 x, x, u0;",
        )


pipelines = SeriesProbe(
    "pipelines",
    series=(*_shadows(), *_queues(), *_branches(), *_vectors()),
)
