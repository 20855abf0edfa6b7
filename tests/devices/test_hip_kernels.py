"""Whole kernels through hip-python: on the stand-in they give what they should."""

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import lanemap.benching  # noqa: F401 (makes kernels/ a package)
from lanemap_kernels.lds_attention.problem import Problem
from lanemap_kernels.lds_attention.reference import expected
from tests.devices.test_hip import run
from tests.kernels import lds

ROOT = Path(__file__).parents[2]

SOFTMAX = [
    str(ROOT / "examples/triton/softmax.gfx950.amdgcn"), "--target", "gfx950", "--grid", "4",
    "--block", "256", "--shared-bytes", "16", "--arg", "random:f32:4x500", "--arg",
    "zeros:f32:4x500", "--arg", "i32:500", "--arg", "null", "--arg", "null",
]  # fmt: skip
SUMS = [
    str(ROOT / "examples/block_sums.hip"), "-D", "THREADS=128", "-O", "3", "--grid", "4", "--block",
    "128", "--arg", "random:f32:2048@{in}", "--arg", "empty:f32:4@{out}", "--arg", "u32:2048",
]  # fmt: skip


def test_sources_and_texts_of_others_run(stand_in: dict[str, str], tmp_path: Path) -> None:
    places = {"in": str(tmp_path / "in.npy"), "out": str(tmp_path / "out.npy")}
    body = f"""
        import contextlib, io
        from lanemap.cli import main
        def told(*words):
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                status = main.run(["run", "--json", *words])
            return status, json.loads(shown.getvalue())["arrays"]
        out = [told(*{SOFTMAX!r}, "--device", device) for device in ("emulator", "hip")]
        out.append(told(*{[word.format(**places) for word in SUMS]!r}, "--device", "hip"))
        """
    emulated, through_hip, sums = run(body, stand_in)
    assert emulated == through_hip and through_hip[0] == 0
    assert sum(through_hip[1][1]["first"]) > 0 and sums[0] == 0
    # Block b of 4 sums what lies at (b, any of 128 threads) in each of four rounds.
    expected = np.load(places["in"]).reshape(4, 4, 128).sum((0, 2), np.float64)
    assert np.allclose(np.load(places["out"]), expected, rtol=1e-6)


def test_bench_goes_through_hip_as_far_as_times(stand_in: dict[str, str]) -> None:
    """The stand-in has no times: bench refuses. With its milliseconds by definition all else runs.

    Its launch takes one; a turn of 2 ms thus has 2 launches, and 3 copies take turns when cold.
    """
    body = """
        import contextlib, io
        from lanemap.benching import timing
        from lanemap.benching.find import benchmarks
        from lanemap_kernels.lds_attention.benchmark import PathProblem
        from lanemap.cli import main
        from lanemap.devices.hip_timing import Burst
        asked = ["bench", "lds_attention", "--target", "gfx950", "--device", "hip"]
        with contextlib.redirect_stderr(io.StringIO()) as said:
            status = main.run(asked)
        (benchmark,) = benchmarks("lds_attention", "gfx950")
        device = lanemap.open_device("gfx950", "hip")
        problem, effort = PathProblem(1, 70, 70, 2, 1, 64), timing.Effort(2, 0.002)
        device.environment = lambda: {**device.hardware(), "l2_bytes": 1, "l3_bytes": 35840}
        refused = error(lambda: timing.row(benchmark, device, problem, effort))
        device.burst = lambda enqueues: Burst(device._runtime, enqueues)
        row = timing.row(benchmark, device, problem, effort)
        out = [status, said.getvalue(), refused, device.hardware()["l3_bytes"], row]
        """
    status, said, refused, l3_bytes, row = run(body, stand_in)
    assert status == 2 and "neither times nor counts through it" in " ".join(said.split())
    assert (
        refused == "HIP runs on the emulator here, which measures no times; timing needs an AMD GPU"
    )
    assert l3_bytes == 256 << 20
    assert [each["outside"] for each in row["checks"]] == [0, 0]
    assert (row["library"], bool(row["no_library"])) == (None, True)
    assert row["warm"]["kernel"]["microseconds"] == [1000.0, 1000.0]
    assert (row["warm"]["launches"], row["cold"]["operands"]) == (2, 3)


@pytest.mark.slow
@pytest.mark.parametrize("causal", [False, True])
def test_attention_in_fp8(stand_in: dict[str, str], tmp_path: Path, causal: bool) -> None:
    """lds_attention on each of its paths; the tolerance is that of the kernel's own tests."""
    problem = Problem(1, 100, 90, 2, 1, 64, causal, "bfloat16")
    given = lds.operands(problem)
    for name, array in zip("qkv", given, strict=True):
        np.save(tmp_path / f"{name}.npy", array.view(np.uint8))
    body = f"""
        import math
        import lanemap.benching
        from lanemap_kernels.lds_attention.paths import PATHS, QUERIES
        from lanemap_kernels.lds_attention.source import NAME, assembly
        device = lanemap.open_device("gfx950", "hip")
        q, k, v = (device.array(np.load({str(tmp_path)!r} + f"/{{name}}.npy")) for name in "qkv")
        ones = device.array(np.ones((1, 1), np.float32))
        numbers = [*map(np.int32, (2, 2, 100, 90)), np.float32(64**-0.5 * math.log2(math.e))]
        for name, path in PATHS.items():
            o = device.empty((1, 100, 2, 64), np.uint16)
            kernel = device.load(assembly(path, 64, {causal}, "bfloat16"))[NAME]
            grid, block = (-(-100 // QUERIES), 2, 1), (2 * QUERIES, 1, 1)
            kernel(grid, block, [q, k, v, o, *[ones] * 3, *numbers])
            np.save({str(tmp_path)!r} + f"/{{name}}.o.npy", o.get())
        out = [device.evidence, list(PATHS)]
        """
    evidence, paths = run(body, stand_in)
    assert evidence == "emulator" and len(paths) >= 4
    exact, bound = expected(problem, *given, 64**-0.5)
    for path in paths:
        o = np.load(tmp_path / f"{path}.o.npy").view(ml_dtypes.bfloat16).astype(np.float64)
        assert (np.abs(o - exact) <= bound).all(), path
