"""`lanemap check` on scripts of our own: results, lines of hazards, rankings, errors.

What the scripts assert, they assert against PyTorch on the host.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lanemap.cli import main
from tests.cli.processes import LANEMAP

triton = pytest.importorskip("triton")
pytest.importorskip("torch")

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/check/scripts"
Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(capfd: pytest.CaptureFixture[str]) -> Check:
    """Run the verb, in a fork of this process; return the status, stdout and stderr."""

    def run(*words: str) -> tuple[int, str, str]:
        status = main.run(["check", *words])
        sys.stdout.flush()
        return status, *capfd.readouterr()

    return run


def test_the_ways_to_launch(check: Check, tmp_path: Path) -> None:
    cubin = tmp_path / "matmul.cubin"
    status, out, err = check(
        "--json",
        "--target",
        "sm_90a",
        str(HERE / "launches.py"),
        "--size",
        "3",
        "--target",
        str(cubin),
    )
    report = json.loads(out)
    assert (status, report["ended"], report["hazards"]) == (0, "", []), err
    assert "SMs 132 232448\n" in err, "an H200's"
    assert "--target after launches.py goes to the script" in err
    # 3 configurations of which 1 cannot be compiled, and the launch of the best.
    assert report["launches"]["scale"] == 3
    assert report["launches"]["follow"] == 1, "an empty grid launches nothing"
    assert "times [nan, nan]\n" in err
    assert re.findall(r"benchmark (.*)\n", err) == ["1024 t 1", "1024 p 1"]
    assert err.count("do_bench ran what it was given once") == 1
    assert err.count("program (0, 0, 0)") == 0 and err.count("idx () program: 0") == 32
    registers, spills = (int(n) for n in re.findall(r"registers (\d+) spills (\d+)\n", err)[0])
    assert (registers, 4 * spills) == resource_usage(cubin)


def resource_usage(cubin: Path) -> tuple[int, int]:
    """Registers and stack bytes, as NVIDIA's tool says them."""
    tool = Path(triton.__file__).parent / "backends/nvidia/bin/cuobjdump"
    done = subprocess.run([tool, "-res-usage", cubin], capture_output=True, text=True, check=True)
    ((registers, stack),) = re.findall(r"REG:(\d+) STACK:(\d+)", done.stdout)
    return int(registers), int(stack)


def test_autotuning_ranks_by_what_was_counted(check: Check) -> None:
    """10,000 elements of 4 bytes: what a configuration loads and stores follows from its block."""
    script = str(HERE / "launches.py")
    status, out, err = check("--json", "--target", "sm_90a", script, "--size", "3", "--target")
    (tuning,) = json.loads(out)["autotuning"]
    assert status == 0 and (tuning["kernel"], tuning["key"]) == ("scale", "n=10000")
    by_block = {int(re.findall(r"BLOCK: (\d+)", c["config"])[0]): c for c in tuning["configs"]}
    assert by_block[1 << 16]["rank"] == 0 and not by_block[1 << 16]["work"], "it does not compile"
    assert {c["rank"] for c in by_block.values()} == {0, 1, 2}
    best = next(block for block, config in by_block.items() if config["rank"] == 1)
    assert f"best {best}\n" in err, "what Triton chose"
    for block in (64, 1024):
        work = by_block[block]["work"]
        assert work["ctas"] == math.ceil(10000 / block)
        # Loads and stores of 40,000 bytes; a block of 64 is loaded by each half of its 128 threads.
        assert work["global sectors"] >= 2 * 40000 / 32
        assert (work["matrix flops"], work["bank conflicts"]) == (0, 0)
    fewer = [by_block[block]["work"]["warp instructions"] for block in (1024, 64)]
    assert fewer[0] < fewer[1]


def marked(script: Path) -> set[tuple[int, str]]:
    """The lines of a script whose comment names a kind of hazard."""
    lines = enumerate(script.read_text().splitlines(), 1)
    found = ((number, re.search(r"  # ([a-z-]+)$", line)) for number, line in lines)
    return {(number, match[1]) for number, match in found if match}


