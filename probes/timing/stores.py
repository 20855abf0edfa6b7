"""Stores and reductions of several warps: how fast an SM's leave it, by the sectors of each."""

from __future__ import annotations

from collections.abc import Iterator

from lanemap.timing.global_memory import own_words
from lanemap.timing.launch import WARP
from lanemap.timing.series import Series, SeriesProbe

#: Links of a window that has filled what lies between before the shortest ends.
_LENGTHS = (24, 32, 40, 48, 56)
_OPCODES = {
    "st.global.b32": ("STG.E", "k0"),
    "st.global.v4.b32": ("STG.E.128", "{k0, k1, k2, k3}"),
    "red.global.add.u32": ("REDG.E.ADD.STRONG.GPU", "k0"),
}


def _series(name: str, apart: int, warps: int, alone: bool) -> Series:
    """Each instruction writes other bytes than all others of its window."""
    opcode, data = _OPCODES[name]
    step = WARP * apart
    words = _LENGTHS[-1] * step * warps // 8 + 64
    return Series(
        f"{name}, many",
        opcode,
        (f"issue of {opcode}", f"issue of the next {opcode} of the SM, behind many"),
        "rate",
        f"{name} [own+{{i*{step * warps}}}], {data};",
        {opcode: 1},
        {"SMs": "one" if alone else "all", "warps": warps, "bytes between lanes": apart},
        warps,
        per_link=warps,
        lengths=_LENGTHS,
        parameters=", .param .u64 own_at",
        registers=".reg .b64 own;",
        setup=f"""
    ld.param.u64 own, [own_at]; mad.wide.u32 own, cta, {words * 8}, own;
    and.b32 u0, thread, 31; mul.lo.u32 u0, u0, {apart}; shr.u32 u1, thread, 5;
    mad.lo.u32 u0, u1, {step}, u0; cvt.u64.u32 d0, u0; add.u64 own, own, d0;""",
        arguments=own_words(words),
        alone=alone,
        domain="L2",
        exact=False,
    )


def _all() -> Iterator[Series]:
    for name, aparts in (
        ("st.global.b32", (4, 8, 16, 32, 64, 128)),
        ("st.global.v4.b32", (16, 32, 64)),
        ("red.global.add.u32", (4, 8, 32)),
    ):
        for apart in aparts:
            yield _series(name, apart, 8, True)
        for apart in (min(aparts), 32):
            yield _series(name, apart, 8, False)
    for apart in (4, 32):
        yield _series("st.global.b32", apart, 1, True)


stores = SeriesProbe("stores", series=tuple(_all()))
