"""Software wait states against LLVM, which put the s_nops where its own tables want them.

Every case is compiled by clang: the emulator must find it clean as it is, and must find a wait
state missing as soon as any one s_nop is lowered by one.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower.table import TABLE, lookup
from lanemap.emulator.amdgcn.lower.wait_traits import matrix_of
from tests.sampled import sampled

HEAD = """
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3)))
#define VECTOR(n) __attribute__((ext_vector_type(n)))
typedef float f2 VECTOR(2);
typedef float f4 VECTOR(4);
typedef float f16 VECTOR(16);
typedef double d4 VECTOR(4);
typedef int i4 VECTOR(4);
typedef int i8 VECTOR(8);
typedef int i16 VECTOR(16);
typedef short s2 VECTOR(2);
typedef short s4 VECTOR(4);
typedef _Float16 h2 VECTOR(2);
typedef _Float16 h4 VECTOR(4);
typedef _Float16 h8 VECTOR(8);
typedef _Float16 h16 VECTOR(16);
typedef float f32 VECTOR(32);
#define KERNEL __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(64, 64)))
#define LANE __builtin_amdgcn_workitem_id_x()
"""
# A call of each kind and number of passes, the types of A and B and of C and D.
MATRIX = {
    "xdl_4_passes": ("mfma_f32_16x16x32_fp8_fp8(A, B, C, 0, 0, 0)", "long", "f4"),
    "xdl_8_passes": ("mfma_f32_32x32x16_fp8_fp8(A, B, C, 0, 0, 0)", "long", "f16"),
    "f16_4_passes": ("mfma_f32_16x16x16f16(A, B, C, 0, 0, 0)", "h4", "f4"),
    "f16_8_passes": ("mfma_f32_32x32x8f16(A, B, C, 0, 0, 0)", "h4", "f16"),
    "f16_deep_4_passes": ("mfma_f32_16x16x32_f16(A, B, C, 0, 0, 0)", "h8", "f4"),
    "f16_deep_8_passes": ("mfma_f32_32x32x16_f16(A, B, C, 0, 0, 0)", "h8", "f16"),
    "i8_4_passes": ("mfma_i32_16x16x64_i8(A, B, C, 0, 0, 0)", "i4", "i4"),
    "i8_8_passes": ("mfma_i32_32x32x32_i8(A, B, C, 0, 0, 0)", "i4", "i16"),
    "f32_8_passes": ("mfma_f32_16x16x4f32(A, B, C, 0, 0, 0)", "float", "f4"),
    "f32_16_passes": ("mfma_f32_32x32x2f32(A, B, C, 0, 0, 0)", "float", "f16"),
    "f64_16_passes": ("mfma_f64_16x16x4f64(A, B, C, 0, 0, 0)", "double", "d4"),
    "mx_fp4_4_passes": ("mfma_scale_f32_16x16x128_f8f6f4(A, B, C, 4, 4, 0, n, 0, n)", "i8", "f4"),
    "mx_fp8_8_passes": ("mfma_scale_f32_16x16x128_f8f6f4(A, B, C, 0, 0, 0, n, 0, n)", "i8", "f4"),
    "mx_fp4_8_passes": ("mfma_scale_f32_32x32x64_f8f6f4(A, B, C, 4, 4, 0, n, 0, n)", "i8", "f16"),
    "f16_2_passes": ("mfma_f32_4x4x4f16(A, B, C, 0, 0, 0)", "h4", "f4"),
    "f16_blocks_8_passes": ("mfma_f32_16x16x4f16(A, B, C, 0, 0, 0)", "h4", "f16"),
    "f16_blocks_16_passes": ("mfma_f32_32x32x4f16(A, B, C, 0, 0, 0)", "h4", "f32"),
    "i8_2_passes": ("mfma_i32_4x4x4i8(A, B, C, 0, 0, 0)", "int", "i4"),
    "f32_2_passes": ("mfma_f32_4x4x1f32(A, B, C, 0, 0, 0)", "float", "f4"),
    "f32_blocks_8_passes": ("mfma_f32_16x16x1f32(A, B, C, 0, 0, 0)", "float", "f16"),
    "f64_4_passes": ("mfma_f64_4x4x4f64(A, B, C, 0, 0, 0)", "double", "double"),
    "sparse_4_passes": (
        "smfmac_f32_16x16x64_f16(__builtin_shufflevector(A, A, 0, 1, 2, 3, 4, 5, 6, 7), B, C, n, 0,"
        " 0)", "h16", "f4"),
    "sparse_8_passes": (
        "smfmac_f32_32x32x32_f16(__builtin_shufflevector(A, A, 0, 1, 2, 3, 4, 5, 6, 7), B, C, n, 0,"
        " 0)", "h16", "f16"),
    "mx_mixed_16_passes": (
        "mfma_scale_f32_32x32x64_f8f6f4(A, B, C, 4, 0, 0, n, 0, n)", "i8", "f16"),
}  # fmt: skip
#: What gfx950 has not, or calls otherwise.
XF32 = {
    "xf32_4_passes": ("mfma_f32_16x16x8_xf32(A, B, C, 0, 0, 0)", "f2", "f4"),
    "xf32_8_passes": ("mfma_f32_32x32x4_xf32(A, B, C, 0, 0, 0)", "f2", "f16"),
    "i8_4_passes": ("mfma_i32_16x16x32_i8(A, B, C, 0, 0, 0)", "long", "i4"),
    "i8_8_passes": ("mfma_i32_32x32x16_i8(A, B, C, 0, 0, 0)", "long", "i16"),
    "sparse_4_passes": (
        "smfmac_f32_16x16x32_f16(__builtin_shufflevector(A, A, 0, 1, 2, 3), B, C, n, 0, 0)", "h8",
        "f4"),
    "sparse_8_passes": (
        "smfmac_f32_32x32x16_f16(__builtin_shufflevector(A, A, 0, 1, 2, 3), B, C, n, 0, 0)", "h8",
        "f16"),
}  # fmt: skip
#: What gfx90a has; the names of kinds give the passes of gfx950.
FIRST = {
    "bf16_16_passes": ("mfma_f32_32x32x4bf16(A, B, C, 0, 0, 0)", "s2", "f16"),
    "bf16_8_passes": ("mfma_f32_16x16x8bf16(A, B, C, 0, 0, 0)", "s2", "f4"),
    "bf16_1k_8_passes": ("mfma_f32_16x16x16bf16_1k(A, B, C, 0, 0, 0)", "s4", "f4"),
    "i8_8_passes": ("mfma_i32_16x16x16i8(A, B, C, 0, 0, 0)", "int", "i4"),
    "i8_16_passes": ("mfma_i32_32x32x8i8(A, B, C, 0, 0, 0)", "int", "i16"),
}
#: Kinds that gfx90a has not.
LATER = re.compile("mx_|f16_deep|xdl_|i8_[48]|sparse")
#: Kinds of gfx950 alone.
NEWER = re.compile("mx_|f16_deep")
KINDS = {
    "gfx90a": {kind: each for kind, each in MATRIX.items() if not LATER.match(kind)} | FIRST,
    "gfx942": {kind: each for kind, each in MATRIX.items() if not NEWER.match(kind)} | XF32,
    "gfx950": MATRIX,
}
_NEWEST = {"permlane", "fp4_by_chance"}
LACKING: dict[str, set[str]] = {
    "gfx90a": {*_NEWEST, "readlane", "functions", "byte_by_chance", "halves", "into_lds"},
    "gfx942": _NEWEST,
    "gfx950": set(),
}
COPY = "__builtin_memcpy(&x, &d, sizeof x < sizeof d ? sizeof x : sizeof d);"
# What is done with d = A x B + c, and c.
USES = {
    "vector": "out[t] = d + d;",
    "source_a": f"AB x = a; {COPY} out[t] = MATRIX(x, b, c);",
    "source_b": f"AB x = b; {COPY} out[t] = MATRIX(a, x, c);",
    "accumulator": "out[t] = MATRIX(a, b, d);",
    "rewritten": "*(int *)&d = n; out[t] = d;",
    "overwritten_srcc": "*(int *)&c += 1; out[t] = d; out[t + 64] = c;",
    "lds": "shared[t] = d; out[t] = shared[t ^ 1];",
    "loop": f"for (int i = 1; i < n; i++) {{ AB x = a; {COPY} d = MATRIX(x, b, c); }} out[t] = d;",
}
# Other instructions, from the index t and the words in and out.
OTHERS = {
    "dpp": "out[t] = __builtin_amdgcn_update_dpp(0, in[t] + 1, 0xb1, 15, 15, 1);",
    "permlane": """
        VECTOR(2) unsigned p = __builtin_amdgcn_permlane32_swap(in[t] + 1, in[t + 64] * 3, 0, 0);
        out[t] = p.x ^ p.y;""",
    "readlane": "out[t] = __builtin_amdgcn_readlane(in[t] + n, n) + t;",
    "lane_select": """
        int lane = __builtin_amdgcn_readfirstlane(in[t]) & 63;
        out[t] = __builtin_amdgcn_readlane(in[t], __builtin_amdgcn_readfirstlane(in[t + 64]));""",
    "scalar_offset": """
        __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc((void *)in, 0, 32768, 0x27000);
        int at = __builtin_amdgcn_readfirstlane(in[t] & 4);
        out[t] = __builtin_amdgcn_raw_buffer_load_b32(r, 4 * t, at, 0);""",
    "div_fmas": "float f = in[t]; out[t] = __builtin_amdgcn_div_fmasf(f, f, f, in[t] > n);",
    "functions": "out[t] = (int)(__builtin_amdgcn_exp2f((float)in[t]) * 3.0f);",
    "dot": """
        int d = __builtin_amdgcn_sdot4(in[t], in[t + 64], t, 0);
        out[t] = __builtin_amdgcn_sdot4(d, in[t + 64], d, 0);""",
    "wide_store": """
        i4 v = ((GLOBAL i4 *)in)[t]; ((GLOBAL i4 *)out)[t] = v; v = v * n;
        ((GLOBAL i4 *)out)[t + 64] = v;""",
    "float_dot": """
        h2 x = __builtin_bit_cast(h2, in[t]), y = __builtin_bit_cast(h2, in[t + 64]);
        float d = __builtin_amdgcn_fdot2(x, y, 0, 0);
        out[t] = __builtin_amdgcn_fdot2(x, __builtin_bit_cast(h2, d), d, 0);""",
    "byte_by_chance": """
        int p = __builtin_amdgcn_cvt_sr_fp8_f32((float)in[t], in[t + 64], n, 2);
        out[t] = p + 1;""",
    "fp4_by_chance": """
        h2 x = __builtin_bit_cast(h2, in[t]);
        out[t] = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f16(n, x, in[t + 64], 2.0f, 0) + 1;""",
    "halves": """
        int p = __builtin_amdgcn_cvt_pk_fp8_f32(in[t], in[t + 64], n, 1);
        out[t] = p + 1;""",
    "into_lds": """
        __builtin_amdgcn_global_load_lds(in + t, (LDS void *)shared, 4, 0, 0);
        __builtin_amdgcn_global_load_lds(in + t, (LDS void *)(shared + 64), 4, 0, 0);
        __builtin_amdgcn_s_waitcnt(0); out[t] = ((LDS int *)shared)[t];""",
    "mode": """
        __builtin_amdgcn_s_setreg(0x1901, 13);
        out[t] = __builtin_amdgcn_s_getreg(0x1901);""",
}
#: A turn of a loop that waits by itself, before LLVM looks for hazards.
WAITED = "d = MATRIX(x, b, c); __builtin_amdgcn_sched_barrier(0);" + 12 * (
    "__builtin_amdgcn_s_setprio(0);"
)
NOP = re.compile(r"\ts_nop (\d+)$")
#: What follows an s_nop that the ISA does not ask for: carry-in and lane masks (wait_states.py).
EXEMPT = ("v_cndmask", "v_addc", "v_subb")


def _matrix_source(kind: str, use: str, target: str = "gfx950") -> str:
    call, operands, result = KINDS[target][kind]
    return f"""{HEAD}
