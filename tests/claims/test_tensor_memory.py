"""Claims of tcgen05 against cells worked out from their sources, and against tensor-layouts."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensor_layouts import Layout

from lanemap.claims import claims_of
from lanemap.layout import LayoutMap

ROOT = Path(__file__).resolve().parents[2]
CUTLASS_D = "CUTLASS, TMEM fragments"


def said(variant: str, source: str) -> LayoutMap:
    (found,) = [each for each in claims_of(variant) if each.source == source]
    return found.map


def atoms() -> dict[str, list[Any]]:
    text = files("lanemap.claims").joinpath("cutlass_sm100_tmem.json").read_text()
    found: dict[str, list[Any]] = json.loads(text)["atoms"]
    return found


def tuples(nested: Any) -> Any:
    return tuple(map(tuples, nested)) if isinstance(nested, list) else nested


def test_there_are_74_atoms_with_every_legal_repetition() -> None:
    forms = set(atoms())
    assert len(forms) == 74
    most = {"32x32b": 128, "16x64b": 128, "16x32bx2": 128, "16x128b": 64, "16x256b": 32}
    expected = {
        f"{shape}.x{1 << power}{halves}"
        for shape, largest in most.items()
        for power in range(largest.bit_length())
        for halves in ("", ".pack::16b")
    }
    assert forms == expected


def test_the_data_are_those_that_the_layout_tests_hold() -> None:
    other = json.loads((ROOT / "tests/layout/data/cutlass_sm100_tmem_load.json").read_text())
    listed = other["atoms"] if isinstance(other, dict) else other
    assert len(listed) == len(atoms())
    numbers = sorted(map(json.dumps, (flat(each) for each in atoms().values())))
    assert sorted(map(json.dumps, (flat(strip(each)) for each in listed))) == numbers


def strip(atom: Any) -> Any:
    """The four tuples of an atom of that file, in this file's order."""
    if isinstance(atom, dict):
        pairs = [atom["register_bits"], atom["tmem_bits"]]
        return [value for pair in pairs for value in (pair["shape"], pair["stride"])]
    return atom[-4:]


def flat(nested: Any) -> list[int]:
    return [i for each in nested for i in flat(each)] if isinstance(nested, list) else [nested]


@pytest.mark.parametrize("form", ["16x256b.x4", "16x64b.x2.pack::16b", "16x32bx2.x8", "32x32b.x2"])
def test_cutlass_maps_equal_what_tensor_layouts_evaluates(form: str) -> None:
    shape, stride, tmem_shape, tmem_stride = map(tuples, atoms()[form])
    registers, memory = Layout(shape, stride), Layout(tmem_shape, tmem_stride)
    layout = said(f"tcgen05.ld.{form}", "CUTLASS, TMEM copy traits")
    rng = np.random.default_rng(11)
    for _ in range(200):
        thread = int(rng.integers(32))
        register = int(rng.integers(layout.destination.axis_size("register")))
        bit = int(rng.integers(32))
        address = memory(registers(thread, 32 * register + bit))
        assert layout.source_of(lane=thread, register=register, bit=bit) == {
            "lane": address >> 21,
            "column": (address & (2**21 - 1)) // 32,
            "bit": address % 32,
        }


# Register r of thread t to (lane, column), worked out by hand from the shapes' formulas.
HAND = [
    ("32x32b.x4", 13, 3, (13, 3)),
    ("16x64b.x2", 5, 1, (9, 2)),
    ("16x64b.x2", 6, 0, (1, 1)),
    ("16x128b.x2", 7, 3, (9, 7)),
    ("16x256b.x2", 5, 2, (9, 2)),
    ("16x256b.x2", 31, 7, (15, 15)),
]
LOADERS = ("CUTLASS, TMEM copy traits", "TVM", "Triton, NVIDIA back end")


@pytest.mark.parametrize("source", LOADERS)
@pytest.mark.parametrize(("form", "thread", "register", "cell"), HAND)
def test_loads_by_hand(
    source: str, form: str, thread: int, register: int, cell: tuple[int, int]
) -> None:
    layout = said(f"tcgen05.ld.{form}", source)
    found = layout.source_of(lane=thread, register=register, bit=17)
    assert found == {"lane": cell[0], "column": cell[1], "bit": 17}
    stored = said(f"tcgen05.st.{form}", source)
    back = stored.source_of(lane=cell[0], column=cell[1], bit=17)
    assert back == {"lane": thread, "register": register, "bit": 17}


@pytest.mark.parametrize("source", LOADERS)
def test_packed_halves_lie_in_the_low_halves_of_neighbouring_columns(source: str) -> None:
    layout = said("tcgen05.ld.16x64b.x2.pack::16b", source)
    # Thread 6, register 1 lies at lane 1, column 3; its high half at 2*3 + 1.
    found = layout.source_of(lane=6, register=1, bit=20)
    assert found == {"lane": 1, "column": 7, "bit": 4}


