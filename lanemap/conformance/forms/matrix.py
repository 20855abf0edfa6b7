"""Syntax tables of the PTX ISA: matrices of a warp.

NVIDIA PTX ISA 9.0, Warp Level Matrix Instructions: mma.sync and mma.sp; ldmatrix, stmatrix and
movmatrix. Each row has one shape and one number of registers for each operand.
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

_MMA: Sets = {
    "a_layout": "row col", "b_layout": "row col", "half": "f16", "single": "f32",
    "rnd": "rn rz rm rp", "fp8": "e4m3 e5m2", "fp8_b": "e4m3 e5m2", "int8": "s8 u8",
    "int8_b": "s8 u8", "int4": "s4 u4", "int4_b": "s4 u4", "bits": "xor and",
    "kind": "kind::f8f6f4", "spvariant": "sp sp::ordered_metadata", "result": "f16 f32",
    "many": "e4m3 e5m2 e3m2 e2m3 e2m1", "many_b": "e4m3 e5m2 e3m2 e2m3 e2m1",
    "ordered": "sp::ordered_metadata", "one": "scale_vec::1X", "two": "scale_vec::2X",
}  # fmt: skip
#: Registers of D and C, by rows and type.
_D = {(8, "s32"): "2*b32", (16, "s32"): "4*b32", (16, "f16"): "2*b32", (16, "f32"): "4*b32"}


def _row(
    rows: int, depth: int, a_bits: int, types: str, d: str, middle: str = "", end: str = ""
) -> Row:
    """A row of one shape whose operands lie in registers of 32 bits."""
    name = f"mma.sync.aligned.m{rows}n8k{depth}.row.col{middle}.{d}.{types}.{d}{end}"
    a, b = rows * depth * a_bits // 1024, 8 * depth * a_bits // 1024
    return Row(name, f"{_D[rows, d]} {a}*b32 {b}*b32 {_D[rows, d]}", _MMA)


#: .kind with .block_scale and .scale_vec, types of A and B, type of scales, K of a dense A.
_SCALED = (
    ("kind::mxf8f6f4.block_scale{.one}", "many.many_b", "ue8m0", 32),
    ("kind::mxf4.block_scale{.two}", "e2m1.e2m1", "ue8m0", 64),
    ("kind::mxf4nvf4.block_scale.scale_vec::2X", "e2m1.e2m1", "ue8m0", 64),
    ("kind::mxf4nvf4.block_scale.scale_vec::4X", "e2m1.e2m1", "ue8m0", 64),
    ("kind::mxf4nvf4.block_scale.scale_vec::4X", "e2m1.e2m1", "ue4m3", 64),
)
_SCALES = "b32 ={0,1} b32 ={0,2}"


def _scaled() -> list[Row]:
    """Block-scaled mma.sync, with one pair of selectors for A and one for B."""
    return [
        Row(
            f"mma.sync.aligned.m16n8k{depth}.row.col.{kind}.f32.{types}.f32.{scale}",
            f"4*b32 4*b32 2*b32 4*b32 {_SCALES}",
            _MMA,
        )
        for kind, types, scale, depth in _SCALED
    ]


def _sparse() -> list[Row]:
    """mma.sp: half of A's registers, a register of metadata, the selector 0."""
    rows = []
    kinds = [
        *((k, 16, "f16.f16", d, "") for k in (16, 32) for d in ("f16", "f32")),
        *((k, 16, "bf16.bf16", "f32", "") for k in (16, 32)),
        *((k, 32, "tf32.tf32", "f32", "") for k in (8, 16)),
        *((64, 8, "fp8.fp8_b", d, "") for d in ("f16", "f32")),
        *((k, 8, "int8.int8_b", "s32", "{.satfinite}") for k in (32, 64)),
        *((k, 4, "int4.int4_b", "s32", "{.satfinite}") for k in (64, 128)),
    ]
    for depth, bits, types, d, middle in kinds:
        name = f"mma.spvariant.sync.aligned.m16n8k{depth}.row.col{middle}.{d}.{types}.{d}"
        a, b = 16 * depth * bits // 2048, 8 * depth * bits // 1024
        rows.append(Row(name, f"{_D[16, d]} {a}*b32 {b}*b32 {_D[16, d]} b32 #0", _MMA))
    for d in ("f16", "f32"):
        name = f"mma.spvariant.sync.aligned.m16n8k64.row.col.kind.{d}.many.many_b.{d}"
        rows.append(Row(name, f"{_D[16, d]} 4*b32 4*b32 {_D[16, d]} b32 #0", _MMA))
    rows += [
        Row(
            f"mma.ordered.sync.aligned.m16n8k{2 * depth}.row.col.{kind}.f32.{types}.f32.{scale}",
            f"4*b32 4*b32 4*b32 4*b32 b32 #0 {_SCALES}",
            _MMA,
        )
        for kind, types, scale, depth in _SCALED
    ]
    return rows


