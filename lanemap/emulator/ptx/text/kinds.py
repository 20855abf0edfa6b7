"""PTX types, and the LLVM types that values of them have while they are computed with."""

from __future__ import annotations

#: Bits of every fundamental and packed type.
BITS = {
    "pred": 1, "b128": 128, "f16": 16, "bf16": 16, "f32": 32, "tf32": 32, "f64": 64,
    **{f"{kind}{bits}": bits for kind in "bus" for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("f16x2", "bf16x2", "u16x2", "s16x2"), 32), "f32x2": 64,
    **dict.fromkeys(("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "ue8m0x2", "e2m1x4"), 16),
    **dict.fromkeys(("e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4"), 32), "e2m1x2": 8,
}  # fmt: skip

_FLOATS = {"f16": "half", "f32": "float", "f64": "double"}

SIGNED = frozenset({"s8", "s16", "s32", "s64"})
INTEGERS = ("u16", "u32", "u64", "s16", "s32", "s64")


def llvm_type(kind: str) -> str:
    """Return the LLVM element type of a PTX type; bf16, packed and b128 ones are integers."""
    return _FLOATS.get(kind, f"i{BITS[kind]}")


def is_signed(kind: str) -> bool:
    """Whether integers of this type have a sign."""
    return kind in SIGNED
