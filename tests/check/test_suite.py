"""`pytest --lanemap` on a suite of tests that wants a GPU."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

pytest.importorskip("triton", minversion="3.8", reason="older ones leave out fences")
pytest.importorskip("torch")

from lanemap.check import plugin
from lanemap.targets import TARGETS

CONFTEST = """import pytest
import torch

if not torch.cuda.is_available():
    raise RuntimeError("this suite needs a GPU")


@pytest.fixture
def doubled_in_setup():
    from kernels import doubled
    return doubled(torch.ones(70, device="cuda"), mask=False)
"""
KERNELS = """import torch
import triton
import triton.language as tl


@triton.jit
def double(x, y, n, BLOCK: tl.constexpr, MASK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if MASK:
        value = tl.load(x + at, at < n)
    else:
        value = tl.load(x + at)  # unmasked
    tl.store(y + at, 2 * value, at < n)


@triton.jit
def unknown(x):
    tl.inline_asm_elementwise("multimem.red.relaxed.gpu.global.add.u32 [$1], 1; mov.b32 $0, 0;",
                              "=r,l", [x], dtype=tl.int32, is_pure=False, pack=1)


def doubled(x, mask=True):
    y = torch.empty_like(x)
    double[(triton.cdiv(x.numel(), 64),)](x, y, x.numel(), 64, mask)
    return y
"""
SUITE = """import pytest
import torch
from kernels import doubled, unknown

needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
expect, allow = pytest.mark.lanemap_expect, pytest.mark.lanemap_allow


@needs_gpu
@pytest.mark.parametrize("n", [1, 70])
def test_right(n):
    x = torch.randn(n, device="cuda")
    torch.testing.assert_close(doubled(x), 2 * x)


def test_hazard():
    doubled(torch.ones(70, device="cuda"), mask=False)


def test_hazard_again_in_another_test():
    doubled(torch.ones(70, device="cuda"), mask=False)


def test_wrong_values_and_hazard():
    x = torch.ones(70, device="cuda")
    assert torch.equal(doubled(x, mask=False), 3 * x)


def test_hazard_in_setup(doubled_in_setup):
    pass


def test_undefined_on_the_host():
    assert torch.empty(8, device="cuda").sum() < 1


def test_not_supported_and_caught():
    with pytest.raises(Exception):
        unknown[(1,)](torch.ones(1, device="cuda"))


@expect("out-of-bounds", match="derived from x")
def test_expected():
    doubled(torch.ones(70, device="cuda"), mask=False)


@expect(kind="order")
def test_expected_and_not_met():
    doubled(torch.ones(70, device="cuda"))


@allow(kind="out-of-bounds")
def test_allowed():
    doubled(torch.ones(70, device="cuda"), mask=False)


@allow(kind="order")
def test_another_kind_is_allowed():
    doubled(torch.ones(70, device="cuda"), mask=False)


@pytest.mark.xfail(strict=True)
def test_known_to_fail():
    doubled(torch.ones(70, device="cuda"), mask=False)


class TestOfAClass:
    def test_no_launch(self):
        assert torch.ones(3, device="cuda").is_cuda
"""
FAILS = {
    "test_hazard",
    "test_hazard_again_in_another_test",
    "test_wrong_values_and_hazard",
    "test_undefined_on_the_host",
    "test_not_supported_and_caught",
    "test_expected_and_not_met",
    "test_another_kind_is_allowed",
}
ERRORS = {"test_hazard_in_setup"}
#: Those that meet the unmasked load and are marked for it.
MEANT = {"test_expected", "test_allowed", "test_known_to_fail"}

#: These launch nothing that runs.
IDLE = {"test_undefined_on_the_host", "test_not_supported_and_caught", "test_no_launch"}


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


UNMASKED = line_of(KERNELS, "# unmasked")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    folder.mkdir()
    for name, text in (("conftest", CONFTEST), ("kernels", KERNELS), ("test_double", SUITE)):
        (folder / f"{name}.py").write_text(text)
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder, as a user does."""
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False, env=environment,
    )  # fmt: skip


def outcomes(report: Path) -> dict[str, set[str]]:
    """The tests by their outcome in a file of --junitxml."""
    found: dict[str, set[str]] = {}
    for case in xml.parse(report).iter("testcase"):
        kinds = {each.tag for each in case} - {"properties", "system-err"} or {"passed"}
        for kind in kinds:
            found.setdefault(kind, set()).add(case.attrib["name"].partition("[")[0])
    return found


def judge(folder: Path, *words: str) -> str:
    """Run the suite; its outcomes, the file of SARIF and the summary are as they should be."""
    done = run(folder, "--lanemap", "--junitxml=report.xml", "--lanemap-sarif=out.sarif", *words)
    assert done.returncode == 1, done.stdout + done.stderr
    found = outcomes(folder / "report.xml")
    assert (found["failure"], found["error"]) == (FAILS, ERRORS), done.stdout
    assert found["skipped"] == {"test_known_to_fail"}, "that is how pytest writes an xfail"
    judge_properties(folder / "report.xml")
    judge_sarif(folder)
    # The expected one, the allowed one and the one of the xfail.
    assert re.search(r"^\d+ launches of 1 kernel, 2 hazards in \d tests, 3 hazards expected or",
                     done.stdout, re.MULTILINE), done.stdout  # fmt: skip
    return done.stdout


