"""Synchronization: barriers of a CTA and a cluster, mbarriers, fences, and what else a warp awaits.

Waits never loop. Each is one `mbarrier.try_wait`, which hardware lets wait for microseconds; if it
still fails, the kernel gives up and its results are not the emulator's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lanemap.timing.mbarriers import (
    ARRIVE,
    EXPECT,
    FLIP,
    GIVE_UP,
    TEST,
    TRY,
    WAIT,
    WAITED,
    one,
    pair,
)
from lanemap.timing.series import Series, SeriesProbe

#: Links of a window whose links have many instructions, or wait long.
_SHORT, _FEW = (4, 6, 8, 12, 20), (2, 3, 4, 6, 8)
#: Links of a window that has filled a queue before the shortest ends.
_FILLED = (40, 48, 56, 64, 72)
_NETWORK, _TIMER, _L2 = "SM-to-SM network", "timer", "L2"
#: Shared memory that leaves room for one CTA on an SM.
_ALONE = 120 * 1024
_SYNC, _ARV = "BAR.SYNC.DEFER_BLOCKING", "BAR.ARV"
_REGISTERS = """.reg .b32 mine, other, parity, start, v, w, rank, size; .reg .b64 g;
    .reg .pred lead, good, first;"""


def _event(
    name: str,
    instruction: str,
    events: tuple[str, str],
    link: str,
    period: dict[str, int],
    **more: Any,
) -> Series:
    fixed: dict[str, Any] = {"kind": "event", "registers": _REGISTERS}
    return Series(name, instruction, events, link=link, period=period, **(fixed | more))


def _next(instruction: str, after: str = "") -> tuple[str, str]:
    return f"issue of {instruction}{after}", f"issue of the next {instruction}{after}"


def _barriers() -> Iterator[Series]:
    """Barriers of the threads of a CTA."""
    every = (
        f"issue of {_SYNC} by the last warp of the CTA",
        f"issue of the next {_SYNC} by the last",
    )
    for warps in (1, 2, 4, 8, 16, 32):
        axes = {"warps": warps}
        yield _event("bar.sync 0", _SYNC, every, "bar.sync 0;", {_SYNC: 1}, axes=axes, warps=warps)
    named = (
        f"issue of {_SYNC} of a named barrier by the last of its warps",
        f"issue of the next {_SYNC} of that barrier by the last",
    )
    for warps in (1, 4, 8):
        text, axes = f"bar.sync 1, {32 * warps};", {"warps": warps}
        yield _event("bar.sync 1", _SYNC, named, text, {_SYNC: 1}, axes=axes, warps=warps)


def _reductions() -> Iterator[Series]:
    """Barriers that combine a predicate of each thread, and hand-off by bar.arrive."""
    for name in ("popc", "and", "or"):
        own = f"BAR.RED.{name.upper()}.DEFER_BLOCKING"
        for warps in (1, 4, 16):
            red = (
                "bar.red.popc.u32 v, 0, p; setp.lt.u32 p, v, w;"
                if name == "popc"
                else f"bar.red.{name}.pred p, 0, p;"
            )
            yield _event(
                f"bar.red.{name}",
                own,
                (
                    f"issue of {own} by the last warp of the CTA",
                    f"issue of {own} whose predicate comes of its result",
                ),
                red,
                {own: 1, "B2R.RESULT": 1} | ({"ISETP.GE.U32.AND": 1} if name == "popc" else {}),
                axes={"warps": warps},
                warps=warps,
                lengths=_SHORT,
                setup=f"add.u32 w, zero, {16 * warps};",
                first="setp.lt.u32 p, x, k0;",
                last="selp.b32 v, k1, k2, p; xor.b32 x, x, v;",
            )
    yield _event(
        "bar.arrive hand-off",
        _ARV,
        (f"issue of {_ARV} by one warp", f"issue of {_ARV} by the warp that waited for it"),
        "@first bar.arrive 1, 64; @!first bar.sync 1, 64;"
        "@first bar.sync 2, 64; @!first bar.arrive 2, 64;",
        {_ARV: 2, _SYNC: 2},
        per_link=2,
        warps=2,
        lengths=_SHORT,
        setup="setp.lt.u32 first, thread, 32;",
    )


#: What series of one warp that has an mbarrier share.
_ONE_WARP: dict[str, Any] = {"shared_bytes": 1024, "lengths": (8, 12, 16, 24, 32)}


def _mbarriers() -> Iterator[Series]:
    """Operations of one warp on an mbarrier."""
    more = _ONE_WARP
    yield _event(
        "mbarrier.init",
        "SYNCS.EXCH.64",
        _next(
            "SYNCS.EXCH.64", " of another mbarrier, with the count that UIADD3 and USHF.L.U32 make"
        ),
        "@lead mbarrier.init.shared.b64 [mine+{i*8}], 1;",
        {"SYNCS.EXCH.64": 1, "UIADD3": 1, "USHF.L.U32": 2},
        kind="rate",
        # None may be begun twice.
        setup="elect.sync _|lead, 0xffffffff; mov.u32 mine, shared;",
        after="add.u32 mine, mine, 512;",
        exact=False,
        **(more | {"shared_bytes": 6 * 512}),
    )
    for lanes, guard in ((32, ""), (1, "@lead ")):
        for name, own, text in (
            ("arrive", ARRIVE, "mbarrier.arrive.shared.b64 _, [mine];"),
            ("arrive.expect_tx", EXPECT, "mbarrier.arrive.expect_tx.shared.b64 _, [mine], 0;"),
        ):
            if lanes == 32:  # Of one lane's, ptxas makes branches.
                yield _event(
                    f"mbarrier.{name}",
                    own,
                    _next(own, " whose phase goes on"),
                    text,
                    {own: 1},
                    kind="rate",
                    setup=one(1000000),
                    axes={"lanes": lanes},
                    **(more | {"lengths": _FILLED}),
                )
            yield _event(
                f"mbarrier.{name} round trip",
                own,
                (
                    f"issue of {own} that completes a phase",
                    f"issue of the next {own}, after {TRY} found the phase complete",
                ),
                guard + text + WAIT + FLIP,
                {own: 1} | WAITED,
                setup=one(lanes),
                axes={"lanes": lanes},
                **more,
            )
    yield _event(
        "cp.async.mbarrier.arrive.noinc round trip",
        "ARRIVES.LDGSTSBAR.64.ARVCNT",
        (
            "issue of ARRIVES.LDGSTSBAR.64.ARVCNT with no copy on its way",
            f"issue of the next, after {TRY} found the phase complete",
        ),
        "cp.async.mbarrier.arrive.noinc.shared.b64 [mine];" + WAIT + FLIP,
        {"ARRIVES.LDGSTSBAR.64.ARVCNT": 1} | WAITED,
        setup=one(32) + "mov.b32 mine, shared;",
        **more,
    )


def _tests() -> Iterator[Series]:
    """Tests of an mbarrier by one warp, true and false."""
    more = _ONE_WARP
    for form, own in (("test_wait", TEST), ("try_wait", TRY)):
        wait = f"mbarrier.{form}.parity.shared.b64 good, [mine], parity"
        yield _event(
            f"mbarrier.{form} true",
            own,
            (
                f"issue of {own} of a complete phase",
                f"issue of {own} whose address LOP3.LUT made under its predicate",
            ),
            f"{wait}; @good xor.b32 mine, mine, zero;",
            {own: 1, "LOP3.LUT": 1},
            setup=one(1, 1),
            **more,
        )
        yield _event(
            f"mbarrier.{form} false",
            own,
            (
                f"issue of {own} of a phase that goes on",
                f"issue of {own} whose address LOP3.LUT made under its predicate",
            ),
            f"{wait}; @!good xor.b32 mine, mine, zero;",
            {own: 1, "LOP3.LUT": 1},
            setup=one(1),
            domain=_TIMER if form == "try_wait" else "SM",
            **(more | ({"lengths": _FEW} if form == "try_wait" else {})),
        )
    yield from _tests_of_two_instructions()


def _tests_of_two_instructions() -> Iterator[Series]:
    """Waits with a limit, and tests that are true and false by turns."""
    for limit in (0, 1000):
        yield _event(
            "mbarrier.try_wait false",
            TRY,
            (
                f"issue of {TRY} of a phase that goes on, with a limit",
                f"issue of the next, after NANOSLEEP.SYNCS and {TEST} for the limit",
            ),
            "mbarrier.try_wait.parity.shared.b64 good, [mine], parity, " + f"{limit};"
            "@!good xor.b32 mine, mine, zero;",
            {TRY: 1, "NANOSLEEP.SYNCS": 1, TEST: 1, "LOP3.LUT": 1},
            setup=one(1),
            axes={"limit_ns": limit},
            domain=_TIMER,
            **(_ONE_WARP | {"lengths": _FEW}),
        )
    yield _event(
        "mbarrier.test_wait by turns",
        TEST,
        (
            f"issue of {TEST}",
            f"issue of {TEST} whose parity SEL and SHF.L.U32 made of its predicate",
        ),
        "mbarrier.test_wait.parity.shared.b64 good, [mine], parity;"
        "selp.b32 parity, zero, w, good; mad.lo.u32 x, x, k0, parity;",
        {TEST: 1, "SEL": 1, "SHF.L.U32": 1, "IMAD": 1},
        kind="variable latency",
        cut="mbarrier.test_wait.parity.shared.b64 good, [mine], w;"
        "selp.b32 v, zero, w, good; mad.lo.u32 x, x, k0, v;",
        setup=one(1),
        begin="add.u32 parity, zero, 0;",
        **_ONE_WARP,
    )


def _hand_offs() -> Iterator[Series]:
    """A warp arrives at what others wait for, and they at what it waits for.

    Each warp of a link waits, then arrives. The first warp's first wait is for the phase before
    the first, which is complete.
    """
    arrive = "@lead mbarrier.arrive.shared.b64 _, [other];"
    for consumers in (1, 2, 4, 8, 12):
        yield _event(
            "mbarrier hand-off and back",
            ARRIVE,
            (
                f"issue of {ARRIVE} by a warp",
                f"issue of its next {ARRIVE}, after others waited for the first and arrived too",
            ),
            WAIT + arrive + FLIP,
            {ARRIVE: 1} | WAITED,
            lengths=_SHORT,
            shared_bytes=1024,
            axes={"consumers": consumers},
            warps=1 + consumers,
            setup=pair(first=1, second=consumers),
        )
    yield _event(
        "mbarrier hand-off of a value",
        "STS",
        ("issue of STS by a warp", "issue of STS by a warp that loaded its value after it waited"),
        WAIT + "ld.volatile.shared.b32 v, [start]; lop3.b32 v, v, k0, k1, 0x6a;"
        "st.volatile.shared.b32 [start], v; mbarrier.arrive.shared.b64 _, [other];" + FLIP,
        {ARRIVE: 1, "LDS": 1, "STS": 1} | WAITED | {"LOP3.LUT": 2},
        lengths=_SHORT,
        shared_bytes=1024,
        warps=2,
        per_link=2,
        last="xor.b32 x, x, v;",
        setup=pair(first=32, second=32),
    )


_ALL_HERE = "barrier.cluster.arrive; barrier.cluster.wait;"


def _clusters() -> Iterator[Series]:
    """Synchronization between SMs."""
    for size in (2, 4, 8):
        more: dict[str, Any] = {
            "cluster": size,
            "domain": _NETWORK,
            "shared_bytes": _ALONE,
            "lengths": _SHORT,
            "directives": f".explicitcluster .reqnctapercluster {size}, 1, 1",
            "begin": _ALL_HERE,
            "after": _ALL_HERE,
        }
        for warps in (1, 8):
            yield _event(
                "barrier.cluster relaxed",
                "UCGABAR_ARV",
                (
                    "issue of UCGABAR_ARV by the last warp of the cluster",
                    "issue of the next UCGABAR_ARV, after UCGABAR_WAIT",
                ),
                "barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
                {"UCGABAR_ARV": 1, "UCGABAR_WAIT": 1, "CCTL.IVALL": 1},
                warps=warps,
                axes={"cluster": size, "warps": warps},
                **more,
            )
        yield _event(
            "barrier.cluster",
            "MEMBAR.ALL.GPU",
            (
                "issue of MEMBAR.ALL.GPU before UCGABAR_ARV",
                "issue of the next MEMBAR.ALL.GPU, after UCGABAR_WAIT",
            ),
            _ALL_HERE,
            _FENCED | {"MEMBAR.ALL.GPU": 1, "UCGABAR_ARV": 1, "UCGABAR_WAIT": 1},
            axes={"cluster": size},
            **more,
        )
        own = "SYNCS.ARRIVE.TRANS64.RED.A1T0"
        yield _event(
            "mbarrier ring",
            own,
            (
                f"issue of {own} to another CTA, after its fence",
                f"issue of {own} by that CTA, which waited for it",
            ),
            "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 good, [mine], parity;"
            f"{GIVE_UP} @lead mbarrier.arrive.release.cluster.shared::cluster.b64 _, [other];"
            + FLIP,
            {own: 1, "MEMBAR.ALL.CTA": 1, "MEMBAR.ALL.GPU": 1} | _FENCED | WAITED,
            per_link=size,
            axes={"cluster": size},
            setup=one(1)
            + f"""mov.u32 rank, %cluster_ctarank;
    setp.eq.u32 p, rank, 0; selp.b32 parity, 1, 0, p;
    add.u32 rank, rank, 1; and.b32 rank, rank, {size - 1};
    mapa.shared::cluster.u32 other, mine, rank;""",
            **more,
        )


#: What comes with a fence beyond the CTA.
_FENCED = {"ERRBAR": 1, "CGAERRBAR": 1, "CCTL.IVALL": 1}
_FENCES: dict[str, dict[str, int]] = {
    "membar.cta": {"MEMBAR.SC.CTA": 1},
    "membar.gl": {"MEMBAR.SC.GPU": 1, **_FENCED},
    "membar.sys": {"MEMBAR.SC.SYS": 1, **_FENCED},
    "fence.acq_rel.cta": {"MEMBAR.ALL.CTA": 1},
    "fence.acq_rel.gpu": {"MEMBAR.ALL.GPU": 1, **_FENCED},
    "fence.acq_rel.sys": {"MEMBAR.ALL.SYS": 1, **_FENCED},
    "fence.proxy.async": {"FENCE.VIEW.ASYNC.S": 1, "MEMBAR.ALL.GPU": 1},
    "fence.proxy.async.shared::cta": {"FENCE.VIEW.ASYNC.S": 1, "MEMBAR.ALL.CTA": 1},
    "fence.proxy.async.global": {"FENCE.VIEW.ASYNC.G": 1},
}


def _fences() -> Iterator[Series]:
    """Fences with nothing on its way, and behind stores that each of them waits for."""
    for name, period in _FENCES.items():
        membar = next(iter(sorted(period, key=lambda each: (each in _FENCED, -len(each)))))
        domain = _L2 if "GPU" in str(period) or "SYS" in str(period) else "SM"
        with_rest = " with what ptxas adds" if len(period) > 1 else ""
        yield _event(
            name,
            membar,
            (
                f"issue of {membar} of {name}, nothing on its way",
                f"issue of the next {membar}{with_rest}",
            ),
            name + ";",
            period,
            domain=domain,
            lengths=_FILLED if name == "fence.proxy.async.global" else _SHORT,
        )
        if name not in (
            "fence.acq_rel.cta",
            "fence.acq_rel.gpu",
            "fence.acq_rel.sys",
            "fence.proxy.async.shared::cta",
        ):
            continue
        near = name.endswith("cta")
        store = (
            "st.volatile.shared.b32 [start], k0;"
            if near
            else ("st.volatile.global.b32 [results], k0;")
        )
        for stores in (1, 4, 8):
            first = "STS" if near else "STG.E.STRONG.SYS"
            yield _event(
                f"{name} behind stores",
                membar,
                (
                    f"issue of the first {first} before {name}",
                    f"issue of the next {first}, behind the fence",
                ),
                store * stores + name + ";",
                period | {first: stores},
                axes={"stores": stores},
                lengths=_FEW,
                domain=domain,
                shared_bytes=1024 * near,
                setup="shl.b32 start, thread, 2; add.u32 start, start, shared;" * near,
            )


def _grids() -> Iterator[Series]:
    """What orders a grid after the one that it depends on."""
    yield _event(
        "griddepcontrol.wait",
        "ACQBULK",
        _next("ACQBULK", " of a grid that depends on none"),
        "griddepcontrol.wait;",
        {"ACQBULK": 1},
        lengths=_FILLED,
    )
    yield _event(
        "griddepcontrol.launch_dependents",
        "PREEXIT",
        _next("PREEXIT", " of a grid on which none depends"),
        "griddepcontrol.launch_dependents;",
        {"PREEXIT": 1},
    )


def _others() -> Iterator[Series]:
    for duration in (0, 20, 100, 1000):
        yield _event(
            "nanosleep",
            "NANOSLEEP",
            _next("NANOSLEEP"),
            f"nanosleep.u32 {duration};",
            {"NANOSLEEP": 1},
            axes={"ns": duration},
            domain=_TIMER,
            lengths=_SHORT,
        )
    yield _event(
        "setmaxnreg",
        "USETMAXREG.DEALLOC.CTAPOOL",
        (
            "issue of USETMAXREG.DEALLOC.CTAPOOL",
            "issue of the next, after USETMAXREG.TRY_ALLOC.CTAPOOL took the registers back",
        ),
        "setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 64;",
        {
            "USETMAXREG.DEALLOC.CTAPOOL": 1,
            "USETMAXREG.TRY_ALLOC.CTAPOOL": 1,
            "PLOP3.LUT": 1,
            "BRA": 1,
        },
        warps=4,
        directives=".maxnreg 64",
        lengths=_SHORT,
    )
    yield _event(
        "cp.async.wait_all",
        "LDGDEPBAR",
        (
            "issue of LDGDEPBAR with no copy on its way",
            "issue of the next LDGDEPBAR, after DEPBAR.LE waited for it",
        ),
        "cp.async.wait_all;",
        {"LDGDEPBAR": 1, "DEPBAR.LE": 1},
    )
    yield _event(
        "globaltimer",
        "S2UR",
        ("issue of S2UR of SR_GLOBALTIMERLO", "issue of the next, of which LOP3.LUT read the last"),
        "mov.u64 g, %globaltimer; cvt.u32.u64 v, g; and.b32 v, v, zero; xor.b32 x, x, v;",
        {"S2UR": 1, "LOP3.LUT": 1},
    )
    link = "elect.sync v|p, w; or.b32 w, w, v;"
    yield _event(
        "elect.sync",
        "ELECT",
        ("issue of ELECT", "issue of ELECT of a mask of its result, which REDUX.OR made uniform"),
        link,
        {"ELECT": 1, "IMAD.U32": 1, "LOP3.LUT": 1, "REDUX.OR": 1, "R2UR": 1, "BRA.DIV": 1},
        setup="not.b32 w, zero;",
        first=link,
        last=link + "xor.b32 x, x, w;",
        lengths=_SHORT,
    )


_GROUPS = (
    _barriers, _reductions, _mbarriers, _tests, _hand_offs, _clusters, _fences, _grids, _others,
)  # fmt: skip
sync = SeriesProbe("sync", series=tuple(each for group in _GROUPS for each in group()))