#define MATRIX(A, B, C) __builtin_amdgcn_{call}
typedef {operands} AB;
typedef {result} CD;
static LDS CD shared[64] __attribute__((loader_uninitialized));
KERNEL void k(GLOBAL AB *in, GLOBAL CD *out, int n) {{
  int t = LANE;
  AB a = in[t], b = in[t + 64];
  CD c = out[t], d = MATRIX(a, b, c);
  {USES[use]}
}}
"""


def _other_source(name: str) -> str:
    return f"""{HEAD}
static LDS int shared[128] __attribute__((loader_uninitialized));
KERNEL void k(GLOBAL int *in, GLOBAL int *out, int n) {{
  int t = LANE;
  {OTHERS[name]}
}}
"""


def _compiled(source: str, target: str = "gfx950") -> list[str]:
    """clang's assembly; without XNACK, for which LLVM spaces loads too."""
    pytest.importorskip("ziglang")
    from lanemap.toolchain.amdgpu import compile_to_assembly

    return compile_to_assembly(source, f"{target}:xnack-", "c").splitlines()


def _rules(lines: list[str], strict: bool = False, target: str = "gfx950") -> list[Any]:
    """The wait states that runs find missing, on the ways that n = 3 and n = 1 take."""
    device = lanemap.open_device(target, device="emulator", hazards="report", strict=strict)
    given, out = (device.array(np.full(8192, 0x3C013C02, np.uint32)) for _ in range(2))
    kernel = device.load("\n".join(lines))["k"]
    for n in (3, 1):
        kernel((1, 1, 1), (64, 1, 1), (given, out, np.int32(n)))
    return [hazard for hazard in device.hazards if "wait states" in hazard.sentence]


