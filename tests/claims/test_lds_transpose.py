"""Claims of the LDS transpose reads against their sources' own programs, run forwards here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from lanemap.claims import Level, claims_of
from lanemap.layout import LayoutMap

NAMES = {
    16: "ds_read_b64_tr_b16",
    8: "ds_read_b64_tr_b8",
    4: "ds_read_b64_tr_b4",
    6: "ds_read_b96_tr_b6",
}


def said(source: str, bits: int) -> LayoutMap:
    (found,) = [each for each in claims_of(NAMES[bits]) if each.source == source]
    return found.map


def sources_of(bits: int) -> dict[str, LayoutMap]:
    return {each.source: each.map for each in claims_of(NAMES[bits])}


def gather(layout: LayoutMap, bits: int, chunks: np.ndarray) -> np.ndarray:
    """Elements that every lane receives, (64, elements), from elements of every lane's chunk."""
    held = (chunks[..., None] >> np.arange(bits)) & 1
    got = held.reshape(-1)[layout.table].reshape(64, -1, bits)
    return (got << np.arange(bits)).sum(axis=2)


def random_chunks(bits: int) -> np.ndarray:
    elements = (96 if bits == 6 else 64) // bits
    return np.random.default_rng(bits).integers(0, 1 << bits, (64, elements))


