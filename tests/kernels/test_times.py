"""How times become a row, with a GPU and a library that are made up, over the emulator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import astuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.benching import benchmark as benching
from lanemap.benching import launch, timing
from lanemap.benching.compiled import COMPILED
from lanemap.benching.find import benchmarks, host
from lanemap.benching.gemm.benchmark import GemmCase
from lanemap.benching.gemm.problem import FinishedProblem, Problem
from lanemap.benching.gemm.tiling import Tiling
from lanemap.benching.gemm.tuning import tile_for
from lanemap.benching.timing import Effort
from lanemap.cli.verbs import bench
from lanemap.devices import cublas, cublaslt, rocm_attention
from lanemap.devices.cuda_timing import Burst as GpuBurst
from lanemap.errors import UserError
from lanemap.records.files import partial_path, read_record, write_partial, write_records
from lanemap.records.schema import Record
from lanemap_kernels.lds_attention.benchmark import PathProblem
from lanemap_kernels.nvfp4_gemv.problem import Problem as GemvProblem
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
        self.state: dict[str, Any] = {
            "sm_clock_mhz": 1500, "power_milliwatt": 690_000, "throttle_reasons": "0x4",
        }  # fmt: skip

    def run(self, launches: int, lead: int = 0) -> tuple[float, dict[str, Any]]:
        # Guesses have none; what is timed comes right after half as many launches.
        assert lead == (max(1, round(launches / 2)) if self.at else 0)
        taken = self.times[self.at % len(self.times)]
        self.at += 1
        return taken, self.state


class Gpu:
    """The emulator, which says that it is a GPU."""

    name, evidence = "cuda", "silicon"

    def __init__(self, target: str, wrong: bool) -> None:
        self.target, self.wrong, self.bursts = target, wrong, list[int]()
        self.emulator: Any = lanemap.open_device(target, device="emulator")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.emulator, name)

    def load(self, text: bytes) -> Any:
        module = self.emulator.load(text.decode())
        return {name: Kernel(module[name], self.wrong) for name in module.entries}

    def environment(self) -> dict[str, Any]:
        # As many bytes as the problem of the test has.
        return {**ENVIRONMENT, "multiprocessors": 132, "l2_bytes": 44032}

    def burst(self, enqueues: Sequence[Any]) -> Burst:
        self.bursts.append(len(enqueues))
        # One run guesses.
        kernel = [9.0, 2.0, 4.0, 3.0]
        return Burst(kernel if len(self.bursts) % 2 else [6.0])


class Streaming(Gpu):
    """Such a GPU that also copies, and times kernels by themselves."""

    def copy(self, size_bytes: int) -> Burst:
        assert size_bytes == 1 << 30
        return Burst([0.5])

    def kernel_microseconds(self, enqueues: Sequence[Any], rounds: int) -> tuple[float, str]:
        assert len(enqueues) * rounds >= 40
        self.asked = not getattr(self, "asked", False)
        return (30.0 if self.asked else 90.0), "a profiler"


class AmdGpu(Gpu):
    """The emulator, which says that it is an AMD GPU; nothing is known of its clocks."""

    name = "hip"

    def load(self, text: str) -> Any:
        module = self.emulator.load(text)
        return {name: Kernel(module[name], self.wrong) for name in module.entries}

    def environment(self) -> dict[str, Any]:
        # The last cache has as many bytes as the problem of the test.
        return {**ENVIRONMENT, "l2_bytes": 1024, "l3_bytes": 35840, "assembler": "a clang"}

    def burst(self, enqueues: Sequence[Any]) -> Burst:
        burst = super().burst(enqueues)
        burst.state = {}
        return burst


class Library:
    """In the place of cuBLASLt."""

    def __init__(self, *_: Any) -> None:
        self.enqueue = lambda stream: None


@pytest.fixture
def no_library(monkeypatch: Any) -> None:
    monkeypatch.setattr(launch, "assemble", lambda text, target: text.encode())
    monkeypatch.setattr(cublaslt, "Product", Library)
    monkeypatch.setattr(cublaslt, "version", lambda: 130002)


@pytest.mark.usefixtures("no_library")
@pytest.mark.parametrize(
    ("target", "wrong"), [("sm_90a", False), ("sm_90a", True), ("sm_100a", False)]
)
def test_a_row_of_times(tmp_path: Path, target: str, wrong: bool) -> None:
    told: list[dict[str, Any]] = []
    problem, device = Problem(64, 72, 128), Gpu(target, wrong)
    assert problem.least_bytes == 44032
    (benchmark,) = benchmarks("ss_gemm", target)
    record = timing.observe(benchmark, device, [problem], Effort(3, 0.018), told.append, "bench")
    (path,) = write_records([record], tmp_path)
    (seen,) = read_record(path).findings["problems"]
    assert seen == told[0]
    warm, cold = seen["warm"], seen["cold"]
    assert warm["kernel"]["microseconds"] == [2000.0, 4000.0, 3000.0]
    assert (warm["kernel"]["median"], warm["library"]["median"]) == (3000.0, 6000.0)
    assert warm["ratio"] == 2.0
    assert (warm["launches"], cold["launches"]) == (2, 1)  # 18 and 9 ms of at most 9 ms each
    # Two caches lie between two uses of an operand: three copies.
    assert (warm["operands"], cold["operands"]) == (1, 3)
    assert device.bursts == [1, 1, 3, 3]
    assert seen["flops"] == 2 * 64 * 72 * 128 and seen["bytes"] == 44032
    assert any(each["outside"] for each in seen["checks"]) == wrong
    assert [each["elements"] for each in seen["checks"]] == [64 * 72] * 2
    assert warm["kernel"]["watt"] == 690.0


def made_up_torch(hip: str | None) -> Any:
    """PyTorch, for ROCm or not, whose tensors are nothing and whose attention does nothing."""
    tensor = SimpleNamespace()
    tensor.view = tensor.to = tensor.transpose = lambda *_: tensor
    cuda = SimpleNamespace(is_available=lambda: True, synchronize=lambda: None)
    return SimpleNamespace(
        __version__="2.11",
        version=SimpleNamespace(hip=hip),
        cuda=cuda,
        bfloat16=None,
        float8_e4m3fn=None,
        as_tensor=lambda memory, device: tensor,
    )


@pytest.mark.parametrize("hip", ["7.1", None])
def test_a_row_of_an_amd_gpu(monkeypatch: Any, tmp_path: Path, hip: str | None) -> None:
    """Beside PyTorch where it is built for ROCm, else alone; then the row says why."""
    found = SimpleNamespace(import_module=lambda name: made_up_torch(hip))
    monkeypatch.setattr(rocm_attention, "importlib", found)
    (benchmark,) = benchmarks("lds_attention", "gfx950")
    problem, device = PathProblem(1, 70, 70, 2, 1, 64), AmdGpu("gfx950", False)
    assert problem.least_bytes == 35840
    if hip is None:
        monkeypatch.setattr(device, "burst", lambda enqueues: Burst([9.0, 2.0]))
    told: list[dict[str, Any]] = []
    record = timing.observe(benchmark, device, [problem], Effort(1, 0.018), told.append, "bench")
    (path,) = write_records([record], tmp_path)
    written = read_record(path)
    assert (written.device, written.evidence, written.kind) == ("hip", "silicon", "kernel_times")
    assert written.findings["compiler"] == "a clang"
    (seen,) = written.findings["problems"]
    assert not any(each["outside"] for each in seen["checks"])
    warm, cold = seen["warm"], seen["cold"]
    assert (warm["kernel"]["median"], warm["operands"], cold["operands"]) == (2000.0, 1, 3)
    line = bench._line(benchmark, told[0])
    if hip is None:
        assert (seen["library"], warm["library"], warm["ratio"]) == (None, None, None)
        assert seen["no_library"] == "PyTorch 2.11 is not built for ROCm"
        assert line.endswith("; without a library: PyTorch 2.11 is not built for ROCm")
    else:
        assert "scaled_dot_product_attention on HIP 7.1" in seen["library"]
        assert (warm["library"]["median"], warm["ratio"]) == (6000.0, 3.0)
        assert "no_library" not in seen and line.endswith("ratio 3.0000 of 6000.0 us")
        assert warm["kernel"]["sm_clock_mhz"] is None and device.bursts == [1, 1, 3, 3]


@pytest.mark.usefixtures("no_library")
def test_a_row_of_what_memory_limits(monkeypatch: Any, tmp_path: Path) -> None:
    """A copy takes turns with cold launches, and kernels are timed by themselves."""
    monkeypatch.setattr(cublas, "BatchedGemv", Library)
    monkeypatch.setattr(cublas, "version", lambda: 130002)
    (benchmark,) = benchmarks("nvfp4_gemv", "sm_90a")
    device = Streaming("sm_90a", False)
    record = timing.observe(
        benchmark, device, [GemvProblem(8, 256, 2)], Effort(3, 0.018), lambda row: None, "bench"
    )
    (path,) = write_records([record], tmp_path)
    (seen,) = read_record(path).findings["problems"]
    assert "device_copy" not in seen["warm"]
    copy = seen["cold"]["device_copy"]
    assert copy["bytes"] == 2 << 30 and copy["side"]["microseconds"] == [500.0] * 3
    assert seen["alone"] == {"kernel": 30.0, "library": 90.0, "by": "a profiler"}
    assert not any(each["outside"] for each in seen["checks"])


@pytest.mark.usefixtures("no_library")
def test_others_take_turns_too(tmp_path: Path, monkeypatch: Any) -> None:
    """After the library; the row has their times by name."""
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    device = Gpu("sm_90a", False)
    bursts = iter([[9.0, 3.0], [6.0], [12.0]] * 2)
    monkeypatch.setattr(device, "burst", lambda enqueues: Burst(next(bursts)))
    other = benching.Library("other 1.0", lambda stream: None)
    monkeypatch.setattr(benching.Case, "others", lambda self: [other])
    problem = Problem(64, 72, 128)
    record = timing.observe(
        benchmark, device, [problem], Effort(1, 0.018), lambda row: None, "bench"
    )
    (path,) = write_records([record], tmp_path)
    warm = read_record(path).findings["problems"][0]["warm"]
    assert (warm["kernel"]["median"], warm["library"]["median"], warm["ratio"]) == (3e3, 6e3, 2.0)
    assert {name: side["median"] for name, side in warm["others"].items()} == {"other 1.0": 12e3}


@pytest.mark.usefixtures("no_library")
def test_a_sweep_compiles_every_tile_before_it_times_one(monkeypatch: Any) -> None:
    device, problem, order = Gpu("sm_90a", False), Problem(64, 72, 192), list[str]()
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    tiles = benchmark.tiles(problem)[-2:]
    monkeypatch.setattr(benchmark, "tiles", lambda _: tiles)

    def assemble(text: str, target: str) -> bytes:
        order.append("assembled")
        return text.encode()

    monkeypatch.setattr(launch, "assemble", assemble)
    COMPILED._made.clear()
    rows = timing.sweep(
        benchmark, device, problem, Effort(1, 0.001), lambda _: order.append("timed")
    )
    assert order == ["assembled"] * 2 + ["timed"] * 2
    assert [row["tile"]["columns"] for row in rows] == [each.columns for each in tiles]


def test_a_device_without_timing_is_refused() -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    with pytest.raises(UserError, match="device emulator cannot time launches"):
        timing.row(benchmark, device, Problem(64, 64, 64), Effort())


def test_a_result_that_nothing_wrote_is_wrong() -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    case = benchmark.case(device, Problem(64, 72, 128))
    assert isinstance(case, GemmCase)
    for inputs in case.inputs:
        case.fill(inputs)
        assert case.check(inputs).outside == 64 * 72


class Stream:
    """Records what is enqueued while a graph is captured."""

    ptr = 7

    def __init__(self, log: list[str], **_: Any) -> None:
        self.log = log

    def synchronize(self) -> None:
        self.log.append("wait")

    def begin_capture(self) -> None:
        self.begin = len(self.log)

    def end_capture(self) -> Any:
        nodes = self.log[self.begin :]
        del self.log[self.begin :]
        return Graph(self.log, nodes)


class Graph:
    launched = 0

    def __init__(self, log: list[str], nodes: list[str]) -> None:
        self.log, self.nodes = log, nodes

    def upload(self, stream: Any) -> None:
        assert stream.ptr == 7

    def launch(self, stream: Any) -> None:
        self.log += self.nodes
        Graph.launched += 1


class Event:
    def record(self, stream: Any) -> None:
        stream.log.append("event")

    def synchronize(self) -> None: ...


@pytest.mark.parametrize(
    ("copies", "asked", "done", "graphs"),
    [(1, 250, 250, 1), (3, 250, 252, 1), (120, 7, 120, 1), (1, 2500, 2500, 3)],
)
def test_launches_go_round_copies(copies: int, asked: int, done: int, graphs: int) -> None:
    """Whole rounds alone: each copy is used as often as the others, in turn.

    There are as few graphs as possible: between two of them a GPU is idle.
    """
    log: list[str] = []

    class Cupy:
        class cuda:
            Event = staticmethod(Event)
            Stream = staticmethod(lambda **_: Stream(log))
            get_elapsed_time = staticmethod(lambda begin, end: 10.0)

    def enqueue(name: str) -> Callable[[int], None]:
        return lambda stream: log.append(name)

    names = [f"copy {number}" for number in range(copies)]
    burst = GpuBurst(Cupy, [enqueue(name) for name in names])
    assert log == [*names, "wait"]
    log.clear()
    before = Graph.launched
    milliseconds, _ = burst.run(asked)
    assert Graph.launched - before == graphs
    assert log == ["event", *names * (done // copies), "event"] and len(log) == done + 2
    log.clear()
    burst.run(asked, lead=1)
    assert log == [*names, "event", *names * (done // copies), "event"]
    assert milliseconds == 10.0 / done


def test_as_few_clusters_as_the_turns_need() -> None:
    """4096^3 has 256 tiles of clusters: 66 clusters take four turns, and so do 64."""
    assert Tiling().clusters(Problem(4096, 4096, 4096), 132) == 64
    assert Tiling().clusters(Problem(256, 256, 64), 132) == 1
    assert Tiling(cluster_m=1).clusters(Problem(128 * 133, 256, 64), 132) == 67


@pytest.mark.parametrize("shared", [0, 1])
def test_the_schedule_has_every_stage_of_every_tile_once(shared: int) -> None:
    for shape in ((4096, 4096, 64), (3000, 5000, 640), (100, 104, 4096), (700, 904, 1024)):
        problem, tiling = Problem(*shape), Tiling(shared=shared)
        clusters = tiling.clusters(problem, 132)
        found: dict[int, list[Any]] = {}
        for work in tiling.schedule(problem, clusters):
            if work["stages"]:
                found.setdefault(int(work["tile"]), []).append(work)
        rows, columns = tiling.cluster_tiles(problem)
        assert {(tile >> 16, tile & 0xFFFF) for tile in found} == {
            (m, n) for m in range(rows) for n in range(columns)
        }
        slots = []
        for works in found.values():
            works.sort(key=lambda work: work["begin"])
            assert [work["part"] for work in works] == list(range(len(works)))
            assert {int(work["parts"]) for work in works} == {len(works)}
            ends = [int(work["begin"] + work["stages"]) for work in works]
            assert [int(work["begin"]) for work in works] == [0, *ends[:-1]]
            assert ends[-1] == tiling.k_blocks(problem)
            if len(works) > 1:
                slots += [int(work["slot"]) + part for part, work in enumerate(works)]
        assert sorted(slots) == list(range(len(slots)))
        assert bool(slots) == (bool(shared) and shape != (4096, 4096, 64))


def test_clusters_share_the_last_turn_evenly() -> None:
    """289 tiles of 65 stages on 66 clusters: 4 turns, then 25 tiles of which each has 24 or 25."""
    problem, tiling = Problem(4097, 4104, 4104), Tiling(shared=1)
    schedule = tiling.schedule(problem, tiling.clusters(problem, 132))
    assert tiling.clusters(problem, 132) == 66
    stages = schedule["stages"].reshape(-1, 66).sum(0)
    assert set((stages - 4 * 65).tolist()) == {24, 25}


@pytest.mark.usefixtures("no_library")
def test_a_limit_leaves_problems_and_the_row_names_them(tmp_path: Path, monkeypatch: Any) -> None:
    """The row as it is lies beside its place after each problem, and goes when it is whole."""
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    problems = [Problem(64, 72, 128), Problem(64, 80, 128), Problem(64, 88, 128)]
    clock = iter([0.0, 10.0, 14.0, 14.0, 19.0, 19.0])  # the second one takes 5 s
    monkeypatch.setattr(timing.time, "monotonic", lambda: next(clock))
    kept: list[int] = []

    def keep(record: Record) -> None:
        write_partial(record, tmp_path)
        kept.append(len(read_record(partial_path(record, tmp_path)).findings["problems"]))

    record = timing.observe(
        benchmark, Gpu("sm_90a", False), problems, Effort(1, 0.018, limit=20), lambda row: None,
        "bench", keep,
    )  # fmt: skip
    (path,) = write_records([record], tmp_path)
    assert kept == [1, 2]
    assert [each["n"] for each in read_record(path).findings["left"]] == [88]


@pytest.mark.usefixtures("no_library")
def test_a_limit_that_is_too_short_for_any_problem(monkeypatch: Any) -> None:
    (benchmark,) = benchmarks("ss_gemm", "sm_90a")
    clock = iter([0.0, 10.0, 10.0])
    monkeypatch.setattr(timing.time, "monotonic", lambda: next(clock))
    with pytest.raises(UserError, match="took 10 s before its first problem, and --limit is 5 s"):
        timing.observe(
            benchmark, Gpu("sm_90a", False), [Problem(64, 72, 128)], Effort(1, 0.018, limit=5),
            lambda row: None, "bench",
        )  # fmt: skip


@pytest.mark.usefixtures("no_library")
def test_tries_take_the_fastest_tile_and_keep_it(monkeypatch: Any) -> None:
    device, problem = Gpu("sm_90a", False), Problem(64, 72, 192)
    kernel = host("ss_gemm").KERNEL
    tiles = [kernel.choose(problem, 132), *kernel.tilings(problem)[1:3]]
    chosen = tile_for(kernel, problem, device, 1)
    times = iter([9.0, 3.0, 5.0])

    def burst(_: Any) -> Any:
        time = next(times)
        return SimpleNamespace(run=lambda launches, lead: (time, {}))

    monkeypatch.setattr(device, "burst", burst)
    other = tile_for(kernel, Problem(64, 72, 128), device, 1)
    assert tile_for(kernel, problem, device, 3) == tiles[1] != chosen == tiles[0]
    assert tile_for(kernel, problem, device, 1) == tiles[1]
    assert tile_for(kernel, Problem(64, 72, 128), device, 1) == other
    finished = FinishedProblem(*astuple(problem), a_transposed=True)
    assert tile_for(kernel, finished, device, 1) == kernel.choose(finished, 132)


@pytest.mark.parametrize(("tries", "said"), [(0, "at least 1"), (2, "on a GPU of sm_90a alone")])
def test_tries_that_cannot_be(tries: int, said: str) -> None:
    a, b = (np.zeros((64, 64), np.float16) for _ in range(2))
    with pytest.raises(UserError, match=said):
        lanemap.kernel("ss_gemm").plan(a, b, tries=tries)
