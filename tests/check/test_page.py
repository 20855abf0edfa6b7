"""Every `lanemap check` that README, docs and examples show is run; what they print is compared."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path

import pytest

from lanemap.cli import main
from tests.docs.test_documents import ROOT, commands

pytest.importorskip("triton", minversion="3.8", reason="older ones leave out fences")
pytest.importorskip("torch")

SHOWN = sorted({command for _, command in commands() if command.startswith("lanemap check ")})
#: Those of CuTe DSL, for `make cute`.
HAS_CUTE = importlib.util.find_spec("nvidia_cutlass_dsl") is not None
WITHOUT_CUTE = pytest.mark.skipif(not HAS_CUTE, reason="`make cute` installs CuTe DSL")
FAULTY = "lanemap check examples/triton/faulty_sums.py"
#: Compiled in a second or two; the others are for `make test-slow`.
FAST = {FAULTY, "lanemap check --target sm_90a examples/triton/vector_add.py"}


def marks(command: str) -> list[pytest.MarkDecorator]:
    slow = [] if command in FAST else [pytest.mark.slow]
    return [*slow, WITHOUT_CUTE] if "/cute/" in command else slow


def run(command: str) -> int:
    return main.run(shlex.split(command)[1:])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the commands name."""
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", [pytest.param(each, marks=marks(each)) for each in SHOWN])
def test_every_check_works(command: str, folder: Path) -> None:
    assert run(command) == int("faulty" in command or "interpreted" in command)


def without_addresses(text: str) -> list[str]:
    return re.sub(r"0x[0-9a-f]+", "0x..", text).splitlines()


def test_the_page_shows_what_is_printed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/check.md").read_text()
    ((shown),) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    run(FAULTY)
    printed = without_addresses(capfd.readouterr().err)
    told = [line for line in printed if line.startswith("lanemap: ")]
    # The page has the lines of a terminal of 100 columns.
    assert " ".join(told) == " ".join(each.strip() for each in without_addresses(shown))
    assert max(map(len, shown.splitlines())) <= 100


@pytest.mark.parametrize("kind", ["triton", "cute"])
def test_every_example_is_shown(kind: str) -> None:
    scripts = {path.name for path in (ROOT / "examples" / kind).glob("*.py")} - {"softmax.py"}
    assert scripts == {
        Path(word).name for each in SHOWN for word in each.split() if f"examples/{kind}/" in word
    }
