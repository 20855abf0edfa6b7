"""tcgen05.cp and mma: cells worked by hand, and operands that must meet each other."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.model import variant
from lanemap.model.tcgen05_mma import LAYOUTS, result_map

ONE, TWO = "tcgen05.mma.cta_group::1", "tcgen05.mma.cta_group::2"
WS, SPARSE = "tcgen05.mma.ws.cta_group::1", "tcgen05.mma.sp.cta_group::2"
# Where the PTX ISA's data path layouts A to G put element (m, n): (cta,) lane, column.
RESULTS = [
    (f"{TWO}.m256n64.f32:D", (200, 9), {"cta": 1, "lane": 72, "column": 9}),
    (f"{TWO}.m128n64.f32:D", (5, 33), {"cta": 0, "lane": 69, "column": 1}),
    (f"{TWO}.m128n64.f32:D", (69, 3), {"cta": 1, "lane": 5, "column": 3}),
    (f"{SPARSE}.m128n64.f32:D", (17, 3), {"cta": 0, "lane": 33, "column": 3}),
    (f"{SPARSE}.m128n64.f32:D", (127, 3), {"cta": 1, "lane": 111, "column": 3}),
    (f"{ONE}.m128n256.f32:D", (127, 255), {"lane": 127, "column": 255}),
    (f"{WS}.m128n64.f32:D", (127, 5), {"lane": 127, "column": 5}),
    (f"{WS}.m64n128.f32:D", (5, 67), {"lane": 69, "column": 3}),
    (f"{ONE}.m64n16.f32:D", (16, 7), {"lane": 32, "column": 7}),
    (f"{ONE}.m64n16.f32:D", (15, 7), {"lane": 15, "column": 7}),
    (f"{WS}.m32n64.f32:D", (31, 63), {"lane": 127, "column": 15}),
    (f"{WS}.m32n64.f32:D", (1, 17), {"lane": 33, "column": 1}),
]


@pytest.mark.parametrize(("name", "element", "place"), RESULTS)
def test_results(name: str, element: tuple[int, int], place: dict[str, int]) -> None:
    row, column = element
    found = variant(name).map.destinations_of(row=row, column=column, bit=30)
    assert found == [place | {"bit": 30}]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.form + layout.letter)
def test_every_element_of_d_has_one_place(layout: object) -> None:
    for columns in layout.legal()[:2]:  # type: ignore[attr-defined]
        found = result_map(layout, columns)  # type: ignore[arg-type]
        assert found.is_one_to_one
        assert found.defined.sum() == found.source.size


def test_16_bit_results_lie_one_a_column_in_the_low_half() -> None:
    layout = variant(f"{ONE}.m128n16.f16:D").map
    assert layout.source_of(lane=3, column=5, bit=15) == {"row": 3, "column": 5, "bit": 15}
    assert layout.source_of(lane=3, column=5, bit=16) is None


def test_an_illegal_n_is_answered_with_the_legal_ones() -> None:
    with pytest.raises(UserError, match="16 to 256 in steps of 16"):
        variant(f"{TWO}.m256n40.f32:D")
    assert variant(f"{ONE}.m128n96.f32:D").map.destination.axis_size("column") == 96


def load_of_a_quadrant(result: LayoutMap, columns: int) -> LayoutMap:
    """What `tcgen05.ld.32x32b.xN` of warp 0 brings of D: registers and matrix elements."""
    load = variant(f"tcgen05.ld.32x32b.x{columns}").map
    return load.compose(result.restrict(lane=range(32), column=range(columns)))


def test_p_of_a_chained_product_goes_back_by_a_plain_store() -> None:
    # S of layout D, read by 32x32b, rounded to bf16 and packed two to a register in order of n,
    # written by a plain 32x32b st, must be the A operand with k = n.
    read = load_of_a_quadrant(variant(f"{ONE}.m128n16.f32:D").map, 16)
    assert read.source_of(lane=7, register=3, bit=0) == {"row": 7, "column": 3, "bit": 0}
    packed = Space("register", (("lane", 32), ("register", 8), ("bit", 32)))
    held = Space("matrix", (("row", 128), ("k", 16), ("bit", 16)))
    registers = LayoutMap.from_function(
        packed,
        held,
        lambda lane, register, bit: {"row": lane, "k": 2 * register + bit // 16, "bit": bit % 16},
    )
    written = variant("tcgen05.st.32x32b.x8").map.compose(registers)
    needed = variant(f"{ONE}.kind::f16.m128.bf16:A").map.restrict(lane=range(32))
    assert written.first_difference(needed) is None
    # The unpacking store spreads the elements over twice the columns: k = 1 is not where the MMA
    # reads it.
    spread = variant("tcgen05.st.32x32b.x8.unpack::16b").map.compose(registers)
    assert spread.destinations_of(row=0, k=1, bit=0) == [{"lane": 0, "column": 1, "bit": 0}]
    assert needed.destinations_of(row=0, k=1, bit=0) == [{"lane": 0, "column": 0, "bit": 16}]


@pytest.mark.parametrize(
    ("name", "cell", "element"),
    [
        (f"{ONE}.kind::tf32.m128.tf32:A", (4, 3, 0), (4, 3, 0)),
        (f"{ONE}.kind::f8f6f4.m128.e4m3:A", (4, 3, 8), (4, 13, 0)),
        (f"{ONE}.kind::f8f6f4.m128.e2m1:A", (4, 0, 10), (4, 1, 0)),
        (f"{ONE}.kind::f8f6f4.m128.e3m2:A", (4, 0, 30), (4, 3, 5)),
        (f"{ONE}.kind::mxf4.m128.e2m1:A", (4, 7, 31), (4, 63, 3)),
        (f"{ONE}.kind::f16.m64.f16:A", (33, 0, 0), (17, 0, 0)),
    ],
)
def test_a_in_tensor_memory(
    name: str, cell: tuple[int, int, int], element: tuple[int, int, int]
) -> None:
    lane, column, bit = cell
    row, k, place = element
    found = variant(name).map.source_of(lane=lane, column=column, bit=bit)
    assert found == {"row": row, "k": k, "bit": place}


def test_narrow_elements_leave_padding_in_their_holders() -> None:
    fp4 = variant(f"{ONE}.kind::f8f6f4.m128.e2m1:A").map
    assert [b for b in range(8) if fp4.source_of(lane=0, column=0, bit=b)] == [2, 3, 4, 5]
    fp6 = variant(f"{ONE}.kind::f8f6f4.m128.e2m3:A").map
    assert [b for b in range(8) if fp6.source_of(lane=0, column=0, bit=b)] == [1, 2, 3, 4, 5, 6]


def test_a_of_two_ctas_with_m_128_is_there_twice() -> None:
    layout = variant(f"{TWO}.kind::f16.m128.f16:A").map
    found = layout.destinations_of(row=70, k=0, bit=0)
    assert found == [
        {"cta": 1, "lane": 6, "column": 0, "bit": 0},
        {"cta": 1, "lane": 70, "column": 0, "bit": 0},
    ]


def test_scales_of_the_128x4_atom_arrive_by_one_warpx4_copy() -> None:
    # Global and shared atom of 128 x 4 scales (512 bytes): scale (mn, k) at byte
    # 16*(mn%32) + 4*((mn/32)%4) + k; tcgen05.cp.32x128b.warpx4 takes rows of 16 bytes.
    rows = Space("shared", (("row", 32), ("bit", 128)))
    scales = Space("scales", (("row", 128), ("block", 4), ("bit", 8)))
    atom = LayoutMap.from_function(
        rows,
        scales,
        lambda row, bit: {
            "row": row + 32 * (bit // 32),
            "block": bit // 8 % 4,
            "bit": bit % 8,
        },
    )
    arrived = variant("tcgen05.cp.32x128b.warpx4").map.compose(atom)
    needed = variant(f"{ONE}.m128.scale_vec::4X.id0:SFA").map
    assert arrived.first_difference(needed) is None
    assert len(needed.destinations_of(row=77, block=2, bit=0)) == 4


def test_scales_of_one_block_take_one_byte_of_the_column() -> None:
    layout = variant(f"{ONE}.m128.scale_vec::1X.id3:SFA").map
    assert layout.source_of(lane=40, column=1, bit=24) == {"row": 40, "block": 0, "bit": 0}
    assert layout.source_of(lane=40, column=1, bit=0) is None
    halves = variant(f"{ONE}.n64.scale_vec::2X.id2:SFB").map
    assert halves.source_of(lane=1, column=1, bit=31) == {"row": 33, "block": 1, "bit": 7}
    assert halves.source_of(lane=1, column=2, bit=31) is None


def test_scales_of_b_for_two_ctas_with_m_128_are_folded() -> None:
    layout = variant(f"{TWO}.m128.n256.scale_vec::4X.id0:SFB").map
    assert layout.source_of(lane=33, column=0, bit=0) == {"row": 1, "block": 0, "bit": 0}
    assert layout.source_of(lane=65, column=3, bit=0) == {"row": 225, "block": 0, "bit": 0}


def test_each_cta_of_a_pair_with_m_256_has_all_scales_of_its_rows() -> None:
    own = variant(f"{TWO}.m256.scale_vec::4X.id0:SFA").map
    assert own.destinations_of(row=133, block=2, bit=0) == [
        {"cta": 1, "lane": 5 + 32 * rep, "column": 0, "bit": 16} for rep in range(4)
    ]
    shared = variant(f"{TWO}.m256.n256.scale_vec::4X.id0:SFB").map
    for half in range(2):
        assert shared.destinations_of(half=half, row=133, block=2, bit=0) == [
            {"cta": half, "lane": 5 + 32 * rep, "column": 4, "bit": 16} for rep in range(4)
        ]


CP = [
    ("128x256b", 77, [77], 8),
    ("4x256b", 3, [96], 8),
    ("128x128b", 127, [127], 4),
    ("64x128b.warpx2::02_13", 5, [5, 69], 4),
    ("64x128b.warpx2::02_13", 40, [40, 104], 4),
    ("64x128b.warpx2::01_23", 5, [5, 37], 4),
    ("64x128b.warpx2::01_23", 40, [72, 104], 4),
    ("32x128b.warpx4", 5, [5, 37, 69, 101], 4),
]


@pytest.mark.parametrize(("form", "row", "lanes", "columns"), CP)
def test_copies(form: str, row: int, lanes: list[int], columns: int) -> None:
    layout = variant(f"tcgen05.cp.{form}").map
    found = layout.destinations_of(row=row, bit=70)
    assert found == [{"lane": lane, "column": 2, "bit": 6} for lane in lanes]
    assert layout.destination.axis_size("column") == columns
    assert np.unique(layout.table[layout.defined]).size == layout.source.size


def test_the_shift_moves_31_of_32_lanes() -> None:
    # PTX ISA: 31x256b, all rows except the last, by one row; CUTLASS: row r is A[r + 1].
    layout = variant("tcgen05.shift.down").map
    assert layout.destination.axes == (("lane", 32), ("column", 8), ("bit", 32))
    before = np.arange(32)[:, None, None] * np.ones((1, 8, 32), int)
    after = before.reshape(-1)[layout.table].reshape(32, 8, 32)
    np.testing.assert_array_equal(after[:31], before[1:])
    np.testing.assert_array_equal(after[31], before[31])
