"""Scripts of CuTe DSL are right and clean as they are, and each fault is found at its lines.

They compile their kernels, so they run where CuTe DSL is installed: `make cute`. The faults are
those of public threads (docs/cute.md), put into our own kernels.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nvidia_cutlass_dsl", reason="`make cute` installs CuTe DSL")
pytest.importorskip("torch")

from lanemap.check.apart import check_apart
from lanemap.check.run import Options, Outcome

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES, SCRIPTS = ROOT / "examples/cute", ROOT / "tests/check/scripts/cute"
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
    """

    thread: str
    script: str
    file: str
    right: str
    wrong: str
    says: str
    line: str

    def __str__(self) -> str:
        return f"{self.file}-{self.thread or self.says}".replace(" ", "_")


def _own(name: str, thread: str, right: str, wrong: str, says: str, line: str) -> Fault:
    return Fault(thread, name, name, right, wrong, says, line)


FAULTS = (
    _own(
        "elementwise", "", "cute.elem_less(own_places[i], shape)", "True",
        "outside every allocation of global memory", "cute.copy(atom, own_x, held_x",
    ),
    _own(
        "rms_norm", "", "    cute.arch.barrier()\n", "", "races", "parts[warp] = value",
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
        "(pipeline.Agent.Thread, GROUP)", "deadlock", "loads.producer_acquire(empty)",
    ),
    _own(
        "gemm_hopper", "quack#146", "NamedBarrier(STORED, GROUP)",
        "NamedBarrier(STORED, GROUP + 32)", "deadlock", "barrier.arrive_and_wait()",
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
        "dynamic_tiles", "", "storage.answer.data_ptr()\n", "storage.answer.data_ptr(), False\n",
        "fence.proxy.async", "scheduler.get_current_work()",
    ),
    Fault(
        "flashinfer#5334", "products released_early", "products", "", "",
        "tcgen05.wait::ld by warp 0 is missing", "cute.gemm(multiply, into",
    ),
    Fault(
        "flash-attention#2033", "products attention", "attention",
        "        cute.arch.fence_view_async_tmem_store()\n        free.commit()",
        "        free.commit()",
        "tcgen05.wait::st", "cute.gemm(second",
    ),
    Fault(
        "cutlass#3316", "products nvfp4_pair", "scaled",
        "        pipeline.sync(barrier_id=2)\n", "        pass\n", "", "",
    ),
)  # fmt: skip


def run(script: Path, target: str, *arguments: str) -> Outcome:
    return check_apart(script, arguments, Options(target=target, quiet=True))


def why(outcome: Outcome) -> str:
    return f"{outcome.ended} {[str(each) for each in outcome.findings.hazards]}"


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_an_example_is_right_and_clean(name: str, capfd: Any) -> None:
    outcome = run(EXAMPLES / f"{name}.py", TARGETS.get(name, "sm_100a"))
    assert outcome.faultless, why(outcome)
    assert outcome.launched and "right" in capfd.readouterr().out


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
    (changed,) = tmp_path.rglob(f"{fault.file}.py") if fault.right else (copied,)
    text = changed.read_text()
    assert fault.right in text
    changed.write_text(text.replace(fault.right, fault.wrong, 1) if fault.right else text)
    outcome = run(copied, target, *given)
    found = [each for each in outcome.findings.hazards if fault.says in each.message(True)]
    lines = [
        Path(place[0]).read_text().splitlines()[place[1] - 1]
        for each in found
        for place in (each.place, each.other)
        if place
    ]
    assert any(fault.line in line for line in lines), (why(outcome), lines)
