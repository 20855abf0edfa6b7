"""`lanemap bench` on the emulator: what it counts, by hand; what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lanemap.cli import main


def test_counted_work_and_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    """128 x 64 x 64 in bf16 is two tiles of 64 x 64, each a stage of four wgmma."""
    arguments = ["bench", "ss_gemm", "--device", "emulator", "--shape", "128x64x64", "--json"]
    assert main.run(arguments) == 0
    ((answer,),) = [json.loads(capsys.readouterr().out)]
    (row,) = answer["products"]
    assert answer["right"] and row["exact"] and row["outside"] == 0
    work: Any = row["work"]
    assert work["flops"] == 2 * 128 * 64 * 64
    assert work["bytes"]["TMA from global"] == 2 * (64 + 64) * 64 * 2
    assert work["bytes"]["TMA to global"] == 128 * 64 * 2
    assert work["bytes"]["wgmma from shared"] == 8 * 2 * 64 * 16 * 2
    roles = work["instructions"]
    assert set(roles) == {"all", "producer", "consumer"}
    assert roles["consumer"]["matrix"] == 8 * 4  # of four warps each
    assert roles["producer"]["copy"] == 2 * 2  # A and B
    assert roles["consumer"]["copy"] >= 8  # a box of each warp
    assert "matrix" not in roles["producer"]
    bounds = row["bounds"]
    assert bounds["evidence"] == "published" and bounds["limiter"] == "memory"
    assert bounds["tensor_core_us"] == pytest.approx(2 * 128 * 64 * 64 / 989.5e6)
    assert bounds["memory_us"] == pytest.approx((128 + 64 + 128) * 64 * 2 / 4.8e6)


def test_the_table_names_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["bench", "ts_gemm", "--device", "emulator", "--shape", "64x64x64"]) == 0
    shown = capsys.readouterr().out
    assert "integers exact (evidence: emulator)" in shown
    assert "bound (evidence: published, NVIDIA H200" in shown
    assert "Warp instructions by warp role" in shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name the kernels, or give --all"),
        (["ss_gemm", "--all"], "name the kernels, or give --all"),
        (["ss_gem"], "there is no kernel 'ss_gem'; did you mean ss_gemm"),
        (["fmha"], "fmha is no product of matrices"),
        (["ss_gemm", "--shape", "64x64"], "--shape 64x64 is not understood"),
        (["ss_gemm", "--shape", "64x64x60"], "leading dimension along K is 120 bytes"),
        (["ss_gemm", "--dtype", "int8"], "--dtype int8 is not one of"),
    ],
)
def test_bad_usage_is_one_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.run(["bench", "--device", "emulator", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1


def test_work_of_blackwell_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """128 x 64 x 64 in bf16 with A in tensor memory is one tile of 128 x 64: four tcgen05.mma."""
    arguments = ["bench", "ts_gemm", "--target", "sm_100a", "--device", "emulator",
                 "--shape", "128x64x64", "--json"]  # fmt: skip
    assert main.run(arguments) == 0
    ((answer,),) = [json.loads(capsys.readouterr().out)]
    (row,) = answer["products"]
    assert answer["right"] and row["exact"] and row["outside"] == 0
    work: Any = row["work"]
    assert work["flops"] == 2 * 128 * 64 * 64
    assert work["bytes"]["TMA from global"] == (128 + 64) * 64 * 2
    assert work["bytes"]["TMA to global"] == 128 * 64 * 2
    assert work["bytes"]["tcgen05.mma from shared"] == 64 * 64 * 2  # B
    assert set(work["instructions"]) == {"all", "load", "mma", "move", "epilogue"}
    assert work["instructions"]["mma"]["matrix"] == 4
    bounds = row["bounds"]
    assert "B200" in bounds["gpu"] and bounds["evidence"] == "published"
    assert bounds["memory_us"] == pytest.approx((128 + 64 + 128) * 64 * 2 / 8e6)


def test_a_target_without_kernels_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["bench", "ss_gemm", "--target", "gfx950"]) == 2
    assert "--target gfx950 is not one of sm_90a, sm_100a" in capsys.readouterr().err