def judge_properties(report: Path) -> None:
    beyond, undefined = set(), set()
    for case in xml.parse(report).iter("testcase"):
        has = [(each.attrib["name"], each.attrib["value"]) for each in case.iter("property")]
        known, name = dict(has), case.attrib["name"]
        launched = name not in IDLE
        assert known["lanemap_kernels"] == ("double" if launched else "")
        assert known["lanemap_launches"] == ("1" if launched else "0")
        hazards = [value for key, value in has if key == "lanemap_hazard"]
        assert known["lanemap_hazards"] == str(len(hazards))
        for each in hazards:
            is_beyond = each.startswith(f"out-of-bounds: kernels.py:{UNMASKED}: double: ")
            (beyond if is_beyond else undefined).add(name)
    assert beyond == FAILS - IDLE - {"test_expected_and_not_met"} | ERRORS | MEANT
    assert undefined == {"test_undefined_on_the_host"}


def judge_sarif(folder: Path) -> None:
    model = pytest.importorskip("pydantic_sarif.model")
    document = json.loads((folder / "out.sarif").read_text())
    # Classes generated from the published schema; they refuse what is not in it.
    model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate(document)
    (one,) = document["runs"]
    assert one["invocations"] == [{"executionSuccessful": False}], "a kernel was not supported"
    rules = [each["id"] for each in one["tool"]["driver"]["rules"]]
    places = set()
    for each in one["results"]:
        assert rules[each["ruleIndex"]] == each["ruleId"]
        (location,) = each["locations"]
        physical = location["physicalLocation"]
        assert physical["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        line = physical["region"]["startLine"], bool(each.get("suppressions"))
        places.add((each["ruleId"], physical["artifactLocation"]["uri"], *line))
    undefined = line_of(SUITE, "torch.empty(8")
    assert places == {
        ("out-of-bounds", "kernels.py", UNMASKED, False),
        ("out-of-bounds", "kernels.py", UNMASKED, True),
        ("undefined", "test_double.py", undefined, False),
    }


def test_a_suite_runs_without_a_gpu(suite: Path) -> None:
    said = judge(suite)
    assert "lanemap: sm_100a (NVIDIA B200) on the emulator, Triton 3." in said
    assert f"out-of-bounds: kernels.py:{UNMASKED}: double: " in said
    assert "    here: kernels.py:12: value = tl.load(x + at)  # unmasked\n" in said
    assert "expected a hazard, and did not meet it: lanemap_expect(kind='order')" in said
    assert "`multimem.red.relaxed.gpu.global.add.u32` is not supported" in said
    assert "--- lanemap ---" in said, "what the test with wrong values met besides"
    assert not re.search(r"lanemap/(?!check/plugin).*\.py:\d+: ", said), "frames of lanemap"


@pytest.mark.slow
def test_workers_of_xdist_find_the_same(suite: Path) -> None:
    judge(suite, "-n", "2")


def test_hazards_while_a_file_is_imported(suite: Path) -> None:
    text = "import torch\nfrom kernels import doubled\n"
    text += "doubled(torch.ones(70, device='cuda'), mask=False)\ndef test_one():\n    pass\n"
    (suite / "test_double.py").write_text(text)
    done = run(suite, "--lanemap=sm_90a", str(suite))
    assert done.returncode == pytest.ExitCode.INTERRUPTED, done.stdout
    assert "ERROR collecting test_double.py" in done.stdout
    assert f"out-of-bounds: kernels.py:{UNMASKED}: double: " in done.stdout
    assert "lanemap: sm_90a (NVIDIA H200)" in done.stdout


LIGHT = """import sys
import pytest

@pytest.mark.lanemap_expect(kind="order")
@pytest.mark.lanemap_allow(kind="order")
def test_nothing_is_imported():
    heavy = {"numpy", "torch", "triton", "llvmlite", "pydantic", "rich", "typer"}
    assert not heavy & set(sys.modules)
    own = {name for name in sys.modules if name.partition(".")[0] == "lanemap"}
    assert own == {"lanemap", "lanemap.version", "lanemap.check", "lanemap.check.plugin"}
"""


def test_without_the_option_nothing_is_imported(tmp_path: Path) -> None:
    (tmp_path / "test_light.py").write_text(LIGHT)
    done = run(tmp_path, "--strict-markers", "-p", "no:hypothesispytest")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_options_are_the_targets() -> None:
    assert set(plugin._targets()) == set(TARGETS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--lanemap=sm_91"], r"--lanemap=sm_100a.*: ignored explicit argument 'sm_91'"),
        (["--lanemap-strict"], "--lanemap-strict has no effect without --lanemap"),
        (["--lanemap-sarif=a.sarif"], "--lanemap-sarif has no effect without --lanemap"),
    ],
)
def test_wrong_options_are_a_sentence(words: list[str], said: str, tmp_path: Path) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert re.search(said, done.stderr) and "Traceback" not in done.stderr
