"""Inline constants of every source: the bits that clang says they have, and what is made of them.

clang's assembler writes an inline constant where a number has its bits: `v_pk_add_u16 v0, v1,
0x3f800000` is printed with 1.0, `v_pk_add_f16 v0, v1, 0x3c00` too. So it tells for every source
which bits the constant stands for. An instruction with the constant then has to do what it does
with a register that holds these bits.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import lanemap
from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower.binding import bind
from lanemap.emulator.amdgcn.lower.constants import constant_bits
from lanemap.emulator.amdgcn.lower.table import TABLE, Definition, Role
from lanemap.emulator.amdgcn.text.errors import AssemblyError, Place
from lanemap.emulator.amdgcn.text.parser import parse_module

from . import clang
from .machine import run, words

PLACE = Place("k.s", 1)
FLOATS = ("0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0")
#: 1/(2 pi), which clang writes in the digits of an f32, or of an f64.
INVERSE, WIDE_INVERSE = "0.15915494", "0.15915494309189532"
INTEGERS = ("-16", "-1", "0", "1", "64")


def codes(text: str) -> dict[str, int]:
    """The bits of an inline float by format; 1/(2 pi) as the ISA states it (3.6.2)."""
    if text in (INVERSE, WIDE_INVERSE):
        return {"f16": 0x3118, "bf16": 0x3E22, "f32": 0x3E22F983, "f64": 0x3FC45F306DC9C882}
    value = float(text)
    (single,) = struct.unpack("<I", struct.pack("<f", value))
    return {
        "f16": int(np.array(value, np.float16).view(np.uint16)),
        "bf16": int(np.array(value, ml_dtypes.bfloat16).view(np.uint16)),
        "f32": single,
        "f64": struct.unpack("<Q", struct.pack("<d", value))[0],
    }


def _operand(role: Role, number: int) -> str:
    first, words_ = 32 * number, role.words
    if role.place in ("m", "s"):
        return f"s{16 * number}" if words_ == 1 else f"s[{16 * number}:{16 * number + words_ - 1}]"
    if role.place == "k":
        return "0x3141"
    letter = "a" if role.place == "a" else "v"
    return f"{letter}{first}" if words_ == 1 else f"{letter}[{first}:{first + words_ - 1}]"


def _line(definition: Definition, place: int, text: str) -> str:
    operands = [_operand(role, number) for number, role in enumerate(definition.explicit)]
    operands[place] = text
    # Without op_sel_hi the sources are f32 (AMD CDNA4 ISA, V_FMA_MIX_F32); clang has one type only.
    mixed = " op_sel_hi:[1,1,1]" if "_fma_mix" in definition.name else ""
    return f"{definition.name} {', '.join(operands)}{mixed}"


def _sources() -> list[tuple[Definition, int]]:
    """Every place that takes an inline constant."""
    return [
        (TABLE[name], place)
        for name in sorted(TABLE)
        for place, role in enumerate(TABLE[name].explicit)
        if role.reads
        and not role.writes
        and role.place in ("x", "vc", "s")
        and TABLE[name].format.name not in ("SOPK", "SOPP", "SMEM", "FLAT", "MUBUF", "MTBUF", "DS")
    ]


def _by_clang(constant: str) -> dict[tuple[str, int], set[int]]:
    """The bits that clang gives a constant, by instruction and place, where it says any."""
    asked = [
        (definition, place, bits)
        for definition, place in _sources()
        for bits in sorted(set(codes(constant).values()))
    ]
    lines = [_line(definition, place, hex(bits)) for definition, place, bits in asked]
    _, errors = clang.assemble(lines)
    good = [number for number in range(len(lines)) if number not in errors]
    printed, more = clang.assemble([lines[number] for number in good])
    assert not more
    texts = [line.strip() for line in printed if "encoding:" in line]
    found: dict[tuple[str, int], set[int]] = {}
    for number, text in zip(good, texts, strict=True):
        definition, place, bits = asked[number]
        if re.search(rf"[ |]{re.escape(constant)}[|, ]", text):
            found.setdefault((definition.name, place), set()).add(bits)
    return found


@pytest.mark.parametrize("constant", [*FLOATS, INVERSE, WIDE_INVERSE])
def test_every_source_has_the_bits_that_clang_gives_the_constant(constant: str) -> None:
    found = _by_clang(constant)
    wrong, told = [], 0
    for definition, place in _sources():
        line = _line(definition, place, constant)
        try:
            (instruction,) = parse_module(line, "k.s").instructions()
            bound = bind(instruction, PLACE)
        except AssemblyError:
            continue  # that both take it, test_table.py says
        position = [i for i, role in enumerate(bound.roles) if not role.implied][place]
        role = bound.roles[position]
        kind = definition.extra["constant"] if role.place == "vc" else role.type
        mine = constant_bits(bound.operands[position], kind)
        theirs = found.get((definition.name, place), set())
        told += bool(theirs)
        if theirs and mine not in theirs:
            wrong.append((line, hex(mine), [hex(bits) for bits in theirs]))
    assert not wrong, f"{len(wrong)}: {wrong[:8]}"
    assert told > (100 if constant == WIDE_INVERSE else 700)  # that clang said something of most


# -- executed: a constant against a register that holds its bits -----------------------------------

#: Instructions by what their sources are, `{}` for the constant, and its format.
EXECUTED = [
    ("v_fma_mix_f32 {d}, v10, {}, v11 op_sel_hi:[1,1,0]", "f16"),
    ("v_fma_mix_f32 {d}, -|{}|, v10, v11 op_sel_hi:[1,0,1]", "f16"),
    ("v_fma_mix_f32 {d}, v10, v11, {} op_sel:[1,0,1] op_sel_hi:[1,0,1]", "f16"),
    ("v_fma_mix_f32 {d}, v10, {}, v11 op_sel_hi:[1,0,0]", "f32"),
    ("v_fma_mix_f32 {d}, v10, neg({}), v11", "f32"),
    ("v_fma_mixlo_f16 {d}, v10, {}, v11 op_sel_hi:[0,1,1]", "f16"),
    ("v_fma_mixhi_f16 {d}, v10, {}, v11 op_sel_hi:[0,0,1]", "f32"),
    ("v_pk_add_f16 {d}, v10, {}", "f16"),
    ("v_pk_mul_f16 {d}, v10, {} op_sel_hi:[1,0]", "f16"),
    ("v_pk_fma_f16 {d}, v10, {}, v11 op_sel:[0,1,0] op_sel_hi:[1,0,1] neg_lo:[0,1,0]", "f16"),
    ("v_pk_max_f16 {d}, {}, v10 op_sel_hi:[0,1]", "f16"),
    ("v_pk_fmac_f16 {d}, {}, v10", "f16"),
    ("v_pk_add_u16 {d}, v10, {}", "f32"),
    ("v_pk_mul_lo_u16 {d}, v10, {} op_sel:[0,1] op_sel_hi:[1,1]", "f32"),
    ("v_pk_mad_i16 {d}, v10, v11, {} op_sel_hi:[1,1,0]", "f32"),
    ("v_pk_max_i16 {d}, {}, v10 op_sel:[1,0] op_sel_hi:[1,1]", "f32"),
    ("v_pk_add_f32 {d2}, v[10:11], {} op_sel_hi:[1,0]", "f32"),
    ("v_pk_fma_f32 {d2}, v[10:11], {}, v[12:13] op_sel_hi:[1,0,1] neg_hi:[0,1,0]", "f32"),
    ("v_pk_mov_b32 {d2}, v[10:11], {}", "f32"),
    ("v_dot2_f32_f16 {d}, v10, {}, v11", "f16"),
    ("v_dot2_f32_f16 {d}, v10, v11, {}", "f32"),
    ("v_dot2_f32_bf16 {d}, {}, v10, v11", "bf16"),
    ("v_dot2c_f32_f16 {d}, {}, v10", "f16"),
    ("v_dot2c_f32_bf16 {d}, {}, v10", "bf16"),
    ("v_dot2_i32_i16 {d}, v10, {}, v11", "f32"),
    ("v_dot4_i32_i8 {d}, v10, {}, v11", "f32"),
    ("v_dot8_u32_u4 {d}, v10, {}, v11", "f32"),
    ("v_cvt_scalef32_pk_fp8_f16 {d}, {}, v11", "f16"),
    ("v_cvt_scalef32_pk_bf8_bf16 {d}, {}, v11", "bf16"),
    ("v_cvt_scalef32_pk_fp4_f16 {d}, {}, v11 op_sel:[0,0,1,1]", "f16"),
    ("v_cvt_scalef32_pk_fp4_f32 {d}, {}, v10, v11", "f32"),
    ("v_cvt_scalef32_pk_fp8_f16 {d}, v10, {}", "f32"),
    ("v_cvt_scalef32_sr_fp8_f16 {d}, {}, v10, v11", "f16"),
    ("v_cvt_scalef32_sr_bf8_bf16 {d}, {}, v10, v11", "bf16"),
    ("v_cvt_scalef32_sr_pk_fp4_f16 {d}, {}, v10, v11", "f16"),
    ("v_cvt_scalef32_f16_fp8 {d}, {}, v11", "f32"),
    ("v_cvt_scalef32_pk_bf16_bf8 {d}, v10, {} op_sel:[1,0,0]", "f32"),
    ("v_cvt_scalef32_pk_f32_fp8 {d2}, {}, v11 op_sel:[1,0,0]", "f32"),
    ("v_cvt_f32_fp8 {d}, {}", "f32"),
    ("v_cvt_pk_fp8_f32 {d}, {}, v10 op_sel:[0,0,1]", "f32"),
    ("v_cvt_f32_f16 {d}, neg({})", "f16"),
    ("v_cvt_f32_bf16 {d}, {}", "bf16"),
    ("v_cvt_f16_f32 {d}, |{}|", "f32"),
    ("v_cvt_f64_f32 {d2}, {}", "f32"),
    ("v_cvt_f32_f64 {d}, {}", "f64"),
    ("v_fma_f16 {d}, v10, {}, v11", "f16"),
    ("v_fma_f16 {d}, v10, {}, v11 op_sel:[1,1,0,1]", "f16"),
    ("v_mad_f16 {d}, {}, v10, -v11 op_sel:[1,0,0,0]", "f16"),
    ("v_pack_b32_f16 {d}, v10, {}", "f16"),
    ("v_pack_b32_f16 {d}, {}, v10 op_sel:[1,0,0]", "f16"),
    ("v_max3_f16 {d}, v10, v11, {} op_sel:[0,1,1,0]", "f16"),
    ("v_add_f16 {d}, {}, v10", "f16"),
    ("v_ldexp_f32 {d}, v10, {}", "f32"),
    ("v_add_f64 {d2}, {}, v[10:11]", "f64"),
    ("v_fma_f64 {d2}, v[10:11], neg({}), v[12:13]", "f64"),
    ("v_lshlrev_b64 {d2}, v10, {}", "f64"),
    ("v_mad_u64_u32 {d2}, vcc, v10, v11, {}", "f64"),
    ("v_lshl_add_u64 {d2}, {}, v10, v[12:13]", "f64"),
    ("v_perm_b32 {d}, v10, v11, {}", "f32"),
    ("v_add_u32 {d}, {}, v10", "f32"),
]  # fmt: skip

#: 16-bit integers of a source of their own take no float.
INTEGER_HALVES = [
    "v_mad_u16 {d}, v10, {}, v11 op_sel:[0,1,0,0]", "v_mad_i32_i16 {d}, v10, {}, v11 op_sel:[1,1]",
    "v_add_i16 {d}, {}, v10 op_sel:[1,0,1]", "v_add_u16 {d}, {}, v10",
    "v_med3_i16 {d}, v10, v11, {} op_sel:[0,0,1,0]", "v_ldexp_f16 {d}, v10, {}",
]  # fmt: skip


def _bits(constant: str, kind: str) -> int:
    if constant in INTEGERS:
        return int(constant) & (1 << 64) - 1  # extended with its sign to the source's width
    return codes(constant)[kind]


def _constants(pattern: str, kind: str) -> list[str]:
    """Those to try: negative integers are NaNs, whose bits may change where LLVM folds them."""
    every = [*INTEGERS, *FLOATS, WIDE_INVERSE if kind == "f64" else INVERSE]
    sums = pattern.startswith("v_dot2") and "_f32" in pattern
    return [text for text in every if not (sums and text in ("-16", "-1"))]


def _differing(pattern: str, kind: str, constants: list[str]) -> list[str]:
    """The constants with which an instruction does something else than with their bits."""
    pair = kind == "f64" or re.match(r"v_pk_\w+_[fb]32", pattern)
    body, outputs = ["v_mov_b32 v5, 0", "v_mov_b32 v6, 0"], []
    destinations = ({"d": "v100", "d2": "v[100:101]"}, {"d": "v102", "d2": "v[102:103]"})
    for number, constant in enumerate(constants):
        bits = _bits(constant, kind)
        body += [f"v_mov_b32 v20, {hex(bits & 0xFFFFFFFF)}", f"v_mov_b32 v21, {hex(bits >> 32)}"]
        body += [f"v_mov_b32 v{register}, v12" for register in range(100, 104)]
        twin = pattern.replace("{}", "v[20:21]" if pair else "v20")
        for text, names in zip((pattern.replace("{}", constant), twin), destinations, strict=True):
            body += ["s_nop 4", text.format(**names)]
        body += ["s_nop 4", f"v_mov_b32 v{200 + number}, 0"]
        for first in (100, 101):
            body += [
                f"v_xor_b32 v22, v{first}, v{first + 2}",
                f"v_or_b32 v{200 + number}, v22, v{200 + number}",
            ]
        outputs.append(f"v{200 + number}")
    factors = np.exp2(np.random.default_rng(45).uniform(-9, 9, 64)).astype(np.float32)
    inputs = [words(41, 64), factors, words(43, 64), words(44, 64)]
    found = run("\n".join(body), inputs, outputs)
    return [text for text, row in zip(constants, found, strict=True) if row.any()]


@pytest.mark.parametrize(("pattern", "kind"), EXECUTED)
def test_a_constant_does_what_a_register_with_its_bits_does(pattern: str, kind: str) -> None:
    assert not _differing(pattern, kind, _constants(pattern, kind))


@pytest.mark.parametrize("pattern", INTEGER_HALVES)
def test_an_integer_of_a_half_is_extended_with_its_sign(pattern: str) -> None:
    assert not _differing(pattern, "i16", list(INTEGERS))


#: What no source states is refused, not guessed.
REFUSED = {
    "v_pk_add_f32 v[0:1], v[2:3], 1.0": "the high word of 1.0",
    "v_pk_fma_f32 v[0:1], v[2:3], v[4:5], -1 op_sel:[0,0,1] op_sel_hi:[1,1,0]": "high word of -1",
    "v_pk_mov_b32 v[0:1], v[2:3], 4.0 op_sel:[0,1]": "the high word of 4.0",
    "v_add_f16_sdwa v0, 1.0, v1 src0_sel:WORD_1": "a part of 1.0",
    "v_add_u16 v0, 1.0, v1": "1.0 is a float where 16-bit integers are read",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_no_source_states_is_refused(line: str) -> None:
    (instruction,) = parse_module(line, "k.s").instructions()
    with pytest.raises(AssemblyError, match=REFUSED[line]):
        bind(instruction, PLACE)


# -- compiled: clang chooses the constants ---------------------------------------------------------

_SOURCE = """
typedef _Float16 h2 __attribute__((ext_vector_type(2)));
typedef __bf16 b2 __attribute__((ext_vector_type(2)));
typedef float f2 __attribute__((ext_vector_type(2)));
typedef unsigned short u2 __attribute__((ext_vector_type(2)));
extern "C" __attribute__((global)) void k(unsigned *in, unsigned *out) {
  unsigned t = __builtin_amdgcn_workitem_id_x(), n = 0, x = in[t];
  h2 h = __builtin_bit_cast(h2, x); u2 u = __builtin_bit_cast(u2, x);
  b2 b = __builtin_bit_cast(b2, x);
  f2 f = {(float)(x & 255), (float)(x >> 24)};
#define OUT(value) out[64 * n++ + t] = __builtin_bit_cast(unsigned, value)
  %s
}
"""
#: C, and what NumPy makes of h, u, b (halves, low first) and f.
COMPILED = {
    "h + (h2){0, 2}": lambda h, u, b, f: h + np.float16([0, 2]),
    "h * (h2){1, 1}": lambda h, u, b, f: h * np.float16(1),
    "h * (h2)(_Float16)-4": lambda h, u, b, f: h * np.float16(-4),
    "__builtin_elementwise_fma(h, (h2){0.5f, 0.5f}, (h2){-2, 0})":
        lambda h, u, b, f: (h.astype(float) * 0.5 + [-2, 0]).astype(np.float16),
    "(u2)(u * (u2){0x3f80, 0x3f80})": lambda h, u, b, f: u * np.uint16(0x3F80),
    "(u2)(u * (u2){0, 0x4000})": lambda h, u, b, f: u * np.array([0, 0x4000], np.uint16),
    "(u2)(u + (u2)64)": lambda h, u, b, f: u + np.uint16(64),
    "(u2)(u + (u2){0xffff, 0xffff})": lambda h, u, b, f: u + np.uint16(0xFFFF),
    "({ f2 g = f * (f2){4, 4}; g.x - g.y; })":
        lambda h, u, b, f: (f[..., 0] - f[..., 1]) * np.float32(4),
    "({ f2 g = f * f + (f2){1, 1}; g.x + g.y; })":
        lambda h, u, b, f: (f[..., 0] ** 2 + f[..., 1] ** 2) + np.float32(2),
    "__builtin_amdgcn_fdot2(h, (h2){1, 0}, 2.0f, false)":
        lambda h, u, b, f: h[..., 0].astype(np.float32) + np.float32(2),
    "__builtin_amdgcn_fdot2_f32_bf16(b, (b2){(__bf16)-0.5f, (__bf16)0.0f}, 1.0f, false)":
        lambda h, u, b, f: b[..., 0].astype(np.float32) * np.float32(-0.5) + np.float32(1),
}  # fmt: skip


def test_what_clang_writes_with_inline_constants(tmp_path: Path) -> None:
    """A packed product by 0x3f80 is one by the high half of 1.0; a pair of f16 has it low."""
    path = tmp_path / "k.hip"
    path.write_text(_SOURCE % "\n  ".join(f"OUT(({text}));" for text in COMPILED))
    text = clang.compile_source(path, "-O2")
    for form in ("v_pk_add_f16", "v_pk_mul_lo_u16", "v_pk_(mul|fma|add)_f32", "v_dot2c?_f32_b?f16"):
        assert re.search(rf"{form}\w* .*\b[124]\.0", text), form
    rng = np.random.default_rng(51)
    halves = rng.normal(0, 3, (64, 2)).astype(np.float16)
    halves[:, 0] = np.round(halves[:, 0], 1)
    given = halves.view(np.uint32).reshape(-1)
    device = lanemap.open_device("gfx950", device="emulator")
    out = device.zeros(64 * len(COMPILED), np.uint32)
    device.load(text)["k"]((1, 1, 1), (64, 1, 1), (device.array(given), out))
    found = out.get().reshape(len(COMPILED), 64)
    h, u = halves, given.view(np.uint16).reshape(64, 2)
    b = given.view(ml_dtypes.bfloat16).reshape(64, 2)
    f = np.stack([given & 255, given >> 24], axis=-1).astype(np.float32)
    with np.errstate(all="ignore"):
        for row, (text, expected) in zip(found, COMPILED.items(), strict=True):
            wanted = np.ascontiguousarray(expected(h, u, b, f)).view(np.uint32).reshape(-1)
            assert row.tolist() == wanted.tolist(), text
