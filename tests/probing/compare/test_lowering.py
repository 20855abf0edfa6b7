"""Pasted layouts against instructions': CUTLASS's traits, and layouts with a known fault."""

from __future__ import annotations

import re

import pytest
import tensor_layouts.atoms_nv as atoms
from tensor_layouts import Layout, size

from lanemap.errors import UserError
from lanemap.layout.pasted import read
from lanemap.model import variant
from lanemap.probing.compare.lowering import Held, hold


def held(name: str, text: str) -> Held:
    return hold(name, variant(name).map, read(text))


ATOMS = {
    "SM75_16x8x8_F32F16F16F32_TN": ("m16n8k8", "f16", "f16", "f32"),
    "SM80_16x8x16_F32F16F16F32_TN": ("m16n8k16", "f16", "f16", "f32"),
    "SM80_16x8x8_F32TF32TF32F32_TN": ("m16n8k8", "tf32", "tf32", "f32"),
    "SM80_16x8x32_S32S8S8S32_TN": ("m16n8k32", "s8", "s8", "s32"),
    "SM80_8x8x4_F64F64F64F64_TN": ("m8n8k4", "f64", "f64", "f64"),
    "SM80_16x8x16_F16F16F16F16_TN": ("m16n8k16", "f16", "f16", "f16"),
}


@pytest.mark.parametrize("atom", ATOMS)
def test_the_traits_of_cutlass_are_the_same(atom: str) -> None:
    shape, a, b, d = ATOMS[atom]
    own = getattr(atoms, atom)
    for operand, kind, layout in (("A", a, own.a_layout), ("B", b, own.b_layout),
                                  ("D", d, own.c_layout)):  # fmt: skip
        found = held(f"mma.sync.{shape}.{kind}:{operand}", str(layout))
        assert found.first is None and found.compared == size(layout), operand


def test_accumulators_of_wgmma_are_the_same() -> None:
    layout = atoms.SM90_64x64x16_F32F16F16_SS.c_layout
    assert held("wgmma.m64n64.f32:D", str(layout)).first is None


def test_every_order_of_two_values_but_one_is_told_apart() -> None:
    """A of m16n8k16 by the PTX ISA: a0 a1 (row g), a2 a3 (row g + 8), a4.. (k + 8)."""
    found = held("mma.sync.m16n8k16.f16:A", "((4,8),(2,2,2)):((32,1),(16,128,8))")
    assert (found.differing, found.compared) == (128, 256)
    assert found.sentences("A")[1] == (
        "first at thread 0 value 2: A has row 8 k 0, the layout has row 0 k 8"
    )
    # As `lanemap emit` writes it: the last mode the fastest, and k.
    right = held("mma.sync.m16n8k16.f16:A", "((4,8),(2,2),2):((2,16),(128,8),1)")
    assert right.first is None and "k the fastest, the last mode" in right.reading


def test_an_atom_of_shared_memory_is_the_same_in_part() -> None:
    """CUTLASS's Layout_K_SW128_Atom, and a tile without its swizzle."""
    name = "shared.k_major.128b.16bit"
    found = held(name, "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)")
    assert found.first is None and found.compared == 512 and "8 x 64 of 64 x 64" in found.partial
    plain = held(name, "(64,64):(64,1)")
    assert re.match(r"first at row 1 k 0: .* element 72, the layout has element 64",
                    plain.sentences(name)[1])  # fmt: skip
    # Sw<3,3,3> of 16-bit elements is Sw<3,4,3> of their bytes.
    assert held(name, "Sw<3,3,3> o 0 o (64,64):(64,1)").first is None


def test_a_transposed_triton_layout_differs() -> None:
    right = (
        "#ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],"
        " warp = [], block = []}>"
    )
    assert held("mma.sync.m16n8k16.f32:D", right).first is None
    swapped = right.replace("[[0, 1], [8, 0]]", "[[8, 0], [0, 1]]")
    found = held("mma.sync.m16n8k16.f32:D", swapped)
    assert found.first is not None and found.differing == 64
    assert found.first.source.format(found.first.theirs) == "row 8 column 0"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mma.sync.m16n8k16.f16:A", "((4,8),(2,2)):((32,1),(16,8))",
         "has 32 threads with 4 values, by its first mode and the others; .* has 32 with 8"),
        ("mma.sync.m16n8k16.f32:D", "((4,8),(2,2)):((32,1),(16,80))",
         "value 207 is outside the 16 x 8 elements|is outside the 16 x 8 elements"),
        ("mma.sync.m16n8k16.f32:D", "10;01", "is about registers of threads, the layout is not"),
        ("ds_read_b64_tr_b8", "(4,8):(8,1)", "has 4 threads with 8 values"),
        ("shared.k_major.128b.16bit", "(128,64):(64,1)", "is of 128 x 64 elements, .* of 64 x 64"),
        ("mma.sync.m16n8k16.f32:D", "#ttg.linear<{register = [[0, 1]], lane = [], warp = []}>",
         "has 1 threads with 2 values of a 1 x 2 tensor; .* has 32 with 4 of 16 x 8"),
    ],
)  # fmt: skip
def test_layouts_of_another_size_are_refused(name: str, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        held(name, text)


def test_the_layout_is_what_tensor_layouts_says() -> None:
    """The fault's cell is computed by another implementation of CuTe."""
    text = "((4,8),(2,2,2)):((32,1),(16,128,8))"
    found = held("mma.sync.m16n8k16.f16:A", text)
    layout = Layout(((4, 8), (2, 2, 2)), ((32, 1), (16, 128, 8)))
    assert found.first is not None
    thread, value = divmod(found.first.cell, 8)
    index = layout(thread, value)
    assert found.first.source.coords(found.first.theirs) == {"row": index % 16, "k": index // 16}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        # CUTLASS, copy_traits_sm75.hpp: DstLayout of SM75_U32x4_LDSM_N and SM75_U16x8_LDSM_T, in
        # elements of 16 bits instead of bits.
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "(32,(2,4)):(2,(1,64))"),
        ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "((4,8),(2,4)):((16,1),(8,64))"),
        # The rule of docs/tr8.md, as rocRoller's test has it: byte l & 7 of the chunk of lane
        # (l & 48) + 2 j + l / 8 % 2.
        ("ds_read_b64_tr_b8", "((8,2,4),8):((1,8,128),16)"),
    ],
)
def test_matrix_loads_are_held_against_the_rows_at_the_lanes_addresses(
    name: str, text: str
) -> None:
    assert held(name, text).first is None


def test_the_octets_are_not_what_lds_hands_out() -> None:
    found = held("ds_read_b64_tr_b8", "((8,8),8):((1,64),8)")
    assert found.differing == 448  # bytes 0 and .. of every octet alone are right
    assert found.first is not None and found.first.cell == 1
