"""What the C is built into: the same everywhere, never older than the C, for either processor."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lanemap.emulator.runtime import build, built

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_what_was_built_equals_another_build() -> None:
    files = build.contents()
    assert set(files) == set(built.files())
    for path, data in files.items():
        assert path.read_bytes() == data, f"{path}: its sources do not say this alone"


def test_each_file_of_c_includes_what_it_uses(tmp_path: Path) -> None:
    """All is one translation unit, in which a missing #include goes unnoticed."""
    for name, text in built.headers().items():
        (tmp_path / name).write_text(text)
    files = [str(path) for folder in built.FOLDERS for path in sorted(folder.glob("*.c"))]
    flags = ["-target", "x86_64-linux-gnu", "-fsyntax-only", "-x", "c"]
    where = [f"-I{folder}" for folder in (*built.FOLDERS, tmp_path)]
    command = [sys.executable, "-m", "ziglang", "clang", *flags, *where, *files]
    done = subprocess.run(command, text=True, capture_output=True, check=False)
    assert not done.stderr, done.stderr


def test_one_version_of_the_compiler_builds_everywhere() -> None:
    pin = "ziglang==0.17.0"
    assert f'"{pin}"' in (ROOT / "pyproject.toml").read_text().split("[project]")[0]
    assert pin in (ROOT / "requirements/ci.txt").read_text().splitlines()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the check looks at, to change."""
    shutil.copytree(
        ROOT / "lanemap", tmp_path / "lanemap", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def refusal(checkout: Path) -> str:
    """The last line of an import of the runtime; "" where it goes well."""
    done = subprocess.run(
        [sys.executable, "-c", "import lanemap.emulator.runtime.abi"],
        cwd=checkout,
        text=True,
        capture_output=True,
        check=False,
        env={"PYTHONPATH": str(checkout)},
    )
    return done.stderr.splitlines()[-1] if done.returncode else ""


def test_what_is_older_than_the_c_is_refused(checkout: Path) -> None:
    assert refusal(checkout) == ""
    source = checkout / "lanemap/emulator/ptx/c/async.c"
    source.write_text(source.read_text() + "/* changed */\n")
    said = refusal(checkout)
    assert "is older than its sources: run `make runtime`, or `python -m" in said
    assert "lanemap.emulator.runtime.build" in said and str(checkout) in said
    (checkout / "pyproject.toml").unlink()  # installed: what it was built from was settled there
    assert refusal(checkout) == ""


def test_what_is_older_than_the_model_is_refused(checkout: Path) -> None:
    """The headers of the C are written from it."""
    assert refusal(checkout) == ""
    stamp = (checkout / "lanemap/emulator/runtime/built_from.txt").read_text()
    source = checkout / "lanemap/model/tensor_map_bits.py"
    text = source.read_text()
    source.write_text(text.replace("= 128, 64, 5", "= 64, 64, 5"))
    assert "is older than its sources" in refusal(checkout)
    source.write_text(f"{text}# says the same\n")
    assert refusal(checkout) == ""
    again = (checkout / "lanemap/emulator/runtime/built_from.txt").read_text()
    assert again.split()[0] == stamp.split()[0] and again.split()[1] != stamp.split()[1]


_READS = """
import sys
from pathlib import Path
folder = Path("lanemap").resolve()
read = set()
def hook(event, arguments):
    if event == "open" and str(arguments[0]).startswith(str(folder)):
        read.add(Path(arguments[0]))
sys.dont_write_bytecode = True
sys.path_importer_cache.clear()
from lanemap.emulator.runtime import built, rules
sys.addaudithook(hook)
del sys.modules["lanemap.emulator.runtime.rules"]
built.headers()
allowed = {*built.facts(), *built.FOLDERS}
print(*sorted(str(path) for path in read if path not in allowed and path.suffix != ".pyc"))
assert len(read) > 4, read
"""


def test_what_the_headers_are_written_from_is_known() -> None:
    """A file that they read beyond these could change without a new build."""
    command = [sys.executable, "-c", _READS]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
    assert not done.stderr and done.stdout.split() == [], done


@pytest.mark.parametrize("gone", built.files(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_is_not_built_is_said(gone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exists = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda path: path != gone and exists(path))
    assert built.fault() == "is not built"
