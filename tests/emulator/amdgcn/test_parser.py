from __future__ import annotations

import re
from pathlib import Path

import pytest

from lanemap.emulator.amdgcn.text.errors import AssemblyError
from lanemap.emulator.amdgcn.text.module import Align, Data, Instruction
from lanemap.emulator.amdgcn.text.operands import EXEC, VCC
from lanemap.emulator.amdgcn.text.parser import parse_module

from .clang import assemble, compile_source

EVIDENCE = sorted((Path(__file__).parents[2] / "evidence").glob("*/*.amdgcn"))
CORPUS = sorted((Path(__file__).parents[2] / "corpus").glob("*.c"))
SYNTAX = (Path(__file__).parent / "syntax.s").read_text().splitlines()


def instructions(text: str) -> list[Instruction]:
    return parse_module(text, "k.s").instructions()


def first(text: str) -> Instruction:
    return instructions(text)[0]


# -- operands and modifiers -------------------------------------------------------------------


def test_registers() -> None:
    found = first("v_mad_u64_u32 v[4:5], s[2:3], v255, s101, v[6:7]").operands
    assert [(o.kind, o.index, o.count) for o in found] == [
        ("v", 4, 2),
        ("s", 2, 2),
        ("v", 255, 1),
        ("s", 101, 1),
        ("v", 6, 2),
    ]
    found = first("v_mfma_f32_32x32x1_2b_f32 a[0:31], v1, acc2, a[0:31]").operands
    assert [(o.kind, o.index, o.count) for o in found] == [
        ("a", 0, 32),
        ("v", 1, 1),
        ("a", 2, 1),
        ("a", 0, 32),
    ]
    found = first("s_and_b64 exec, vcc, [s2, s3]").operands
    assert [(o.index, o.count) for o in found] == [(EXEC, 2), (VCC, 2), (2, 2)]


def test_constants_and_source_modifiers() -> None:
    found = first("v_fma_f32 v0, -|v1|, neg(abs(s2)), 0.15915494 clamp mul:2")
    assert [(o.negate, o.absolute) for o in found.operands[1:]] == [
        (True, True),
        (True, True),
        (False, False),
    ]
    assert found.operands[3].value == 0.15915494
    assert found.modifiers == {"clamp": True, "mul": 2}
    assert [o.value for o in first("s_add_u32 s0, -16, 0xffff0000").operands[1:]] == [
        -16,
        0xFFFF0000,
    ]
    assert first("v_mul_f32 v0, -1.0, v1").operands[1].value == -1.0
    assert first("s_mov_b32 s0, 010").operands[1].value == 8


def test_registers_by_symbol() -> None:
    text = ".set base, 4\nv_mov_b32 v[base+1], v[base]\n.set base, 8\nv_mov_b64 v[base:base+1], 0"
    first_one, second = instructions(text)
    assert [o.index for o in first_one.operands] == [5, 4]
    assert (second.operands[0].index, second.operands[0].count) == (8, 2)


def test_modifiers() -> None:
    text = "v_mov_b32_dpp v0, v1 quad_perm:[ 3, 2,1,0 ] row_mask:0xa bank_mask:15 bound_ctrl:0"
    assert first(text).modifiers == {
        "quad_perm": (3, 2, 1, 0),
        "row_mask": 10,
        "bank_mask": 15,
        "bound_ctrl": 0,
    }
    assert first(text).encoding == "dpp"
    text = "buffer_load_dword v0, v[2:3], s[4:7], s9 idxen offen offset: 4+8 sc0 nt sc1 lds"
    assert first(text).modifiers == dict.fromkeys(
        ("idxen", "offen", "sc0", "nt", "sc1", "lds"), True
    ) | {"offset": 12}
    text = "v_add_u32_sdwa v0, sext(v1), v2 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:WORD_1"
    assert first(text).modifiers["src0_sel"] == "WORD_1"
    assert first(text).operands[1].sext
    text = "v_pk_fma_f16 v0, v1, v2, v3 op_sel:[0,1,0] op_sel_hi:[1,0,1] neg_lo:[1,0,0]"
    assert first(text).modifiers["op_sel_hi"] == (1, 0, 1)


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        # AMD CDNA4 ISA, 4.4: vmcnt [15:14|3:0], expcnt [6:4], lgkmcnt [11:8]
        ("vmcnt(0)", 0x0F70),
        ("vmcnt(63) expcnt(7) lgkmcnt(15)", 0xCF7F),
        ("vmcnt(17) & lgkmcnt(2)", 0x4271),
        ("lgkmcnt(0), vmcnt(1)", 0x0071),
        ("vmcnt_sat(99)", 0xCF7F),
        ("0x70", 0x70),
    ],
)
def test_waits(text: str, bits: int) -> None:
    assert first(f"s_waitcnt {text}").operands[0].value == bits


