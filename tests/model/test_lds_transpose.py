"""The LDS transpose reads against what others measured, execute in CI, and a plain transpose."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.model import variant, variants

NAMES = {
    "ds_read_b64_tr_b16": 16,
    "ds_read_b64_tr_b8": 8,
    "ds_read_b64_tr_b4": 4,
    "ds_read_b96_tr_b6": 6,
}


def read_bits(name: str, memory: np.ndarray, addresses: np.ndarray) -> np.ndarray:
    """Bits that every lane receives, (64, bits), from a memory of bytes."""
    layout = variant(name).map
    bits = np.unpackbits(memory.astype(np.uint8), bitorder="little")
    chunk_bits = layout.source.axis_size("bit")
    chunks = np.stack([bits[8 * a : 8 * a + chunk_bits] for a in addresses])
    return chunks.reshape(-1)[layout.table].reshape(64, -1)


def elements(bits: np.ndarray, width: int) -> np.ndarray:
    weights = 1 << np.arange(width)
    return (bits.reshape(64, -1, width) * weights).sum(axis=2)


def test_lanes_measured_on_an_mi355x() -> None:
    # sunxxuns/aiter at a5559151: LDS[i] = i % 256, lane l gives address 8*l.
    memory = np.arange(4096) % 256
    got = elements(read_bits("ds_read_b64_tr_b8", memory, np.arange(64) * 8), 8)
    assert got[0].tolist() == [0, 16, 32, 48, 64, 80, 96, 112]
    assert got[1].tolist() == [1, 17, 33, 49, 65, 81, 97, 113]
    assert got[8].tolist() == [8, 24, 40, 56, 72, 88, 104, 120]


def test_one_address_for_all_gives_eight_identical_bytes() -> None:
    memory = np.arange(100, 108)
    got = elements(read_bits("ds_read_b64_tr_b8", memory, np.zeros(64, int)), 8)
    assert [set(row) for row in got.tolist()] == [{100 + lane % 8} for lane in range(64)]


@pytest.mark.parametrize(("name", "width"), NAMES.items())
def test_each_group_of_16_lanes_transposes_its_own_matrix(name: str, width: int) -> None:
    # Oracle: NumPy's transpose of the rows that 16 lanes' chunks make, packed by hand.
    chunk_bits = 96 if width == 6 else 64
    rows = chunk_bits * 16 // (16 * width)
    rng = np.random.default_rng(7)
    for group in range(4):
        matrix = rng.integers(0, 2**width, (rows, 16))
        bits = (matrix.reshape(-1)[:, None] >> np.arange(width)) & 1
        chunks = bits.reshape(16, chunk_bits)
        layout = variant(name).map
        memory = rng.integers(0, 2, (64, chunk_bits))
        memory[16 * group : 16 * group + 16] = chunks
        got = elements(memory.reshape(-1)[layout.table].reshape(64, -1), width)
        np.testing.assert_array_equal(got[16 * group : 16 * group + 16], matrix.T)


@pytest.mark.parametrize("name", NAMES)
def test_every_bit_arrives_once_and_the_spaces_are_the_agreed_ones(name: str) -> None:
    layout = variant(name).map
    registers = 3 if name.endswith("b6") else 2
    assert layout.destination.axes == (("lane", 64), ("register", registers), ("bit", 32))
    assert layout.source.axes == (("lane", 64), ("bit", 32 * registers))
    assert layout.is_total and layout.is_one_to_one


def test_a_wrong_name_is_answered_with_close_ones() -> None:
    with pytest.raises(UserError, match="ds_read_b64_tr_b8"):
        variant("ds_read_b64_tr_8")


def test_variants_by_target() -> None:
    assert {v.name for v in variants("gfx950")} >= set(NAMES)
    assert set(NAMES).isdisjoint(v.name for v in variants("sm_100a"))
    assert variants("gfx906") == []
    for each in variants():
        assert each.citations and each.formula and each.legality
