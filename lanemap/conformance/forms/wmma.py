"""Syntax tables of the PTX ISA: wmma.

NVIDIA PTX ISA 9.0, Warp Level Matrix Instructions: wmma.load, wmma.store, wmma.mma. Each row has
one shape and one number of registers for each operand.
"""

from __future__ import annotations

import itertools

from lanemap.conformance.forms.rows import Row, Sets

_WMMA: Sets = {
    "layout": "row col", "space": "global shared", "a_layout": "row col", "b_layout": "row col",
    "large": "m16n16k16 m8n32k16 m32n8k16", "rnd": "rn rz rm rp", "byte": "s8 u8",
    "nibble": "s4 u4", "bits": "xor and",
}  # fmt: skip
#: Shape: type to registers of A, of B.
_FRAGMENTS = {
    "m16n16k16": {"f16": (8, 8), "bf16": (4, 4), "byte": (2, 2)},
    "m8n32k16": {"f16": (8, 8), "bf16": (2, 8), "byte": (1, 4)},
    "m32n8k16": {"f16": (8, 8), "bf16": (8, 2), "byte": (4, 1)},
    "m16n16k8": {"tf32": (4, 4)},
    "m8n8k4": {"f64": (1, 1)},
    "m8n8k32": {"nibble": (1, 1)},
    "m8n8k128": {"b1": (1, 1)},
}
#: Shape: registers of C and D, by type.
_RESULTS = {
    **dict.fromkeys(("m16n16k16", "m8n32k16", "m32n8k16"), {"f16": 4, "f32": 8, "s32": 8}),
    "m16n16k8": {"f32": 8}, "m8n8k4": {"f64": 2}, "m8n8k32": {"s32": 2}, "m8n8k128": {"s32": 2},
}  # fmt: skip


def _moves() -> list[Row]:
    """Loads and stores, with and without a stride."""
    rows = []
    for shape, kinds in _FRAGMENTS.items():
        for kind, counts in kinds.items():
            held = "b64" if kind == "f64" else "b32"
            for operand, count in zip("ab", counts, strict=True):
                layout = (
                    {"a": ".row", "b": ".col"}[operand] if kind in ("nibble", "b1") else ".layout"
                )
                name = f"wmma.load.{operand}.sync.aligned{layout}.{shape}{{.space}}.{kind}"
                rows += [
                    Row(name, f"{count}*{held} [space]", _WMMA),
                    Row(name, f"{count}*{held} [space] b32", _WMMA, "with a stride"),
                ]
        for kind, count in _RESULTS[shape].items():
            held = "b64" if kind == "f64" else "b32"
            name = f"sync.aligned.layout.{shape}{{.space}}.{kind}"
            rows += [
                Row(f"wmma.load.c.{name}", f"{count}*{held} [space]", _WMMA),
                Row(f"wmma.load.c.{name}", f"{count}*{held} [space] b32", _WMMA, "with a stride"),
                Row(f"wmma.store.d.{name}", f"[space] {count}*{held}", _WMMA),
                Row(f"wmma.store.d.{name}", f"[space] {count}*{held} b32", _WMMA, "with a stride"),
            ]
    return rows


def _products() -> list[Row]:
    rows = []
    for shape, kinds in _FRAGMENTS.items():
        for kind, (a, b) in kinds.items():
            results = ("f16", "f32") if kind == "f16" else (_result_of(kind),)
            for d, c in itertools.product(results, repeat=2):
                held = "b64" if kind == "f64" else "b32"
                registers = " ".join(
                    f"{count}*{held}" for count in (_RESULTS[shape][d], a, b, _RESULTS[shape][c])
                )
                rows += [Row(name, registers, _WMMA) for name in _product_names(shape, kind, d, c)]
    return rows


def _result_of(kind: str) -> str:
    return {"bf16": "f32", "tf32": "f32", "f64": "f64"}.get(kind, "s32")


def _product_names(shape: str, kind: str, d: str, c: str) -> list[str]:
    narrow = kind in ("nibble", "b1")
    layouts = "row.col" if narrow else "a_layout.b_layout"
    types = f"{d}.{c}" if kind == "f16" else f"{d}.{kind}.{kind}.{c}"
    begin = "wmma.mma.bits.popc" if kind == "b1" else "wmma.mma"
    rnd = "{.rnd}" if kind == "f64" else ""
    end = "{.satfinite}" if kind in ("byte", "nibble") else ""
    return [f"{begin}.sync.aligned.{layouts}.{shape}{rnd}.{types}{end}"]


WMMA_ROWS = [*_moves(), *_products()]
