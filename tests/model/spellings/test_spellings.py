"""Names that others gave, held against what their own compilers and headers make of them."""

from __future__ import annotations

import re
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from lanemap.errors import UserError
from lanemap.model import named

STORED = Path(__file__).parent
#: Of these, ptxas makes instructions of other shapes or types: FP8 by HMMA, 4-bit types by IMMA.
CONVERTED = re.compile(r"\.(e4m3|e5m2)\..*HMMA|\.[su]4\..*IMMA|\.b1\..*IMMA|MOVM\.U")


def variants(name: str) -> frozenset[str]:
    """The variants that a name means; none if it has none."""
    try:
        return frozenset(each.name for each in named(name).variants)
    except UserError:
        return frozenset()


def stored(name: str) -> list[list[str]]:
    lines = (STORED / name).read_text().splitlines()
    return [line.split() for line in lines if not line.startswith("#")]


def test_atoms_of_cutlass_mean_what_they_issue() -> None:
    """The header's own asm says which PTX an atom is; an SS atom has A in shared memory."""
    wrong, read = [], 0
    for name, *issued in stored("cutlass.txt"):
        theirs = frozenset().union(*map(variants, issued))
        if "SM10" in name and "_SS" in name:
            theirs = frozenset(each for each in theirs if not each.endswith(":A"))
        read += bool(variants(name))
        if issued and variants(name) != theirs:
            wrong.append(name)
    assert not wrong
    assert read >= 620


def test_machine_instructions_mean_the_ptx_that_they_are_made_of() -> None:
    """A name without the types, the sparsity or the majors (UTC..MMA, HMMA.884) means more."""
    wrong, read = [], 0
    for opcode, ptx in stored("sass.txt"):
        if CONVERTED.search(f"{ptx} {opcode}"):
            continue
        ours, theirs = variants(opcode), variants(ptx)
        read += bool(ours)
        more = opcode.startswith(("UTC", "HMMA.884"))
        if not (theirs <= ours if more else theirs == ours):
            wrong.append((opcode, ptx, sorted(ours), sorted(theirs)))
    assert not wrong
    assert read > 450


IR = """
target triple = "nvptx64-nvidia-cuda"
declare {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32,i32,i32,i32,i32,i32,float,float,float,float)
declare {i32,i32,i32,i32} @llvm.nvvm.mma.m16n8k32.row.col.s8.u8(i32,i32,i32,i32,i32,i32,i32,i32,i32,i32)
declare {i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p0(ptr)
declare {i32,i32,i32,i32} @llvm.nvvm.wmma.m16n16k16.load.c.row.f16.p0(ptr)
define ptx_kernel void @k(ptr %p, i32 %i, float %f) {
  %a = call {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,float %f,float %f,float %f,float %f)
  %b = call {i32,i32,i32,i32} @llvm.nvvm.mma.m16n8k32.row.col.s8.u8(i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i,i32 %i)
  %c = call {i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p0(ptr %p)
  %d = call {i32,i32,i32,i32} @llvm.nvvm.wmma.m16n16k16.load.c.row.f16.p0(ptr %p)
  store volatile {float,float,float,float} %a, ptr %p
  store volatile {i32,i32,i32,i32} %b, ptr %p
  store volatile {i32,i32} %c, ptr %p
  store volatile {i32,i32,i32,i32} %d, ptr %p
  ret void
}
"""  # noqa: E501
AMD_IR = """
target triple = "amdgcn-amd-amdhsa"
declare <16 x float> @llvm.amdgcn.mfma.f32.32x32x8bf16.1k(<4 x i16>, <4 x i16>, <16 x float>, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf16(<8 x bfloat>, <8 x bfloat>, <4 x float>, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32, i32, i32)
declare <4 x float> @llvm.amdgcn.smfmac.f32.16x16x64.fp8.bf8(<2 x i32>, <4 x i32>, <4 x float>, i32, i32, i32)
declare <2 x i32> @llvm.amdgcn.ds.read.tr8.b64.v2i32(ptr addrspace(3))
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %l, <4 x i16> %h, <8 x bfloat> %b, float %f, <16 x float> %c, <4 x float> %d, <2 x i32> %e, <4 x i32> %g) {
  %1 = call <16 x float> @llvm.amdgcn.mfma.f32.32x32x8bf16.1k(<4 x i16> %h, <4 x i16> %h, <16 x float> %c, i32 0, i32 0, i32 0)
  %2 = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.bf16(<8 x bfloat> %b, <8 x bfloat> %b, <4 x float> %d, i32 0, i32 0, i32 0)
  %3 = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %f, float %f, <4 x float> %d, i32 0, i32 0, i32 0)
  %4 = call <4 x float> @llvm.amdgcn.smfmac.f32.16x16x64.fp8.bf8(<2 x i32> %e, <4 x i32> %g, <4 x float> %d, i32 0, i32 0, i32 0)
  %5 = call <2 x i32> @llvm.amdgcn.ds.read.tr8.b64.v2i32(ptr addrspace(3) %l)
  store volatile <16 x float> %1, ptr addrspace(1) %p
  store volatile <4 x float> %2, ptr addrspace(1) %p
  store volatile <4 x float> %3, ptr addrspace(1) %p
  store volatile <4 x float> %4, ptr addrspace(1) %p
  store volatile <2 x i32> %5, ptr addrspace(1) %p
  ret void
}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("text", "cpu", "features", "instruction"),
    [
        (IR, "sm_90a", "+ptx86", r"^\s*((?:mma|ldmatrix|wmma)\..*)$"),
        (AMD_IR, "gfx950", "", r"^\s*((?:v_s?mfma|ds_read_b64_tr).*)$"),
    ],
)
def test_intrinsics_mean_what_llvm_makes_of_them(
    text: str, cpu: str, features: str, instruction: str
) -> None:
    """The lines of LLVM's assembly, with their operands, are read as the intrinsics are."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly(text)
    target = llvm.Target.from_triple(module.triple)
    made = target.create_target_machine(cpu=cpu, features=features).emit_assembly(module)
    lines = [variants(line) for line in re.findall(instruction, made, re.M)]
    intrinsics = [variants(line) for line in re.findall(r"^declare (.*)$", text, re.M)]
    assert all(intrinsics) and sorted(map(sorted, lines)) == sorted(map(sorted, intrinsics))