@pytest.mark.parametrize("bits", [16, 8, 4, 6])
def test_rocroller_would_pass_its_own_gpu_test(bits: int) -> None:
    """executeTransposeLoad with MN = 16: LDS, addresses and assertions as in the C++ test."""
    chunk_bits = 96 if bits == 6 else 64
    elements, columns = chunk_bits // bits, 16
    depth = {16: 32, 8: 64, 4: 128, 6: 128}[bits]
    data = np.random.default_rng(1).integers(0, 1 << bits, (depth, columns))
    lds = data.reshape(-1, elements)
    ny0, ny1 = elements, columns // elements
    index = np.zeros(64, dtype=int)
    for x0 in range(4):
        for y0 in range(ny0):
            for y1 in range(ny1):
                index[ny0 * ny1 * x0 + ny1 * y0 + y1] = 2 * ny0 * ny1 * x0 + ny1 * y0 + y1
    layout = said("rocRoller", bits)
    # The second load reads 16 * chunk further on; each stores its registers one after the other.
    loads = [gather(layout, bits, lds[index + 16 * load]) for load in (0, 1)]
    run = 16 if bits == 6 else 32 // bits
    result = np.concatenate(
        [load.reshape(64, -1, run).transpose(1, 0, 2).reshape(-1) for load in loads]
    )
    outer, inner = (2, 96 // bits) if bits == 6 else (4, 32 // bits)
    middle = depth // inner // outer
    for y0 in range(outer):
        for y1 in range(middle):
            for x in range(16):
                for y2 in range(inner):
                    expected = data.reshape(-1)[(y1 * outer * inner + y0 * inner + y2) * 16 + x]
                    place = y0 * middle * inner * 16 + y1 * inner * 16 + x * inner + y2
                    assert result[place] == expected


def scatter_b8(out: np.ndarray, given: np.ndarray, base: int) -> None:
    for start in range(0, 32, 4):
        for byte in range(8):
            lane = base + start // 16 * 16 + start // 4 % 2 * 8 + byte
            for each in range(4):
                out[lane, start % 16 // 8 * 4 + each] = given[base + start + each, byte]


def scatter_b16(out: np.ndarray, given: np.ndarray, base: int) -> None:
    for start in range(0, 32, 4):
        for half in range(4):
            for each in range(4):
                out[base + start + half, each] = given[base + start + each, half]


def scatter_b4(out: np.ndarray, given: np.ndarray, base: int) -> None:
    for start in range(0, 32, 8):
        for nibble in range(16):
            lane = base + (start & 8) * 2 + nibble
            for each in range(8):
                out[lane, (start // 16 & 1) * 8 + each] = given[base + start + each, nibble]


def scatter_b6(out: np.ndarray, given: np.ndarray, base: int) -> None:
    for turn in range(2):
        for lane in range(16):
            for each in range(16):
                source = base + 8 * (each // 4) + each % 4 + turn * 4
                out[base + lane + turn * 16, each] = given[source, lane]


SCATTERS: dict[int, Callable[[np.ndarray, np.ndarray, int], None]] = {
    8: scatter_b8,
    16: scatter_b16,
    4: scatter_b4,
    6: scatter_b6,
}


@pytest.mark.parametrize("bits", SCATTERS)
def test_uncorrected_rocjitsu_is_its_scatter_read_backwards(bits: int) -> None:
    given = random_chunks(bits)
    out = np.full_like(given, -1)
    for base in (0, 32):
        SCATTERS[bits](out, given, base)
    np.testing.assert_array_equal(gather(said("rocjitsu, uncorrected", bits), bits, given), out)


def test_modular_transposes_even_and_odd_lanes_apart() -> None:
    given = random_chunks(8)
    expected = np.zeros_like(given)
    for row in range(4):
        for odd in range(2):
            lanes = 16 * row + odd + 2 * np.arange(8)
            expected[lanes] = given[lanes].T
    np.testing.assert_array_equal(gather(said("Modular", 8), 8, given), expected)


def test_triton_gives_lane_0_and_4_of_b16_what_its_comment_says() -> None:
    """Lane 0 and 1: column 0 and 1 of threads 0, 4, 8, 12; lane 4: of threads 1, 5, 9, 13."""
    layout = said("Triton, AMD back end", 16)

    def origins(lane: int) -> list[tuple[int, int]]:
        cells = [
            layout.source_of(lane=lane, register=half // 2, bit=half % 2 * 16) for half in range(4)
        ]
        return [(cell["lane"], cell["bit"] // 16) for cell in cells if cell is not None]

    assert origins(0) == [(0, 0), (4, 0), (8, 0), (12, 0)]
    assert origins(1) == [(0, 1), (4, 1), (8, 1), (12, 1)]
    assert origins(4) == [(1, 0), (5, 0), (9, 0), (13, 0)]


def test_aiter_puts_the_tokens_and_dims_where_its_comment_wants_them() -> None:
    """V[token, d] in LDS as make_layout_rv addresses it: lines of 8 tokens of 128 dims."""
    tokens, dims, line = 32, 16, 8 * 128
    memory = np.zeros(4 * line, dtype=int)
    v = np.random.default_rng(3).integers(0, 256, (tokens, dims))
    where = {}
    for n_rpt in range(4):
        for inside in range(8):
            token = n_rpt * 8 + inside
            where[n_rpt, inside] = token
            memory[n_rpt * line + inside * 128 : n_rpt * line + inside * 128 + dims] = v[token]
    chunks = np.zeros((64, 8), dtype=int)
    for lane in range(64):
        group, high, low = lane // 16, lane % 16 // 2, lane % 2
        address = group * 128 + high % 4 * line + high // 4 * 4 * 128 + 8 * low
        chunks[lane] = memory[address : address + 8]
    got = gather(said("AITER opus MLA", 8), 8, chunks)
    for lane in range(64):
        for k in range(8):
            token = where[k % 4, k // 4 * 4 + lane // 16]
            assert got[lane, k] == v[token, lane % 16]


def test_primus_turbo_loads_the_operand_that_its_mfma_multiplies() -> None:
    b = np.random.default_rng(4).integers(0, 256, (64, 16))
    chunks = np.stack(
        [
            b[16 * (lane // 16) + lane % 16 // 2, 8 * (lane % 2) : 8 * (lane % 2) + 8]
            for lane in range(64)
        ]
    )
    got = gather(said("Primus-Turbo", 8), 8, chunks)
    for lane in range(64):
        rows = 16 * (lane // 16) + np.arange(8)
        np.testing.assert_array_equal(got[lane], b[rows, lane % 16])


def test_the_measured_lanes_and_no_others_are_said() -> None:
    layout = said("sunxxuns/aiter, measured lanes", 8)
    memory = np.arange(512) % 256
    defined = layout.defined.reshape(64, -1)
    assert sorted(np.flatnonzero(defined.any(axis=1))) == [0, 1, 8]
    assert defined[[0, 1, 8]].all()
    for lane, values in {
        0: [0, 16, 32, 48, 64, 80, 96, 112],
        1: [1, 17, 33, 49, 65, 81, 97, 113],
        8: [8, 24, 40, 56, 72, 88, 104, 120],
    }.items():
        for byte, value in enumerate(values):
            cell = layout.source_of(lane=lane, register=byte // 4, bit=byte % 4 * 8)
            assert cell is not None
            assert memory[8 * cell["lane"] + cell["bit"] // 8] == value


def test_the_lessons_formula_reads_memory_as_it_says() -> None:
    layout = said("sunxxuns/aiter, .lessons", 8)
    memory = np.random.default_rng(5).integers(0, 256, 512)
    got = gather(layout, 8, memory.reshape(64, 8))
    base = 8 * np.arange(64)
    expected = memory[(base >> 3)[:, None] + 16 * np.arange(8)]
    np.testing.assert_array_equal(got, expected)


def test_the_gather_is_said_for_the_only_byte_that_lies_in_a_chunk() -> None:
    layout = said("design notes, stride-8 gather", 8)
    first_bytes = layout.defined.reshape(64, 8, 8).all(axis=2)
    assert first_bytes[:, 0].all() and not first_bytes[:, 1:].any()
    assert layout.source_of(lane=9, register=0, bit=3) == {"lane": 9, "bit": 3}


def test_the_broadcast_shows_eight_equal_bytes_under_one_address() -> None:
    chunk = np.arange(100, 108)
    got = gather(said("design notes, broadcast", 8), 8, np.tile(chunk, (64, 1)))
    assert [set(row) for row in got.tolist()] == [{100 + lane % 8} for lane in range(64)]


# Who agrees with whom, from the table of sources: the rule of 16 lanes on one side.
AGREEING = {
    8: {
        "Triton, AMD back end",
        "Triton 3.9's compiled FP8 P @ V",
        "rocRoller",
        "AITER opus MLA",
        "Primus-Turbo",
        "rocjitsu",
    },
    16: {"Triton, AMD back end", "rocRoller", "rocjitsu", "Modular"},
    4: {"rocRoller"},
    6: {"rocRoller"},
}
DISSENTING = {
    8: {
        "rocjitsu, uncorrected",
        "Modular",
        "the octet rule",
        "design notes, stride-8 gather",
        "design notes, broadcast",
        "sunxxuns/aiter, .lessons",
    },
    16: {"rocjitsu, uncorrected"},
    4: {"rocjitsu, uncorrected"},
    6: {"rocjitsu, uncorrected"},
}


def transpose_of_16_lanes(bits: int, given: np.ndarray) -> np.ndarray:
    """Each group's chunks as rows of 16 elements; lane i receives column i."""
    out = [group.reshape(-1, 16).T for group in given.reshape(4, 16, -1)]
    return np.concatenate(out)


@pytest.mark.parametrize("bits", [16, 8, 4, 6])
def test_the_agreeing_sources_transpose_16_lanes_and_the_others_do_not(bits: int) -> None:
    given = random_chunks(bits)
    expected = transpose_of_16_lanes(bits, given)
    whole = {name: each for name, each in sources_of(bits).items() if each.is_total}
    agreeing = {
        name
        for name, layout in whole.items()
        if np.array_equal(gather(layout, bits, given), expected)
    }
    assert agreeing == AGREEING[bits]
    partial = {"sunxxuns/aiter, measured lanes"} if bits == 8 else set()
    assert set(sources_of(bits)) - agreeing - partial == DISSENTING[bits]


def test_claims_come_strongest_first() -> None:
    order = list(Level)
    levels = [order.index(each.level) for each in claims_of("ds_read_b64_tr_b8")]
    assert levels == sorted(levels) and levels[0] == 0