def test_hazards_are_told_at_their_lines(check: Check) -> None:
    script = HERE / "faults.py"
    status, out, err = check("--json", str(script))
    report = json.loads(out)
    assert (status, report["ended"]) == (1, "")
    first: dict[str, Any] = {}
    for hazard in report["hazards"]:
        first.setdefault(hazard["kernel"], hazard)
        assert hazard["met"] >= 1 + (hazard["kernel"] == "beyond"), "which is launched twice"
        assert hazard["file"] == str(script)
        assert Path(hazard["ptx"]).read_text().splitlines()[hazard["ptx_line"] - 1].split()
    assert {(each["line"], each["kind"]) for each in first.values()} == marked(script)
    launches = [n for n, line in enumerate(script.read_text().splitlines(), 1) if "[(1,)](" in line]
    told = [{"file": str(script), "line": n} for n in launches[:-1]]
    assert [each["launched"] for each in first.values()] == told
    assert "the script went on" in err


def test_swapped_strides_are_the_first_that_is_told(check: Check) -> None:
    """`b` has 262,144 bytes: what is read of it lies past its end, much of it in `c`."""
    script = HERE / "strides.py"
    status, out, err = check(str(script))
    told = [each for each in err.splitlines() if each.startswith("lanemap: hazard: ")]
    ((line, _),) = marked(script)
    assert status == 1
    assert told[0].startswith(f"lanemap: hazard: strides.py:{line}: product: ")
    assert "derived from b_ptr" in told[0], err
    report = json.loads(check("--json", str(script))[1])
    first = report["hazards"][0]
    assert (first["line"], first["kind"]) == (line, "out-of-bounds")
    assert (first["argument"]["name"], first["argument"]["size"]) == ("b_ptr", 262_144)


def test_raise_stops_at_the_first_hazard_with_one_sentence(check: Check) -> None:
    script = HERE / "faults.py"
    status, out, err = check("--hazards", "raise", str(script))
    (line,) = [number for number, kind in marked(script) if kind == "out-of-bounds"]
    told = [one for one in err.splitlines() if one.startswith("lanemap: ")]
    assert (status, out) == (1, "") and "Traceback" not in err
    told_first = rf"lanemap: hazard: faults\.py:{line}: beyond: 16 bytes at .* are outside"
    assert re.match(told_first, told[0])
    assert told[1:] == [
        "lanemap: faults.py on the emulator of sm_100a (NVIDIA B200): 1 launch of 1 kernel, "
        "1 hazard, it stopped at a hazard"
    ]


@pytest.mark.parametrize(
    ("how", "status", "last", "words"),
    [
        ("assert", 1, "it raised AssertionError at {}", "AssertionError: the sum is wrong"),
        ("status", 1, "it ended with status 7", ""),
        ("message", 1, "it ended with a message", "nothing to do"),
        ("leave", 2, "say --allow-no-launch", "(NVIDIA B200): no kernel was launched\n"),
        ("host tensor", 1, "it raised ValueError at {}", "(cpu tensor?)"),
        ("compile", 1, "at {}", "power of 2"),
        ("device assert", 1, "it stopped at a hazard", "guarded: the assertion `too large` at /"),
        ("caught", 1, "1 hazard", "guarded: the assertion `too large`"),
    ],
)  # fmt: skip
def test_how_a_script_ends(check: Check, how: str, status: int, last: str, words: str) -> None:
    found, out, err = check(str(HERE / "fails.py"), how)
    lines = (HERE / "fails.py").read_text().splitlines()
    # The statement after its case, unless the hazard is inside the kernel.
    number = next(n for n, line in enumerate(lines, 1) if f'"{how}"' in line) + 1
    assert found == status
    assert err.splitlines()[-1].endswith(last.format(f"fails.py:{number}")) and words in err
    if "assertion" in words:
        inside = next(n for n, line in enumerate(lines, 1) if "device_assert" in line)
        assert f"lanemap: hazard: fails.py:{inside}: guarded" in err
    assert (how in ("assert", "host tensor", "compile")) == ("Traceback" in err)
    assert not re.search(r'File "[^"]*/lanemap/(?!tests)', err), "frames of lanemap"
    assert out == ("caught Stopped\n" if how == "caught" else "")


@pytest.mark.parametrize("how", ["unsupported", "unsupported, and caught"])
def test_an_unsupported_kernel_is_one_sentence_and_status_2(check: Check, how: str) -> None:
    status, out, err = check(str(HERE / "fails.py"), how)
    lines = (HERE / "fails.py").read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "unknown[" in line)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"lanemap: fails.py:{number}: unknown: ")
    assert "`multimem.red.relaxed.gpu.global.add.u32` is not supported" in err


