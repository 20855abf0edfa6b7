"""The PTX of programs of asynchronous copies."""

from __future__ import annotations

from lanemap.conformance.programs.copies.choices import (
    THREADS,
    WARP,
    BulkRing,
    Exchange,
    Part,
    Ring,
    Store,
)
from lanemap.conformance.programs.program import ENTRY, PARAMETER_BYTES

_MEET = (
    "bar.warp.sync 0xffffffff;",
    "barrier.cluster.arrive.release;",
    "barrier.cluster.wait.acquire;",
)
_COMPLETES = "mbarrier::complete_tx::bytes"
_STAGE = 16 * THREADS


class Text:
    """A program that grows, part by part."""

    def __init__(self, cluster: int) -> None:
        """Begin empty, for a cluster of CTAs."""
        self._cluster = cluster
        self._shared: list[str] = []
        self._lines: list[str] = []
        self._parts = self._labels = 0

    # -- helpers ---------------------------------------------------------------------------------
    def _line(self, *texts: str) -> None:
        self._lines += texts

    def _label(self) -> str:
        self._labels += 1
        return f"L{self._labels}"

    def _place(self, name: str, size: int, kind: str = "b8", align: int = 128) -> str:
        """Declare shared memory of the part."""
        self._shared.append(f".shared .align {align} .{kind} {name}{self._parts}[{size}];")
        return f"{name}{self._parts}"

    def _wait(self, barrier: str, parity: int) -> None:
        again = self._label()
        self._line(
            f"{again}: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p9, [{barrier}], "
            f"{parity};",
            f"@!p9 bra {again};",
        )

    def _fold(self, address: str, count: int) -> None:
        """Fold words of shared memory into the thread's sum."""
        for i in range(count):
            self._line(f"ld.shared.b32 a9, [{address}+{4 * i}];", "mad.lo.u32 sum, sum, 33, a9;")

    def write(self, part: Part, given: int, result: int) -> None:
        """Write a part, whose inputs and results begin at these bytes."""
        self._parts += 1
        self._line(
            "{",
            ".reg .b32 sum, a<16>; .reg .b64 d<8>; .reg .pred p<10>;",
            f"add.u64 d7, %out, {result}; add.u64 d6, %in, {given}; mov.u32 sum, 0;",
        )
        if isinstance(part, Ring):
            self._ring(part)
        elif isinstance(part, BulkRing):
            self._bulk_ring(part)
        elif isinstance(part, Store):
            self._store(part)
        else:
            self._exchange(part)
        if not isinstance(part, Store):
            self._line("mad.wide.u32 d7, %thread, 4, d7;", "st.global.b32 [d7], sum;")
        self._line("}")

    # -- parts -----------------------------------------------------------------------------------
    def _ring(self, part: Ring) -> None:
        buffer = self._place("buffer", part.stages * _STAGE)
        barriers = self._place("full", part.stages, "b64", 8)
        self._line(
            f"mov.u32 a0, {buffer}; xor.b32 a1, %n, {part.write}; mad.lo.u32 a1, a1, 16, a0;",
            f"xor.b32 a2, %n, {part.read}; mad.lo.u32 a2, a2, 16, a0;",
            f"mad.wide.u32 d0, %cta, {part.trips * _STAGE}, d6; mad.wide.u32 d0, %n, 16, d0;",
            "and.b32 a3, %n, 1; setp.ne.u32 p1, a3, 0;",
        )
        for stage in range(part.stages):
            self._line(
                f"@%first mbarrier.init.shared::cta.b64 [{barriers}+{8 * stage}], {THREADS};"
            )
        self._line("bar.sync 0;")
        for trip in range(part.stages - 1):
            self._copy(part, trip, barriers)
        for trip in range(part.trips):
            stage = trip % part.stages
            if part.completion == "group":
                self._line(f"cp.async.wait_group {part.stages - 2};")
            else:
                self._wait(f"{barriers}+{8 * stage}", trip // part.stages & 1)
            self._line("bar.sync 0;")
            self._copy(part, trip + part.stages - 1, barriers)
            self._fold(f"a2+{stage * _STAGE}", part.size // 4)

    def _copy(self, part: Ring, trip: int, barriers: str) -> None:
        """Fill a stage, if there is such a trip; a group is committed in any case."""
        stage = trip % part.stages
        if trip < part.trips:
            prefetch = f".{part.prefetch}" if part.prefetch else ""
            more = ", p1" if part.ignored[trip] else ""
            if (count := part.counts[trip]) is not None:
                self._line(f"mov.u32 a4, {count};")
                more = ", a4"
            self._line(
                f"cp.async.{part.cache}.{part.spaces}.global{prefetch} [a1+{stage * _STAGE}], "
                f"[d0+{trip * _STAGE}], {part.size}{more};"
            )
        if part.completion == "group":
            self._line("cp.async.commit_group;")
        elif trip < part.trips:
            place = f"[{barriers}+{8 * stage}]"
            if part.completion == "noinc":
                self._line(f"cp.async.mbarrier.arrive.noinc.shared::cta.b64 {place};")
            else:
                self._line(
                    f"cp.async.mbarrier.arrive.shared.b64 {place};",
                    f"mbarrier.arrive.shared::cta.b64 _, {place};",
                )

    def _bulk_ring(self, part: BulkRing) -> None:
        size = 4 * part.words * THREADS
        buffer = self._place("buffer", part.stages * size)
        full = self._place("full", part.stages, "b64", 8)
        empty = self._place("empty", part.stages, "b64", 8)
        ctas = self._cluster if part.multicast else 1
        for stage in range(part.stages):
            self._line(
                f"@%first mbarrier.init.shared::cta.b64 [{full}+{8 * stage}], 1;",
                f"@%first mbarrier.init.shared::cta.b64 [{empty}+{8 * stage}], "
                f"{ctas * (THREADS - WARP)};",
            )
        consume, end = self._label(), self._label()
        self._line(
            "fence.mbarrier_init.release.cluster;",
            *_MEET,
            f"mov.u32 a0, {buffer}; shr.u32 a1, %n, 5; and.b32 a2, %n, 31;",
            f"setp.ne.u32 p1, a1, {part.producer}; @p1 bra {consume};",
            f"setp.ne.u32 p2, a2, 0; @p2 bra {end};",
        )
        if not part.multicast:
            self._line(f"mad.wide.u32 d6, %cta, {part.trips * size}, d6;")
        for trip in range(part.trips):
            stage = trip % part.stages
            self._wait(f"{empty}+{8 * stage}", trip // part.stages + 1 & 1)
            self._line(
                f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [{full}+{8 * stage}], {size};"
            )
            self._fill(part, trip, f"{full}+{8 * stage}")
        self._line(
            f"bra {end};",
            f"{consume}:",
            f"xor.b32 a3, %n, {part.read};",
            f"mad.lo.u32 a3, a3, {4 * part.words}, a0;",
            f"mov.u32 a4, {empty};",
        )
        for trip in range(part.trips):
            stage = trip % part.stages
            self._wait(f"{full}+{8 * stage}", trip // part.stages & 1)
            self._fold(f"a3+{stage * size}", part.words)
            if not part.multicast:
                self._line(f"mbarrier.arrive.shared::cta.b64 _, [a4+{8 * stage}];")
            for cta in range(ctas if part.multicast else 0):
                self._line(
                    f"mapa.shared::cluster.u32 a5, a4, {cta};",
                    f"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a5+{8 * stage}];",
                )
        self._line(f"{end}:", *_MEET)

    def _fill(self, part: BulkRing, trip: int, barrier: str) -> None:
        """Copy the pieces of a stage; in a cluster that shares them, those of this CTA."""
        size = 4 * part.words * THREADS
        at, stage = 0, trip % part.stages
        space = "shared::cta" if part.near and not part.multicast else "shared::cluster"
        copy = f"cp.async.bulk.{space}.global.{_COMPLETES}"
        for number, piece in enumerate(part.pieces):
            operands = f"[a0+{stage * size + at}], [d6+{trip * size + at}], {piece}, [{barrier}]"
            if part.multicast:
                mask = (1 << self._cluster) - 1
                self._line(
                    f"setp.eq.u32 p3, %cta, {number % self._cluster};",
                    f"@p3 {copy}.multicast::cluster {operands}, {mask};",
                )
            else:
                self._line(f"{copy} {operands};")
            at += piece

    def _store(self, part: Store) -> None:
        buffer = self._place("buffer", _STAGE)
        copy = "cp.async.bulk.global.shared::cta.bulk_group"
        if part.operation:
            copy = f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{part.operation}"
        self._line(
            f"mad.wide.u32 d0, %thread, 16, d6; mov.u32 a0, {buffer};",
            "ld.global.v4.b32 {a1, a2, a3, a4}, [d0]; mad.lo.u32 a5, %n, 16, a0;",
            "st.shared.v4.b32 [a5], {a1, a2, a3, a4};",
            "fence.proxy.async.shared::cta;",
            "bar.sync 0;",
        )
        if not part.together:
            self._line(f"mad.wide.u32 d7, %cta, {_STAGE}, d7;")
        at = 0
        for piece in part.pieces:
            self._line(f"@%first {copy} [d7+{at}], [a0+{at}], {piece};")
            if part.groups:
                self._line("@%first cp.async.bulk.commit_group;")
            at += piece
        self._line("@%first cp.async.bulk.commit_group;", "cp.async.bulk.wait_group 0;")

    def _exchange(self, part: Exchange) -> None:
        size = 4 * part.words
        received, sent = self._place("received", _STAGE), self._place("sent", _STAGE)
        barrier = self._place("arrived", 1, "b64", 8)
        begin = 3 if part.kind in ("red.async", "reduce") else 0
        self._line(
            f"mov.u32 a0, {received}; mov.u32 a1, {sent}; mov.u32 a2, {barrier};",
            "mad.wide.u32 d0, %thread, 16, d6; mad.lo.u32 a8, %n, 16, a1;",
            "ld.global.v4.b32 {a4, a5, a6, a7}, [d0]; ld.global.v2.b64 {d1, d2}, [d0];",
            "st.shared.v4.b32 [a8], {a4, a5, a6, a7};",
            f"mad.lo.u32 a3, %n, {size}, a0;",
            *[f"st.shared.b32 [a3+{4 * i}], {begin};" for i in range(part.words)],
            "@%first mbarrier.init.shared::cta.b64 [a2], 1;",
            f"@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [a2], {THREADS * size};",
            "fence.proxy.async.shared::cta;",
            "fence.mbarrier_init.release.cluster;",
            *_MEET,
            "xor.b32 a8, %cta, 1; mapa.shared::cluster.u32 a9, a3, a8;",
            "mapa.shared::cluster.u32 a10, a0, a8; mapa.shared::cluster.u32 a11, a2, a8;",
        )
        self._line(self._sent(part))
        self._wait("a2", 0)
        self._line(f"xor.b32 a3, %n, {part.read}; mad.lo.u32 a3, a3, {size}, a0;")
        self._fold("a3", part.words)
        self._line(*_MEET)

    def _sent(self, part: Exchange) -> str:
        """The statement that sends."""
        bulk = f"shared::cluster.shared::cta.{_COMPLETES}"
        if part.kind == "copy":
            return f"@%first cp.async.bulk.{bulk} [a10], [a1], {_STAGE}, [a11];"
        if part.kind == "reduce":
            form = f"cp.reduce.async.bulk.{bulk}.{part.suffix}"
            return f"@%first {form} [a10], [a1], {_STAGE}, [a11];"
        wide = part.suffix.endswith("64")
        names = ("d1", "d2") if wide else ("a4", "a5", "a6", "a7")
        count = part.words // (2 if wide else 1)
        operand = names[0] if count == 1 else "{" + ", ".join(names[:count]) + "}"
        form = f"st.async.weak.shared::cluster.{_COMPLETES}.{part.suffix}"
        if part.kind == "red.async":
            form = f"red.async.relaxed.cluster.shared::cluster.{_COMPLETES}.{part.suffix}"
        return f"{form} [a9], {operand}, [a11];"

    # -- the whole -------------------------------------------------------------------------------
    def finished(self) -> str:
        """Return the whole program."""
        return "\n".join(
            [
                ".version 9.0\n.target sm_90a\n.address_size 64",
                f".visible .entry {ENTRY}(.param .u64 in, .param .u64 out, "
                f".param .align 32 .b8 p[{PARAMETER_BYTES}])\n.maxntid {THREADS}, 1, 1\n{{",
                ".reg .b64 %in, %out; .reg .b32 %n, %cta, %thread; .reg .pred %first;",
                *self._shared,
                "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];",
                "mov.u32 %n, %tid.x; mov.u32 %cta, %cluster_ctarank;",
                f"mad.lo.u32 %thread, %cta, {THREADS}, %n; setp.eq.u32 %first, %n, 0;",
                *self._lines,
                "ret;",
                "}",
                "",
            ]
        )
