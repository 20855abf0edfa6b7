"""MFMA: cells worked by hand from the ISA, AMD's published loops, and a kernel's addresses."""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.model import variant, variants
from lanemap.model.mfma import FORMS, MIXED
from tests.model import cute

# (variant, lane, register, bit) -> what the CDNA4 ISA's tables of 7.1.5.1 put there.
A_CELLS = [
    ("v_mfma_f32_16x16x32_fp8_fp8:A", (21, 1, 8), {"row": 5, "k": 13}),
    ("v_mfma_f32_32x32x16_fp8_fp8:A", (37, 0, 24), {"row": 5, "k": 11}),
    ("v_mfma_f32_16x16x128_f8f6f4:A.fp8", (17, 4, 0), {"row": 1, "k": 80}),
    ("v_mfma_f32_16x16x128_f8f6f4:A.fp8", (17, 3, 24), {"row": 1, "k": 31}),
    ("v_mfma_f32_32x32x64_f8f6f4:A.bf8", (32, 7, 24), {"row": 0, "k": 63}),
    ("v_mfma_f32_32x32x64_f8f6f4:A.bf8", (32, 0, 0), {"row": 0, "k": 16}),
    ("v_mfma_f32_16x16x128_f8f6f4:A.fp4", (16, 3, 28), {"row": 0, "k": 63}),
    ("v_mfma_f32_32x32x64_f8f6f4:A.fp4", (63, 0, 4), {"row": 31, "k": 33}),
    ("v_mfma_f32_16x16x128_f8f6f4:A.fp6", (16, 3, 0), {"row": 0, "k": 48}),
    ("v_mfma_f32_32x32x64_f8f6f4:A.bf6", (32, 2, 26), {"row": 0, "k": 47}),
    ("v_mfma_f32_16x16x32_f16:A", (18, 2, 16), {"row": 2, "k": 13}),
    ("v_mfma_f32_32x32x16_bf16:A", (33, 3, 16), {"row": 1, "k": 15}),
    ("v_mfma_i32_16x16x64_i8:A", (17, 3, 24), {"row": 1, "k": 31}),
    ("v_mfma_i32_32x32x32_i8:A", (33, 0, 8), {"row": 1, "k": 17}),
    ("v_mfma_f32_32x32x2_f32:A", (40, 0, 0), {"row": 8, "k": 1}),
    ("v_mfma_f64_16x16x4_f64:A", (40, 0, 0), {"row": 8, "k": 2}),
]


@pytest.mark.parametrize(("name", "cell", "expected"), A_CELLS)
def test_operand_cells(name: str, cell: tuple[int, int, int], expected: dict[str, int]) -> None:
    lane, register, bit = cell
    found = variant(name).map.source_of(lane=lane, register=register, bit=bit)
    assert found == expected | {"bit": 0}
    # B is the same with columns for rows.
    found = variant(name.replace(":A", ":B")).map.source_of(lane=lane, register=register, bit=bit)
    assert found == {"k": expected["k"], "column": expected["row"], "bit": 0}


def test_an_fp6_element_may_straddle_registers() -> None:
    # Element 5 of a lane lies in bits 30 and 31 of register 0 and bits 0 to 3 of register 1.
    layout = variant("v_mfma_f32_16x16x128_f8f6f4:A.fp6").map
    assert layout.source_of(lane=0, register=0, bit=31) == {"row": 0, "k": 5, "bit": 1}
    assert layout.source_of(lane=0, register=1, bit=0) == {"row": 0, "k": 5, "bit": 2}


def test_results_as_amd_lab_notes_store_them() -> None:
    # AMD lab notes, "AMD matrix cores": after v_mfma_f32_32x32x2, for i and j in 0..3, register
    # j + 4*i of a lane goes to row 8*i + 4*(lane/32) + j, column lane%32; after 16x16x4 register i
    # goes to row i + 4*(lane/16), column lane%16.
    d = variant("v_mfma_f32_32x32x2_f32:D").map
    for lane in (0, 31, 32, 63):
        for i in range(4):
            for j in range(4):
                found = d.source_of(lane=lane, register=j + 4 * i, bit=0)
                row = 8 * i + 4 * (lane // 32) + j
                assert found == {"row": row, "column": lane % 32, "bit": 0}
    d = variant("v_mfma_f32_16x16x4_f32:D").map
    for lane in (0, 15, 16, 63):
        for i in range(4):
            found = d.source_of(lane=lane, register=i, bit=0)
            assert found == {"row": i + 4 * (lane // 16), "column": lane % 16, "bit": 0}


def test_f64_results_interleave_rows() -> None:
    # ROCm/amd_matrix_instruction_calculator, v_mfma_f64_16x16x4f64: i = 4*(GPR/2) + lane/16.
    d = variant("v_mfma_f64_16x16x4_f64:D").map
    assert d.source_of(lane=20, register=6, bit=3) == {"row": 13, "column": 4, "bit": 3}


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_each_operand_holds_every_element_once(form: object) -> None:
    for operand in "ABD":
        layout = variant(f"{form.name}:{operand}").map  # type: ignore[attr-defined]
        assert layout.is_total and layout.is_one_to_one
        assert layout.source.size == layout.destination.size


def test_registers_of_the_mixed_formats() -> None:
    # AMD CDNA4 ISA: 8 VGPRs of 8-bit, 6 of 6-bit, 4 of 4-bit elements.
    for name, _, _ in MIXED:
        for kind, registers in {"fp8": 8, "bf8": 8, "fp6": 6, "bf6": 6, "fp4": 4}.items():
            layout = variant(f"{name}:A.{kind}").map
            assert layout.destination.axis_size("register") == registers
            assert layout.is_total and layout.is_one_to_one


def test_scales_belong_to_blocks_of_32_k() -> None:
    layout = variant("v_mfma_scale_f32_16x16x128_f8f6f4:scale_A.byte2").map
    assert layout.source_of(lane=35, register=0, bit=17) == {"row": 3, "block": 2, "bit": 1}
    assert layout.source_of(lane=35, register=0, bit=8) is None
    # Every element of a lane of an 8-bit operand is not in the scale's block: k 16 to 31 of
    # lane group 0 are in block 0, as k 64 to 79 are in block 2.
    k = cute.elements(variant("v_mfma_f32_16x16x128_f8f6f4:A.fp8").map, 8)["k"]
    assert set(k[0] // 32) == {0, 2}


def test_transpose_reads_feed_the_mfma_from_row_major_memory() -> None:
    # P @ V of 32x32x16 fp8, V[k][d] row-major: lane address (8*(g>>1) + ((l>>1)&7))*pitch +
    # 16*(g&1) + 8*(l&1) with g = l>>4; what arrives must be the operand with columns d.
    pitch = 32
    lane = np.arange(64)
    group = lane >> 4
    address = (8 * (group >> 1) + ((lane >> 1) & 7)) * pitch + 16 * (group & 1) + 8 * (lane & 1)
    read = variant("ds_read_b64_tr_b8").map.coarsen(8, "byte")
    at = read.source.coords(read.table)
    place = (address[at["lane"]] + at["byte"]).reshape(64, 8)
    held = cute.elements(variant("v_mfma_f32_32x32x16_fp8_fp8:B").map, 8)
    np.testing.assert_array_equal(place // pitch, held["k"])
    np.testing.assert_array_equal(place % pitch, held["column"])


def test_operands_state_their_gauge() -> None:
    for each in variants("gfx950"):
        if each.family == "MFMA operand":
            assert "k permutation" in each.gauge
