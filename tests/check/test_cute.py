"""Scripts of CuTe DSL are right and clean as they are, and each fault is found at its lines.

They compile their kernels, so they run where CuTe DSL is installed: `make cute`. The faults are
those of public threads (docs/cute.md), put into our own kernels.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nvidia_cutlass_dsl", reason="`make cute` installs CuTe DSL")
pytest.importorskip("torch")

from lanemap.check.apart import check_apart
from lanemap.check.run import Options, Outcome
from lanemap.errors import UserError
from tests.emulator.ptx.cute_faults.table import FAULTS as PRODUCT_FAULTS

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, SCRIPTS = ROOT / "examples/cute", ROOT / "tests/check/scripts/cute"
STORED = ROOT / "tests/emulator/ptx/cute_examples"
FAULTY = ROOT / "tests/emulator/ptx/cute_faults"
KERNELS = ROOT / "tests/emulator/ptx/cute_dsl"
TARGETS = {"gemm_hopper": "sm_90a", "gemm_grouped": "sm_90a"}
#: Those of tests/emulator/ptx/cute_dsl, which products.py launches.
PRODUCTS = {
    "hopper": "sm_90a",
    **dict.fromkeys(
        ("blackwell", "single", "pair", "cluster", "mxfp8", "mxfp4", "nvfp4", "nvfp4_pair"),
        "sm_100a",
    ),
    "attention": "sm_100a",
}


@dataclass(frozen=True)
class Fault:
    """A fault put into a script, or into a kernel that it imports.

    Attributes:
        thread: The public thread whose fault it is, or "" for one that is common.
        script: The script's name, and what it is given.
        file: The file that is changed.
        right: What stands there.
        wrong: What takes its place.
        says: What a finding says.
        line: What stands at a line that it names.
        strict: Whether it is found under --strict alone.
    """

    thread: str
    script: str
    file: str
    right: str
    wrong: str
    says: str
    line: str
    strict: bool = False

    def __str__(self) -> str:
        return f"{self.file}-{self.thread or self.says}".replace(" ", "_")


def _own(
    name: str, thread: str, right: str, wrong: str, says: str, line: str, strict: bool = False
) -> Fault:
    return Fault(thread, name, name, right, wrong, says, line, strict)


FAULTS = (
    _own(
        "elementwise", "", "cute.elem_less(own_places[i], shape)", "True",
        "outside every allocation of global memory", "cute.copy(atom, own_x, held_x",
    ),
    _own(
        "rms_norm", "", "    cute.arch.barrier()\n", "", "without being ordered after",
        "parts[warp] = value",
    ),
    _own(
        "rms_norm", "TensorRT-LLM#18338", "    cute.arch.barrier()\n",
        "    if lane == 0:\n        cute.arch.barrier()\n", "", "cute.arch.barrier()",
    ),
    _own(
        "gemm_ampere", "cutlass#2418", "allocate_tensor(HALF, held, 128)",
        "allocate_tensor(HALF, held.outer, 128, held.inner)", "is not a multiple of 16 bytes",
        "cute.copy(copy_in, from_a",
    ),
    _own(
        "gemm_ampere", "", "wait_group(STAGES - 2)", "wait_group(STAGES - 1)", "cp.async",
        "cute.copy(reader_a",
    ),
    _own(
        "gemm_hopper", "cudnn-frontend#784", "            cute.arch.fence_view_async_shared()\n",
        "", "fence.proxy.async", "cute.copy(store_c",
    ),
    _own(
        "gemm_hopper", "cutlass#2404", "(pipeline.Agent.Thread, GROUP // 32)",
        "(pipeline.Agent.Thread, GROUP)", "lacks 124 of its 128 arrivals",
        "loads.producer_acquire(empty)",
    ),
    _own(
        "gemm_hopper", "quack#146", "NamedBarrier(STORED, GROUP)",
        "NamedBarrier(STORED, GROUP + 32)", "for the others at barrier 1",
        "barrier.arrive_and_wait()",
    ),
    _own(
        "gemm_hopper", "ThunderKittens#33", "warpgroup.wait_group(0)", "warpgroup.wait_group(1)",
        "wgmma", "",
    ),
    _own(
        "gemm_hopper", "sglang#37287",
        "                cute.arch.cp_async_bulk_wait_group(0, read=True)\n            barrier",
        "                pass\n            barrier", "", "cute.copy(writer",
    ),
    _own(
        "gemm_grouped", "DeepGEMM#343", "    MAPS.fence_tensormap_update(map_a)\n", "",
        "fence.proxy.tensormap", "cute.copy(atom_a",
    ),
    _own(
        "dynamic_tiles", "cutlass#2404", "(pipeline.Agent.Thread, THREADS)",
        "(pipeline.Agent.Thread, THREADS - 32)", "without being ordered after",
        "scheduler.advance_to_next_work",
    ),
    _own(
        "handoff", "flash-attention#2244", "read=False", "read=True",
        "its completion, a release and an acquire at GPU scope are missing", "y[pair, thread] =",
    ),
    _own(
        "handoff", "cudnn-frontend#426", "        cute.arch.sync_warp()\n", "",
        "__syncwarp() (bar.warp.sync) before another lane of that warp arrived", "tile[thread] =",
        strict=True,
    ),
    Fault(
        "flashinfer#5334", "products released_early", "products", "", "",
        "tcgen05.wait::ld by warp 0 is missing", "cute.gemm(multiply, into",
    ),
    *(
        Fault(of.thread, f"products {of.product}", of.file, *of.change, of.says, of.line)
        for of in PRODUCT_FAULTS
    ),
)  # fmt: skip


def run(script: Path, target: str, *arguments: str, strict: bool = False) -> Outcome:
    return check_apart(script, arguments, Options(target=target, strict=strict, quiet=True))


def why(outcome: Outcome) -> str:
    return f"{outcome.ended} {[str(each) for each in outcome.findings.hazards]}"


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_an_example_is_right_and_clean(name: str, capfd: Any) -> None:
    outcome = run(EXAMPLES / f"{name}.py", TARGETS.get(name, "sm_100a"))
    assert outcome.faultless, why(outcome)
    assert outcome.launched and capfd.readouterr().out.strip(), "it says what it found right"


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
def test_calls_around_a_kernel_do_what_they_say(target: str, capfd: Any) -> None:
    outcome = run(SCRIPTS / "calls.py", target)
    assert outcome.faultless and capfd.readouterr().out.endswith("right\n"), why(outcome)


def test_cute_dsl_is_refused_for_gpus_of_amd() -> None:
    with pytest.raises(UserError, match="CuTe DSL compiles for GPUs of NVIDIA, not for gfx950"):
        run(EXAMPLES / "elementwise.py", "gfx950")


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a"])
def test_tvm_ffi_passes_tensors_and_objects(target: str, capfd: Any) -> None:
    outcome = run(SCRIPTS / "tvm_ffi_calls.py", target)
    assert capfd.readouterr().out.endswith("right\n") and not outcome.ended, why(outcome)
    (found,) = map(str, outcome.findings.hazards)
    assert "outside every allocation of global memory" in found and "scale_kernel" in found


def test_what_tvm_ffi_cannot_raise_is_refused(tmp_path: Path) -> None:
    """An object that was exported for another target: the script meets TVM-FFI's own error."""
    script, path = (SCRIPTS / "tvm_ffi_calls.py").read_text(), tmp_path / "scale.o"
    export, load = tmp_path / "export.py", tmp_path / "load.py"
    exports = f"compiled.export_to_c({str(path)!r}, 'scaled')\n"
    loads = f"load_module({str(path)!r}, enable_tvm_ffi=True).scaled(x, y, 5.0, n)\n"
    export.write_text(script[: script.index("compiled(x")] + exports)
    load.write_text(script[: script.index("given =")] + loads)
    assert not run(export, "sm_90a").ended
    with pytest.raises(UserError, match=r"\.target sm_90a` runs on sm_90 alone"):
        run(load, "sm_100a")


