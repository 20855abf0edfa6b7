"""How instructions come: code that no warp of the SM has executed yet, and loops by their place.

Of new code the first round of a module's first launch counts. Later launches of a kernel find what
the SM's cache still holds of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lanemap.timing.control_words import Patch
from lanemap.timing.series import Series, SeriesProbe

#: What decides besides the SM's clock.
CACHES = "the caches of instructions"
#: Instructions of a straight window; 1792 of them fit into an SM's cache, as the row `issue` says.
_LENGTHS = (128, 256, 384, 512, 768, 1024, 1536, 1792)
_ONCE = {"patches": (Patch("FFMA", {"stall": 1, "yields": 1}),)}

_FFMA: dict[str, Any] = {
    "link": "fma.rn.f32 f{i%8}, f{i%8}, fa, f{i%8};",
    "registers": ".reg .f32 f<8>, fa; .reg .b32 v;",
    "setup": "mov.b32 fa, k0;"
    + "".join(f"xor.b32 v, k{j % 4}, {j // 4}; mov.b32 f{j}, v;" for j in range(8)),
    "last": "".join(f"mov.b32 v, f{j}; xor.b32 x, x, v;" for j in range(8)),
} | _ONCE
_LOP3: dict[str, Any] = {
    "link": "lop3.b32 s{i%8}, s{i%8}, k0, k1, 0x6a;",
    "registers": ".reg .b32 s<8>;",
    "setup": "".join(f"xor.b32 s{j}, k{j % 4}, {j};" for j in range(8)),
    "last": "".join(f"xor.b32 x, x, s{j};" for j in range(8)),
}
_IMAD: dict[str, Any] = {"link": "mad.lo.u32 x, x, k0, k1;"}


def _straight() -> Iterator[Series]:
    """Straight code whose instructions could issue every 1, 2 and 4 cycles."""
    for opcode, pieces, every in (("FFMA", _FFMA, 1), ("LOP3.LUT", _LOP3, 2), ("IMAD", _IMAD, 4)):
        for alone, warps in ((False, 1), (True, 1), (False, 4), (False, 8)):
            if every > 1 and (alone or warps > 4):
                continue
            yield Series(
                f"straight {opcode} for the first time",
                opcode,
                (
                    f"issue of {opcode} that no warp of the SM has issued",
                    f"issue of the next {opcode}, which could follow {every} cycles later",
                ),
                "rate",
                period={opcode: 1},
                axes={"SMs": "one" if alone else "all", "warps": warps},
                warps=warps,
                alone=alone,
                lengths=_LENGTHS,
                exact=False,
                domain=CACHES,
                cold=True,
                **pieces,
            )


def _jumps() -> Iterator[Series]:
    """Branches over code that is never executed."""
    for skipped in (12, 28, 60, 124, 252):
        body = "mad.lo.u32 x, x, k0, k1; " * skipped
        yield Series(
            "jumps for the first time",
            "BRA",
            (
                "issue of BRA that no warp of the SM has issued",
                f"issue of the next one, {skipped + 4} instructions ahead",
            ),
            "rate",
            f"@q bra t{{i}}; {body} t{{i}}: add.u32 x, x, k2;",
            {"BRA": 1, "IMAD": skipped, "BSSY": 1, "BSYNC": 1, "IADD3": 1},
            {"instructions ahead": skipped + 4},
            lengths=(2, 3, 4, 5, 6),
            exact=False,
            domain=CACHES,
            cold=True,
            registers=".reg .pred q;",
            setup="setp.eq.u32 q, zero, 0;",
        )


def _loops() -> Iterator[Series]:
    """Loops that begin and end at other places of a line of 128 bytes."""
    for warps, turn in ((1, 8), (1, 13), (8, 8), (16, 8)):
        for before in range(8):
            yield Series(
                "loop by its place",
                "BRA",
                ("issue of BRA at the end of a loop, taken", "issue of the same BRA a turn later"),
                "event",
                "lop3.b32 s{i%8}, s{i%8}, k0, k1, 0x6a;",
                {"LOP3.LUT": turn, "VIADD": 1, "ISETP.NE.U32.AND": 1, "BRA": 1},
                {"LOP3": turn, "instructions before": before, "warps": warps},
                warps,
                turns=turn,
                exact=False,
                registers=".reg .b32 s<8>;",
                setup="".join(f"xor.b32 s{j}, k{j % 4}, {j};" for j in range(8)),
                first="mad.lo.u32 x, x, k0, k1; " * before,
                last="".join(f"xor.b32 x, x, s{j};" for j in range(8)),
            )


instructions = SeriesProbe("instructions", series=(*_loops(), *_straight(), *_jumps()))
