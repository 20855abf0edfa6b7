"""The SM's own events at two frequencies of its clock: a few of each group, whose cycles stay."""

from __future__ import annotations

from typing import Any

from lanemap.timing.series import Series, SeriesProbe

_FLOATS: dict[str, Any] = {
    "registers": ".reg .f32 f, a, b;",
    "setup": "mov.b32 a, k0; mov.b32 b, k1;",
    "first": "mov.b32 f, x;",
    "last": "mov.b32 x, f;",
}
_SHARED: dict[str, Any] = {
    "registers": ".reg .b32 a, start, v;",
    "setup": "shl.b32 start, thread, 2; add.u32 start, start, shared; add.u32 v, thread, 5;"
    " and.b32 v, v, 31; shl.b32 v, v, 2; add.u32 v, v, shared; st.shared.b32 [start], v;",
    "first": "and.b32 low, low, zero; add.u32 a, start, low;",
    "last": "sub.u32 a, a, shared; xor.b32 x, x, a;",
    "shared_bytes": 8192,
}


def _series(name: str, instruction: str, to: str, kind: Any, link: str, **more: Any) -> Series:
    return Series(
        name,
        instruction,
        (f"issue of {instruction}", f"issue of {to}"),
        kind,
        link,
        more.pop("period", {instruction: 1}),
        two_clocks=True,
        **more,
    )


clocks = SeriesProbe(
    "clocks",
    series=(
        _series(
            "fma.f32 addend",
            "FFMA",
            "FFMA with the result as operand 3",
            "fixed latency",
            "fma.rn.f32 f, a, b, f;",
            **_FLOATS,
        ),
        _series(
            "mad.lo.u32",
            "IMAD",
            "IMAD with the result as operand 1",
            "fixed latency",
            "mad.lo.u32 x, x, k0, k1;",
        ),
        _series(
            "shf.l.wrap.b32",
            "SHF.L.W.U32.HI",
            "SHF.L.W.U32.HI with the result as operand 1",
            "fixed latency",
            "shf.l.wrap.b32 x, x, k0, k1;",
        ),
        _series(
            "popc.b32",
            "POPC",
            "the next POPC, after LOP3.LUT of its result",
            "event",
            "popc.b32 x, x; xor.b32 x, x, k{i%3};",
            period={"POPC": 1, "LOP3.LUT": 1},
        ),
        _series(
            "ld.shared.b32 chase",
            "LDS",
            "LDS with the result as its address",
            "variable latency",
            "ld.shared.b32 a, [a];",
            cut="ld.shared.b32 v, [start+{i*128}]; xor.b32 x, x, v;",
            **_SHARED,
        ),
        _series(
            "st.shared.b32",
            "STS",
            "the next STS of the warp",
            "rate",
            "st.shared.b32 [start+{i*128}], x;",
            exact=False,
            **(_SHARED | {"first": "", "last": ""}),
        ),
        _series(
            "bar.sync 0",
            "BAR.SYNC.DEFER_BLOCKING",
            "the next BAR.SYNC.DEFER_BLOCKING of a CTA of one warp",
            "event",
            "bar.sync 0;",
        ),
        _series(
            "membar.cta",
            "MEMBAR.SC.CTA",
            "the next MEMBAR.SC.CTA, nothing on its way",
            "event",
            "membar.cta;",
            lengths=(4, 6, 8, 12, 20),
        ),
        _series(
            "mma.sync.m16n8k16.f32.f16",
            "HMMA.16816.F32",
            "HMMA.16816.F32 with D as C",
            "event",
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {v0, v1, v2, v3},"
            " {a0, a1, a2, a3}, {b0, b1}, {v0, v1, v2, v3};",
            registers=".reg .b32 v<4>, a<4>, b<2>;",
            setup="".join(
                f"and.b32 {name}, k{n % 4}, 0x3c003c00;\n"
                for n, name in enumerate(("a0", "a1", "a2", "a3", "b0", "b1"))
            ),
            first="".join(
                f"and.b32 v{n}, low, zero; mov.b32 v{n}, 0;\n" if n else "and.b32 v0, low, zero;\n"
                for n in range(4)
            ),
            last="".join(f"xor.b32 x, x, v{n};" for n in range(4)),
            exact=False,
        ),
    ),
    targets=("sm_90a",),
)