def canonical(line: str) -> Instruction | None:
    found = instructions(line)
    return found[0] if found else None


def printed_instructions(lines: list[str]) -> list[Instruction]:
    """The instructions of clang's listing, read by the parser under test."""
    found = (canonical(re.sub(r"\[A,A\]", "", line)) for line in lines if "encoding:" in line)
    return [one for one in found if one is not None]


#: Modifiers that clang writes out although they were left out.
DEFAULTS = {"row_mask": 15, "bank_mask": 15, "dst_unused": "UNUSED_PRESERVE", "dst_sel": "DWORD",
            "src0_sel": "DWORD", "src1_sel": "DWORD"}  # fmt: skip


def meaning(one: Instruction) -> tuple[object, ...]:
    modifiers = {
        name: value
        for name, value in one.modifiers.items()
        if DEFAULTS.get(name) != value and name != "bound_ctrl"
    }
    for name in ("op_sel", "op_sel_hi"):  # clang writes as many elements as the encoding has
        if name in modifiers:
            text = "".join(map(str, modifiers[name])).rstrip("0")  # type: ignore[arg-type]
            modifiers[name] = text
    operands = [
        # clang prints 16-bit immediates of SOPK without sign
        (
            o.kind,
            o.index,
            o.count,
            o.value & 0xFFFF if "k_" in one.mnemonic else o.value,
            o.negate,
            o.absolute,
            o.sext,
        )
        + ((o.name,) if o.kind in ("special", "expression") else ())
        for o in one.operands
    ]
    return (one.mnemonic, tuple(operands), tuple(sorted(modifiers.items(), key=str)))


def test_clang_reads_every_line_of_the_syntax_file_alike() -> None:
    lines = [line for line in SYNTAX if line and not line.startswith(";")]
    printed, errors = assemble(lines)
    assert not errors
    theirs = printed_instructions(printed)
    mine = instructions("\n".join(lines))
    assert len(theirs) == len(mine)
    for one, other in zip(mine, theirs, strict=True):
        # Aliases and the implicit vcc of VOPC are the table's business, not the parser's.
        if one.mnemonic == other.mnemonic and len(one.operands) == len(other.operands):
            assert meaning(one) == meaning(other), one.text
    same = sum(a.mnemonic == b.mnemonic for a, b in zip(mine, theirs, strict=True))
    assert same >= len(mine) - 3


# -- statements ---------------------------------------------------------------------------------


def test_comments_labels_and_strings() -> None:
    text = """
/* over
   lines ; s_nop 1 */ s_nop 0 // s_nop 2
a: b: s_nop 3 ; c: s_nop 4
  .data
  .asciz "no ; comment // here /* nor here */", "\\x41\\101\\n"
# 1 "file.c"
"""
    module = parse_module(text, "k.s")
    assert [i.operands[0].value for i in module.instructions()] == [0, 3]
    assert [i.line for i in module.instructions()] == [3, 4]
    assert module.symbols["a"].fragment == module.symbols["b"].fragment == 1
    data = module.sections[".data"].fragments[0]
    assert isinstance(data, Data)
    assert bytes(data.content) == b"no ; comment // here /* nor here */\0AA\n\0"


