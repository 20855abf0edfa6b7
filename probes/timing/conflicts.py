"""Reductions of all SMs at few words: what L2 takes for those at one word and in one sector."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lanemap.timing.global_memory import ctas
from lanemap.timing.series import Series, SeriesProbe

#: Odd numbers by which lanes and links go through a table: Knuth's hash, and a prime.
_HASH, _NEXT = 0x9E3779B1, 40503
#: By PTX: the type of the value that is added, and what it is assembled to.
_ADDED = {
    "red.relaxed.gpu.global.add.f32": ("f32", "REDG.E.ADD.F32.FTZ.RN.STRONG.GPU"),
    "red.relaxed.gpu.global.add.u32": ("b32", "REDG.E.ADD.STRONG.GPU"),
}
#: What makes the address of the next word.
_ADDRESSED = {"LEA": 1, "LEA.HI.X": 1, "LOP3.LUT": 1, "VIADD": 1}
#: Bytes from one word to the next: words of the same sectors, and one in each sector.
_DENSE, _SPARSE = 4, 32


def _series(name: str, words: int, apart: int, warps: int, alone: bool) -> Series:
    """Each lane takes another word of a table that all SMs share."""
    kind, opcode = _ADDED[name]
    return Series(
        f"{name}, few words",
        opcode,
        (f"issue of {opcode} by {warps} warps", f"issue of the next {opcode} of each"),
        "rate",
        link=f"add.u32 word, word, {_NEXT}; and.b32 u0, word, {words - 1};"
        f" mad.wide.u32 at, u0, {apart}, table; {name} [at], value;",
        period={opcode: 1, **(_ADDRESSED if words > 1 else {})},
        axes={
            "words": words, "bytes between words": apart, "warps": warps,
            "SMs": "one" if alone else "all",
        },
        warps=warps,
        lengths=(8, 12, 16, 24, 32),
        parameters=", .param .u64 table_at",
        registers=f".reg .b64 table, at; .reg .b32 word; .reg .{kind} value;",
        setup=f"""
    ld.param.u64 table, [table_at]; mad.lo.u32 word, cta, 1024, thread;
    mul.lo.u32 word, word, {_HASH}; shr.u32 word, word, 8; mov.{kind} value, {'0f00000000'
        if kind == 'f32' else 'zero'};
""",
        first="and.b32 low, low, zero; add.u32 word, word, low;",
        arguments=lambda device: (
            device.zeros(max(words * apart // 4, ctas(device)), np.float32, name="table"),
        ),
        domain="L2",
        alone=alone,
        exact=False,
    )  # fmt: skip


def _all() -> Iterator[Series]:
    for name in _ADDED:
        few = name.endswith("u32")
        for words in (1, 8, 64, 512, 4096, 32768) if not few else (8, 512, 32768):
            for warps in (4, 16) if words in (64, 4096) else (16,):
                yield _series(name, words, _DENSE, warps, False)
        for words in (8, 64, 512, 4096) if not few else (64,):
            yield _series(name, words, _SPARSE, 16, False)
        for words in (1, 64):
            yield _series(name, words, _DENSE, 16, True)


conflicts = SeriesProbe("conflicts", series=tuple(_all()), targets=("sm_90a",))
