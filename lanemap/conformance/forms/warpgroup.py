"""Syntax tables of the PTX ISA: matrix multiplication by a warpgroup.

NVIDIA PTX ISA 9.0, Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions. Each row
has one N, and with it one number of registers of D.
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

_WGMMA: Sets = {"fp8": "e4m3 e5m2", "fp8_b": "e4m3 e5m2", "int8": "s8 u8", "int8_b": "s8 u8"}
_EVERY = range(8, 257, 8)
_A = {"": "b64", "A in registers": "4*b32"}


def _rows(
    sparse: bool, depth: int, types: str, d: str, immediates: int, middle: str = "", end: str = ""
) -> list[Row]:
    """The rows of all N, with A in shared memory and in registers.

    Args:
        sparse: Whether it is `.sp`; K is twice as large then.
        depth: K of the dense form.
        types: Types of A and B.
        d: Type of D.
        immediates: How many of A in shared memory: 0, 2 (scales) or 4 (and majors).
        middle: Modifiers behind the shape.
        end: Modifiers behind the types.
    """
    found = []
    for n in _EVERY:
        if d == "s32" and n > 32 and n % 16:
            continue
        registers = f"{n // 4}*b32" if d == "f16" else f"{n // 2}*{'f32' if d == 'f32' else 'b32'}"
        name = "wgmma.mma_async.sp" if sparse else "wgmma.mma_async"
        name += f".sync.aligned.m64n{n}k{2 * depth if sparse else depth}{middle}.{d}.{types}{end}"
        for shape, a in _A.items():
            constants = ["#1", "#1", "#0", "#0"][:immediates]
            if shape and immediates == 4:
                constants.pop()
            metadata = ["b32", "#0"] if sparse else []
            operands = [registers, a, "b64", *metadata, "pred", *constants]
            found.append(Row(name, " ".join(operands), _WGMMA, shape))
    return found


def _matrices(sparse: bool) -> list[Row]:
    return [
        *_rows(sparse, 16, "f16.f16", "f16", 4),
        *_rows(sparse, 16, "f16.f16", "f32", 4),
        *_rows(sparse, 16, "bf16.bf16", "f32", 4),
        *_rows(sparse, 8, "tf32.tf32", "f32", 2),
        *_rows(sparse, 32, "fp8.fp8_b", "f16", 2),
        *_rows(sparse, 32, "fp8.fp8_b", "f32", 2),
        *_rows(sparse, 32, "int8.int8_b", "s32", 0, "{.satfinite}"),
    ]


WGMMA_ROWS = [
    Row("wgmma.fence.sync.aligned", "", _WGMMA),
    Row("wgmma.commit_group.sync.aligned", "", _WGMMA),
    Row("wgmma.wait_group.sync.aligned", "#1", _WGMMA),
    *_matrices(sparse=False),
    *_rows(False, 256, "b1.b1", "s32", 0, end=".and.popc"),
    *_matrices(sparse=True),
]  # fmt: skip
