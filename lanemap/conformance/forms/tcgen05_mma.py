"""Syntax tables of the PTX ISA: tcgen05.mma.

NVIDIA PTX ISA 9.0, 9.7.16.10.9: tcgen05.mma, mma.sp, mma.ws, mma.ws.sp. A form is one text; that
M, N and types are those of the instruction descriptor adds nothing to it. What a row's sets combine
beyond the ISA's tables (.ashift where A lies in shared memory, masks of the other length), ptxas
refuses.
"""

from __future__ import annotations

from itertools import product

from lanemap.conformance.forms.rows import Row, Sets

_TADDR = "[shared::cluster]"  # a register
_USES = ("fill", "use", "lastuse", "discard")
_SETS: Sets = {
    "group": "cta_group::1 cta_group::2",
    "one": "cta_group::1",
    "kind": "kind::f16 kind::tf32 kind::f8f6f4 kind::i8",
    "scaled": "kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4",
    "vector": "scale_vec::1X scale_vec::2X scale_vec::4X block16 block32",
    "collector_a": " ".join(f"collector::a::{use}" for use in _USES),
    "collector_b": " ".join(f"collector::b{n}::{use}" for n in range(4) for use in _USES),
}
_A = {"": "b64", "A in tensor memory": _TADDR}
#: disable-output-lane: 4 registers with .cta_group::1, 8 with .cta_group::2.
_LANES = {"": "", "4 lane masks": "4*b32", "8 lane masks": "8*b32"}
_INPUT = {"": "", "scale-input-d": "#1"}
_COLUMNS = {"": "", "zero-column mask": "b64"}


def _rows(opcode: str, tail: str, *more: dict[str, str]) -> list[Row]:
    """The rows of A's places and of optional operands behind the last mandatory one.

    Args:
        opcode: With its modifiers.
        tail: Operands from the instruction descriptor on; `{}` stands for the first of `more`.
        more: Optional operands, each with its name; those behind the first come last.
    """
    rows = []
    for (shape, a), *chosen in product(_A.items(), *(each.items() for each in more)):
        names = " and ".join(name for name in (shape, *(name for name, _ in chosen)) if name)
        words = [word for _, word in chosen]
        behind = tail.format(words.pop(0)) if "{}" in tail else tail
        operands = f"{_TADDR} {a} b64 sp?{_TADDR} {behind} {' '.join(words)}"
        rows.append(Row(opcode, operands, _SETS, names))
    return rows


TENSOR_MMA_ROWS = [
    *_rows("tcgen05.mma{.sp}.group.kind{.ashift}{.collector_a}", "b32 {} pred", _LANES, _INPUT),
    *_rows(
        "tcgen05.mma{.sp}.group.scaled.block_scale{.vector}{.collector_a}",
        f"b32 {_TADDR} {_TADDR} pred",
    ),
    *_rows("tcgen05.mma.ws{.sp}.one.kind{.collector_b}", "b32 pred", _COLUMNS),
]
