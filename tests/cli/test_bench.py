"""`lanemap bench` on the emulator: what it counts, by hand; what it refuses."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import pytest

from lanemap.benching.benchmark import parsed
from lanemap.benching.counting import role_of
from lanemap.benching.gemm.benchmark import GemmCase
from lanemap.cli import main
from lanemap.errors import UserError
from tests.sampled import sampled


def answered(capsys: pytest.CaptureFixture[str], name: str, target: str, problem: str) -> Any:
    """The only row of a kernel that `lanemap bench` finds right on the emulator."""
    arguments = [name, "--target", target, "--device", "emulator", "--problem", problem, "--json"]
    assert main.run(["bench", *arguments]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["right"] and answer["target"] == target
    (row,) = answer["problems"]
    assert [each["outside"] for each in row["checks"]] == [0, 0]
    return row


def test_counted_work_and_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    """Whole tiles, each a stage of four wgmma; one warpgroup multiplies."""
    row = answered(capsys, "ss_gemm", "sm_90a", "m=144,n=64,k=64")
    assert row["problem"]["element"] == "bfloat16"
    work, tile = row["work"], row["tile"]
    assert (tile["consumers"], tile["swapped"], 144 % tile["columns"]) == (1, 1, 0)
    tiles, columns = 144 // tile["columns"], tile["columns"]
    assert work["flops"] == 2 * 144 * 64 * 64
    assert work["bytes"]["TMA from global"] == tiles * (64 + columns) * 64 * 2
    assert work["bytes"]["TMA to global"] == 144 * 64 * 2
    assert work["bytes"]["wgmma from shared"] == tiles * 4 * (64 + columns) * 16 * 2
    roles = work["instructions"]
    assert set(roles) == {"all", "producer", "consumer"}
    assert roles["consumer"]["matrix"] == tiles * 4 * 4  # of four warps each
    assert roles["producer"]["copy"] == tiles * 2  # A and B
    assert roles["consumer"]["copy"] >= tiles  # a box of each warpgroup
    assert "matrix" not in roles["producer"]
    bounds = row["bounds"]
    assert bounds["evidence"] == "published" and bounds["limiter"] == "memory"
    limits = bounds["microseconds"]
    assert limits["tensor cores"] == pytest.approx(2 * 144 * 64 * 64 / 989.5e6)
    assert limits["memory"] == pytest.approx((144 + 64 + 144) * 64 * 2 / 4.8e6)


def test_the_table_names_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --target, on each target of the kernel."""
    arguments = ["ts_gemm", "--device", "emulator", "--problem", "m=64,n=64,k=64"]
    assert main.run(["bench", *arguments]) == 0
    shown = capsys.readouterr().out
    assert "ts_gemm (sm_90a), M x N x K 64 x 64 x 64" in shown and "ts_gemm (sm_100a)" in shown
    assert shown.count("0 of 4,096 elements outside the tolerance") == 4
    assert "(evidence: emulator)" in shown
    assert "bound (evidence: published, NVIDIA H200" in shown
    assert "Warp instructions by role" in shown
    _, classes = shown.split("Warp instructions by role", 1)
    heads, *rows = classes.split("Work", 1)[0].strip().splitlines()
    assert heads.split()[:4] == ["class", "total", "every", "role"]
    for row in rows:
        total, *parts = (int(each.replace(",", "")) for each in re.findall(r"(?<= )[\d,]+", row))
        assert total == sum(parts), row


