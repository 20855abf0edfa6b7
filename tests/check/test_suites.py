"""The suites of examples/suites are right and clean; a fault in each is found at its line.

What the suites compare with is PyTorch, in float32 or more.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as xml
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("triton", minversion="3.8", reason="older ones leave out fences")
pytest.importorskip("torch")

SUITES = Path(__file__).resolve().parents[2] / "examples/suites"
#: One runs in seconds; all of them take minutes.
FAST = "rotary"


@dataclass(frozen=True)
class Fault:
    """A change that breaks a kernel.

    Attributes:
        right: What stands there.
        wrong: What the change puts in its place.
        kind: Of the hazard.
        where: What stands at the line that must be named, if that is not the changed one.
    """

    right: str
    wrong: str
    kind: str
    where: str = ""


FAULTS = {
    "losses": Fault("    tl.debug_barrier()  # `picked`", "    # `picked`", "order",
                    "tl.store(logits_ptr + at, gradient, mask"),
    "norms": Fault("tl.atomic_add(db_ptr + at, dy, mask=inside)",
                   "tl.store(db_ptr + at, dy + tl.load(db_ptr + at, mask=inside), mask=inside)",
                   "order"),
    "rotary": Fault("tl.load(positions_ptr + token, mask=token < tokens, other=0)",
                    "tl.load(positions_ptr + token)", "out-of-bounds"),
    "linear_attention": Fault("for chunk in range(tl.cdiv(length, CHUNK)):",
                              "for chunk in range(length // CHUNK):", "undefined",
                              "tl.dot(decayed, state"),
    "moe": Fault("before = tl.atomic_add(taken_ptr + expert, 1, mask=inside)",
                 "before = tl.load(taken_ptr + expert, mask=inside)\n"
                 "    tl.store(taken_ptr + expert, before + 1, mask=inside)", "order",
                 "before = tl.load(taken_ptr"),
    "quantization": Fault("(k // 2)[:, None] * columns", "k[:, None] * columns", "out-of-bounds",
                          "packed = tl.load("),
    "sampling": Fault("tl.load(p_ptr + row * columns + at, mask=at < columns, other=0.0)",
                      "tl.load(p_ptr + row * columns + at)", "out-of-bounds"),
    "paged_attention": Fault("    if slot < 0:\n        return\n", "", "out-of-bounds",
                             "tl.store(k_cache_ptr + slot"),
    "scans": Fault("mask=at + 1 < length, other=-1", "mask=inside, other=-1", "out-of-bounds"),
    "conv": Fault("in_x = (source >= 0) & (source < length)", "in_x = (source < length)",
                  "out-of-bounds", "x = tl.load(x_ptr + source * channels + channel, mask=in_x"),
}  # fmt: skip


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--lanemap",
         "--junitxml=report.xml", "--lanemap-sarif=found.sarif", *words],
        cwd=folder, capture_output=True, text=True, timeout=900, check=False, env=environment,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(SUITES, tmp_path / "suites")


def clean(folder: Path, *words: str) -> None:
    done = run(folder, *words)
    assert done.returncode == 0, done.stdout
    tests = list(xml.parse(folder / "report.xml").iter("testcase"))
    assert tests and not any(case.findall("skipped") for case in tests)
    launched = [case.find(".//property[@name='lanemap_launches']") for case in tests]
    assert all(each is not None and int(each.attrib["value"]) for each in launched)


def broken(folder: Path, names: list[str], *words: str) -> None:
    """Break kernels, run their tests, and look for each fault at its line."""
    lines = {}
    for name in names:
        fault, file = FAULTS[name], folder / "ops" / f"{name}.py"
        text = file.read_text()
        assert text.count(fault.right) == 1, name
        text = text.replace(fault.right, fault.wrong)
        file.write_text(text)
        where = fault.where or fault.wrong
        assert text.count(where) == 1, name
        lines[name] = text[: text.index(where)].count("\n") + 1
    done = run(folder, *(f"test_{name}.py" for name in names), *words)
    assert done.returncode == 1, done.stdout
    found = {(name, FAULTS[name].kind, line) for name, line in lines.items()}
    assert found <= places(folder / "found.sarif"), f"{lines} {done.stdout}"


def places(file: Path) -> set[tuple[str, str, int]]:
    """The kernels' files, kinds and lines of all hazards."""
    (one,) = json.loads(file.read_text())["runs"]
    physical = [
        (each["ruleId"], each["locations"][0]["physicalLocation"]) for each in one["results"]
    ]
    return {
        (Path(where["artifactLocation"]["uri"]).stem, kind, where["region"]["startLine"])
        for kind, where in physical
    }


def test_there_are_ten_and_each_has_a_fault() -> None:
    names = {path.stem.removeprefix("test_") for path in SUITES.glob("test_*.py")}
    kernels = {path.stem for path in (SUITES / "ops").glob("*.py")} - {"__init__"}
    assert names == kernels == set(FAULTS) and len(names) >= 10


def test_a_suite_is_right_and_clean(folder: Path) -> None:
    clean(folder, f"test_{FAST}.py", "-k", "9-3-64 or packed")


def test_a_fault_is_found_at_its_line(folder: Path) -> None:
    broken(folder, [FAST], "-k", "9-3-64-False")


@pytest.mark.slow
@pytest.mark.parametrize("target", ["sm_100a", "sm_90a", "gfx950"])
def test_all_suites_are_right_and_clean(target: str, folder: Path) -> None:
    clean(folder, f"--lanemap={target}", "-n", "2")


@pytest.mark.slow
def test_every_fault_is_found_at_its_line(folder: Path) -> None:
    broken(folder, list(FAULTS), "-n", "2")
