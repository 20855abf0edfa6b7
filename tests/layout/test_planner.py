"""The copy planner on cases worked by hand, with CUTLASS's published atoms as its instructions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.layout import LayoutMap, Space
from lanemap.layout.planner import (
    NoPlan,
    Plan,
    infer_fragment,
    infer_tmem,
    place,
    plan_copy,
    repeat_along,
)

Table = list[Any]


def accumulator(columns: int, rows: int = 128, bits: int = 32) -> LayoutMap:
    """D of M = 128 (layout D) or the part of it on the first lanes: element (m, n) at (m, n)."""
    return LayoutMap.from_function(
        Space("tmem", (("lane", 128), ("column", columns), ("bit", 32))),
        Space("matrix", (("row", rows), ("column", columns), ("bit", bits))),
        lambda lane, column, bit: {
            "row": np.where(lane < rows, lane, -1),
            "column": column,
            "bit": np.where(bit < bits, bit, -1),
        },
    )


def packed_operand(depth: int) -> LayoutMap:
    """A of 16-bit elements in tensor memory: two to a column, the lower k in the lower half."""
    return LayoutMap.from_function(
        Space("tmem", (("lane", 128), ("column", depth // 2), ("bit", 32))),
        Space("matrix", (("row", 128), ("k", depth), ("bit", 16))),
        lambda lane, column, bit: {"row": lane, "k": 2 * column + bit // 16, "bit": bit % 16},
    )


def half_lanes(columns: int) -> LayoutMap:
    """D of M = 64 (layout F): row m on lane 32*(m/16) + m%16; the other lanes are another's."""
    return LayoutMap.from_function(
        Space("tmem", (("lane", 128), ("column", columns))),
        Space("matrix", (("row", 64), ("column", columns))),
        lambda lane, column: {
            "row": np.where(lane % 32 < 16, 16 * (lane // 32) + lane % 16, -1),
            "column": column,
        },
    )


def words(registers: int, columns: int, cell: Callable[..., tuple[Any, Any]]) -> LayoutMap:
    """A fragment of whole registers of four warps, by (row, column) of warp, thread, register."""
    return LayoutMap.from_function(
        Space("register", (("warp", 4), ("thread", 32), ("register", registers))),
        Space("matrix", (("row", 128), ("column", columns))),
        lambda **at: dict(zip(("row", "column"), cell(**at), strict=True)),
    )


def row_of_thread(columns: int) -> LayoutMap:
    """The fragment of a row to a thread."""
    return words(columns, columns, lambda warp, thread, register: (32 * warp + thread, register))


def mma_fragment(columns: int) -> LayoutMap:
    """The accumulator fragment of mma.sync (NVIDIA PTX ISA, m16n8 C): 16 rows, 8 columns a tile."""

    def cell(warp: Any, thread: Any, register: Any) -> tuple[Any, Any]:
        tile, inside = register // 4, register % 4
        half, step = tile // (columns // 8), tile % (columns // 8)
        row = 32 * warp + 16 * half + thread // 4 + 8 * (inside // 2)
        return row, 8 * step + 2 * (thread % 4) + inside % 2

    return words(columns, columns, cell)


def plain(columns: int) -> LayoutMap:
    """The accumulator by whole columns."""
    tmem = Space("tmem", (("lane", 128), ("column", columns)))
    return LayoutMap(
        tmem, Space("matrix", (("row", 128), ("column", columns))), np.arange(128 * columns)
    )


def planned(*arguments: LayoutMap, variants: Table, **options: str) -> Plan:
    plan = plan_copy(*arguments, variants=variants, **options)
    assert isinstance(plan, Plan), str(plan)
    return plan


def issued(plan: Plan, warp: int = 0) -> list[tuple[str, int, int, int | None]]:
    issues = plan.warps[0, warp].issues
    return [(i.variant.removeprefix("tcgen05."), i.lane, i.column, i.gap) for i in issues]


def test_p_of_a_chained_gemm_is_a_plain_store_without_moves(cutlass_variants: Table) -> None:
    plan = planned(accumulator(128), packed_operand(128), variants=cutlass_variants)
    assert issued(plan) == [("ld.32x32b.x128", 0, 0, None), ("st.32x32b.x64", 0, 0, None)]
    assert (plan.instructions, plan.shuffles, plan.merges) == (2, 0, 0)
    moves = plan.warps[0, 0].moves
    assert moves is not None
    assert moves.conversions == 64
    # Packed register r holds k = 2r below and 2r + 1 above: the two accumulators of those columns.
    assert moves.register_sources() == [(2 * r, 2 * r + 1) for r in range(64)]
    assert list(plan.lines()) == [
        "warp 0, warp 1, warp 2, warp 3:",
        "  tcgen05.ld.32x32b.x128 at lane +0, column +0: registers 0-127",
        "  convert into 64 registers",
        "  tcgen05.st.32x32b.x64 at lane +0, column +0: registers 0-63",
    ]


def test_unpacking_the_packed_p_is_wrong_and_the_cell_says_why(cutlass_variants: Table) -> None:
    plan = plan_copy(
        accumulator(128),
        packed_operand(128),
        variants=cutlass_variants,
        store="32x32b.unpack::16b",
    )
    assert isinstance(plan, NoPlan)
    assert not plan
    assert plan.cell == "lane 0 column 0 half 1"
    assert str(plan) == (
        "no plan: lane 0 column 0 half 1, which must hold row 0 k 1, is left undefined by "
        "tcgen05.st.32x32b.unpack::16b"
    )
    # What it makes instead: k = 1 in column 1, where the MMA reads k = 2.
    fragment = infer_fragment(packed_operand(64), "32x32b", variants=cutlass_variants)
    layout = fragment.destination.layout
    made = infer_tmem(layout, "32x32b.unpack::16b", variants=cutlass_variants).destination.layout
    assert made.source_of(lane=0, column=1, bit=0) == {"row": 0, "k": 1, "bit": 0}
    assert packed_operand(64).source_of(lane=0, column=1, bit=0) == {"row": 0, "k": 2, "bit": 0}
    assert made.source_of(lane=0, column=0, bit=16) is None


def test_eighty_columns_are_two_issues(cutlass_variants: Table) -> None:
    plan = planned(plain(80), row_of_thread(80), variants=cutlass_variants)
    assert issued(plan) == [("ld.32x32b.x64", 0, 0, None), ("ld.32x32b.x16", 0, 64, None)]
    assert plan.warps[0, 0].loads[1].registers == tuple(range(64, 80))


@pytest.mark.parametrize(("columns", "count"), [(1, 1), (96, 2), (127, 7), (128, 1), (200, 3)])
def test_the_fewest_issues_of_powers_of_two(
    columns: int, count: int, cutlass_variants: Table
) -> None:
    # 200 = 128 + 64 + 8 and so on: the binary digits, 128 at most.
    plan = planned(plain(columns), row_of_thread(columns), variants=cutlass_variants)
    assert plan.instructions == count


def test_a_16_lane_shape_is_issued_again_at_lane_16(cutlass_variants: Table) -> None:
    load = planned(plain(64), mma_fragment(64), variants=cutlass_variants)
    assert issued(load) == [("ld.16x256b.x8", 0, 0, None), ("ld.16x256b.x8", 16, 0, None)]
    assert load.warps[0, 3].loads[1].registers == tuple(range(32, 64))
    store = planned(mma_fragment(64), plain(64), variants=cutlass_variants)
    assert issued(store, 2) == [("st.16x256b.x8", 0, 0, None), ("st.16x256b.x8", 16, 0, None)]


def test_registers_may_come_in_any_order(cutlass_variants: Table) -> None:
    # Odd columns first: no shape does this in order, but registers are only names.
    fragment = words(
        8,
        8,
        lambda warp, thread, register: (32 * warp + thread, register % 4 * 2 + 1 - register // 4),
    )
    plan = planned(plain(8), fragment, variants=cutlass_variants)
    assert issued(plan) == [("ld.32x32b.x8", 0, 0, None)]
    assert plan.warps[0, 0].loads[0].registers == (4, 0, 5, 1, 6, 2, 7, 3)
    assert plan.warps[0, 0].loads[0].ptx() == (
        "tcgen05.ld.sync.aligned.32x32b.x8.b32 {%r4, %r0, %r5, %r1, %r6, %r2, %r7, %r3}, [%taddr];"
    )


def test_the_split_shape_has_its_own_distance(cutlass_variants: Table) -> None:
    # Threads 0-15 hold columns 0-7 of lanes 0-15, threads 16-31 columns 40-47 of the same lanes.
    tmem = half_lanes(64)
    fragment = LayoutMap.from_function(
        Space("register", (("warp", 4), ("thread", 32), ("register", 8))),
        tmem.source,
        lambda warp, thread, register: {
            "row": 16 * warp + thread % 16,
            "column": register + 40 * (thread // 16),
        },
    )
    plan = planned(tmem, fragment, variants=cutlass_variants)
    assert issued(plan) == [("ld.16x32bx2.x8", 0, 0, 40)]
    assert plan.warps[0, 0].loads[0].ptx().endswith("[%taddr], 40;")


def test_a_store_spares_lanes_of_another(cutlass_variants: Table) -> None:
    tmem = half_lanes(32)
    fragment = infer_fragment(tmem, "16x64b", variants=cutlass_variants).destination.layout
    plan = planned(fragment, tmem, variants=cutlass_variants)
    assert issued(plan) == [("st.16x64b.x16", 0, 0, None)]
    refused = plan_copy(fragment, tmem, variants=cutlass_variants, store="32x32b")
    assert isinstance(refused, NoPlan)
    assert str(refused) == (
        "no plan: lane 16 column 0 would be overwritten by tcgen05.st.32x32b, and the destination "
        "has no part in it"
    )


def test_packing_loads_and_unpacking_stores_suit_16_bit_accumulators(
    cutlass_variants: Table,
) -> None:
    plan = planned(accumulator(64, bits=16), packed_operand(64), variants=cutlass_variants)
    assert issued(plan) == [("ld.32x32b.x32.pack::16b", 0, 0, None), ("st.32x32b.x32", 0, 0, None)]
    assert (plan.shuffles, plan.merges) == (0, 0)
    back = planned(packed_operand(64), accumulator(64, bits=16), variants=cutlass_variants)
    assert issued(back) == [
        ("ld.32x32b.x32", 0, 0, None),
        ("st.32x32b.x32.unpack::16b", 0, 0, None),
    ]


def test_shuffles_are_the_last_resort_and_are_counted(cutlass_variants: Table) -> None:
    # The mma fragment of 8 columns, through a shape of a row to a thread. A quad of threads holds
    # four rows (of tiles and halves) of 8 columns; each thread must come to hold one row of 8.
    fragment, tmem = mma_fragment(8), plain(8)
    free = planned(fragment, tmem, variants=cutlass_variants)
    assert (free.shuffles, free.merges) == (0, 0)
    forced = planned(fragment, tmem, variants=cutlass_variants, store="32x32b")
    assert issued(forced) == [("st.32x32b.x8", 0, 0, None)]
    moves = forced.warps[0, 0].moves
    assert moves is not None
    # Row t needs columns 0-7 from threads 4*(t%8) + 0..3. A thread that is not one of its own
    # row's sources receives all 8 words; every thread sends at most 8.
    assert forced.shuffles == 8
    check_rounds(moves)


def check_rounds(moves: Any) -> None:
    """The rounds bring every word that travels, one to and from a thread at a time."""
    travelled = set()
    for steps in moves.rounds():
        assert len({step[0] for step in steps}) == len(steps)
        assert len({step[2] for step in steps}) == len(steps)
        travelled |= set(steps)
    count = moves.old_shape[1] * moves.old_shape[2]
    wanted = set()
    for thread, register, unit in np.argwhere(moves.source >= 0):
        cell = int(moves.source[thread, register, unit])
        origin, old = cell // count, cell // moves.old_shape[2] % moves.old_shape[1]
        if origin != thread:
            wanted.add((origin, old, int(thread), int(register)))
    assert travelled == wanted


def test_packing_in_a_thread_is_merges_not_shuffles(cutlass_variants: Table) -> None:
    # 16-bit elements, one in the low half of each register; the operand wants them two by two.
    loose = LayoutMap.from_function(
        Space("register", (("warp", 4), ("thread", 32), ("register", 16), ("half", 2))),
        Space("matrix", (("row", 128), ("k", 16))),
        lambda warp, thread, register, half: {
            "row": 32 * warp + thread,
            "k": np.where(half == 0, register, -1),
        },
    )
    operand = LayoutMap.from_function(
        Space("tmem", (("lane", 128), ("column", 8), ("half", 2))),
        loose.source,
        lambda lane, column, half: {"row": lane, "k": 2 * column + half},
    )
    plan = planned(loose, operand, variants=cutlass_variants)
    assert issued(plan) == [("st.32x32b.x8", 0, 0, None)]
    assert (plan.shuffles, plan.merges) == (0, 8)


def test_why_not_names_the_cell_and_where_its_element_lies(cutlass_variants: Table) -> None:
    # Warps hold each other's rows: 0 and 1 swapped.
    swapped = words(4, 4, lambda warp, thread, register: (32 * (warp ^ 1) + thread, register))
    store = plan_copy(swapped, plain(4), variants=cutlass_variants)
    assert isinstance(store, NoPlan)
    assert store.reason == (
        "lane 0 column 0 must receive row 0 column 0, which lies in warp 1 thread 0 register 0, "
        "out of reach of warp 0 (lanes 0 to 31 of tensor memory)"
    )
    load = plan_copy(plain(4), swapped, variants=cutlass_variants)
    assert isinstance(load, NoPlan)
    assert load.cell == "warp 0 thread 0 register 0"
    assert "row 32 column 0, which lies in lane 32 column 0" in load.reason


def test_a_quadrant_without_a_warp_is_named(cutlass_variants: Table) -> None:
    one = LayoutMap.from_function(
        Space("register", (("thread", 32), ("register", 2))),
        plain(2).source,
        lambda thread, register: {"row": thread, "column": register},
    )
    plan = plan_copy(one, plain(2), variants=cutlass_variants)
    assert isinstance(plan, NoPlan)
    assert plan.cell == "lane 32 column 0"


def test_eight_warps_share_the_columns(cutlass_variants: Table) -> None:
    # Two warpgroups: warps 0-3 the first 32 columns, warps 4-7 the rest.
    fragment = LayoutMap.from_function(
        Space("register", (("warp", 8), ("thread", 32), ("register", 32))),
        plain(64).source,
        lambda warp, thread, register: {
            "row": 32 * (warp % 4) + thread,
            "column": register + 32 * (warp // 4),
        },
    )
    for plan in (
        planned(plain(64), fragment, variants=cutlass_variants),
        planned(fragment, plain(64), variants=cutlass_variants),
    ):
        assert [i[2] for i in issued(plan, 1)] == [0]
        assert [i[2] for i in issued(plan, 5)] == [32]


@pytest.mark.parametrize("shape", ["32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"])
def test_the_reverse_inference_is_the_published_fragment(
    shape: str, cutlass_variants: Table
) -> None:
    # One issue at lane 0: the fragment of warp 0 is CUTLASS's own layout.
    (published,) = (v for v in cutlass_variants if v.name == f"tcgen05.ld.{shape}.x4")
    lanes = 32 if shape == "32x32b" else 16
    used = published.map.source.coords(published.map.table)["column"].max() + 1
    tmem = accumulator(int(used), rows=lanes)
    plan = infer_fragment(tmem, shape, variants=cutlass_variants)
    fragment = plan.destination.layout.restrict(warp=0)
    coords = published.map.source.coords(published.map.table)
    found = fragment.source.coords(fragment.table)
    assert np.array_equal(found["row"], coords["lane"])
    assert np.array_equal(found["column"], coords["column"])
    assert np.array_equal(found["bit"], coords["bit"])


@pytest.mark.parametrize("shape", ["32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"])
def test_inference_there_and_back(shape: str, cutlass_variants: Table) -> None:
    fragment = infer_fragment(plain(96), shape, variants=cutlass_variants).destination.layout
    made = infer_tmem(fragment, shape, variants=cutlass_variants)
    assert made.destination.layout == plain(96)


def test_a_fragment_of_the_wrong_size_is_one_sentence(cutlass_variants: Table) -> None:
    with pytest.raises(UserError, match="a fragment of 6 registers has the wrong size: .* 8 at a"):
        infer_tmem(row_of_thread(6), "16x256b", variants=cutlass_variants)
    with pytest.raises(UserError, match="32 threads in a warp, not 16"):
        narrow = Space("register", (("thread", 16), ("register", 2)))
        place(LayoutMap(narrow, narrow, np.arange(32)))
    with pytest.raises(
        UserError, match="16x256b does not fit: lane 0 column 0 begins an atom of 8"
    ):
        infer_fragment(plain(4), "16x256b", variants=cutlass_variants)


def test_matrices_that_differ_are_one_sentence(cutlass_variants: Table) -> None:
    with pytest.raises(
        UserError, match=r"a matrix of 128 x 64 \(row, column\).* 128 x 32 \(row, k"
    ):
        plan_copy(accumulator(64), packed_operand(32), variants=cutlass_variants)


@pytest.mark.parametrize(
    ("load", "said"),
    [
        ("16x256b.x64", "16x256b has no x64; it has x1, x2, x4, x8, x16, x32"),
        ("16x128b.x128", "16x128b has no x128; it has x1, x2, x4, x8, x16, x32, x64"),
        ("32x32b.x3", "32x32b has no x3; it has x1, x2, x4, x8, x16, x32, x64, x128"),
        ("32x64b", "there is no shape '32x64b'; tcgen05.ld has 16x128b, 16x256b, 16x32bx2, 16x64b"),
        ("32x32b.unpack::16b", "tcgen05.ld.32x32b has no .unpack::16b"),
    ],
)
def test_an_illegal_shape_or_repetition_has_the_legal_ones(
    load: str, said: str, cutlass_variants: Table
) -> None:
    with pytest.raises(UserError, match=said.replace(".", r"\.")):
        plan_copy(plain(64), row_of_thread(64), variants=cutlass_variants, load=load)


def test_one_repetition_alone(cutlass_variants: Table) -> None:
    plan = planned(plain(64), row_of_thread(64), variants=cutlass_variants, load="32x32b.x16")
    assert [column for _, _, column, _ in issued(plan)] == [0, 16, 32, 48]
    left = plan_copy(plain(80), row_of_thread(80), variants=cutlass_variants, load="32x32b.x64")
    assert isinstance(left, NoPlan)
    assert "left over by tcgen05.ld.32x32b with x64 alone" in left.reason


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        # A bit of one register for that of the next: no whole word moves any more.
        ((slice(None), 0, 5), (slice(None), 1, 5), "splits units"),
        # Whole registers swapped, in x4 alone: each x1 is still right.
        ((slice(None), 0), (slice(None), 1), "contradicts itself: .* warp 0 thread 0 register 0"),
    ],
)
def test_a_table_that_contradicts_itself_is_noticed(
    one: Any, other: Any, said: str, cutlass_variants: Table
) -> None:
    (honest,) = (v for v in cutlass_variants if v.name == "tcgen05.ld.32x32b.x4")
    bits = honest.map.table.reshape(32, 4, 32).copy()
    bits[one], bits[other] = bits[other].copy(), bits[one].copy()
    layout = LayoutMap(honest.map.destination, honest.map.source, bits.reshape(-1))
    table = [replace(v, map=layout) if v is honest else v for v in cutlass_variants]
    with pytest.raises(UserError, match=said):
        plan_copy(plain(4), row_of_thread(4), variants=table)


def test_one_step_of_an_operand_repeats_along_k() -> None:
    assert repeat_along(packed_operand(16), 4, "k") == packed_operand(64)


def test_placements_that_are_none_are_refused() -> None:
    with pytest.raises(UserError, match="neither registers"):
        place(LayoutMap.identity(Space("shared", (("byte", 8),))))
    with pytest.raises(UserError, match="512 columns, not 600"):
        place(LayoutMap.identity(Space("tmem", (("lane", 128), ("column", 600)))))
    torn = LayoutMap.from_function(
        Space("register", (("thread", 32), ("register", 3), ("bit", 32))),
        Space("matrix", (("row", 32), ("k", 16), ("bit", 6))),
        lambda thread, register, bit: {
            "row": thread,
            "k": (32 * register + bit) // 6,
            "bit": (32 * register + bit) % 6,
        },
    )
    with pytest.raises(UserError, match="6 bits are split"):
        place(torn)


def test_the_plan_as_plain_data(cutlass_variants: Table) -> None:
    data = planned(plain(4), row_of_thread(4), variants=cutlass_variants).to_json()
    assert data["instructions"] == 1
    assert data["warps"][3]["loads"] == [
        {
            "variant": "tcgen05.ld.32x32b.x4",
            "lane": 0,
            "column": 0,
            "imm": None,
            "registers": [0, 1, 2, 3],
            "ptx": "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r0, %r1, %r2, %r3}, [%taddr];",
        }
    ]
