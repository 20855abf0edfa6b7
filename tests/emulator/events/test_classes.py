"""The class of every instruction that the front ends know."""

from __future__ import annotations

import pytest

from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower import classes as gfx_classes
from lanemap.emulator.amdgcn.lower import table as gfx_table
from lanemap.emulator.ptx import isa
from lanemap.emulator.ptx.lower import classes, table
from lanemap.emulator.ptx.lower.pieces import ENDERS
from lanemap.emulator.ptx.text.module import Instruction


def instruction(name: str) -> Instruction:
    opcode, *modifiers = name.split(".")
    return Instruction(opcode, tuple(modifiers), (), None, False, 1, name)


#: By hand, from the PTX ISA's chapters on instructions.
PTX = {
    "add.s32": "integer", "add.rn.f32": "float", "add.f16x2": "half", "fma.rn.bf16": "half",
    "fma.rn.f64": "double", "mad.lo.u32": "integer", "max.ftz.f32": "float", "and.b32": "integer",
    "dp4a.u32.s32": "integer", "div.rn.f64": "double", "rcp.approx.f32": "special function",
    "ex2.approx.ftz.bf16x2": "special function", "cvt.rn.f32.u32": "conversion",
    "setp.lt.f32": "compare", "selp.b32": "compare", "mov.u32": "move", "cvta.u64": "move",
    "ld.global.nc.v4.f32": "global load", "ld.u32": "generic load",
    "ld.param.u64": "parameter load",
    "ld.volatile.shared::cta.u32": "shared load", "ld.const.f32": "constant load",
    "st.local.u32": "private store", "atom.global.add.u32": "global atomic",
    "red.shared.add.u32": "shared atomic", "atom.cas.b32": "generic atomic",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16": "shared load",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16": "shared store",
    "shfl.sync.bfly.b32": "exchange", "vote.sync.any.pred": "exchange", "bar.sync": "barrier",
    "barrier.cluster.arrive.aligned": "barrier", "membar.gl": "fence", "bra.uni": "control",
    "fence.proxy.async.shared::cta": "fence", "mbarrier.try_wait.parity.shared.b64": "mbarrier",
    "tcgen05.ld.sync.aligned.32x32b.x4.b32": "tensor load",
    "cp.async.cg.shared.global": "copy", "cp.async.mbarrier.arrive.shared.b64": "mbarrier",
    "cp.async.wait_group": "wait", "cp.async.bulk.wait_group.read": "wait",
    "cp.async.bulk.global.shared::cta.bulk_group": "copy", "cp.async.bulk.commit_group": "fence",
    "cp.async.bulk.prefetch.L2.global": "prefetch",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32": "copy",
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32": "shared store",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32":
        "shared atomic",
    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128": "control",
    "tcgen05.wait::ld.sync.aligned": "wait", "tcgen05.cp.cta_group::1.128x256b": "copy",
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32": "allocation",
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32": "matrix",
}  # fmt: skip
GFX = {
    "v_add_u32": "integer", "v_add_f32": "float", "v_pk_add_f16": "half", "v_fma_f64": "double",
    "v_cvt_f32_i32": "conversion", "v_rcp_f32": "special function", "v_cmp_lt_f32": "compare",
    "v_cndmask_b32": "compare", "v_mov_b32": "move", "v_readlane_b32": "exchange",
    "ds_bpermute_b32": "exchange", "ds_read_b64_tr_b8": "shared load",
    "ds_write_b128": "shared store", "ds_add_u32": "shared atomic",
    "global_load_dwordx4": "global load", "buffer_store_dword": "global store",
    "flat_load_dword": "generic load", "scratch_load_dword": "private load",
    "global_atomic_add": "global atomic", "s_load_dwordx4": "scalar load",
    "s_store_dword": "scalar store",
    "s_buffer_atomic_add_x2": "scalar atomic", "v_clrexcp": "control", "ds_append": "shared atomic",
    "ds_read_addtid_b32": "shared load", "s_dcache_wb": "fence", "s_add_u32": "scalar",
    "s_and_saveexec_b64": "scalar", "s_waitcnt": "wait", "s_barrier": "barrier",
    "s_cbranch_scc1": "control", "s_endpgm": "control", "buffer_inv": "fence",
    "v_mfma_f32_16x16x32_bf16": "matrix", "v_smfmac_f32_16x16x64_f16": "matrix",
    "v_mfma_scale_f32_32x32x64_f8f6f4": "matrix",
}  # fmt: skip


@pytest.mark.parametrize("name", PTX)
def test_classes_of_ptx(name: str) -> None:
    assert classes.kind_of(instruction(name)) == PTX[name]


@pytest.mark.parametrize("name", GFX)
def test_classes_of_gfx950(name: str) -> None:
    definition = gfx_table.lookup(name)
    assert definition is not None and gfx_classes.kind_of(definition) == GFX[name]


def test_every_instruction_of_ptx_has_a_class() -> None:
    assert isa.__all__  # the table is full
    names = [*table.TABLE, *ENDERS]
    assert [name for name in names if classes.kind_of(instruction(name)) == "other"] == []


def test_every_instruction_of_gfx950_has_a_class() -> None:
    used = {gfx_classes.kind_of(definition) for definition in gfx_table.TABLE.values()}
    assert used == {*GFX.values(), "private store", "generic store", "generic atomic"}


def test_products_of_matrix_instructions() -> None:
    for name, products in (
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16 * 8 * 16),
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8 * 8 * 4),
        ("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16", 64 * 128 * 16 // 4),
        ("ldmatrix.sync.aligned.m8n16.x1.shared.b8", 0),
    ):
        assert classes.products_of(instruction(name)) == products, name
    for name, products in (
        ("v_mfma_f32_16x16x32_bf16", 16 * 16 * 32),
        ("v_mfma_f64_16x16x4_f64", 16 * 16 * 4),
        ("v_mfma_f32_4x4x1_16b_f32", 4 * 4 * 1 * 16),
        ("v_smfmac_f32_16x16x64_f16", 16 * 16 * 32),
        ("v_mfma_scale_f32_32x32x64_f8f6f4", 32 * 32 * 64),
        ("v_add_f32", 0),
    ):
        definition = gfx_table.lookup(name)
        assert definition is not None and gfx_classes.products_of(definition) == products, name
