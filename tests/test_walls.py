"""Who may know whom, read out of the imports themselves; and the size of files and functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "lanemap"

# Everyone may raise lanemap's errors, ask where a folder lies, and which version this is.
COMMON = {"errors", "paths", "version"}
MAY_KNOW = {
    "layout": set(),
    "model": {"layout"},
    "claims": {"layout"},
    "emulator": {"model", "layout"},
    "toolchain": set(),
    "records": {"layout"},
    "devices": {"emulator", "layout", "toolchain", "records"},
    "probing": {"layout", "model", "claims", "devices", "records"},
    "copies": {"layout", "model"},
    "wrappers": {"model"},
    "cli": {
        "layout", "model", "claims", "copies", "wrappers", "devices", "records", "probing",
        "toolchain",
    },
}
# Beside the package: probes never meet model or claims, analysis runs nothing.
FOLDERS_MAY_KNOW = {
    "probes": {"layout", "probing"},
    "kernels": {"layout", "devices", "records", "probing", "toolchain"},
    "analysis": {"layout", "records"},
}
GPU_LIBRARIES = {"cupy", "cuda", "hip", "rocm"}

FILE_LINES = 500
FUNCTION_LINES = 60


def imports(path: Path, text: str | None = None) -> Iterator[str]:
    """Every module that a file (or a text in its place) imports, anywhere, as a dotted name."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text() if text is None else text, str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base += node.module.split(".") if node.module else []
            yield ".".join(base)
            # `from lanemap import model` names a module only in its second half.
            yield from (".".join([*base, alias.name]) for alias in node.names)


def parts(name: str) -> set[str]:
    """The part of lanemap that a dotted name leads into, if it does."""
    words = name.split(".")
    is_part = len(words) > 1 and words[0] == "lanemap"
    is_part = is_part and ((PACKAGE / words[1]).is_dir() or (PACKAGE / f"{words[1]}.py").exists())
    return {words[1]} if is_part else set()


def sources(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def module_file(name: str) -> Path | None:
    """The file of a module of lanemap, None for anything else."""
    base = ROOT.joinpath(*name.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if name.startswith("lanemap.") and path.exists():
            return path
    return None


def reached_from(path: Path) -> dict[str, Path]:
    """Every module of lanemap that a file imports, directly or through others, and through whom."""
    found: dict[str, Path] = {}
    waiting = [path]
    while waiting:
        here = waiting.pop()
        for name in imports(here):
            file = module_file(name)
            if file is not None and name not in found:
                found[name] = here
                waiting.append(file)
    return found


@pytest.mark.parametrize("part", MAY_KNOW)
def test_a_part_imports_only_those_that_it_may_know(part: str) -> None:
    legal = MAY_KNOW[part] | COMMON | {part}
    for path in [*sources(PACKAGE / part), *PACKAGE.glob(f"{part}.py")]:
        for name in imports(path):
            assert parts(name) <= legal, f"{path.relative_to(ROOT)} imports {name}"


def test_every_part_has_its_walls() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders <= set(MAY_KNOW)


@pytest.mark.parametrize("folder", FOLDERS_MAY_KNOW)
def test_the_folders_beside_the_package_keep_their_distance(folder: str) -> None:
    for path in sources(ROOT / folder):
        for name in imports(path):
            legal = FOLDERS_MAY_KNOW[folder] | COMMON
            assert parts(name) <= legal, f"{path.relative_to(ROOT)} imports {name}"


@pytest.mark.parametrize("path", sources(ROOT / "probes"), ids=lambda path: path.stem)
def test_a_probe_reaches_no_model_through_others_either(path: Path) -> None:
    for name, through in reached_from(path).items():
        assert not parts(name) & {"model", "claims", "emulator"}, f"{through} leads to {name}"


def test_devices_is_the_only_door_to_what_executes() -> None:
    outside = [p for p in sources(PACKAGE) if PACKAGE / "devices" not in p.parents]
    for path in outside + sources(ROOT / "probes", ROOT / "kernels", ROOT / "analysis"):
        inside_emulator = PACKAGE / "emulator" in path.parents
        for name in imports(path):
            assert name.split(".")[0] not in GPU_LIBRARIES, f"{path} imports {name}"
            assert inside_emulator or "emulator" not in parts(name), f"{path} imports {name}"


def test_no_star_imports() -> None:
    for path in sources(PACKAGE, ROOT / "probes", ROOT / "kernels", ROOT / "analysis"):
        assert not any(name.endswith(".*") for name in imports(path)), path


def test_files_are_short_enough_to_be_read() -> None:
    long = {}
    for path in sources(PACKAGE, *(ROOT / name for name in (*FOLDERS_MAY_KNOW, "tests"))):
        lines = len(path.read_text().splitlines())
        if lines >= FILE_LINES:
            long[str(path.relative_to(ROOT))] = lines
    assert not long


def test_functions_fit_on_a_screen() -> None:
    long = {}
    for path in sources(PACKAGE, *(ROOT / name for name in FOLDERS_MAY_KNOW)):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES:
                    long[f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"] = lines
    assert not long


def test_the_reader_of_imports_sees_every_kind() -> None:
    text = (
        "import lanemap.errors\nfrom lanemap import probing\nfrom ..devices import open_device\n"
        "from .cells import Space\ndef f():\n    import cupy.cuda\n"
    )
    found = set(imports(PACKAGE / "layout" / "imagined.py", text))
    assert {"lanemap.errors", "lanemap.probing", "lanemap.devices", "cupy.cuda"} <= found
    assert {"lanemap.layout.cells", "lanemap.layout.cells.Space"} <= found
    assert set().union(*map(parts, found)) == {"errors", "probing", "devices", "layout"}
