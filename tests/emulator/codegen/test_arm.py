"""What LLVM makes of generated code and of the runtime for an Arm core: compiled here, never run.

Nothing may need what only x86-64 has, and no vector may be taken apart lane by lane.
"""

from __future__ import annotations

import io
import re
from typing import Any

import llvmlite.binding as llvm
import pytest
from elftools.elf.elffile import ELFFile

from lanemap.emulator import amdgcn, ptx
from lanemap.emulator.codegen import unit
from lanemap.emulator.codegen.processor import LEVEL, strips_of
from lanemap.emulator.codegen.program import Program
from lanemap.emulator.codegen.strips import Function
from lanemap.emulator.runtime.built import IR
from lanemap.toolchain.amdgcn_kernel import Kernel

TRIPLE = "aarch64-unknown-linux-gnu"
#: What the C library of every Linux and macOS has of what LLVM and the runtime call.
LIBRARY = set(
    "malloc calloc aligned_alloc madvise free memcpy memmove memset memcmp bcmp fma fmaf sqrt "
    "sqrtf sin sinf cos cosf exp2 exp2f log2 log2f tanh ldexp ldexpf fmod fmodf".split()
)
STRIPS = strips_of(4, x86=False)
#: Instructions that move one lane of a vector.
ONE_LANE = ("umov", "smov", "ins", "mov.s", "mov.d")

PTX = """
.version 8.8
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
    .reg .b32 %r<10>, %n; .reg .f32 %f<6>; .reg .f64 %d<3>; .reg .b64 %w<3>; .reg .b16 %h<4>;
    .reg .pred %p, %q;
    ld.param.u64 %w1, [out];
    ld.param.u32 %n, [n];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %w2, %r2, 4;
    add.u64 %w1, %w1, %w2;
    mov.u32 %r1, 3; mov.u32 %r3, 1; mov.f32 %f1, 0f3F000000;
    cvt.rn.f32.u32 %f0, %r2;
AGAIN:
    add.u32 %r2, %r2, %r1;
    lop3.b32 %r5, %r3, %r2, %r1, 0xea;
    bfe.u32 %r8, %r5, 4, 12;
    max.u32 %r9, %r8, %r3;
    mad.lo.u32 %r2, %r8, %r9, %r2;
    shf.r.wrap.b32 %r3, %r3, %r2, 7;
    add.rn.f32 %f0, %f0, %f1;
    fma.rn.f32 %f3, %f0, %f1, %f0;
    max.f32 %f5, %f3, %f0;
    mul.rn.f32 %f0, %f5, %f1;
    sub.s32 %n, %n, 1;
    setp.gt.s32 %p, %n, 0;
    @%p bra AGAIN;
    cvt.f64.f32 %d1, %f0;
    div.rn.f64 %d2, %d1, %d1;
    cvt.rn.f32.f64 %f2, %d2;
    cvt.rn.f16.f32 %h1, %f2;
    cvt.rn.bf16.f32 %h2, %f2;
    mov.b32 %r4, {%h1, %h2};
    setp.lt.u32 %q, %r2, %r3;
    @%q st.global.u32 [%w1], %r4;
    ret;
}
"""
GFX950 = """\
    s_load_dwordx2 s[4:5], s[0:1], 0x0
    s_load_dword s6, s[0:1], 0x8
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v2, v0
    v_mov_b32_e32 v3, 1
    v_cvt_f32_u32_e32 v10, v0
    v_mov_b32_e32 v11, 0.5
    s_waitcnt lgkmcnt(0)
.Lagain:
    v_add_u32_e32 v2, v2, v1
    v_and_or_b32 v5, v3, v2, v1
    v_bfe_u32 v8, v5, 4, 12
    v_add3_u32 v2, v2, v8, v5
    v_alignbit_b32 v3, v3, v2, 7
    v_add_f32_e32 v10, v10, v11
    v_fma_f32 v13, v10, v11, v10
    v_max_f32_e32 v15, v13, v10
    v_mul_f32_e32 v10, v15, v11
    s_sub_i32 s6, s6, 1
    s_cmp_gt_i32 s6, 0
    s_cbranch_scc1 .Lagain
    v_cvt_f16_f32_e32 v4, v10
    v_xor_b32_e32 v2, v2, v4
    global_store_dword v1, v2, s[4:5]
    s_endpgm
"""


def _programs() -> dict[str, Program]:
    text = Kernel("k", ("result",), ("iterations",), 0, 20, 16, 64).text(GFX950)
    return {
        "sm_90a": ptx.load(PTX, "k.ptx").kernels["k"].program,
        "gfx950": amdgcn.load(text, "k.s").kernels["k"].program,
    }


@pytest.fixture(scope="module")
def target() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE)


def _module(ir: str) -> Any:
    module = llvm.parse_assembly(ir)
    module.triple = TRIPLE
    return module


def _undefined(image: bytes) -> set[str]:
    """The symbols that an object needs from elsewhere."""
    table = ELFFile(io.BytesIO(image)).get_section_by_name(".symtab")
    return {
        symbol.name
        for symbol in table.iter_symbols()
        if symbol.name and symbol["st_shndx"] == "SHN_UNDEF"
    }


@pytest.mark.parametrize("cpu", ["generic", "apple-m1"])
def test_the_runtime_compiles(cpu: str, target: Any) -> None:
    machine = target.create_target_machine(opt=0, cpu=cpu, jit=True)
    image = machine.emit_object(_module(IR.read_text()))
    assert ELFFile(io.BytesIO(image)).get_machine_arch() == "AArch64"
    assert _undefined(image) <= LIBRARY


def test_nothing_is_written_for_one_processor() -> None:
    assert not re.findall(r"@llvm\.(?:x86|aarch64|arm)\.\w+", IR.read_text())
    assert '"target-features"' not in IR.read_text()


@pytest.mark.parametrize("precise", [False, True])
@pytest.mark.parametrize("name", ["sm_90a", "gfx950"])
def test_generated_code_compiles(name: str, precise: bool, target: Any) -> None:
    program = _programs()[name]
    functions, declarations = [], {}
    for block in program.blocks:
        made = Function(
            unit.built_block(program, block.index, precise).ir.ops, program.lanes, STRIPS
        )
        declarations.update(made.declarations)
        functions.append(unit.function_ir(f"block{block.index}", made))
    module = _module("\n".join([*declarations.values(), *functions]))
    machine = target.create_target_machine(opt=LEVEL, cpu="apple-m1", jit=True)
    needed = _undefined(machine.emit_object(module))
    defined = set(re.findall(r"^define [^@\n]*@([\w.$]+)\(", IR.read_text(), re.M))
    assert needed <= LIBRARY | defined
    if precise:
        return
    longest = max(program.blocks, key=lambda block: len(block.operations)).index
    text = machine.emit_assembly(module)
    body = text[text.index(f"\nblock{longest}:") :].split(".Lfunc_end")[0]
    words = [line.split()[0] for line in body.splitlines() if line.startswith("\t")]
    assert not [word for word in words if word.startswith(ONE_LANE)]
    # the sum of a strip's bits is a mask
    assert words.count("fmov") <= sum(word.startswith("addv") for word in words)