@pytest.mark.parametrize(
    ("shape", "thread", "register", "cell"),
    [
        ("16x64b", 30, 0, (7, 1)),
        ("16x64b", 5, 0, (9, 0)),
        ("16x128b", 9, 1, (10, 1)),
        ("16x256b", 6, 3, (9, 5)),
    ],
)
def test_tilelang_by_hand(shape: str, thread: int, register: int, cell: tuple[int, int]) -> None:
    layout = said(f"tcgen05.ld.{shape}.x1", "TileLang")
    found = layout.source_of(lane=thread, register=register, bit=0)
    assert found == {"lane": cell[0], "column": cell[1], "bit": 0}


def test_the_figure_of_16x32bx2_puts_threads_from_16_on_elsewhere_than_the_text() -> None:
    text = said("tcgen05.ld.16x32bx2.x2", "PTX ISA, text")
    figure = said("tcgen05.ld.16x32bx2.x2", "PTX ISA, figure of 16x32bx2")
    for layout in (text, figure):
        assert layout.source_of(lane=3, register=1, bit=0) == {"lane": 3, "column": 1, "bit": 0}
    assert text.source_of(lane=19, register=1, bit=0) == {"lane": 3, "column": 3, "bit": 0}
    assert figure.source_of(lane=19, register=1, bit=0) == {"lane": 19, "column": 3, "bit": 0}
    for source in ("CUTLASS, TMEM copy traits", "Triton, NVIDIA back end"):
        assert said("tcgen05.ld.16x32bx2.x2", source) == text


# Where element (m, n) lies: layout, variant with N = 64, (m, n), (cta, lane, column).
LETTERS = [
    ("A", "tcgen05.mma.cta_group::2.m256n64.f32:D", (200, 5), (1, 72, 5)),
    ("B", "tcgen05.mma.cta_group::2.m128n64.f32:D", (70, 40), (1, 70, 8)),
    ("D", "tcgen05.mma.cta_group::1.m128n64.f32:D", (77, 63), (0, 77, 63)),
    ("D", "tcgen05.mma.ws.cta_group::1.m128n64.f32:D", (77, 63), (0, 77, 63)),
    ("E", "tcgen05.mma.ws.cta_group::1.m64n64.f32:D", (3, 33), (0, 67, 1)),
    ("F", "tcgen05.mma.cta_group::1.m64n64.f32:D", (35, 9), (0, 67, 9)),
    ("G", "tcgen05.mma.ws.cta_group::1.m32n64.f32:D", (31, 50), (0, 127, 2)),
]


@pytest.mark.parametrize("source", [CUTLASS_D, "TVM"])
@pytest.mark.parametrize(("letter", "variant", "element", "place"), LETTERS)
def test_accumulators_by_hand(
    source: str,
    letter: str,
    variant: str,
    element: tuple[int, int],
    place: tuple[int, int, int],
) -> None:
    layout = said(variant, source)
    coords = dict(zip(("cta", "lane", "column"), place, strict=True))
    if "cta" not in layout.destination.names:
        del coords["cta"]
    found = layout.source_of(**coords, bit=7)
    assert found == {"row": element[0], "column": element[1], "bit": 7}, letter


def test_cutlass_and_tvm_part_on_a_sparse_pair_of_128_rows() -> None:
    """PTX ISA, layout C: 16 lanes of every 32. CUTLASS's fragment of a pair folds as B does."""
    variant = "tcgen05.mma.sp.cta_group::2.m128n64.f32:D"
    cell = {"cta": 1, "lane": 35, "column": 4, "bit": 0}
    assert said(variant, "TVM").source_of(**cell) == {"row": 83, "column": 4, "bit": 0}
    assert said(variant, CUTLASS_D).source_of(**cell) == {"row": 99, "column": 4, "bit": 0}


@pytest.mark.parametrize("source", [CUTLASS_D, "TVM", "learn-cuda"])
def test_a_holds_two_bf16_to_a_column(source: str) -> None:
    layout = said("tcgen05.mma.cta_group::1.kind::f16.m128.bf16:A", source)
    assert layout.source_of(lane=9, column=3, bit=0) == {"row": 9, "k": 6, "bit": 0}
    assert layout.source_of(lane=9, column=3, bit=31) == {"row": 9, "k": 7, "bit": 15}


def test_the_tilelang_notes_leave_one_bf16_to_a_column() -> None:
    layout = said("tcgen05.mma.cta_group::1.kind::f16.m128.bf16:A", "design notes, TileLang")
    assert layout.source_of(lane=9, column=3, bit=0) == {"row": 9, "k": 3, "bit": 0}
    assert layout.source_of(lane=9, column=3, bit=16) is None


def test_tvm_and_cutlass_part_on_a_of_64_rows() -> None:
    variant = "tcgen05.mma.cta_group::1.kind::f16.m64.f16:A"
    assert said(variant, CUTLASS_D).source_of(lane=35, column=0, bit=0) == {
        "row": 19,
        "k": 0,
        "bit": 0,
    }
    assert said(variant, "TVM").source_of(lane=35, column=0, bit=0) == {
        "row": 35,
        "k": 0,
        "bit": 0,
    }