def _lowered(lines: list[str]) -> list[tuple[int, list[str]]]:
    """The text with one s_nop a wait state shorter, for each, and its line's number."""
    found = []
    for number, line in enumerate(lines):
        match = NOP.match(line)
        if match is None:
            continue
        after = next(x.strip() for x in lines[number + 1 :] if re.match(r"\t[a-z]\w+ ", x))
        if not after.startswith(EXEMPT):
            shorter = f"\ts_nop {int(match[1]) - 1}" if match[1] != "0" else ""
            found.append((number + 1, [*lines[:number], shorter, *lines[number + 1 :]]))
    return found


def _agrees(source: str, target: str) -> None:
    lines = _compiled(source, target)
    assert _rules(lines, target=target) == []
    lowered = _lowered(lines)
    assert lowered, "the compiler put no s_nop in"
    asked = {hazard.line for hazard in _rules(lines, True, target)}  # by the ISA alone
    for number, text in lowered:
        # else the matrix unit is waited for, which LLVM does not count
        if not _rules(text, target=target):
            more = {hazard.line for hazard in _rules(text, True, target)} - asked
            assert more, f"line {number}: {lines[number - 1].strip()} lowered by one"


#: Whose C is copied into D where a loop begins, the passes, and the wait states that the way into
#: the loop needs there: seven instructions lie between the first product and the second, whose SrcA
#: it is and which must come 8 (12) later, and of the larger one thirteen.
COPIED = {"sparse_4_passes": (4, 1), "sparse_8_passes": (8, 0)}
ALL = [
    (target, kind, use)
    for target, kinds in KINDS.items()
    for kind in kinds
    for use in USES
    if use != "loop" or kind not in COPIED
]
#: In the ordinary run: every kind once, every use for an XDL, an f32 and an f64.
SOME = [
    (target, kind, use)
    for target, kind, use in ALL
    if use == "source_a"
    or kind in ("xdl_8_passes", "f32_8_passes", "f64_16_passes", "bf16_8_passes")
]


