"""wgmma fragments: CUTLASS's atoms and layouts, and mma.sync warp by warp."""

from __future__ import annotations

import numpy as np
import pytest
import tensor_layouts.atoms_nv as atoms
from tensor_layouts.atoms import MMAAtom

from lanemap.errors import UserError
from lanemap.model import variant
from tests.model import cute

ATOMS = {
    n: a for n, a in vars(atoms).items() if isinstance(a, MMAAtom) and n.startswith("SM90_64x")
}
# NVIDIA/cutlass, mma_traits_sm90_gmma.hpp: ALayout_64x8, _64x16, _64x32, _64x256 (m + 64*k).
A = {
    "tf32": (32, ((4, 8, 4), (2, 2)), ((64, 1, 16), (8, 256))),
    "f16": (16, ((4, 8, 4), (2, 2, 2)), ((128, 1, 16), (64, 8, 512))),
    "e4m3": (8, ((4, 8, 4), (4, 2, 2)), ((256, 1, 16), (64, 8, 1024))),
}


def test_there_are_atoms_to_compare_with() -> None:
    assert len({name.split("_")[1] for name in ATOMS}) >= 15


@pytest.mark.parametrize("name", sorted(ATOMS))
def test_accumulators_equal_the_atoms(name: str) -> None:
    _, columns, _ = ATOMS[name].shape_mnk
    kind = name.split("_")[2][:3].lower()
    bits = {"f16": 16, "f32": 32, "s32": 32}[kind]
    at = cute.elements(variant(f"wgmma.m64n{columns}.{kind}:D").map, bits)
    np.testing.assert_array_equal(at["row"] + 64 * at["column"], cute.of(ATOMS[name].c_layout))


@pytest.mark.parametrize("kind", A)
def test_a_from_registers_equals_cutlass(kind: str) -> None:
    bits, shape, stride = A[kind]
    at = cute.elements(variant(f"wgmma.m64k{256 // bits}.{kind}:A").map, bits)
    np.testing.assert_array_equal(at["row"] + 64 * at["k"], cute.table(shape, stride))


def test_each_warp_holds_16_rows_as_mma_sync_does() -> None:
    whole = cute.elements(variant("wgmma.m64k256.b1:A").map, 1)
    warp = cute.elements(variant("mma.sync.m16n8k256.b1:A").map, 1)
    for number in range(4):
        lanes = slice(32 * number, 32 * number + 32)
        np.testing.assert_array_equal(whole["row"][lanes], warp["row"] + 16 * number)
        np.testing.assert_array_equal(whole["k"][lanes], warp["k"])


def test_an_illegal_n_is_answered_with_the_legal_ones() -> None:
    with pytest.raises(UserError, match="multiples of 16"):
        variant("wgmma.m64n40.s32:D")
    assert variant("wgmma.m64n40.f32:D").map.source.axis_size("column") == 40


def test_instructions_as_ptx_spells_them() -> None:
    spelled = "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16"
    assert variant(f"{spelled}:D").map == variant("wgmma.m64n64.f32:D").map
    assert variant(f"{spelled}:A").map == variant("wgmma.m64k16.bf16:A").map
