"""wgmma: how often one completes, and what a round trip through its commit and wait takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lanemap import paths
from lanemap.probing.wgmma.kernel import Form
from lanemap.probing.wgmma.layouts import SWIZZLES
from lanemap.timing.rewriting import Unwaited
from lanemap.timing.series import Series, SeriesProbe

_shared = paths.import_file(Path(__file__).with_name("_warpgroups.py"), "lanemap_timing")
COMMIT = _shared.COMMIT
F32 = _shared.F32
FENCE = _shared.FENCE
LONG = _shared.LONG
WAIT = _shared.WAIT
WGMMA = _shared.WGMMA
Group = _shared.Group
dense = _shared.dense
interval = _shared.interval
round_trip = _shared.round_trip

_S32 = "s32", "s8"


def _depth(group: Group, issued: tuple[int, ...]) -> Series:
    """Issues alone: what waits for their results comes after the second clock read.

    Their group stays pending in the window, and an empty group is waited for with it.
    """
    own = group.series(
        "issue",
        "issue of the next {sass} of the warpgroup, while none before is waited for",
        "rate",
        group.text(),
        {group.sass(): 1},
        first=FENCE,
        last=COMMIT,
        after=COMMIT + WAIT,
        lengths=issued,
        trips=1,
        more={"issued": f"{issued[0]} to {issued[-1]}"},
    )
    # The warps' different beginnings are as long as a few issues.
    return replace(own, rewriting=Unwaited(), launches=64)


def _pipelined(group: Group, pending: int) -> Series:
    """Each with its commit; some groups stay pending."""
    return group.series(
        "and wait for older",
        "issue of the next {sass} after wait_group passed",
        "rate",
        f"{FENCE}{group.text()}\n{COMMIT}wgmma.wait_group.sync.aligned {pending};",
        {group.sass(): 1, "WARPGROUP.ARRIVE": 1, "WARPGROUP.DEPBAR.LE": 1},
        last=WAIT + "xor.b32 x, x, v0;",
        more={"groups that stay pending": pending},
    )


def _alone(
    name: str, instruction: str, events: tuple[str, str], link: str, trips: int = 8
) -> Series:
    """Instructions that belong to wgmma, with none pending."""
    return Series(
        name,
        instruction,
        events,
        "rate",
        link,
        {instruction: 1},
        warps=4,
        axes={"warpgroups": 1},
        lengths=LONG if trips == 1 else (4, 6, 8, 12, 20),
        trips=trips,
        exact=False,
    )


_SIZES, _FEW = (8, 16, 32, 64, 96, 128, 192, 256), (8, 64, 128, 256)
_SPARSE = (("f32", "f16"), ("f32", "bf16"), ("f32", "tf32"), ("f32", "e4m3"), ("s32", "s8"))
_MAJORS = ((False, False), (False, True), (True, False), (True, True))


def _wgmma() -> Iterator[Series]:
    for types in WGMMA:
        for n in _SIZES if types in (F32, ("f32", "e4m3"), _S32) else _FEW:
            for registers in (False, True):
                form = dense(n, registers, types)
                yield interval(Group(form))
                if n in _FEW or types == F32:
                    yield round_trip(Group(form))
    for result, kind in _SPARSE:
        for n in (64, 256):
            for registers in (False, True):
                group = Group(Form(n, result, kind, kind, registers, selector=0))
                yield interval(group)
                yield round_trip(group)
    for swizzle in SWIZZLES:
        for a_mn, b_mn in _MAJORS:
            if swizzle != "128b" or a_mn or b_mn:
                for n in (64, 256):
                    yield interval(Group(Form(n, *F32, "f16", False, a_mn, b_mn), swizzle))
                yield round_trip(Group(Form(64, *F32, "f16", False, a_mn, b_mn), swizzle))
            if not a_mn and (swizzle != "128b" or b_mn):
                yield interval(Group(Form(256, *F32, "f16", True, False, b_mn), swizzle))
    for n in (64, 128, 256):
        for count in (2, 4, 8):
            yield round_trip(Group(dense(n)), count)
        for pending in (1, 3):
            yield _pipelined(Group(dense(n)), pending)
        yield interval(Group(dense(n), warpgroups=2))
    for n in (64, 128):
        for types in (F32, ("f32", "e4m3"), _S32):
            yield interval(Group(dense(n, types=types), warpgroups=4))
            yield interval(Group(dense(n, types=types), accumulators=2))
        yield interval(Group(dense(n, True), accumulators=2))
        yield round_trip(Group(dense(n), warpgroups=4))
        yield round_trip(Group(dense(n), warpgroups=2))
    events = "issue of WARPGROUP.ARRIVE", "issue of the next WARPGROUP.ARRIVE, with none pending"
    yield _alone("wgmma.fence", "WARPGROUP.ARRIVE", events, FENCE)
    events = "issue of WARPGROUP.DEPBAR.LE", "its wait passed, with no group pending"
    yield _alone("wgmma.wait_group", "WARPGROUP.DEPBAR.LE", events, WAIT)
    # ptxas makes an HGMMA without operands of the commit of an empty group.
    empty = "HGMMA.64x8x16.F16"
    events = f"issue of {empty} that commits an empty group", f"issue of the next such {empty}"
    yield _alone("wgmma.commit_group", empty, events, COMMIT, trips=1)


wgmma = SeriesProbe("wgmma", series=tuple(_wgmma()), targets=("sm_90a",))

#: Between which numbers of wgmma the cycles of their issues are compared.
_ISSUED = (
    (2, 3, 4, 5, 6), (4, 5, 6, 7, 8), (6, 7, 8, 9, 10), (8, 9, 10, 11, 12),
    (12, 13, 14, 15, 16), (16, 20, 24, 28, 32),
)  # fmt: skip
wgmma_depth = SeriesProbe(
    "wgmma_depth",
    series=tuple(
        _depth(Group(dense(n, registers)), issued)
        for n in (8, 64, 128, 256)
        for registers in (False, True)
        for issued in _ISSUED
    ),
    targets=("sm_90a",),
)
