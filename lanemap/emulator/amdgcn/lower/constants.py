"""Constants as sources: which are inline, and the bits that they have in each operand type.

AMD CDNA4 ISA, 3.6.2 (inline constants) and 6.2 (constants and literals of 16 and 64 bits); LLVM,
AMDGPUOperandSyntax, "Conversion of integer/floating-point values".

A source of 16 bits, single or packed, reads a word of 32 bits from a constant: an integer extended
with its sign; a float as f16 or bf16 in the low half, with zeros above it; and where 16-bit
integers are packed, the float as f32 (LLVM, AMDGPUBaseInfo.cpp, getInlineEncodingV216 and
getInlineEncodingV2BF16; llvm/llvm-project#76522, #94116). op_sel then picks a half of that word.
"""

from __future__ import annotations

import struct

from lanemap.emulator.amdgcn.text.operands import Operand
from lanemap.emulator.runtime.abi import PRIVATE_APERTURE, SHARED_APERTURE

# 1/(2 pi) is the last one; its f16, f32 and f64 codes are stated by the ISA.
_INLINE_FLOATS = (0.0, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0)
_ONE_OVER_TWO_PI = {16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}
_PACK = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}
_BFLOATS = frozenset({"bf16", "bf16x2"})
_FLOAT_BITS = {"f16": 16, "pkf16": 16, "f16x2": 16, "f32": 32, "f64": 64}
WIDE = frozenset({"i64", "s64", "f64"})
#: Types of one value of 16 bits.
HALVES = frozenset({"i16", "f16", "bf16"})
#: The upper halves of addresses of LDS and scratch.
APERTURES = {"shared_base": SHARED_APERTURE, "private_base": PRIVATE_APERTURE}


class ConstantError(ValueError):
    """A constant that the operand's type cannot hold; the caller adds the line."""


def float_bits(value: float, bits: int) -> int:
    """The code of a number in binary16, binary32 or binary64, rounded to nearest even."""
    form, unsigned = _PACK[bits]
    try:
        return int(struct.unpack(unsigned, struct.pack(form, value))[0])
    except OverflowError:
        raise ConstantError(f"{value} is too large for {bits} bits") from None


def _bfloat_bits(value: float) -> int:
    return float_bits(value, 32) >> 16


def _inline_codes(bits: int) -> frozenset[int]:
    return frozenset([float_bits(v, bits) for v in _INLINE_FLOATS] + [_ONE_OVER_TWO_PI[bits]])


_INLINE = {bits: _inline_codes(bits) for bits in (16, 32, 64)}
_INLINE_BFLOATS = frozenset(code >> 16 for code in _INLINE[32])


def is_inline(operand: Operand, kind: str) -> bool:
    """Whether a constant of an operand type is encoded without a literal."""
    if operand.kind == "expression":
        return False
    if operand.kind == "integer" and -16 <= operand.value <= 64:
        return True
    bits = _FLOAT_BITS.get(kind, 64 if kind in WIDE else 32)
    if operand.kind == "float":
        value = float(operand.value)
        if kind in _BFLOATS:
            return value in _INLINE_FLOATS or float_bits(value, 32) == _ONE_OVER_TWO_PI[32]
        return float_bits(value, bits) in _INLINE[bits]
    # An integer that happens to be the code of an inline float is encoded as that float.
    if kind == "i16":
        return False
    word = int(operand.value) & ((1 << bits if kind in WIDE or kind == "f16" else 1 << 32) - 1)
    return word in (_INLINE_BFLOATS if kind in _BFLOATS else _INLINE[bits])


def constant_bits(operand: Operand, kind: str) -> int:
    """The bits that a source of an operand type reads from a constant: one word, or two.

    Raises:
        ConstantError: The type cannot hold the constant.
    """
    mask = (1 << (64 if kind in WIDE else 32)) - 1
    if operand.kind == "float":
        return _float_constant(operand, kind) & mask
    value = int(operand.value)
    if not -(1 << 63) <= value < 1 << 64:
        raise ConstantError(f"{operand} does not fit 64 bits")
    if kind in HALVES and not -0x8000 <= value <= 0xFFFF:
        raise ConstantError(f"{operand} does not fit 16 bits")
    if kind not in WIDE and not -(1 << 31) <= value < 1 << 32:
        raise ConstantError(f"{operand} does not fit 32 bits")
    if kind == "f64" and not -16 <= value <= 64 and value & mask not in _INLINE[64]:
        # A literal is the upper half of a double.
        return (value & 0xFFFFFFFF) << 32 if -(1 << 31) <= value < 1 << 32 else value & mask
    if kind == "i64" and not -16 <= value <= 64 and value & mask not in _INLINE[64]:
        # A literal has 32 bits; what is not signed reads zeros above them.
        return value & 0xFFFFFFFF if -(1 << 31) <= value < 1 << 32 else value & mask
    if kind == "s64" and -(1 << 31) <= value < 1 << 32 and not -16 <= value <= 64:
        return (((value & 0xFFFFFFFF) ^ 1 << 31) - (1 << 31)) & mask
    return value & mask


def _float_constant(operand: Operand, kind: str) -> int:
    value = float(operand.value)
    if kind in _BFLOATS:
        return _bfloat_bits(value)
    if kind == "i16":
        raise ConstantError(f"{operand} is a float where 16-bit integers are read")
    bits = _FLOAT_BITS.get(kind, 64 if kind in WIDE else 32)
    if bits != 64 and float_bits(value, 32) == _ONE_OVER_TWO_PI[32]:
        return _ONE_OVER_TWO_PI[bits]
    code = float_bits(value, bits)
    if kind in ("i64", "s64") and code not in _INLINE[64]:
        raise ConstantError(f"{operand} is not an inline constant; write the bits of an integer")
    if kind == "f64" and code not in _INLINE[64]:
        return code >> 32 << 32
    return code
