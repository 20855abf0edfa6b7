"""What a change can reach: worked out by hand, and held against what Python really imports."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampled import sampled
from tools import fast, reach

ROOT = Path(__file__).resolve().parents[2]
DIFF = """\
diff --git a/one.py b/one.py
--- a/one.py
+++ b/one.py
@@ -3 +3,2 @@ def f():
-old
+new
+new
@@ -9,2 +10,0 @@
-gone
-gone
diff --git a/two.py b/two.py
--- a/two.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
"""
#: Writes the modules of ours that a run of pytest has imported when it ends.
PLUGIN = """
import json, os, sys
def pytest_sessionfinish():
    ours = [n for n in sys.modules if n.partition(".")[0] in ("lanemap", "tests", "tools")]
    open(os.environ["SEEN"], "w").write(json.dumps(ours))
"""


def line_of(path: str, function: str) -> int:
    """A line of a function's body."""
    body = ast.parse((ROOT / path).read_text()).body
    (found,) = (n for n in body if isinstance(n, ast.FunctionDef) and n.name == function)
    return found.body[-1].lineno


def change_of(path: str, function: str) -> reach.Change:
    return reach.Change(path, frozenset({line_of(path, function)}))


def reached_by(path: str, function: str) -> list[str]:
    """What a process of its own says: in that of all tests it was wrong in two whole runs."""
    change = f"reach.Change({path!r}, frozenset({{{line_of(path, function)}}}))"
    words = [sys.executable, "-c", f"from tools import reach; print(reach.reached([{change}]))"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    found: list[str] = ast.literal_eval(done.stdout)
    return found


def test_a_diff_names_files_and_lines() -> None:
    assert reach.changes_of(DIFF) == [
        reach.Change("one.py", frozenset({3, 4, 10})),
        reach.Change("two.py", frozenset({0})),
    ]


def test_distances_count_imports() -> None:
    graph = {"a": ["b"], "b": ["c"], "c": [], "d": ["c", "a"], "e": ["d"], "f": []}
    assert reach.distances(graph, ["c"]) == {"c": 0, "b": 1, "d": 1, "a": 2, "e": 2}


IMPORTS = (
    "tests/cli/test_plan.py", "tests/devices/test_names.py", "tests/layout/test_f2.py",
    "tests/emulator/ptx/test_vector_stores.py", "tests/probing/tmem/test_kernel.py",
)  # fmt: skip


@pytest.mark.parametrize("test", sampled(IMPORTS, 10))
def test_whatever_python_imports_is_seen(test: str, tmp_path: Path) -> None:
    (tmp_path / "seen_plugin.py").write_text(PLUGIN)
    seen = tmp_path / "seen.json"
    command = [sys.executable, "-m", "pytest", "-m", "not slow", "-p", "seen_plugin", test]
    path = os.pathsep.join([str(ROOT), str(tmp_path)])
    subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "SEEN": str(seen)},
        check=True,
        capture_output=True,
    )
    imported = {name for name in json.loads(seen.read_text()) if reach.file_of(name)}
    assert len(imported) > 3
    # pytest imports these
    always = {"tests.conftest", "lanemap.check", "lanemap.check.plugin"}
    missed = imported - reach.upstream(reach.module_of(test)) - always
    assert not missed


def test_every_module_that_imports_by_name_is_known() -> None:
    calls = re.compile(r"\b(?:import_module|import_file|exec_module)\(")
    files = [path for path in (ROOT / "lanemap").rglob("*.py") if calls.search(path.read_text())]
    found = {reach.module_of(str(path.relative_to(ROOT))) for path in files}
    # These import by their own `_HOMES`; `paths` for others; the rest names packages of others.
    others = {
        "lanemap", "lanemap.check.imports", "lanemap.check.libcuda.compression",
        "lanemap.cli.verbs.report",
        "lanemap.check.libcuda.runtime",
        "lanemap.emulator.api", "lanemap.paths",
        "lanemap.devices.flash_attention", "lanemap.devices.rocm_attention",
        "lanemap.devices.torch_attention", "lanemap.devices.torch_grouped",
        "lanemap.devices.torch_scaled",
    }  # fmt: skip
    assert found - others == {each for each in reach.BY_NAME if each.startswith("lanemap.")}


@pytest.mark.parametrize(
    ("path", "function", "names"),
    [
        ("lanemap/emulator/ptx/isa/integers.py", "dp2a", {"dp2a"}),
        ("lanemap/emulator/ptx/isa/wgmma.py", "wait_group", {"wgmma.wait_group"}),
    ],
)
def test_a_function_stands_for_its_instructions(path: str, function: str, names: set[str]) -> None:
    assert reach.instructions(change_of(path, function)) == names


def test_a_helper_stands_for_the_instructions_that_use_it() -> None:
    found = reach.instructions(change_of("lanemap/emulator/amdgcn/isa/dot.py", "_double"))
    assert {"v_dot2_f32_f16", "v_dot4_i32_i8"} <= found
    assert all(name.startswith("v_dot") for name in found)


@pytest.mark.slow
def test_an_instruction_reaches_the_tests_that_name_it_and_few_others() -> None:
    found = reached_by("lanemap/emulator/ptx/isa/wgmma.py", "wait_group")
    assert {"tests/hazards/test_wgmma.py", "tests/emulator/ptx/test_triton_matrix.py"} <= set(found)
    assert "tests/emulator/ptx/test_tcgen05_alloc.py" not in found
    assert not any("amdgcn" in each for each in found) and len(found) < 60


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("lanemap/layout/f2.py", "tests/layout/test_f2.py"),
        ("lanemap/cli/verbs/plan.py", "tests/cli/test_plan.py"),
        ("lanemap/emulator/runtime/memory.c", "tests/emulator/ptx/test_vector_stores.py"),
        ("lanemap/targets/sm_90a.py", "tests/targets/test_targets.py"),
        ("tests/hazards/gfx950/wait_dpp.s", "tests/hazards/test_gfx950.py"),
        ("tests/layout/conftest.py", "tests/layout/test_cute.py"),
        ("kernels/fmha/sm_90a.cu", "tests/kernels/test_fmha.py"),
        ("kernels/nvfp4_gemv/tiling.py", "tests/kernels/test_nvfp4_gemv.py"),
        ("probes/tr8.py", "tests/probes/test_on_emulator.py"),
        ("docs/probes.md", "tests/docs/test_documents.py"),
        ("tools/mutation/score.py", "tests/tools/test_mutation_score.py"),
    ],
)
def test_a_file_reaches_its_tests(path: str, test: str) -> None:
    assert (ROOT / path).is_file() and (ROOT / test).is_file()
    assert test in reach.reached([reach.Change(path)])


def test_a_layout_reaches_no_text_of_the_emulator() -> None:
    assert "tests/emulator/ptx/test_parser.py" not in reach.reached(
        [reach.Change("lanemap/emission/layouts.py")]
    )


def test_nothing_begins_when_the_time_is_over() -> None:
    fast.Limit(0).pytest_runtest_setup()  # nothing is collected yet
    for seconds in (60, float("inf")):
        limit = fast.Limit(seconds)
        limit.pytest_collection_finish()
        limit.pytest_runtest_setup()
    limit = fast.Limit(-1)
    limit.pytest_collection_finish()
    with pytest.raises(pytest.skip.Exception, match="make test"):
        limit.pytest_runtest_setup()


def test_an_unknown_base_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert fast.main(["--base", "no-such-base"]) == 2
    assert "no-such-base" in capsys.readouterr().err