@pytest.mark.parametrize(
    ("pasted", "ours"),
    [
        # In upper case, with a guard, operands, comments, in an asm statement.
        ("TCGEN05.LD.SYNC.ALIGNED.32X32B.X4.B32", ["tcgen05.ld.32x32b.x4"]),
        ("@%p1 tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r1, %r2}, [%r5]; // S",
         ["tcgen05.ld.32x32b.x4"]),
        ('asm volatile("stmatrix.sync.aligned.x4.m8n8.shared.b16 [%0], {%1};\\n"',
         ["stmatrix.sync.aligned.m8n8.x4.shared.b16"]),
        ("tcgen05.ld.sync.aligned.16x32bx2.x4.b32 {%r1, %r2, %r3, %r4}, [%r5], 100;",
         ["tcgen05.ld.16x32bx2.x4+100"]),
        ("/*0090*/  @!P0 LDSM.16.M88.4 R4, [R8] ;", ["ldmatrix.sync.aligned.m8n8.x4.shared.b16"]),
        ("ldmatrix.x4", ["ldmatrix.sync.aligned.m8n8.x4.shared.b16"]),
        # cbsz is the format of A, blgp that of B; left out they are fp8.
        ("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:17], v[0:3] blgp:2",
         [f"v_mfma_f32_16x16x128_f8f6f4:{x}" for x in ("A.fp8", "B.fp6", "D")]),
        ("HMMA.16816.F32.BF16:B", ["mma.sync.m16n8k16.bf16:B"]),
        ("GMMA::Layout_MN_SW128_Atom<float>", ["shared.mn_major.128b.32bit"]),
        ("UMMA::LayoutType::SWIZZLE_128B_BASE32B", ["shared.swizzle.128b_atom32b"]),
        ("SM100_MMA_F16BF16_SS<half_t, half_t, float, 128, 192, Major::K, Major::K>",
         [f"tcgen05.mma.cta_group::1.m128n192.{kind}:D" for kind in ("f32", "f16")]),
        ("tcgen05.Ld16x256bOp(tcgen05.Repetition.x8, tcgen05.Pack.PACK_16b_IN_32b)",
         ["tcgen05.ld.16x256b.x8.pack::16b"]),
        ("cute.nvgpu.warp.LdMatrix8x8x16bOp(transpose=True, num_matrices=4)",
         ["ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"]),
        ("#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>",
         ["shared.k_major.64b.8bit", "shared.mn_major.64b.8bit"]),
        ("NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64])",
         [f"wgmma.m64n64.{kind}:D" for kind in ("f32", "s32", "f16")]),
        ("#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>",
         [f"tcgen05.mma.cta_group::1.m128n64.{kind}:D" for kind in ("f32", "s32", "f16")]),
        ("64x40x32", [f"wgmma.m64k32.{x}:A" for x in ("e4m3", "e5m2", "s8", "u8")]
         + ["wgmma.m64n40.f32:D", "wgmma.m64n40.f16:D"]),
        ("wmma::fragment<wmma::matrix_b, 32, 8, 16, __nv_bfloat16, wmma::col_major> b;",
         ["wmma.m32n8k16.bf16:B"]),
        ("32x32b.x2", ["tcgen05.ld.32x32b.x2", "tcgen05.ld.32x32b.x2.pack::16b",
                       "tcgen05.st.32x32b.x2", "tcgen05.st.32x32b.x2.unpack::16b"]),
        ("ld*256b.x32.p*", ["tcgen05.ld.16x256b.x32.pack::16b"]),
    ],
)  # fmt: skip
def test_pasted_lines(pasted: str, ours: list[str]) -> None:
    assert [each.name for each in named(pasted).variants] == ours


def test_what_a_name_was_read_as_is_told() -> None:
    assert named("SM100_TMEM_LOAD_32dp32b32x").read_as == "tcgen05.ld.32x32b.x32"
    assert named("tcgen05.ld.32x32b.x32").read_as == ""
    read = named("SM90_64x128x16_F32BF16BF16_SS").read_as
    assert read == "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16"


@pytest.mark.parametrize(
    "operation", ["ttng.tmem_load", "ttng.tc_gen5_mma", "tt.dot", "ttg.local_load", "DotOperand"]
)
def test_what_means_several_is_listed(operation: str) -> None:
    found = named(operation)
    assert len(found.meanings) > 8
    with pytest.raises(UserError, match=rf"means {len(found.meanings)} things: .* more; name one"):
        found.operands()