def test_a_wrong_result_is_said_and_exits_with_1(
    monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(GemmCase, "run", lambda self: None)
    arguments = ["ss_gemm", "--target", "sm_90a", "--device", "emulator"]
    assert main.run(["bench", *arguments, "--problem", "m=8,n=8,k=16"]) == 1
    assert "64 of 64 elements outside the tolerance" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name kernels or give --all"),
        (["ss_gemm", "--all"], "name kernels or give --all"),
        (["ss_gem"], "there is no kernel 'ss_gem'; did you mean ss_gemm"),
        (["ss_gemm", "--problem", "64x64"], "--problem does not understand '64x64'; write it"),
        (["ss_gemm", "--problem", "q=64"], "--problem has no axis 'q'; write it like m=1024"),
        (["ss_gemm", "--out", "results"], "--out is for timing on a GPU"),
        (["ss_gemm", "--tiles"], "--tiles is for timing on a GPU"),
        (["ss_gemm", "--compiled", "code"], "--compiled is for timing on a GPU"),
        (
            ["ss_gemm", "--compile-only", "code", "--out", "results"],
            "--compile-only measures nothing",
        ),
        (["lds_attention", "--compile-only", "code"], "writes cubins, but lds_attention is for gf"),
        (["ss_gemm", "--seconds", "-1"], "Invalid value for '--seconds'"),
        (["ss_gemm", "--problem", f"m={'9' * 5000}"], "an integer, not a word of 5000 letters"),
        (["ss_gemm", "--problem", "m=4.5"], "m of --problem is an integer, not '4.5'"),
        (["ss_gemm", "--problem", "m=-4"], "M is -4; sizes from 1 to"),
        (["ss_gemm", "--problem", "k=60"], "leading dimension along K is 120 bytes"),
        (["ss_gemm", "--problem", "element=int8"], "A and B are of dtype int8"),
        (["ss_gemm", "--target", "gfx950"], "ss_gemm has no benchmarks for gfx950"),
        (["--all", "--target", "sm_1"], "no kernel has anything to bench on sm_1"),
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
    row = answered(capsys, "ts_gemm", "sm_100a", "m=128,n=64,k=64")
    work = row["work"]
    assert work["flops"] == 2 * 128 * 64 * 64
    assert work["bytes"]["TMA from global"] == (128 + 64) * 64 * 2
    assert work["bytes"]["TMA to global"] == 128 * 64 * 2
    assert work["bytes"]["tcgen05.mma from shared"] == 64 * 64 * 2  # B
    assert set(work["instructions"]) == {"all", "load", "mma", "move", "epilogue"}
    assert work["instructions"]["mma"]["matrix"] == 4
    bounds = row["bounds"]
    assert "B200" in bounds["gpu"] and bounds["evidence"] == "published"
    assert bounds["microseconds"]["memory"] == pytest.approx((128 + 64 + 128) * 64 * 2 / 8e6)


@pytest.mark.parametrize(
    "kernel", sampled(["nvfp4_gemm", "ss_gemm", "fp8_gemm", "grouped_gemm"], 2)
)
def test_warps_of_blackwell_have_roles(kernel: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.run(["bench", kernel, "--target", "sm_100a", "--device", "emulator", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    roles = answer[0]["problems"][0]["work"]["instructions"]
    assert set(roles) == {"all", "load", "mma", "epilogue"}
    assert [role for role, kinds in roles.items() if "matrix" in kinds] == ["mma"]


def test_the_outermost_line_of_a_role_says_it() -> None:
    starts = [(1, "all"), (20, "load"), (30, "mma"), (40, "all")]
    for source, role in [
        ("k.cu:7", "all"),
        ("k.cu:7 inlines gemm.h:22 inlines gemm.h:5", "load"),
        ("k.cu:7 inlines gemm.h:50 inlines gemm.h:31 inlines gemm.h:52", "mma"),
        ("k.cu:7 inlines gemm.h:50 inlines gemm.h:12", "all"),
    ]:
        assert role_of(source, "gemm.h", starts) == role


def test_hardware_that_is_not_here_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--target", "sm_100a"], []):
        assert main.run(["bench", "ss_gemm", "--device", "cuda", *arguments]) == 3
        assert "device cuda needs" in capsys.readouterr().err


@dataclass(frozen=True)
class Masked:
    """A problem with an axis of each type."""

    length: int = 8
    causal: bool = False
    element: str = "bfloat16"
    flops: int = 1
    least_bytes: int = 1


def test_axes_have_the_types_of_the_default() -> None:
    assert parsed(Masked(), "causal=true, length=64") == Masked(64, True)
    assert parsed(Masked(causal=True), "causal=false,element=float16") == Masked(element="float16")
    with pytest.raises(UserError, match="causal of --problem is true or false, not '1'"):
        parsed(Masked(), "causal=1")