def test_a_suite_of_tests_runs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import runpy

        import pytest
        import torch
        from cutlass.cute.runtime import from_dlpack

        add = runpy.run_path("EXAMPLE")["add"]


        @pytest.mark.parametrize("rows", [16, 5])
        def test_sums(rows):
            x, y, z = (torch.ones(rows, 128, device="cuda") for _ in "xyz")
            stream = torch.cuda.current_stream().cuda_stream
            from cuda.bindings import driver
            add(*map(from_dlpack, (x, y, z)), driver.CUstream(stream))
            assert (z == 2).all()
        """.replace("EXAMPLE", str(EXAMPLES / "elementwise.py"))
    )
    result = pytester.runpytest_subprocess("--lanemap", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*on the emulator, *CuTe DSL 4.8.*", "*5 launches of 1 kernel*"])


def without_padding(about: Any) -> Any:
    """Leave of a launch's arguments which arrays they name, and how long they are.

    CuTe DSL's host code passes structures with padding, where anything may stand.
    """
    if not isinstance(about, dict) or "arguments" not in about:
        return about
    kept = [
        [len(part) if isinstance(part, str) else part for part in argument]
        for argument in about["arguments"]
    ]
    return about | {"arguments": kept}


@pytest.mark.parametrize(
    ("folder", "index"), [(STORED, "launches.json"), (FAULTY, "made.json")], ids=["right", "faulty"]
)
def test_the_stored_texts_are_what_is_compiled(folder: Path, index: str, tmp_path: Path) -> None:
    """A text of another version of CuTe DSL than the stored one may differ."""
    stored = json.loads((folder / index).read_text())
    if stored["nvidia-cutlass-dsl"] != version("nvidia-cutlass-dsl"):
        pytest.skip("another version of CuTe DSL stored them")
    command = [sys.executable, str(folder / "build.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    for path in folder.glob("*.ptx"):
        assert path.read_text() == (tmp_path / path.name).read_text(), path.name
    made = json.loads((tmp_path / index).read_text())
    assert {name: without_padding(about) for name, about in made.items()} == {
        name: without_padding(about) for name, about in stored.items()
    }


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_product_is_right_and_clean(name: str) -> None:
    outcome = run(SCRIPTS / "products.py", PRODUCTS[name], name)
    assert outcome.faultless and outcome.launched, why(outcome)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_fault_is_found(fault: Fault, tmp_path: Path) -> None:
    script, *given = fault.script.split()
    folder = EXAMPLES if (EXAMPLES / f"{script}.py").exists() else SCRIPTS
    target = PRODUCTS.get(*given, "sm_100a") if given else TARGETS.get(script, "sm_100a")
    copied = tmp_path / "tests/check/scripts/cute" / f"{script}.py"
    shutil.copytree(KERNELS, tmp_path / "tests/emulator/ptx/cute_dsl")
    copied.parent.mkdir(parents=True)
    shutil.copy(folder / f"{script}.py", copied)
    if fault.right:
        kernels = tmp_path / "tests/emulator/ptx/cute_dsl"
        changed = (kernels if given else copied.parent) / f"{fault.file}.py"
        text = changed.read_text()
        assert fault.right in text
        changed.write_text(text.replace(fault.right, fault.wrong, 1))
    outcome = run(copied, target, *given, strict=fault.strict)
    messages = [str(each) for each in outcome.findings.hazards if fault.says in each.message(True)]
    lines = [
        line
        for message in messages
        for file, number in re.findall(r"(\w+\.py):(\d+)", message)
        for path in tmp_path.rglob(file)
        for line in path.read_text().splitlines()[int(number) - 1 : int(number)]
    ]
    assert any(fault.line in line for line in lines), (why(outcome), lines)
