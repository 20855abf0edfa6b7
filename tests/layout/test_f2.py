"""The F2 fit against hand-worked rules, galois, and random affine maps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.layout import (
    UNDEFINED,
    F2Fit,
    LayoutMap,
    NotAffine,
    Space,
    fit_f2,
    map_from_f2,
)
from lanemap.layout.f2 import axis_bits, decode, encode, invert_f2, rank_f2

galois = pytest.importorskip("galois")

REGISTER = Space("register", (("lane", 64), ("register", 2), ("bit", 32)))
CHUNK = Space("chunk", (("lane", 64), ("bit", 64)))


def transpose_read_b8() -> LayoutMap:
    """Triton's AMD back end, MemoryOpToLLVM.cpp lowerDsReadTr, for b8, in bits."""

    def source(lane: np.ndarray, register: np.ndarray, bit: np.ndarray) -> dict[str, np.ndarray]:
        byte = register * 4 + bit // 8
        chunk = (lane & 48) + 2 * byte + (lane >> 3 & 1)
        return {"lane": chunk, "bit": 8 * (lane & 7) + bit % 8}

    return LayoutMap.from_function(REGISTER, CHUNK, source)


def fitted(layout: LayoutMap) -> F2Fit:
    fit = fit_f2(layout)
    assert isinstance(fit, F2Fit), str(fit)
    return fit


def test_the_matrix_of_the_b8_transpose_by_hand() -> None:
    fit = fitted(transpose_read_b8())
    assert fit.rank == 12
    assert not fit.offset.any()
    # Source bit <- destination bit, read off the rule: the byte within the chunk is lane & 7; the
    # chunk's lane takes lane bit 3 as its bit 0, the byte number as bits 1 to 3, then lane's 4, 5.
    expected = {
        ("bit", 0): ("bit", 0),
        ("bit", 1): ("bit", 1),
        ("bit", 2): ("bit", 2),
        ("bit", 3): ("lane", 0),
        ("bit", 4): ("lane", 1),
        ("bit", 5): ("lane", 2),
        ("lane", 0): ("lane", 3),
        ("lane", 1): ("bit", 3),
        ("lane", 2): ("bit", 4),
        ("lane", 3): ("register", 0),
        ("lane", 4): ("lane", 4),
        ("lane", 5): ("lane", 5),
    }
    rows, columns = axis_bits(CHUNK), axis_bits(REGISTER)
    found = {rows[r]: columns[c] for r, c in np.argwhere(fit.matrix)}
    assert found == expected
    assert fit.matrix.sum() == 12


def test_the_formula_of_the_b8_transpose_reads_like_the_rule() -> None:
    assert fitted(transpose_read_b8()).formula().splitlines() == [
        "chunk.lane = ((lane & 8) >> 3) | (lane & 48) | (register << 3) | ((bit & 24) >> 2)",
        "chunk.bit = ((lane & 7) << 3) | (bit & 7)",
    ]


def test_the_inverse_matrix_is_the_inverse_map() -> None:
    layout = transpose_read_b8()
    assert fitted(layout).inverse().to_map() == layout.inverse()


def test_an_offset_is_found() -> None:
    space = Space("line", (("cell", 16),))
    layout = LayoutMap.from_function(space, space, lambda cell: {"cell": cell ^ 5})
    fit = fitted(layout)
    assert fit.offset.tolist() == [1, 0, 1, 0]
    assert fit.rank == 4
    assert fit.inverse().to_map() == layout


def test_a_broadcast_has_rank_zero() -> None:
    layout = LayoutMap(REGISTER, CHUNK, np.zeros(REGISTER.size))
    fit = fitted(layout)
    assert fit.rank == 0
    assert fit.to_map() == layout
    assert not fit.is_one_to_one


def test_the_witness_is_four_cells_that_no_affine_map_can_have() -> None:
    # Addition is not XOR: 3 + 1 = 4, but 3 ^ 1 = 2.
    line = Space("line", (("cell", 8),))
    wide = Space("wide", (("cell", 16),))
    witness = fit_f2(LayoutMap.from_function(line, wide, lambda cell: {"cell": cell + 1}))
    assert isinstance(witness, NotAffine)
    assert len(witness.cells) == 4
    assert np.bitwise_xor.reduce(np.array(witness.cells)) == 0
    assert witness.sources == tuple(cell + 1 for cell in witness.cells)
    violated = int(np.bitwise_xor.reduce(np.array(witness.sources)))
    assert violated
    assert witness.bits == tuple(("cell", b) for b in range(4) if violated >> b & 1)
    assert "not affine over F2" in str(witness)


def test_six_bit_packing_is_not_affine() -> None:
    register = Space("register", (("lane", 64), ("register", 3), ("bit", 32)))
    chunk = Space("chunk", (("lane", 64), ("bit", 96)))

    def source(lane: np.ndarray, register: np.ndarray, bit: np.ndarray) -> dict[str, np.ndarray]:
        field, low = divmod(register * 32 + bit, 6)
        return {"lane": (lane & 48) + field, "bit": 6 * (lane & 15) + low}

    assert isinstance(fit_f2(LayoutMap.from_function(register, chunk, source)), NotAffine)


def test_sizes_that_are_no_powers_of_two_fit_by_axis() -> None:
    register = Space("register", (("thread", 32), ("register", 80)))
    tmem = Space("tmem", (("column", 80), ("lane", 32)))
    layout = LayoutMap.from_function(
        register, tmem, lambda thread, register: {"lane": thread, "column": register}
    )
    fit = fitted(layout)
    assert fit.to_map() == layout
    assert fit.formula() == "tmem.column = register\ntmem.lane = thread"


