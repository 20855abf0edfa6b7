"""ldmatrix, stmatrix, movmatrix: CUTLASS's atoms, a transpose, and the fragments that they feed."""

from __future__ import annotations

import re

import numpy as np
import pytest
import tensor_layouts.atoms_nv as atoms
from tensor_layouts.atoms import CopyAtom

from lanemap.layout import UNDEFINED, LayoutMap
from lanemap.model import variant
from tests.model import cute

_PTX = re.compile(r"(ldmatrix|stmatrix)\.sync\.aligned\.(x\d)(\.trans)?\.m8n8\.shared\.b16")
ATOMS = {n: a for n, a in vars(atoms).items() if isinstance(a, CopyAtom) and _PTX.fullmatch(a.ptx)}
# NVIDIA/cutlass, copy_traits_sm100.hpp: shared-memory side and register side of the 8-bit atoms.
B8 = {
    "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8": (
        (((2, 2, 4, 2), 128), ((128, 1024, 256, 0), 1)),
        (((4, 8), (8, 2, 2, 2)), ((256, 8), (1, 128, 64, 1024))),
    ),
    "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8": (
        (((2, 2, 4, 2), 128), ((128, 1024, 256, 2048), 1)),
        (((4, 8), (8, 2, 2, 4)), ((256, 8), (1, 128, 64, 1024))),
    ),
    "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8": (
        (((8, 4), 128), ((128, 0), 1)),
        (((4, 8), (8, 2, 2)), ((256, 8), (1, 128, 64))),
    ),
    "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8": (
        (((16, 2), 128), ((128, 0), 1)),
        (((4, 8), (8, 2, 2, 2)), ((256, 8), (1, 128, 64, 1024))),
    ),
    "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8": (
        ((32, 128), (128, 1)),
        (((4, 8), (8, 2, 2, 4)), ((256, 8), (1, 128, 64, 1024))),
    ),
}


def by_bits(memory: np.ndarray, registers: np.ndarray) -> np.ndarray:
    """Chunk bit (lane * 128 + bit, of the first lane that names it) of every register bit."""
    where: dict[int, int] = {}
    for lane, row in enumerate(memory):
        for bit, value in enumerate(row):
            where.setdefault(int(value), lane * 128 + bit)
    return np.array([[where[int(v)] for v in row] for row in registers])


def as_load(layout: LayoutMap) -> np.ndarray:
    load = layout if layout.source.name == "chunk" else layout.inverse()
    return load.table.reshape(32, -1)


@pytest.mark.parametrize("name", sorted(ATOMS))
def test_16_bit_forms_equal_the_atoms(name: str) -> None:
    atom = ATOMS[name]
    verb, count, trans = _PTX.fullmatch(atom.ptx).groups()
    memory, registers = atom.src_layout_bits, atom.dst_layout_bits
    if verb == "stmatrix":
        memory, registers = registers, memory
    ours = variant(f"{verb}.sync.aligned.m8n8.{count}{trans or ''}.shared.b16").map
    np.testing.assert_array_equal(as_load(ours), by_bits(cute.of(memory), cute.of(registers)))


def test_every_16_bit_form_has_an_atom() -> None:
    assert len(ATOMS) == 12


@pytest.mark.parametrize("name", B8)
def test_8_bit_forms_equal_the_atoms(name: str) -> None:
    memory, registers = (cute.table(*each) for each in B8[name])
    expected = by_bits(memory, registers)
    if name.startswith("ldmatrix"):
        # CUTLASS shuffles bytes after the load: of two registers t0, t1 it makes
        # t0.0 t0.1 t1.0 t1.1 and t0.2 t0.3 t1.2 t1.3; undo that.
        pairs = expected.reshape(32, -1, 8, 8)
        raw = pairs[:, :, [0, 1, 4, 5, 2, 3, 6, 7], :]
        expected = raw.reshape(32, -1)
    np.testing.assert_array_equal(as_load(variant(name).map), expected)