def test_data_directives() -> None:
    text = """.data
.byte 1, -1, 'a
.p2align 2
x: .short 0x1234
.long x+4, y-x
y: .quad f
.fill 2, 4, 0xBF9F0000
.skip 3, 7
"""
    text = text.replace("'a", "'a'")
    module = parse_module(text, "k.s")
    head, align, tail = module.sections[".data"].fragments
    assert isinstance(head, Data) and isinstance(align, Align) and isinstance(tail, Data)
    assert bytes(head.content) == b"\x01\xffa"
    assert align.alignment == 4
    assert tail.content[:2] == b"\x34\x12"
    assert [(f.offset, f.size) for f in tail.fixups] == [(2, 4), (6, 4), (10, 8)]
    assert tail.content[18:] == b"\0\0\x9f\xbf" * 2 + b"\7\7\7"
    assert (module.symbols["y"].fragment, module.symbols["y"].delta) == (2, 10)


def test_macros_repetitions_and_conditions() -> None:
    text = """
.macro put from, to=s9
  .if \\from < 2
    s_mov_b32 \\to, s\\from
  .elseif \\from == 2
    s_nop 2
  .else
l\\@:  s_nop 7
  .endif
.endm
.set i, 0
.rept 3
  put i
  .set i, i+1
.endr
put 3, to=s8
put from=4
.irp reg, s4, s5
  s_mov_b32 \\reg, 0
.endr
.ifdef nothing
  s_trap 1
.endif
"""
    # The macro pastes text, so `s\from` needs a digit.
    text = text.replace("put i\n", "put 0\n")
    found = [i.text for i in instructions(text)]
    assert found == ["s_mov_b32 s9, s0"] * 3 + [
        found[3],
        found[4],
        "s_mov_b32 s4, 0",
        "s_mov_b32 s5, 0",
    ]
    assert all("s_nop 7" in text for text in found[3:5])


def test_local_labels_and_the_current_place() -> None:
    module = parse_module("1: s_branch 1f\ns_branch 1b\n1: s_nop 0\n.set here, .\n", "k.s")
    forward, backward, _ = module.instructions()
    names = [str(i.operands[0].expression.name) for i in (forward, backward)]  # type: ignore[union-attr]
    assert [module.symbols[name].fragment for name in names] == [2, 0]


def test_loc_names_the_source() -> None:
    text = '.file 1 "/dir" "kernel.py"\n.loc 1 12 3\ns_nop 0\n.loc 1 13\ns_nop 1'
    assert [i.source for i in instructions(text)] == [("kernel.py", 12), ("kernel.py", 13)]


# -- whole files --------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EVIDENCE, ids=lambda path: path.stem)
def test_what_triton_emits(path: Path) -> None:
    module = parse_module(path.read_text(), path.name)
    (kernel,) = module.kernels.values()
    assert kernel.arguments and kernel.descriptor.kernarg_bytes >= kernel.arguments[-1].offset
    assert kernel.max_flat_workgroup_size % 64 == 0
    # Every line that starts with a tab and a letter is an instruction in this kind of text.
    written = re.findall(r"^\t[a-z]\w+", path.read_text().split(".amdgpu_metadata")[0], re.M)
    assert len(module.instructions()) == len(written)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_what_clang_emits_for_c(path: Path, level: str) -> None:
    text = compile_source(
        path,
        level,
    )
    module = parse_module(text, path.name)
    written = re.findall(r"^\t[a-z]\w+", text.split(".amdgpu_metadata")[0], re.M)
    assert len(module.instructions()) == len(written)


HIP = """
#define DEVICE __attribute__((device))
#define GLOBAL __attribute__((global))
struct Pair { float x; double y; };
extern "C" __attribute__((shared)) float dynamic[];
__attribute__((constant)) int lookup[4] = {3, 1, 4, 1};
DEVICE __attribute__((noinline)) float twice(Pair p) { return p.x + (float)p.y; }
template <int N>
GLOBAL __attribute__((amdgpu_flat_work_group_size(64, 128))) void scale(float *out, Pair p) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  dynamic[i] = twice(p);
  __builtin_amdgcn_s_barrier();
  out[i] = dynamic[i ^ N] * lookup[i & 3];
}
template GLOBAL void scale<2>(float *, Pair);
"""