def test_undefined_cells_become_parity_conditions() -> None:
    tmem = Space("tmem", (("lane", 4), ("column", 8), ("half", 2)))
    register = Space("register", (("thread", 4), ("register", 4), ("half", 2)))
    # A store that spreads halves over two columns' low halves: the high halves are undefined.
    layout = LayoutMap.from_function(
        tmem,
        register,
        lambda lane, column, half: {
            "thread": lane,
            "register": np.where(half == 0, column // 2, UNDEFINED),
            "half": column % 2,
        },
    )
    fit = fitted(layout)
    assert fit.to_map() == layout
    assert fit.formula().endswith("defined where (half & 1) == 0")
    assert fit.free == (("half", 0),)


def test_defined_cells_that_are_no_subspace_are_refused_with_the_hole() -> None:
    layout = LayoutMap.identity(REGISTER)
    part = layout.restrict(REGISTER.grid()["lane"] < 48)
    witness = fit_f2(part)
    assert isinstance(witness, NotAffine)
    assert UNDEFINED in witness.sources
    assert part.source_of(**REGISTER.coords(witness.cells[0])) is None


def test_nothing_to_fit_is_an_error() -> None:
    with pytest.raises(UserError, match="every cell is undefined"):
        fit_f2(LayoutMap(CHUNK, CHUNK, np.full(CHUNK.size, UNDEFINED)))


def test_a_matrix_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(UserError, match=r"matrix of shape \(12, 12\)"):
        map_from_f2(REGISTER, CHUNK, np.eye(11, dtype=np.uint8))
    six = Space("line", (("cell", 6),))
    with pytest.raises(UserError, match="outside"):
        # 3 is sent to 7, which six cells do not have.
        map_from_f2(six, six, np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], dtype=np.uint8))


matrices = st.integers(1, 9).flatmap(
    lambda rows: st.integers(1, 9).flatmap(
        lambda columns: st.lists(
            st.lists(st.integers(0, 1), min_size=columns, max_size=columns),
            min_size=rows,
            max_size=rows,
        )
    )
)


@given(matrices)
@settings(max_examples=60, deadline=None)
def test_rank_and_inverse_agree_with_galois(rows: list[list[int]]) -> None:
    matrix = np.array(rows, dtype=np.uint8)
    theirs = galois.GF2(matrix)
    rank = int(np.linalg.matrix_rank(theirs))
    assert rank_f2(matrix) == rank
    if matrix.shape[0] == matrix.shape[1] == rank:
        assert np.array_equal(invert_f2(matrix), np.array(np.linalg.inv(theirs)))
    else:
        with pytest.raises(UserError):
            invert_f2(matrix)


@st.composite
def affine_maps(draw: st.DrawFn) -> tuple[LayoutMap, np.ndarray, np.ndarray]:
    inputs = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    outputs = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    destination = Space("d", tuple((f"i{k}", 1 << n) for k, n in enumerate(inputs)))
    source = Space("s", tuple((f"o{k}", 1 << n) for k, n in enumerate(outputs)))
    shape = (sum(outputs), sum(inputs))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 2, shape, dtype=np.uint8)
    offset = rng.integers(0, 2, shape[0], dtype=np.uint8)
    # The oracle: plain matrix arithmetic on the bits of the indices.
    cells = np.arange(1 << shape[1])
    bits = (cells[None, :] >> np.arange(shape[1])[:, None]) & 1
    images = ((matrix.astype(int) @ bits + offset[:, None]) & 1).T @ (1 << np.arange(shape[0]))
    return LayoutMap(destination, source, images.astype(np.int64)), matrix, offset


@given(affine_maps())
@settings(deadline=None)
def test_random_affine_maps_round_trip(
    case: tuple[LayoutMap, np.ndarray, np.ndarray],
) -> None:
    layout, matrix, offset = case
    fit = fitted(layout)
    assert np.array_equal(fit.matrix, matrix)
    assert np.array_equal(fit.offset, offset)
    assert fit.rank == int(np.linalg.matrix_rank(galois.GF2(matrix))) if matrix.size else True
    assert fit.to_map() == layout
    assert map_from_f2(layout.destination, layout.source, matrix, offset) == layout


@given(affine_maps(), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_one_wrong_cell_is_always_noticed(
    case: tuple[LayoutMap, np.ndarray, np.ndarray], random: object
) -> None:
    layout = case[0]
    if layout.destination.size < 4 or layout.source.size < 2:
        return
    table = layout.table.copy()
    cell = random.randrange(table.size)  # type: ignore[attr-defined]
    table[cell] = (table[cell] + 1) % layout.source.size
    assert isinstance(fit_f2(LayoutMap(layout.destination, layout.source, table)), NotAffine)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=3))
def test_codes_are_reversible(sizes: list[int]) -> None:
    space = Space("s", tuple((f"a{k}", n) for k, n in enumerate(sizes)))
    cells = np.arange(space.size)
    codes = encode(space, cells)
    assert np.unique(codes).size == space.size
    assert np.array_equal(decode(space, codes), cells)
    unused = np.setdiff1d(np.arange(1 << len(axis_bits(space))), codes)
    assert np.all(decode(space, unused) == UNDEFINED)