@pytest.mark.parametrize("count", [1, 2])
def test_m16n16_is_the_transpose_of_16_byte_rows(count: int) -> None:
    layout = variant(f"ldmatrix.sync.aligned.m16n16.x{count}.trans.shared.b8").map
    matrix = np.arange(16 * count)[:, None] * 100 + np.arange(16)
    chunk = layout.coarsen(8, "byte")
    got = np.empty((count, 16, 16), int)
    for lane in range(32):
        for register in range(2 * count):
            for byte in range(4):
                at = chunk.source_of(lane=lane, register=register, byte=byte)
                # Row of the result (a column of memory), column of the result: 4 to a thread.
                got[register // 2, lane // 4 + 8 * (register % 2), 4 * (lane % 4) + byte] = matrix[
                    at["lane"], at["byte"]
                ]
    for n in range(count):
        np.testing.assert_array_equal(got[n], matrix[16 * n : 16 * n + 16].T)


@pytest.mark.parametrize(("kind", "bits"), [("b8x16.b6x16_p32", 6), ("b8x16.b4x16_p64", 4)])
def test_small_elements_are_unpacked_to_bytes(kind: str, bits: int) -> None:
    layout = variant(f"ldmatrix.sync.aligned.m8n16.x1.shared.{kind}").map
    rows = np.random.default_rng(5).integers(0, 2**bits, (32, 16))
    packed = ((rows[:, :, None] >> np.arange(bits)) & 1).reshape(32, -1)
    memory = np.zeros((32, 128), int)
    memory[:, : 16 * bits] = packed
    filled = np.where(layout.table == UNDEFINED, 0, memory.reshape(-1)[layout.table])
    got = (filled.reshape(32, 4, 8) << np.arange(8)).sum(axis=2)
    lanes = np.arange(32)
    for byte in range(4):
        np.testing.assert_array_equal(got[:, byte], rows[lanes // 4, 4 * (lanes % 4) + byte])


def test_ldmatrix_feeds_the_operands_of_mma() -> None:
    # As every tensor-core kernel does: A row-major 16x16 by x4, lane l giving row l%16 and the
    # half l/16; B column-major 16x8 by x2, lane l giving column l%8 and the half l/8.
    load = variant("ldmatrix.sync.aligned.m8n8.x4.shared.b16").map
    a = variant("mma.sync.m16n8k16.f16:A").map
    at, fragment = cute.elements(load, 16), cute.elements(a, 16)
    np.testing.assert_array_equal(at["lane"] % 16, fragment["row"])
    np.testing.assert_array_equal(8 * (at["lane"] // 16) + at["bit"] // 16, fragment["k"])
    load = variant("ldmatrix.sync.aligned.m8n8.x2.shared.b16").map
    b = variant("mma.sync.m16n8k16.f16:B").map
    at, fragment = cute.elements(load, 16), cute.elements(b, 16)
    np.testing.assert_array_equal(at["lane"] % 8, fragment["column"])
    np.testing.assert_array_equal(8 * (at["lane"] // 8) + at["bit"] // 16, fragment["k"])


def test_transposed_ldmatrix_feeds_b_from_row_major_memory() -> None:
    # B row-major 16x8, lane l giving row l%16.
    at = cute.elements(variant("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16").map, 16)
    fragment = cute.elements(variant("mma.sync.m16n8k16.f16:B").map, 16)
    np.testing.assert_array_equal(at["lane"], fragment["k"])
    np.testing.assert_array_equal(at["bit"] // 16, fragment["column"])


def test_movmatrix_transposes_an_8x8_matrix() -> None:
    layout = variant("movmatrix.sync.aligned.m8n8.trans.b16").map
    halves = layout.coarsen(16, "half").table.reshape(8, 8)  # four lanes hold a row
    np.testing.assert_array_equal(halves, np.arange(64).reshape(8, 8).T)


def test_stmatrix_writes_only_rows_that_have_an_address() -> None:
    layout = variant("stmatrix.sync.aligned.m8n8.x1.shared.b16").map
    assert layout.defined.reshape(32, 128).all(axis=1).tolist() == [True] * 8 + [False] * 24
