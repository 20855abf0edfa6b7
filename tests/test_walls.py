"""Who may know whom, as contracts of import-linter in pyproject.toml; words; sizes of files."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lanemap"
BESIDE = ("probes", "kernels", "museum", "analysis")

FILE_LINES = 500
#: What a file says that mirrors the C: it is as long as that has structures.
GENERATED = "Generated from the C by `make runtime`: do not edit."
FUNCTION_LINES = 60

#: An import that must not be, and the contract that says so.
TRESPASSES = (
    ("lanemap/layout/cells.py", "lanemap.model", "Every part of lanemap has its layer"),
    ("lanemap/toolchain/places.py", "lanemap.records.files", "Every part of lanemap has its layer"),
    ("lanemap/novel.py", "lanemap.errors", "Every part of lanemap has its layer"),
    (
        "lanemap/probing/run.py", "lanemap.emulator",
        "Devices and timing are the only doors to the emulator",
    ),
    (
        "lanemap/devices/arrays.py", "lanemap.emulator.host.limits",
        "The api is the only door into the emulator",
    ),
    ("lanemap/probing/run.py", "cupy", "Devices are the only door to GPU libraries"),
    ("lanemap/sweeping/task.py", "lanemap.probing.run", "Every part of lanemap has its layer"),
    ("probes/tr8.py", "lanemap.devices", "Who may open devices"),
    ("lanemap/claims/claim.py", "lanemap.model.variant", "Who may ask our models"),
    ("lanemap/devices/arrays.py", "lanemap.claims", "Who may ask what others claim"),
    ("lanemap/toolchain/places.py", "lanemap.layout", "Who may use layout maps"),
    ("lanemap/devices/arrays.py", "lanemap.drawing.grid", "Who may draw layouts"),
    ("probes/tr8.py", "lanemap.records.schema", "Who may read and write results"),
    ("lanemap/probing/run.py", "lanemap.toolchain", "Who may call compilers"),
    ("lanemap/devices/arrays.py", "lanemap.probing.probe", "Who may run probes"),
    ("lanemap/devices/arrays.py", "lanemap.timing.slope", "Who may measure timing"),
    (
        "lanemap/probing/run.py", "lanemap.conformance.forms.judged",
        "Who may hold the emulator against silicon and assemblers",
    ),
    ("lanemap/devices/arrays.py", "lanemap.check.properties", "Who may run scripts"),
    (
        "lanemap/devices/arrays.py", "torch",
        "Only checks of scripts and the operators know Triton, CuTe DSL and PyTorch",
    ),
    ("lanemap/probing/run.py", "lanemap.emission.copies", "Who may emit text and plan copies"),
    (
        "lanemap/probing/probe.py", "lanemap.probing.compare.rules",
        "A probe reaches no model, no claim and no emulator, through others either",
    ),
    ("lanemap/probing/run.py", "lanemap.benching.find", "Who may run kernels"),
    (
        "kernels/ss_gemm/host.py", "lanemap.model.wgmma",
        "A kernel takes no map but those of results/",
    ),
    ("museum/state_store.py", "lanemap.emulator.api", "An exhibit knows devices alone"),
    ("probes/tr8.py", "lanemap.cli.main", "Nobody uses the command line but its users"),
    ("analysis/tables.py", "lanemap.probing.run", "Analysis runs nothing"),
    (
        "lanemap/emulator/codegen/values.py", "lanemap.emulator.ptx.text.kinds",
        "The emulator's core knows no front end, front ends not each other",
    ),
    (
        "lanemap/emulator/memory_model/__init__.py", "lanemap.emulator.codegen.values",
        "The memory model knows the runtime alone",
    ),
    (
        "lanemap/emulator/amdgcn/text/state.py", "lanemap.emulator.amdgcn.lower.lanes",
        "A front end's text knows nothing of code, its lowering no instruction",
    ),
    (
        "lanemap/layout/swizzles.py", "lanemap.layout.planner",
        "No files import each other in a circle",
    ),
)  # fmt: skip

#: Words of one front end, which the core of the emulator must not use: in code, comments, messages.
OF_FRONT_ENDS = re.compile(
    r"ptx|nvidia|cuda|tcgen05|mbarrier|wgmma|warp|\bSMs?\b|proxy|tensor|taddr|H200|\bB200\b"
    r"|\bamd|amdgcn|gfx\d|cdna|\bexec\b|\blds\b|mfma|\bdpp\b|\bvgpr|\bsgpr|waitcnt|vmcnt|lgkmcnt"
    r"|\bs_[a-z]+_[a-z0-9]+\b|\bv_[a-z]+_[a-z0-9]+\b|\bbuffer_[a-z]+\d?\b",
    re.IGNORECASE,
)
#: Instructions, and names of instruction sets, which the memory model must not use: it knows the
#: terms of the field alone.
SYNTAX = re.compile(
    r"\b(?:ld|st|cp|bar|barrier|fence|membar|mbarrier|atom|red|multimem|tcgen05|wgmma)\.(?![ch]\b)\w"
    r"|\b(?:s|v|ds|buffer|global|flat|scratch)_[a-z]+_\w|lm_ptx|ptx_|amdgcn|gfx\d|\bsm_\d",
    re.IGNORECASE,
)
#: What such a word stands for elsewhere: an extra of pyproject.toml.
EXCEPT = ("the extra `amd`",)


#: probes/ has no __init__.py, so that one of another checkout on the path would count as well.
LINT = """
import importlinter.cli, pathlib, sys
elsewhere = [path for path in sys.path if not (pathlib.Path(path) / "probes").is_dir()]
sys.path[:] = [sys.argv[1], *elsewhere]
sys.exit(importlinter.cli.lint_imports(no_cache=True))
"""


def lint(root: Path) -> str:
    """What import-linter says of a checkout, wherever it stands."""
    done = subprocess.run(
        [sys.executable, "-c", LINT, str(root)], cwd=root, env={**os.environ, "COLUMNS": "200"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    return done.stdout


def test_every_contract_is_kept() -> None:
    report = lint(ROOT)
    assert re.search(r"Contracts: \d+ kept, 0 broken\.", report), report


def test_each_contract_breaks_where_it_is_trespassed(tmp_path: Path) -> None:
    """A checkout with one forbidden import for each contract keeps none of them."""
    for folder in ("lanemap", *BESIDE):
        shutil.copytree(
            ROOT / folder,
            tmp_path / folder,
            ignore=lambda _, names: [n for n in names if "." in n and not n.endswith(".py")],
        )
    settings = (ROOT / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(settings)
    for path, imported, _ in TRESPASSES:
        assert (tmp_path / path).exists() or path.endswith("novel.py"), path
        with (tmp_path / path).open("a") as file:
            file.write(f"\n\ndef trespass() -> None:\n    import {imported}\n")
    report = lint(tmp_path)
    broken = set(re.findall(r"^(.*) BROKEN", report, re.MULTILINE))
    assert broken == {contract for *_, contract in TRESPASSES}
    assert broken == set(re.findall(r'^name = "(.*)"\ntype =', settings, re.MULTILINE))


def test_the_contracts_speak_of_every_folder_with_python() -> None:
    settings = (ROOT / "pyproject.toml").read_text()
    (roots,) = re.findall(r"^root_packages = \[(.*)\]", settings, re.MULTILINE)
    for folder in BESIDE:
        assert (f'"{folder}"' in roots) == bool(sources(ROOT / folder)), folder


def sources(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


#: Files outside tests/emulator that look into the emulator: benchmarks that time a part of it, and
#: tools that change it or watch its parts. Add none.
INSIDE = {
    "benchmarks/compile.py", "benchmarks/instructions.py", "benchmarks/lane_order.py",
    "benchmarks/matrix.py",
    "benchmarks/ptx_entry.py",
    "tools/interop.py", "tools/mutation/session.py",
}  # fmt: skip


def looks_into_the_emulator(path: Path) -> bool:
    """Whether a file imports a module of the emulator other than its api."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = [each.name for each in getattr(node, "names", ())]
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name}" for name in names]
        elif not isinstance(node, ast.Import):
            continue
        if any(re.match(r"lanemap\.emulator\.(?!api\b)", name) for name in names):
            return True
    return False


