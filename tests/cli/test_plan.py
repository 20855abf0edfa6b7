"""`lanemap plan`, and places in words, against fragments that NVIDIA documents."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.cli import main
from lanemap.emission.copies import place, plan_load
from lanemap.errors import UserError


def plan(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main.run(["plan", *words])
    out, err = capsys.readouterr()
    return status, out, err


def test_p_of_a_chained_gemm_is_one_plain_store(capsys: pytest.CaptureFixture[str]) -> None:
    """Row to a lane, two bf16 to a column: 128 of them fill 64 columns, nothing changes lanes."""
    status, out, _ = plan(capsys, "32x32b@d:128x128:f32", "a:128x128:bf16", "--json")
    answer: dict[str, Any] = json.loads(out)["plan"]
    assert status == 0
    assert (answer["instructions"], answer["shuffles"], answer["merges"]) == (1, 0, 0)
    stores = [warp["stores"] for warp in answer["warps"]]
    assert [[s["variant"] for s in each] for each in stores] == [["tcgen05.st.32x32b.x64"]] * 4
    status, out, _ = plan(capsys, "32x32b@d:128x128:f32", "a:128x128:bf16", "--ptx")
    assert "tcgen05.st.sync.aligned.32x32b.x64.b32 [%taddr], {%r0, %r1," in out
    assert "cta 0 warp 0, cta 0 warp 1, cta 0 warp 2, cta 0 warp 3" in out
    assert "evidence: documented" in out


def test_why_unpack_is_wrong_there_is_shown_by_the_cell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["32x32b@d:128x128:f32", "a:128x128:bf16", "--store", "32x32b.unpack::16b"]
    status, out, err = plan(capsys, *words)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "lane 0 column 0 half 1, which must hold row 0 k 1" in err
    status, out, err = plan(capsys, *words, "--json")
    assert (status, err) == (1, "")
    assert json.loads(out)["plan"] is None


def test_the_fragment_of_16x256b_is_that_of_mma_sync(capsys: pytest.CaptureFixture[str]) -> None:
    """PTX ISA, mma.m16n8k16: c0, c1 in row thread/4, columns 2*(thread%4) + 0, 1; c2, c3 +8."""
    fragment = plan_load("d:128x8:f32", "16x256b").destination.layout
    cells = fragment.destination.grid()
    rows = fragment.source.coords(np.asarray(fragment.table))
    register, thread = cells["register"], cells["thread"]
    half = register // 4
    expected = 32 * cells["warp"] + 16 * half + thread // 4 + 8 * (register % 4 // 2)
    assert np.array_equal(rows["row"], expected)
    assert np.array_equal(rows["column"], 2 * (thread % 4) + register % 2)
    status, out, _ = plan(capsys, "d:128x8:f32", "--load", "16x256b")
    assert status == 0 and "then: matrix.row = " in out


def test_a_fragment_goes_back_where_it_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = plan(capsys, "16x128b@d:128x64:f32", "--store", "16x128b", "--json")
    assert status == 0
    lines = json.loads(out)["destination"]
    assert "matrix.row = lane" in lines and "matrix.column = column" in lines


def test_places_are_the_model_s(capsys: pytest.CaptureFixture[str]) -> None:
    assert place("d:128x64:f32") == place("tcgen05.mma.cta_group::1.m128n64.f32:D")
    assert place("a:128x16:bf16") == place("tcgen05.mma.cta_group::1.kind::f16.m128.bf16:A")
    assert place("d/B:128x64:f32").destination.axis_size("cta") == 2
    assert place("d/D:128x64:f32") == place("d:128x64:f32")
    assert place("sf:128x4").source.name == "scales"
    layout = place("a:64x64:e4m3")
    assert place(layout) is layout
    assert lanemap.plan_copy("d:64x64:f32", "a:64x64:e4m3")


def test_a_budget_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Two S of 128 columns, P inside the first, O of 128: 384, so 512 are allocated."""
    words = ["--budget", "S=d:128x128:f32*2", "P=a:128x128:bf16@S", "O=d:128x128:f32"]
    status, out, _ = plan(capsys, *words)
    assert status == 0 and "384 columns; tcgen05.alloc of 512" in out
    status, out, _ = plan(capsys, *words, "--json")
    assert (status, json.loads(out)["used"]) == (0, 384)
    status, out, _ = plan(capsys, "--budget", "S=d:128x256:f32*3")
    assert status == 1 and "does not fit" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["d:128x64:f32", "--ptx"], "give two places, or one and at most one of --load and"),
        (["d:128x64:f32", "--load", "16x64b", "--store", "16x64b"], "give two places"),
        (["d:128x64:f32", "--load", "16x63b"], "16x63b"),
        (["q:128x64:f32", "d:128x64:f32"], "'q:128x64:f32' is not a place"),
        (["d:128x7:f32", "d:128x7:f32"], "has no N = 7"),
        (["d:128x128"], "lacks the type of D; write d:128x128:f32 (types: f32, s32, f16)"),
        (["a:128x128", "d:128x64:f32"], "a:128x128 lacks the type of A; write a:128x128:bf16"),
        (["q:1x1"], "'q:1x1' is not a place"),
        (["a:128x1600000:bf16", "a:128x64:bf16"], "800000 columns; tensor memory has 512"),
        (["sf:8000000x4", "sf:8000000x4"], "250000 columns; tensor memory has 512"),
        ([f"d:128x{'9' * 5000}:f32", "d:128x64:f32"], "is not a place"),
        (["--budget", "S=d:128x128:f32*99999999999"], "S: 99999999999 stages are more than tensor"),
        (["--budget", f"S=d:128x128:f32*{'9' * 5000}"], "is not an operand"),
        (["d:128x64:f64", "d:128x64:f32"], "the type of D must be one of f32, s32, f16"),
        (["d/A:128x64:f32", "d:128x64:f32"], "no data path layout of that name has 128 rows"),
        (["d:128x64:f32", "a:128x60:bf16"], "K of bf16 is a multiple of 16"),
        (["d:128x64:f32", "a:128x64:f64"], "the type of A must be one of f16, bf16"),
        (["d:128x64:f32", "a:96x64:bf16"], "no layout of A has that name and 96 rows"),
        (["d:128x64:f32", "a:128x128:bf16"], "128"),
        (["sf:128x3", "sf:128x4"], "a row has 1, 2 or 4 scales"),
        (["sf:128x4+1", "sf:128x4"], "a row has 1, 2 or 4 scales"),
        (["tcgen05.mma:D", "d:128x64:f32"], "means 60 things: tcgen05.mma."),
        (["--budget", "S=q:1"], "is not an operand|the kind must be one of"),
    ],
)
def test_what_is_wrong_is_named(
    capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    status, _, err = plan(capsys, *words)
    assert status == 2 and err.count("\n") == 1
    assert any(part in err for part in sentence.split("|"))


def test_one_place_lists_the_loads_and_stores_that_fit_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Scales of four columns: no shape with atoms of 8 columns (16x256b, or 16x128b packed)."""
    status, out, _ = plan(capsys, "sf:128x4", "--json")
    rows = {(row["verb"], row["shape"]): row for row in json.loads(out)}
    assert status == 0 and rows["load", "32x32b"]["variants"] == ["tcgen05.ld.32x32b.x4"]
    assert rows["store", "16x64b"] == {
        "verb": "store", "shape": "16x64b", "issues": 2, "registers": 4,
        "variants": ["tcgen05.st.16x64b.x2"],
    }  # fmt: skip
    assert not {shape for _, shape in rows} & {"16x256b", "16x128b.pack::16b"}
    status, out, _ = plan(capsys, "sf:128x4")
    assert status == 0 and "load   32x32b" in out


def test_a_place_outside_the_grammar_is_a_user_error() -> None:
    with pytest.raises(UserError, match="is not a place"):
        lanemap.plan_copy("somewhere", "d:128x64:f32")