def _quads() -> list[Row]:
    rows = []
    for d, c in (("f16", "f16"), ("f16", "f32"), ("f32", "f16"), ("f32", "f32")):
        registers = {"f16": "4*b32", "f32": "8*b32"}
        rows.append(
            Row(
                f"mma.sync.aligned.m8n8k4.a_layout.b_layout.{d}.f16.f16.{c}",
                f"{registers[d]} 2*b32 2*b32 {registers[c]}",
                _MMA,
            )
        )
    return rows


def _doubles() -> list[Row]:
    rows = []
    for m, k in ((8, 4), (16, 4), (16, 8), (16, 16)):
        d, a, b = m // 4, m * k // 32, 8 * k // 32
        rows.append(
            Row(
                f"mma.sync.aligned.m{m}n8k{k}.row.col{{.rnd}}.f64.f64.f64.f64",
                f"{d}*b64 {a}*b64 {b}*b64 {d}*b64",
                _MMA,
            )
        )
    return rows


MMA_ROWS = [
    *_doubles(),
    *_quads(),
    *(_row(16, k, 16, "f16.f16", d) for k in (8, 16) for d in ("f16", "f32")),
    *(_row(16, k, 16, "bf16.bf16", "f32") for k in (8, 16)),
    *(_row(16, k, 32, "tf32.tf32", "f32") for k in (4, 8)),
    *(_row(16, k, 8, "fp8.fp8_b", d) for k in (16, 32) for d in ("f16", "f32")),
    *(_row(16, 32, 8, "many.many_b", d, ".kind") for d in ("f16", "f32")),
    *_scaled(),
    *(_row(m, k, 8, "int8.int8_b", "s32", "{.satfinite}")
      for m, k in ((8, 16), (16, 16), (16, 32))),
    *(_row(m, k, 4, "int4.int4_b", "s32", "{.satfinite}")
      for m, k in ((8, 32), (16, 32), (16, 64))),
    *(_row(m, k, 1, "b1.b1", "s32", end=".bits.popc")
      for m, k in ((8, 128), (16, 128), (16, 256))),
]  # fmt: skip
SPARSE_ROWS = _sparse()

_MOVES: Sets = {
    "near": "shared shared::cta", "type": "b16", "bytes": "b8", "format": "b6x16_p32 b4x16_p64",
}  # fmt: skip


def _moves() -> list[Row]:
    """Loads and stores, whose registers are one for each matrix, and two for 16x16."""
    rows = []
    for count in (1, 2, 4):
        registers, tall = f"{count}*b32", f"{2 * count}*b32"
        rows += [
            Row(
                f"ldmatrix.sync.aligned.m8n8.x{count}{{.trans}}{{.near}}.type",
                f"{registers} [near]",
                _MOVES,
            ),
            Row(
                f"ldmatrix.sync.aligned.m8n16.x{count}{{.near}}.b8x16.format",
                f"{registers} [near]",
                _MOVES,
            ),
            Row(
                f"ldmatrix.sync.aligned.m16n16.x{count}.trans{{.near}}.bytes",
                f"{tall} [near]",
                _MOVES,
            ),
            Row(
                f"ldmatrix.sync.aligned.m16n16.x{count}.trans{{.near}}.b8x16.format",
                f"{tall} [near]",
                _MOVES,
            ),
            Row(
                f"stmatrix.sync.aligned.m8n8.x{count}{{.trans}}{{.near}}.type",
                f"[near] {registers}",
                _MOVES,
            ),
            Row(
                f"stmatrix.sync.aligned.m16n8.x{count}.trans{{.near}}.bytes",
                f"[near] {registers}",
                _MOVES,
            ),
        ]
    return [*rows, Row("movmatrix.sync.aligned.m8n8.trans.b16", "b32 b32", _MOVES)]


MOVE_ROWS = _moves()