@pytest.mark.parametrize("target, kind, use", sampled(SOME, 2))
def test_matrix_instructions_as_llvm_spaces_them(target: str, kind: str, use: str) -> None:
    _agrees(_matrix_source(kind, use, target), target)


@pytest.mark.slow
@pytest.mark.parametrize("target, kind, use", [each for each in ALL if each not in SOME])
def test_more_matrix_instructions_as_llvm_spaces_them(target: str, kind: str, use: str) -> None:
    _agrees(_matrix_source(kind, use, target), target)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COPIED)
def test_a_loop_of_which_llvm_does_not_count_its_own_nops(kind: str) -> None:
    """D of v_smfmac is C too, so a loop begins with a copy of C: a VALU write of the last turn's D.

    LLVM fills in s_nops from the top of the function to its end. At the copy it looks back through
    the end of the loop, where the s_nop after v_smfmac is still to come, and asks for what lies
    between without it. No rule asks for that s_nop: not the emulator's, and not LLVM's where other
    instructions lie behind v_smfmac from the start.
    """
    passes, entering = COPIED[kind]
    lines = _compiled(_matrix_source(kind, "loop"))
    assert _rules(lines) == []
    begin = next(i for i, line in enumerate(lines) if "Inner Loop Header" in line)
    body = [line for line in lines[begin:] if re.match(r"\t[a-z]\w+", line)]
    body = body[: next(i for i, line in enumerate(body) if "s_cbranch" in line) + 1]
    product = next(i for i, line in enumerate(body) if "smfmac" in line)
    behind = [line for line in body[product + 1 :] if not NOP.match(line)]
    needed = passes + 4  # XDL write, VALU write: AMD CDNA4 ISA, 7.6, table 38
    assert body[0] == f"\ts_nop {needed - len(behind) - 1}"
    number = lines.index(body[0], begin)
    fewest = [*lines[:number], *["\ts_nop 0"] * entering, *lines[number + 1 :]]
    assert _rules(fewest) == []
    assert len(_rules(fewest, strict=True)) == len(_rules(lines, strict=True))
    for i, line in enumerate(fewest):  # no other s_nop of the loop can be left out
        if i >= number and NOP.match(line):
            assert _rules([*fewest[:i], *fewest[i + 1 :]])
    use = USES["loop"].replace("d = MATRIX(x, b, c);", WAITED)
    waited = _compiled(_matrix_source(kind, "loop").replace(USES["loop"], use))
    begin = next(i for i, line in enumerate(waited) if "Inner Loop Header" in line)
    after = [line for line in waited[begin:] if re.match(r"\t[a-z]\w+", line)]
    assert after[0].startswith("\tv_mov_b64") and after.count("\ts_setprio 0") == 12
    assert _rules(waited) == []


@pytest.mark.parametrize("name", sampled(OTHERS, 2))
@pytest.mark.parametrize("target", KINDS)
def test_other_instructions_as_llvm_spaces_them(target: str, name: str) -> None:
    if name in LACKING[target]:
        pytest.skip(f"{target} has not what it is about, or LLVM puts no s_nop there")
    _agrees(_other_source(name), target)


def test_every_matrix_instruction_has_a_kind_and_passes() -> None:
    lookup("v_nop")  # fills the table
    names = [name for name in TABLE if name.startswith(("v_mfma", "v_smfma"))]
    assert len(names) > 20
    for name in names:
        matrix = matrix_of(name, (0, 0))
        assert matrix is not None and matrix.passes in (2, 4, 8, 16), name