def test_tests_tools_and_benchmarks_use_the_emulators_api() -> None:
    folders = [ROOT / name for name in ("tests", "tools", "benchmarks")]
    found = {
        str(path.relative_to(ROOT)) for path in sources(*folders) if looks_into_the_emulator(path)
    }
    assert {name for name in found if not name.startswith("tests/emulator/")} == INSIDE


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("from lanemap.emulator.api import Machine", False),
        ("from lanemap.emulator import api", False),
        ("import lanemap.emulator.api", False),
        ("from lanemap.emulator import ptx", True),
        ("from lanemap.emulator.host.launcher import Launcher", True),
        ("def late():\n    import lanemap.emulator.machine", True),
    ],
)
def test_an_import_past_the_api_is_found(tmp_path: Path, text: str, looks: bool) -> None:
    (tmp_path / "case.py").write_text(text)
    assert looks_into_the_emulator(tmp_path / "case.py") == looks


def lines_with(words: re.Pattern[str], path: Path) -> list[str]:
    """The lines of a file that use a word which its folder must not use."""
    lines = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for allowed in EXCEPT:
            line = line.replace(allowed, "")
        if words.search(line):
            lines.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    return lines


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("host", OF_FRONT_ENDS), ("codegen", OF_FRONT_ENDS), ("runtime", OF_FRONT_ENDS),
        ("memory_model", SYNTAX),
    ],
)  # fmt: skip
def test_the_core_has_no_word_of_a_front_end(folder: str, words: re.Pattern[str]) -> None:
    files = [
        path
        for path in (PACKAGE / "emulator" / folder).iterdir()
        if path.suffix in (".py", ".c", ".h")
    ]
    assert len(files) > 10
    found = [line for path in files for line in lines_with(words, path)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    ["/* mbarrier.arrive */", "s_waitcnt_vmcnt", "lm_ptx_fence(w)", "cp.async", "on gfx950"],
)
def test_an_instruction_is_found_in_a_comment(text: str) -> None:
    assert SYNTAX.search(text)
    assert not SYNTAX.search("/* A proxy, a warp, an mbarrier (mbarrier.h). */")


