"""Syntax tables of the PTX ISA: multimem.

NVIDIA PTX ISA 9.0, Data Movement and Conversion Instructions: multimem.ld_reduce, multimem.st,
multimem.red (9.7.9.14).
"""

from __future__ import annotations

from lanemap.conformance.forms.rows import Row, Sets

_SETS: Sets = {
    "load": "relaxed acquire", "store": "relaxed release", "scope": "cta cluster gpu sys",
    "far": "global", "op": "min max add and or xor", "float_op": "min max add",
    "type": "b32 b64 u32 u64 s32 s64", "precision": "acc::f32 acc::f16", "vec": "v2 v4 v8",
    "float": "f16 f16x2 bf16 bf16x2 f32 f64 e5m2 e5m2x2 e5m2x4 e4m3 e4m3x2 e4m3x4",
    "sum": "f16 f16x2 bf16 bf16x2 f32 f64",
}  # fmt: skip


def _loads(start: str) -> list[Row]:
    return [
        Row(f"{start}{{.far}}.op.type", "type [far]", _SETS),
        Row(f"{start}{{.far}}.float_op{{.precision}}{{.vec}}.float", "vec*float [far]", _SETS),
    ]


def _stores(start: str) -> list[Row]:
    return [
        Row(f"{start}{{.far}}.type", "[far] type", _SETS),
        Row(f"{start}{{.far}}{{.vec}}.float", "[far] vec*float", _SETS),
    ]


MULTIMEM_ROWS = [
    *_loads("multimem.ld_reduce{.load}{.scope}"),
    *_loads("multimem.ld_reduce.weak"),
    *_stores("multimem.st{.store}{.scope}"),
    *_stores("multimem.st.weak"),
    Row("multimem.red{.store}{.scope}{.far}.op.type", "[far] type", _SETS),
    Row("multimem.red{.store}{.scope}{.far}.add{.vec}.sum", "[far] vec*sum", _SETS),
]
