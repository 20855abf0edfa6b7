"""Conversions of 32 floats at once, and those with stochastic rounding.

Which of both neighbors a value is rounded to depends on a seed: its highest bits are added to the
bits that the result has no room for (HIP, amd_hip_ocp_host.hpp, from_float_sr). All elements of an
instruction have the same seed.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.amdgcn.isa.convert import packed, to_bf16
from lanemap.emulator.amdgcn.isa.narrow import (
    BITS,
    decode,
    encode,
    factor,
    field,
    format_of,
    halves,
    with_field,
)
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP3, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.values import Value

_VOP3 = (
    "AMD CDNA4 ISA, chapter 12, VOP3A and VOP3B instructions; OCP Microscaling Formats "
    "Specification"
)
_PAIRS = "AMD composable_kernel, mxf6_utils.hpp: both sources are interleaved in the result"
#: Bits of the mantissa of what is rounded.
_MANTISSA = {"f32": 23, "f16": 10, "bf16": 7}
_SIX = ("fp6", "bf6")
_EIGHT = ("fp8", "bf8")


def joined(c: Context, codes: Sequence[Value], bits: int) -> list[Value]:
    """Codes that follow each other in words, low bits first."""
    words = [c.constant("i32", 0)] * (len(codes) * bits // 32)
    for number, code in enumerate(codes):
        word, at = divmod(number * bits, 32)
        words[word] = c.alu.or_(words[word], c.alu.shl(code, c.constant("i32", at)))
        if at + bits > 32:
            rest = c.alu.lshr(code, c.constant("i32", 32 - at))
            words[word + 1] = c.alu.or_(words[word + 1], rest)
    return words


def separate(c: Context, words: Sequence[Value], bits: int) -> list[Value]:
    """The codes that follow each other in words, low bits first."""
    codes = []
    for place in range(0, 32 * len(words), bits):
        word, at = divmod(place, 32)
        low = field(c, words[word], at, min(bits, 32 - at))
        if at + bits > 32:
            high = field(c, words[word + 1], 0, at + bits - 32)
            low = c.alu.or_(low, c.alu.shl(high, c.constant("i32", 32 - at)))
        codes.append(low)
    return codes


def floats(c: Context, words: Sequence[Value], kind: str) -> list[Value]:
    """The floats in registers as f32."""
    if kind == "f32":
        return [c.alu.bitcast(word, "float") for word in words]
    return [value for word in words for value in halves(c, word, kind)]


def by_chance(c: Context, name: str, kind: str, value: Value, seed: Value, scale: Value) -> Value:
    """The code of value / scale, as i32; `kind`: the type that the value has in the register."""
    return c.b.rows.call(
        "lm_encode_by_chance",
        [value, seed, scale],
        ["i32"],
        0,
        format_of(c, name),
        _MANTISSA[kind],
        int(c.mode.fp16_overflow),
    )[0]


# -- 32 at once -----------------------------------------------------------------------------------


def _codes(c: Context, name: str, values: Sequence[Value], scale: Value) -> list[Value]:
    down = factor(c, scale, inverse=True)
    codes = [encode(c, name, c.alu.float_op("fmul", value, down)) for value in values]
    return joined(c, codes, BITS[name])


@instruction(
    [f"v_cvt_scalef32_2xpk16_{name}_f32" for name in _SIX],
    "=v:w6 v:w16 v:w16 x:i32",
    VOP3,
    cite=f"{_VOP3}; {_PAIRS}",
)
def v_cvt_scale_both(c: Context, even: list[Value], odd: list[Value], scale: Value) -> list[Value]:
    pairs = zip(floats(c, even, "f32"), floats(c, odd, "f32"), strict=True)
    return _codes(c, c.name.split("_")[4], [value for pair in pairs for value in pair], scale)


for _kind in ("f16", "bf16"):

    @instruction(
        [f"v_cvt_scalef32_pk32_{name}_{_kind}" for name in _SIX],
        "=v:w6 v:w16 x:i32",
        VOP3,
        cite=_VOP3,
    )
    def v_cvt_scale_from_32(
        c: Context, a: list[Value], scale: Value, kind: str = _kind
    ) -> list[Value]:
        return _codes(c, c.name.split("_")[4], floats(c, a, kind), scale)


for _kind, _words in (("f32", 32), ("f16", 16), ("bf16", 16)):

    @instruction(
        [f"v_cvt_scalef32_pk32_{_kind}_{name}" for name in _SIX],
        f"=v:w{_words} v:w6 x:i32",
        VOP3,
        cite=_VOP3,
    )
    def v_cvt_scale_to_32(
        c: Context, a: list[Value], scale: Value, kind: str = _kind
    ) -> list[Value]:
        name = c.name.split("_")[5]
        up = factor(c, scale, inverse=False)
        values = [
            c.alu.float_op("fmul", decode(c, name, code), up) for code in separate(c, a, BITS[name])
        ]
        if kind == "f32":
            return values
        parts = [
            to_bf16(c, value) if kind == "bf16" else c.alu.convert("fptrunc", value, "half")
            for value in values
        ]
        return [packed(c, low, high) for low, high in zip(parts[::2], parts[1::2], strict=True)]


# -- rounded by chance ----------------------------------------------------------------------------


def _no_half(text: Instruction) -> str:
    """LLVM shifts the register where the high half is meant, and no source tells of op_sel[0]."""
    chosen = text.modifiers.get("op_sel")
    high = isinstance(chosen, tuple) and any(chosen[:2])
    return "op_sel picks the byte of the result alone: its first two bits are 0" if high else ""


def _place(c: Context) -> int:
    """The bit where the byte begins that op_sel[3:2] picks."""
    return 8 * (c.bit("op_sel", 2) + 2 * c.bit("op_sel", 3))


@instruction(
    [f"v_cvt_sr_{name}_f32" for name in _EIGHT],
    "+v:i32 x:f32 x:i32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
    check=_no_half,
)
def v_cvt_sr(c: Context, old: Value, a: Value, seed: Value) -> Value:
    one = c.constant("float", 0x3F800000)
    code = by_chance(c, c.name.split("_")[3], "f32", a, seed, one)
    return with_field(c, old, code, _place(c), 8)


@instruction(
    [f"v_cvt_scalef32_sr_{name}_f32" for name in _EIGHT],
    "+v:i32 x:f32 x:i32 x:f32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
    check=_no_half,
)
def v_cvt_scale_sr(c: Context, old: Value, a: Value, seed: Value, scale: Value) -> Value:
    code = by_chance(c, c.name.split("_")[4], "f32", a, seed, scale)
    return with_field(c, old, code, _place(c), 8)


for _kind in ("f16", "bf16"):

    @instruction(
        [f"v_cvt_scalef32_sr_{name}_{_kind}" for name in _EIGHT],
        f"+v:i32 x:{_kind}x2 x:i32 x:f32",
        VOP3,
        cite=_VOP3,
        modifiers="op_sel",
        check=_no_half,
    )
    def v_cvt_scale_sr_half(
        c: Context, old: Value, a: Value, seed: Value, scale: Value, kind: str = _kind
    ) -> Value:
        low, _ = halves(c, a, kind)
        code = by_chance(c, c.name.split("_")[4], kind, low, seed, scale)
        return with_field(c, old, code, _place(c), 8)

    @instruction(
        f"v_cvt_scalef32_sr_pk_fp4_{_kind}",
        f"+v:i32 x:{_kind}x2 x:i32 x:f32",
        VOP3,
        cite=_VOP3,
        modifiers="op_sel",
        check=_no_half,
    )
    def v_cvt_scale_sr_fp4_half(
        c: Context, old: Value, a: Value, seed: Value, scale: Value, kind: str = _kind
    ) -> Value:
        return _fp4_pair(c, old, [a], kind, seed, scale)


def _fp4_pair(
    c: Context, old: Value, words: list[Value], kind: str, seed: Value, scale: Value
) -> Value:
    low, high = (by_chance(c, "fp4", kind, value, seed, scale) for value in floats(c, words, kind))
    pair = c.alu.disjoint(low, c.alu.shl(high, c.constant("i32", 4)))
    return with_field(c, old, pair, _place(c), 8)


@instruction(
    "v_cvt_scalef32_sr_pk_fp4_f32",
    "+v:i32 v:w2 x:i32 x:f32",
    VOP3,
    cite=_VOP3,
    modifiers="op_sel",
    check=_no_half,
)
def v_cvt_scale_sr_fp4(c: Context, old: Value, a: list[Value], seed: Value, scale: Value) -> Value:
    return _fp4_pair(c, old, a, "f32", seed, scale)


for _kind, _words in (("f32", 32), ("f16", 16), ("bf16", 16)):

    @instruction(
        [f"v_cvt_scalef32_sr_pk32_{name}_{_kind}" for name in _SIX],
        f"=v:w6 v:w{_words} x:i32 x:i32",
        VOP3,
        cite=_VOP3,
    )
    def v_cvt_scale_sr_32(
        c: Context, a: list[Value], seed: Value, scale: Value, kind: str = _kind
    ) -> list[Value]:
        name = c.name.split("_")[5]
        codes = [by_chance(c, name, kind, value, seed, scale) for value in floats(c, a, kind)]
        return joined(c, codes, BITS[name])
