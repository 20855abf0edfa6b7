"""mma.sync fragments: CUTLASS's atoms as tensor-layouts has them, and the PTX ISA's text."""

from __future__ import annotations

import re

import numpy as np
import pytest
import tensor_layouts.atoms_nv as atoms
from tensor_layouts.atoms import MMAAtom

from lanemap.errors import UserError
from lanemap.model import variant, variants
from tests.model import cute

BITS = (
    {"f64": 64, "f32": 32, "s32": 32, "tf32": 32, "f16": 16, "bf16": 16, "b1": 1}
    | dict.fromkeys(("s8", "u8", "e4m3", "e5m2"), 8)
    | {"s4": 4, "u4": 4}
)
_PTX = re.compile(
    r"mma\.sync\.aligned\.(m\d+n8k\d+)\.row\.col\.(\w+)\.(\w+)\.(\w+)\.\w+(?:\.xor\.popc)?"
)
ATOMS = {
    name: atom
    for name, atom in vars(atoms).items()
    if isinstance(atom, MMAAtom) and _PTX.fullmatch(atom.ptx) and "m8n8k4.row.col.f" not in atom.ptx
}
# CUTLASS gives m16n8k32 with 4-bit elements a B layout that names elements twice.
WRONG_B = {"SM80_16x8x32_S32S4S4S32_TN"}
# The mnemonic is of no instruction: dense m16n8k64 takes 4-bit elements.
NO_INSTRUCTION = {"SM120_16x8x64_F16E4M3E4M3F16_TN", "SM120_16x8x64_F32E4M3E4M3F32_TN"}


def test_the_atoms_cover_the_shapes() -> None:
    shapes = {_PTX.fullmatch(atom.ptx)[1] for atom in ATOMS.values()}
    assert len(ATOMS) >= 25
    ours = {v.name.split(".")[2] for v in variants() if v.family == "mma.sync fragment"}
    assert ours - shapes == {"m8n8k4"}


@pytest.mark.parametrize("name", sorted(set(ATOMS) - NO_INSTRUCTION))
def test_fragments_equal_the_atoms(name: str) -> None:
    atom = ATOMS[name]
    shape, d, a, b = _PTX.fullmatch(atom.ptx).groups()
    rows, columns, _ = atom.shape_mnk
    at = cute.elements(variant(f"mma.sync.{shape}.{a}:A").map, BITS[a])
    np.testing.assert_array_equal(at["row"] + rows * at["k"], cute.of(atom.a_layout))
    if name not in WRONG_B:
        at = cute.elements(variant(f"mma.sync.{shape}.{b}:B").map, BITS[b])
        np.testing.assert_array_equal(at["column"] + columns * at["k"], cute.of(atom.b_layout))
    at = cute.elements(variant(f"mma.sync.{shape}.{d}:D").map, BITS[d])
    np.testing.assert_array_equal(at["row"] + rows * at["column"], cute.of(atom.c_layout))


def test_the_wrong_layout_of_b_is_wrong_by_itself() -> None:
    for name in WRONG_B:
        found = cute.of(ATOMS[name].b_layout)
        assert np.unique(found).size < found.size


def test_4_bit_b_as_the_ptx_isa_words_it() -> None:
    # m16n8k32, .s4: row (threadID_in_group * 8) + (i & 7), column groupID.
    at = cute.elements(variant("mma.sync.m16n8k32.s4:B").map, 4)
    lane, i = np.meshgrid(np.arange(32), np.arange(8), indexing="ij")
    np.testing.assert_array_equal(at["k"], lane % 4 * 8 + i)
    np.testing.assert_array_equal(at["column"], lane // 4)


@pytest.mark.parametrize(("major", "name"), [("row", "TN"), ("col", "NT")])
def test_four_products_of_m8n8k4(major: str, name: str) -> None:
    # CUTLASS's SM70 atoms speak of the 8 threads 0-3 and 16-19 of the first product.
    atom = getattr(atoms, f"SM70_8x8x4_F32F16F16F32_{name}")
    quad = [0, 1, 2, 3, 16, 17, 18, 19]
    other = {"row": "col", "col": "row"}[major]
    a = cute.elements(variant(f"mma.sync.m8n8k4.{major}.f16:A").map, 16)
    b = cute.elements(variant(f"mma.sync.m8n8k4.{other}.f16:B").map, 16)
    d = cute.elements(variant("mma.sync.m8n8k4.f32:D").map, 32)
    np.testing.assert_array_equal((a["row"] + 8 * a["k"])[quad], cute.of(atom.a_layout))
    np.testing.assert_array_equal((b["column"] + 8 * b["k"])[quad], cute.of(atom.b_layout))
    np.testing.assert_array_equal((d["row"] + 8 * d["column"])[quad], cute.of(atom.c_layout))
    products = np.arange(32) // 4 % 4
    for found in (a, b, d):
        assert np.array_equal(
            found["product"], np.broadcast_to(products[:, None], found["product"].shape)
        )


def test_hand_worked_cells() -> None:
    a = variant("mma.sync.m16n8k16.f16:A").map
    # a2 of thread 5: groupID 1, threadID_in_group 1: row 1 + 8, column 2.
    assert a.source_of(lane=5, register=1, bit=0) == {"row": 9, "k": 2, "bit": 0}
    # a7: row 9, column 2 + 1 + 8.
    assert a.source_of(lane=5, register=3, bit=16) == {"row": 9, "k": 11, "bit": 0}
    d = variant("mma.sync.m16n8k16.f32:D").map
    assert d.source_of(lane=31, register=3, bit=31) == {"row": 15, "column": 7, "bit": 31}


def test_instructions_as_ptx_spells_them() -> None:
    spelled = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
    for operand, ours in (("A", "f16:A"), ("B", "f16:B"), ("C", "f32:D"), ("D", "f32:D")):
        assert variant(f"{spelled}:{operand}").name == f"mma.sync.m16n8k16.{ours}"
    quad = variant("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32:B")
    assert quad.map == variant("mma.sync.m8n8k4.col.f16:B").map
    with pytest.raises(UserError, match="there is no variant"):
        variant("mma.sync.aligned.m16n8k24.row.col.f32.f16.f16.f32:A")