def test_scale_factors_are_there_four_times() -> None:
    layout = said("tcgen05.mma.cta_group::1.m128.scale_vec::4X.id0:SFA", CUTLASS_D)
    places = layout.destinations_of(row=70, block=2, bit=1)
    assert places == [{"lane": 6 + 32 * rep, "column": 2, "bit": 17} for rep in range(4)]


def test_the_pair_splits_its_scale_factors_of_b() -> None:
    layout = said("tcgen05.mma.cta_group::2.m128.n256.scale_vec::1X.id0:SFB", CUTLASS_D)
    low, high = (layout.destinations_of(row=row, block=0, bit=0) for row in (40, 168))
    assert low == [{"lane": lane, "column": 1, "bit": 0} for lane in (8, 40)]
    assert high == [{"lane": lane, "column": 1, "bit": 0} for lane in (72, 104)]


@pytest.mark.parametrize(
    ("form", "row", "lanes"),
    [
        ("128x256b", 77, [77]),
        ("4x256b", 3, [96]),
        ("64x128b.warpx2::02_13", 40, [40, 104]),
        ("64x128b.warpx2::01_23", 40, [72, 104]),
        ("32x128b.warpx4", 5, [5, 37, 69, 101]),
    ],
)
def test_copies_by_hand(form: str, row: int, lanes: list[int]) -> None:
    layout = said(f"tcgen05.cp.{form}", "TVM")
    places = layout.destinations_of(row=row, bit=70)
    assert places == [{"lane": lane, "column": 2, "bit": 6} for lane in lanes]


def test_kernels_pass_lane_0_from_every_warp_and_the_isa_does_not_say_what_that_does() -> None:
    subject = "tcgen05.ld.32x32b:taddr"
    for source in ("DeepGEMM", "FlashMLA", "TVM"):
        practice = said(subject, source)
        assert practice.source_of(warp=3, taddr_lane=0, lane=2) == {"lane": 98}, source
    isa = said(subject, "PTX ISA, text")
    assert isa.source_of(warp=3, taddr_lane=0, lane=2) is None
    assert isa.source_of(warp=3, taddr_lane=96, lane=2) == {"lane": 98}
    assert said(subject, "FlashMLA").source_of(warp=1, taddr_lane=16, lane=15) == {"lane": 63}


def test_mfma_results_by_hand() -> None:
    """32x32: register 5, lane 40 is row 8*(5/4) + 4*(40/32) + 5%4 = 13; tinygrad has 21."""
    variant = "v_mfma_f32_32x32x16_f16:D"
    cell = {"lane": 40, "register": 5, "bit": 0}
    right = said(variant, "AMD matrix instruction calculator").source_of(**cell)
    assert right == {"row": 13, "column": 8, "bit": 0}
    assert said(variant, "tinygrad").source_of(**cell) == {"row": 21, "column": 8, "bit": 0}


def test_mfma_operands_by_hand() -> None:
    """16x16x128 with 8-bit A: v4 of lanes 16 to 31 begins at k = 64 + 16; tinygrad has 48."""
    variant = "v_mfma_f32_16x16x128_f8f6f4:A.fp8"
    cell = {"lane": 21, "register": 4, "bit": 0}
    assert said(variant, "AMD CDNA4 ISA").source_of(**cell) == {"row": 5, "k": 80, "bit": 0}
    assert said(variant, "tinygrad").source_of(**cell) == {"row": 5, "k": 48, "bit": 0}


def test_mfma_of_triton_by_hand() -> None:
    """xf32 16x16x8, kBase 2: lane 37 is row 5 and begins at k = 2 * 2, and in D at row 8."""
    said_of = {x: said(f"v_mfma_f32_16x16x8_xf32:{x}", "Triton, AMD back end") for x in "ABD"}
    cell = {"lane": 37, "register": 1, "bit": 3}
    assert said_of["A"].source_of(**cell) == {"row": 5, "k": 5, "bit": 3}
    assert said_of["B"].source_of(**cell) == {"k": 5, "column": 5, "bit": 3}
    assert said_of["D"].source_of(**cell) == {"row": 9, "column": 5, "bit": 3}


def test_warp_fragments_by_hand() -> None:
    """PTX ISA, m16n8k16: a4 of lane 13 (group 3, thread 1) is row 3, column 2 + 8."""
    layout = said("mma.sync.m16n8k16.f16:A", "CUTLASS, MMA traits")
    assert layout.source_of(lane=13, register=2, bit=0) == {"row": 3, "k": 10, "bit": 0}
    d = said("wgmma.m64n64.f32:D", "CUTLASS, MMA traits")
    cell = d.source_of(warp=2, lane=13, register=6, bit=0)
    assert cell == {"row": 43, "column": 10, "bit": 0}
    ld = said("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "CUTLASS, copy traits")
    # Transposed: lane 13 receives rows 2 and 3 of column 3 of the second matrix.
    assert ld.source_of(lane=13, register=1, bit=16) == {"lane": 11, "bit": 48}