#: Folders of C, from the lowest on; one may include headers of those before it.
C_FOLDERS = ("runtime", "memory_model", "amdgcn/c", "ptx/c")


def includes() -> dict[Path, list[str]]:
    """The headers that each file of the emulator's C includes, but those that the build writes."""
    files = [p for folder in C_FOLDERS for p in (PACKAGE / "emulator" / folder).glob("*.[ch]")]
    ours = {path.name for path in files}
    found = {path: re.findall(r'#include "(.+)"', path.read_text()) for path in files}
    return {path: [name for name in names if name in ours] for path, names in found.items()}


def test_c_includes_nothing_of_a_folder_above() -> None:
    rank = {
        path.name: path.parent.relative_to(PACKAGE / "emulator").as_posix() for path in includes()
    }
    allowed = {
        "runtime": {"runtime"}, "memory_model": {"runtime", "memory_model"},
        "amdgcn/c": {"runtime", "memory_model", "amdgcn/c"},
        "ptx/c": {"runtime", "memory_model", "ptx/c"},
    }  # fmt: skip
    wrong = [
        f"{path.name} includes {name}"
        for path, names in includes().items()
        for name in names
        if rank[name] not in allowed[rank[path.name]]
    ]
    assert not wrong


def test_no_files_of_c_use_each_other_in_a_circle() -> None:
    """A file of C and its header are one; a header alone is what others implement."""
    found = includes()
    files = {path.stem for path in found if path.suffix == ".c"}
    uses = {stem: set[str]() for stem in files}
    for path, names in found.items():
        if path.stem in files:
            uses[path.stem] |= {Path(name).stem for name in names} & files - {path.stem}
    while leaves := {stem for stem, others in uses.items() if not others & uses.keys()}:
        for stem in leaves:
            del uses[stem]
    assert not uses


def test_files_are_short_enough_to_be_read() -> None:
    long = {}
    python = sources(PACKAGE, *(ROOT / name for name in (*BESIDE, "tests", "tools")))
    for path in [*python, *(PACKAGE / "emulator").rglob("*.[ch]")]:
        text = path.read_text()
        lines = len(text.splitlines())
        if lines >= FILE_LINES and GENERATED not in text[:200]:
            long[str(path.relative_to(ROOT))] = lines
    assert not long


def test_functions_fit_on_a_screen() -> None:
    long = {}
    for path in sources(PACKAGE, *(ROOT / name for name in BESIDE)):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                code = node.body[1:] if ast.get_docstring(node) and node.body[1:] else node.body
                lines = (node.end_lineno or node.lineno) - code[0].lineno + 1
                if lines > FUNCTION_LINES:
                    long[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = lines
    assert not long
