"""The column budget: widths by hand from the PTX ISA's packings, sharing, allocation, errors."""

from __future__ import annotations

import pytest

from lanemap.errors import UserError
from lanemap.layout.planner import Budget, Operand, budget


def budget_of(*texts: str) -> Budget:
    return budget([Operand.parse(text) for text in texts])


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("D=d:128x256:f32", 256),
        # f16 accumulators are one to a column as well.
        ("D=d:128x256:f16", 256),
        # Layouts E and G fold N over lanes.
        ("D=d/E:64x256:f32", 128),
        ("D=d/G:32x256:f32", 64),
        # A: bf16 two to a column; 8-bit four; FP4 of kind::f8f6f4 in bytes, of kind::mxf4 packed.
        ("P=a:128x128:bf16", 64),
        ("A=a:128x64:tf32", 64),
        ("A=a:128x128:e4m3", 32),
        ("A=a:128x128:e2m1", 32),
        ("A=a:128x128:mxf4", 16),
        # Scale factors: four columns for 128 rows and four scales of a row.
        ("SFA=sf:128x64:nvf4", 4),
        ("SFA=sf:128x256:nvf4", 16),
        ("SFB=sf:256x256:nvf4", 32),
        ("SFB=sf:192x256:nvf4", 32),
        ("SFA=sf:128x128:mxf8", 4),
        ("SFA=sf:128x32:mxf8", 4),
        ("X=columns:24", 24),
    ],
)
def test_the_columns_of_an_operand(text: str, columns: int) -> None:
    assert Operand.parse(text).width() == columns


def test_attention_with_p_in_the_columns_of_s() -> None:
    plan = budget_of("S=d:128x128:f32*2", "P=a:128x128:bf16*2@S+64", "O=d:128x128:f32*2")
    assert plan.used == 512
    assert plan.allocation == 512
    assert plan.fits
    assert [str(place) for place in plan.places[:4]] == [
        "S[0]: 128 columns, 0 to 127",
        "S[1]: 128 columns, 128 to 255",
        "P[0]: 64 columns, 64 to 127, in the columns of S",
        "P[1]: 64 columns, 192 to 255, in the columns of S",
    ]
    assert plan.more("O") == 0
    # Without sharing it would not fit.
    apart = budget_of("S=d:128x128:f32*2", "P=a:128x128:bf16*2", "O=d:128x128:f32*2")
    assert apart.used == 640
    assert apart.allocation is None
    assert not apart.fits
    assert str(apart).endswith("640 columns: does not fit, tensor memory has 512")


@pytest.mark.parametrize(("columns", "size"), [(1, 32), (32, 32), (33, 64), (257, 512), (512, 512)])
def test_an_allocation_is_a_power_of_two(columns: int, size: int) -> None:
    assert budget_of(f"X=columns:{columns}").allocation == size


def test_what_else_fits() -> None:
    plan = budget_of("D=d:128x256:f32", "SFA=sf:128x256:nvf4", "SFB=sf:256x256:nvf4")
    assert plan.used == 304
    assert plan.left_in_allocation == 208
    assert plan.more("SFB") == 6
    assert plan.to_json()["places"][2] == {
        "name": "SFB",
        "stage": 0,
        "first": 272,
        "columns": 32,
        "shares": None,
    }
    with pytest.raises(UserError, match="no operand E"):
        plan.more("E")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["D=d:128x300:f32"], "N = 300 does not fit; N is a multiple of 8 from 8 to 256"),
        (["D=d:128x128:bf16"], "the dtype must be one of f32, s32, f16, not bf16"),
        (["D=d/H:128x128:f32"], "the layout must be one of A, B, C, D, E, F, G, not H"),
        (["A=a:128x24:bf16"], "K = 24 does not fit; K of bf16 is a multiple of 16"),
        (["A=a:128x16:f64"], "the dtype must be one of tf32"),
        (["S=sf:128x24:nvf4"], "nvf4 has a scale for every 16 elements"),
        (["X=q:4"], "the kind must be one of d, a, sf, columns, not q"),
        (["S 128"], "is not an operand; write NAME=KIND"),
        (["X=columns:0"], "at least 1"),
        (["X=columns:8", "X=columns:8"], "is given twice"),
        (["P=a:128x128:bf16@S"], "P shares S, which must come before it"),
        (["S=d:128x64:f32", "P=a:128x256:bf16@S"], "P needs columns 0 to 127 of S, which has 64"),
        (["S=columns:8", "P=columns:8*2@S"], "P has 2 stages, but S only 1"),
    ],
)
def test_what_does_not_fit_is_one_sentence(texts: list[str], said: str) -> None:
    with pytest.raises(UserError, match=said):
        budget_of(*texts)
    with pytest.raises(UserError, match="needs an operand"):
        budget([])
