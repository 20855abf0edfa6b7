"""Code that one machine compiles and another one runs, with a GPU that is made up."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanemap.benching import build, launch, timing
from lanemap.benching.benchmark import Benchmark
from lanemap.benching.compiled import COMPILED, MANIFEST
from lanemap.benching.find import benchmarks, host
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.timing import Effort
from lanemap.cli import main
from lanemap.cli.verbs import bench
from lanemap.devices import cublaslt
from lanemap.errors import UserError
from tests.kernels.test_times import AmdGpu, Gpu, Library

PROBLEM = Problem(64, 72, 128)
TILES = Tiling(columns=64, stages=4, cluster_m=1), Tiling(columns=128, stages=4)
ARGUMENTS = ["bench", "ss_gemm", "--target", "sm_90a", "--tiles", "--problem", "m=64,n=72,k=128"]


@pytest.fixture
def forgotten(monkeypatch: Any) -> Iterator[None]:
    """A process that has compiled nothing, whose cubins are the PTX that the emulator runs."""

    def forget() -> None:
        for each in benchmarks("ss_gemm"):
            each.made._texts.clear()  # type: ignore[attr-defined]
        launch.loaded.cache_clear()
        COMPILED._made.clear()

    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    monkeypatch.setattr(benchmark, "tiles", lambda _: TILES)
    monkeypatch.setattr(launch, "assemble", lambda text, target: text.encode())
    monkeypatch.setattr(cublaslt, "Product", Library)
    monkeypatch.setattr(cublaslt, "version", lambda: 130002)
    forget()
    yield
    forget()


def swept(folder: Path, benchmark: Benchmark) -> list[dict[str, Any]]:
    with COMPILED.using(folder):
        return timing.sweep(
            benchmark, Gpu("sm_90a", False), PROBLEM, Effort(1, 0.001), lambda _: None
        )


def compiled(folder: Path, monkeypatch: Any) -> None:
    """Compile both tiles into a folder; afterwards no compiler is here."""
    assert main.run([*ARGUMENTS, "--compile-only", str(folder)]) == 0
    host("ss_gemm").KERNEL._texts.clear()
    COMPILED._made.clear()
    monkeypatch.setattr(build.nvrtc, "compile_cuda", None)
    monkeypatch.setattr(launch, "assemble", None)


@pytest.mark.usefixtures("forgotten")
def test_what_was_compiled_elsewhere_runs_without_compilers(
    tmp_path: Path, monkeypatch: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """And is refused where it is not what would be compiled now."""
    folder = tmp_path / "code"
    compiled(folder, monkeypatch)
    assert f"wrote 4 files of code to {folder}" in capsys.readouterr().out
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    rows = swept(folder, benchmark)
    assert [row["tile"]["columns"] for row in rows] == [64, 128]
    assert [check["outside"] for row in rows for check in row["checks"]] == [0] * 4

    manifest = json.loads((folder / MANIFEST).read_text())
    with COMPILED.using(folder):
        assert timing._compiler(Gpu("sm_90a", False)) == manifest["compiler"]
        (other,) = benchmarks("ss_gemm", "sm_100a")
        with pytest.raises(UserError, match="code was compiled for sm_90a, not for sm_100a"):
            other.text(Gpu("sm_100a", False), PROBLEM)
        with pytest.raises(UserError, match="lacks the ptx of ss_gemm.cu for sm_90a with .*=256 "):
            benchmark.text(Gpu("sm_90a", False), PROBLEM, Tiling())

    for name in manifest["code"]:
        if name.endswith(".cubin"):
            (folder / name).write_bytes((folder / name).read_bytes()[:-1])
    with pytest.raises(UserError, match="cubin is damaged; compile it again with --compile-only"):
        swept(folder, benchmark)

    host("ss_gemm").KERNEL._texts.clear()
    texts = build.sources("ss_gemm", "sm_90a")
    changed = {name: text + "// changed\n" for name, text in texts.items()}
    monkeypatch.setattr(build, "sources", lambda kernel, target: changed)
    with pytest.raises(UserError, match="the ptx of ss_gemm.cu in .*code is stale: its sources"):
        swept(folder, benchmark)


def test_an_amd_gpu_is_refused() -> None:
    (benchmark,) = benchmarks("lds_attention")
    with pytest.raises(UserError, match="--compiled is for cubins, which no AMD GPU runs"):
        bench._check_timed([(benchmark, AmdGpu("gfx950", False), [])], "--compiled", "hip")


@pytest.mark.usefixtures("forgotten")
def test_a_folder_that_is_none_and_files_that_are_gone(tmp_path: Path, monkeypatch: Any) -> None:
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    (tmp_path / MANIFEST).write_text("[]")
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(UserError, match=f"{folder} does not hold the output of --compile-only"):
            swept(folder, benchmark)
    folder = tmp_path / "code"
    monkeypatch.setattr(benchmark, "tiles", lambda _: TILES[:1])
    compiled(folder, monkeypatch)
    manifest = (folder / MANIFEST).read_bytes()
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / MANIFEST).write_bytes(manifest)
    with pytest.raises(UserError, match="cannot read .*ptx: No such file"):
        swept(folder, benchmark)