BEYOND = """import torch, triton, triton.language as tl
@triton.jit
def beyond(x):
    tl.store(x + tl.arange(0, 64), 1.0)
beyond[(1,)](torch.zeros(60, device="cuda"))
"""


def test_a_kernel_from_the_cache_is_in_the_script_that_launches_it(
    check: Check, tmp_path: Path
) -> None:
    """Triton's cache has a kernel of the same text and line, compiled for another file."""
    for name in ("first.py", "copied.py"):
        (tmp_path / name).write_text(BEYOND)
        status, out, err = check("--json", str(tmp_path / name))
        (hazard,) = json.loads(out)["hazards"]
        assert (status, hazard["file"], hazard["line"]) == (1, str(tmp_path / name), 4), err
    assert "first.py" in Path(hazard["ptx"]).read_text(), "nothing was compiled again"


COMPILED = """import torch, triton, triton.language as tl
@triton.jit
def double(x, y, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, 2 * tl.load(x + at, at < n), at < n)
@torch.compile
def doubled(x):
    y = torch.empty_like(x)
    double[(1,)](x, y, x.numel(), 64)
    return y
@torch.compile(mode="max-autotune", fullgraph=True)
def tripled(x):
    return doubled(x) + x
x = torch.ones(60, device="cuda")
assert tripled(x).is_cuda and torch.equal(tripled(x), 3 * x)
"""


def test_compiled_functions_run_as_they_are_written(check: Check, tmp_path: Path) -> None:
    script = tmp_path / "compiled.py"
    script.write_text(COMPILED)
    status, out, err = check(str(script))
    assert (status, out, err.count("torch.compile compiles nothing")) == (0, "", 1), err
    assert "2 launches of 1 kernel, no hazards" in err


WARMED_UP = """import torch, triton, triton.language as tl
@triton.jit
def fill(x, n, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 3.0, tl.arange(0, BLOCK) < n)
x = torch.zeros(60, device="cuda")
kernel = fill.warmup(x, 60, BLOCK=64, grid=(1,))
kernel[(1, 1, 1)](x, 60, 64)
assert torch.all(x == 3)
kernel[(1, 1, 1)](x, 60)
"""


def test_a_compiled_kernel_wants_all_arguments(check: Check, tmp_path: Path) -> None:
    """Triton's tutorials pass the constexprs, too, to a kernel that `warmup` returned."""
    script = tmp_path / "warmed_up.py"
    script.write_text(WARMED_UP)
    status, _, err = check(str(script))
    said = "TypeError: fill takes 3 arguments, constexprs among them; 2 were given\n"
    assert status == 1 and said in err
    assert err.endswith("1 launch of 1 kernel, no hazards, it raised TypeError at warmed_up.py:9\n")


DESCRIBED = """import torch, triton
from triton.tools.tensor_descriptor import TensorDescriptor
@triton.jit
def copy(a, b):
    b.store([0, 0], a.load([0, 0]))
x, y = torch.ones(8, 64, device="cuda"), torch.ones(8, 64, device="cuda")
a, b = (TensorDescriptor.from_tensor(each, [8, 64]) for each in (x, y))
a.strides = [66, 1]
copy[(1,)](a, b)
"""


def test_a_descriptor_that_the_driver_refuses_is_named_with_its_launch(
    check: Check, tmp_path: Path
) -> None:
    script = tmp_path / "described.py"
    script.write_text(DESCRIBED)
    status, out, err = check(str(script))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("lanemap: described.py:9: ") and "globalStrides[0] 264 is not a" in err


def test_a_process_of_its_own(tmp_path: Path) -> None:
    """As a user starts it; the example counts what follows from its size."""
    example = ROOT / "examples/triton/vector_add.py"
    done = subprocess.run(
        [*LANEMAP, "check", "--count", "--strict", str(example)], capture_output=True, text=True,
        cwd=tmp_path, timeout=120, check=False,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "vector_add.py on the emulator of sm_100a (NVIDIA B200)" in done.stderr
    assert re.search(r"global store +.* 393,728 ", done.stdout), "98,432 floats are stored once"
