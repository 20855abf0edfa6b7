"""How times become a row, with a GPU and a library that are made up, over the emulator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lanemap
from lanemap.benching.find import host
from lanemap.benching.gemm import measure, product, row
from lanemap.benching.gemm.measure import Effort
from lanemap.benching.gemm.problem import Problem
from lanemap.benching.gemm.tiling import Tiling
from lanemap.devices import cublaslt
from lanemap.records.files import read_record, write_records
from tests.records.rows import ENVIRONMENT


class Kernel:
    """A kernel of the emulator, as a GPU's; `wrong` spoils an element of what it computes."""

    def __init__(self, kernel: Any, wrong: bool) -> None:
        self.kernel, self.wrong = kernel, wrong

    def __call__(self, grid: int, block: int, args: Any, shared: int, cluster: Any) -> None:
        self.kernel(grid, block, args, shared, cluster)
        if self.wrong:
            c = args[2].holds
            values = c.get()
            values[0, 0] += 64
            c.set(values)

    def prepare(self, *_: Any) -> Callable[[int], None]:
        return lambda stream: None


class Burst:
    """Takes 2, 4, 3, .. ms for each launch of the kernel, 6 of the library."""

    def __init__(self, times: list[float]) -> None:
        self.times, self.at = times, 0

    def run(self, launches: int) -> tuple[float, dict[str, Any]]:
        taken = self.times[self.at % len(self.times)]
        self.at += 1
        state = {"sm_clock_mhz": 1500, "power_milliwatt": 690_000, "throttle_reasons": "0x4"}
        return taken, state


class Gpu:
    """The emulator, which says that it is a GPU."""

    name, target, evidence = "cuda", "sm_90a", "silicon"

    def __init__(self, wrong: bool) -> None:
        self.wrong, self.bursts = wrong, 0
        self.emulator: Any = lanemap.open_device("sm_90a", device="emulator")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.emulator, name)

    def load(self, text: bytes) -> Any:
        module = self.emulator.load(text.decode())
        return {name: Kernel(module[name], self.wrong) for name in module.entries}

    def environment(self) -> dict[str, Any]:
        return {**ENVIRONMENT, "multiprocessors": 132}

    def burst(self, _: Any) -> Burst:
        self.bursts += 1
        # One run guesses; then each turn has a lead-in, whose other time must not count.
        return Burst([9.0, 50.0, 2.0, 50.0, 4.0, 50.0, 3.0] if self.bursts % 2 else [6.0])


class Library:
    """In the place of cuBLASLt."""

    def __init__(self, *_: Any) -> None:
        self.enqueue = None


@pytest.mark.parametrize("wrong", [False, True])
def test_a_row_of_times(monkeypatch: Any, tmp_path: Path, wrong: bool) -> None:
    monkeypatch.setattr(product, "assemble", lambda text, target: text.encode())
    monkeypatch.setattr(measure, "Product", Library)
    monkeypatch.setattr(cublaslt, "version", lambda: 130002)
    told: list[dict[str, Any]] = []
    problem = Problem(64, 72, 128)
    record = row.observe(
        host("ss_gemm").KERNEL, Gpu(wrong), [problem], Effort(3, 0.018), told.append, "bench"
    )
    (path,) = write_records([record], tmp_path)
    (seen,) = read_record(path).findings["products"]
    assert seen == told[0]
    assert seen["kernel"]["microseconds"] == [2000.0, 4000.0, 3000.0]
    assert (seen["kernel"]["median"], seen["library"]["median"]) == (3000.0, 6000.0)
    assert seen["ratio"] == 2.0
    assert seen["launches"] == 2  # 18 ms of at most 9 ms each
    assert seen["tflops"] == round(2 * 64 * 72 * 128 / 3000 / 1e6, 1)
    assert (seen["outside"] > 0 or not seen["exact"]) == wrong
    assert seen["kernel"]["watt"] == 690.0


def test_as_few_clusters_as_the_turns_need() -> None:
    """4096^3 has 256 tiles of clusters: 66 clusters take four turns, and so do 64."""
    assert Tiling().clusters(Problem(4096, 4096, 4096), 132) == 64
    assert Tiling().clusters(Problem(256, 256, 64), 132) == 1
    assert Tiling(cluster_m=1).clusters(Problem(128 * 133, 256, 64), 132) == 67


def test_the_schedule_has_every_tile_once() -> None:
    for shape in ((4096, 4096, 64), (3000, 5000, 64), (100, 104, 64)):
        problem = Problem(shape[0], shape[1], shape[2])
        rows, columns = Tiling().cluster_tiles(problem)
        tiles = {(int(each) >> 16, int(each) & 0xFFFF) for each in Tiling().schedule(problem)}
        assert tiles == {(m, n) for m in range(rows) for n in range(columns)}