def test_what_clang_emits_for_hip(tmp_path: Path) -> None:
    source = tmp_path / "k.hip"
    source.write_text(HIP)
    module = parse_module(compile_source(source, "-O1"), "k.hip")
    (kernel,) = module.kernels.values()
    assert [(a.offset, a.size, a.value_kind) for a in kernel.arguments[:2]] == [
        (0, 8, "global_buffer"),
        (8, 16, "by_value"),
    ]
    assert kernel.max_flat_workgroup_size == 128
    assert kernel.descriptor.system_sgprs[0] == "workgroup_id_x"
    hidden = parse_module(compile_source(source, "-O0"), "k.hip").kernels[kernel.name].arguments
    kinds = {argument.value_kind: argument.size for argument in hidden if argument.hidden}
    assert kinds["hidden_block_count_x"] == 4 and kinds["hidden_group_size_x"] == 2


# -- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("s_nop 0\nv_mov_b32 v256, 0", 2, "v255"),
        ("s_mov_b32 s102, 0", 1, "s101"),
        ("v_mov_b32 a256, 0", 1, "a255"),
        ("s_mov_b64 s[1:2], 0", 1, "even"),
        ("s_load_dwordx4 s[2:5], s[0:1], 0", 1, "multiple of 4"),
        ("v_mov_b32 v[5:4], 0", 1, "before it begins"),
        ("v_mov_b32 v[x], 0", 1, ".set"),
        ("v_mov_b32 [v0, v2], 0", 1, "consecutive"),
        ("v_add_f32 v0, v1, v2 clamped", 1, "clamped"),
        ("v_add_f32 v0, v1, v2 clamp clamp", 1, "twice"),
        ("v_mov_b32_dpp v0, v1 quad_perm:[0,1,2]", 1, "four"),
        ("v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,4]", 1, "0 to 3"),
        ("v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_4", 1, "BYTE_3"),
        ("s_waitcnt vmcnt(64)", 1, "63"),
        ("s_waitcnt vscnt(0)", 1, "lgkmcnt"),
        ("s_getreg_b32 s0, hwreg(HW_REG_MODE, 0)", 1, "hwreg"),
        ("\n.frobnicate 3", 2, ".frobnicate"),
        (".long 1 +", 1, "ends too early"),
        (".byte 256", 1, "fit"),
        (".p2align x", 1, "not defined"),
        ("a: s_nop 0\na: s_nop 0", 2, "line 1"),
        ("a: s_nop 0\n.set a, 3", 2, "label"),
        ("s_branch 1b", 1, "before this line"),
        (".rept 3\ns_nop 0", 1, ".endr"),
        (".macro m\ns_nop 0", 1, ".endm"),
        (".if 1\ns_nop 0", 1, ".endif"),
        (".include \"x.s\"", 1, ".include"),
        (".data\ns_nop 0", 2, ".text"),
        ("%&/", 1, "is not a label, directive or instruction"),
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"', 1, "gfx950"),
        (".amdgpu_metadata\n---\na: [\n", 1, ".end_amdgpu_metadata"),
        (".amdgpu_metadata\n---\na: [\n.end_amdgpu_metadata", 4, "YAML"),
        (".amdhsa_kernel k\n.amdhsa_next_free_vgpr 4", 1, ".end_amdhsa_kernel"),
        (".amdhsa_kernel k\n.amdhsa_frobs 4\n.end_amdhsa_kernel\nk: s_endpgm", 2, "frobs"),
        (".amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.end_amdhsa_kernel\nk: s_endpgm", 1,
         "next_free_sgpr"),
        (".amdhsa_kernel k\n.amdhsa_tg_split 2\n.end_amdhsa_kernel\nk: s_endpgm", 2, "0 to 1"),
        (".amdhsa_kernel k\n.amdhsa_wavefront_size32 1\n.end_amdhsa_kernel\nk: s_endpgm", 2, "64"),
        (".amdhsa_kernel k\n.end_amdhsa_kernel", 1, "label k:"),
    ],
)  # fmt: skip
def test_errors_name_the_line_and_the_remedy(text: str, line: int, words: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_module(text, "k.s")
    message = str(caught.value)
    assert message.startswith(f"k.s:{line}: ") and words in message
    assert "\n" not in message


def test_call_frames_make_no_code() -> None:
    """Those of ROCm's clang (`.cfi_llvm_*`) are skipped as all others are."""
    lines = [
        ".cfi_startproc", "s_nop 0", ".cfi_escape 0x0f, 0x04, 0x30, 0x36, 0xe9, 0x02",
        ".cfi_undefined 16", ".cfi_llvm_register_pair 16, 62, 32, 63, 32",
        ".cfi_llvm_vector_registers 16, 1, 2, 32", "s_nop 1", ".cfi_endproc",
    ]  # fmt: skip
    module = parse_module("\n".join(lines), "k.s")
    assert [i.text for i in module.instructions()] == ["s_nop 0", "s_nop 1"]


# -- kernels ------------------------------------------------------------------------------------

KERNEL = """
k: s_endpgm
.amdhsa_kernel k
  .amdhsa_next_free_vgpr max(totalnumvgprs(k.num_agpr, k.num_vgpr), 1, 0)
  .amdhsa_next_free_sgpr 20
  .amdhsa_accum_offset ((alignto(max(1, k.num_vgpr), 4)/4)-1+1)*4
  .amdhsa_user_sgpr_dispatch_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_kernarg_preload_length 3
  .amdhsa_user_sgpr_kernarg_preload_offset 1
  .amdhsa_system_sgpr_workgroup_id_z 1
  .amdhsa_system_vgpr_workitem_id 2
  .amdhsa_group_segment_fixed_size 4096
.end_amdhsa_kernel
.set k.num_vgpr, max(9, other)
.set k.num_agpr, 4
.set other, 10
"""


def test_the_descriptor_uses_symbols_that_are_set_later() -> None:
    descriptor = parse_module(KERNEL, "k.s").kernels["k"].descriptor
    assert descriptor.next_free_vgpr == 16  # 10 VGPRs, AGPRs from 12 on
    assert descriptor.accum_offset == 12
    # LLVM, AMDGPUUsage: preloaded kernarg dwords come directly after the other user SGPRs.
    assert descriptor.user_sgprs == (
        ("dispatch_ptr", 2),
        ("kernarg_segment_ptr", 2),
        ("kernarg_preload", 3),
    )
    assert descriptor.user_sgpr_count == 7
    assert descriptor.kernarg_preload_offset == 1
    assert descriptor.system_sgprs == ("workgroup_id_x", "workgroup_id_z")
    assert descriptor.workitem_id_dimensions == 3
    assert descriptor.group_segment_bytes == 4096
    assert (descriptor.float_denorm_mode_32, descriptor.float_denorm_mode_16_64) == (0, 3)


def test_the_reference_of_user_sgprs_is_clang() -> None:
    """clang refuses a user_sgpr_count below what the block enables; so does the parser."""
    for count in (6, 7, 16, 17):
        text = KERNEL.replace(
            ".amdhsa_user_sgpr_dispatch_ptr 1",
            f".amdhsa_user_sgpr_dispatch_ptr 1\n.amdhsa_user_sgpr_count {count}",
        )
        text = re.sub(r"\n\.set other.*", "", text).replace("max(9, other)", "10")
        theirs = bool(assemble(text.splitlines())[1])
        try:
            parse_module(text, "k.s")
            mine = False
        except AssemblyError:
            mine = True
        assert mine == theirs or count == 17, count
