"""One runner for pairs of a faulty kernel and its corrected twin.

A pair is a file whose `.ifdef CORRECTED` picks between the fault and its correction; a comment
`hazard` ends the lines that a report must name. A module of tests has a `SUITE`, and imports from
here the tests that hold of it: pytest makes of each one test for each pair of that suite.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests.faults import Fault
from tests.ptx import marked
from tests.sampled import sampled

Expected = Callable[[Any], Any]
ENDLESS = ("deadlock", "endless-loop")
HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Pair:
    """What is known of one fault.

    Attributes:
        kind: The class of hazard that the emulator must name.
        words: What the sentence must mention.
        result: What the corrected twin stores, worked out by hand: a word for all threads, or from
            the threads' numbers to their words.
        threads: Of a CTA or workgroup.
        strict: Whether only the strict emulator objects.
        note: What a note of the default mode must say; a pair with a note is strict.
        wave: The warp or wave at fault; None where any may be.
        lane: The first lane at fault; None where any may be.
    """

    kind: str
    words: tuple[str, ...]
    result: Expected | int = 16
    threads: int = 32
    strict: bool = False
    note: str = ""
    wave: int | None = None
    lane: int | None = None

    @property
    def fault(self) -> Fault:
        """What the emulator must say of it."""
        return Fault(self.kind, self.lane, tuple(map(re.escape, self.words)), wave=self.wave)

    @property
    def only_strict(self) -> bool:
        """Whether it is no hazard by default."""
        return self.strict or bool(self.note)

    def expected(self, words: int) -> Any:
        """What the corrected twin stores in an array of so many words."""
        if isinstance(self.result, int):
            return np.full(words, self.result, np.uint32)
        return np.asarray(self.result(np.arange(self.threads))).astype(np.uint32)


@dataclass(frozen=True)
class Suite:
    """Pairs that begin and end alike.

    Attributes:
        target: An instruction set; texts of gfx950 are `.s`, the others `.ptx`.
        folder: Beside this file, with a file for each pair.
        pairs: By the name of their files.
        text: From a pair, its name and the statements of its file to the whole text.
        launch: Runs a kernel of a pair on a device and returns the array that it stored.
        right: Whether a fault that only the strict emulator reports leaves the result right.
    """

    target: str
    folder: str
    pairs: Mapping[str, Any]
    text: Callable[[Any, str, str], str]
    launch: Callable[[Any, Any, Any], Any]
    right: bool = True

    def source(self, name: str, corrected: bool) -> str:
        """The whole text of a kernel, which is named as its file."""
        suffix = ".s" if self.target == "gfx950" else ".ptx"
        path = HERE / self.folder / f"{name}{suffix}"
        return self.text(self.pairs[name], name, "\n".join(chosen_lines(path, corrected)))

    def hazard_lines(self, name: str) -> set[int]:
        """Numbers of the lines of the faulty text that bear the fault: of a race either access."""
        return marked(self.source(name, corrected=False), "hazard")

    def run(self, name: str, corrected: bool, **how: Any) -> tuple[Any, Any]:
        """Launch one twin: the device, and what it stored."""
        device: Any = lanemap.open_device(self.target, device="emulator", **how)
        kernel = device.load(self.source(name, corrected))[name]
        return device, self.launch(device, kernel, self.pairs[name]).get()


def chosen_lines(path: Path, corrected: bool) -> list[str]:
    """The file's lines for one twin: the assembler's conditionals, worked out here."""
    lines, keep = [], True
    for line in path.read_text().splitlines():
        directive = line.split()[:1]
        if directive == [".ifdef"]:
            keep = corrected
        elif directive == [".ifndef"]:
            keep = not corrected
        elif directive == [".else"]:
            keep = not keep
        elif directive == [".endif"]:
            keep = True
        elif keep:
            lines.append(line)
    return lines


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test for each pair that a test is about."""
    pairs = metafunc.module.SUITE.pairs  # type: ignore[attr-defined]
    about = {
        "name": list(pairs),
        "disputed": [name for name, pair in pairs.items() if pair.only_strict],
        "ending": [name for name, pair in pairs.items() if pair.kind not in ENDLESS],
        "endless": [name for name, pair in pairs.items() if pair.kind in ENDLESS],
    }
    for word, names in about.items():
        if word in metafunc.fixturenames:
            metafunc.parametrize(word, names)


@pytest.fixture
def suite(request: pytest.FixtureRequest) -> Suite:
    found: Suite = request.module.SUITE
    return found


def test_every_file_is_in_the_table(suite: Suite) -> None:
    assert {path.stem for path in (HERE / suite.folder).iterdir()} == set(suite.pairs)


@pytest.mark.parametrize("corrected", sampled([False, True], {False}))
def test_the_assembler_takes_it(suite: Suite, name: str, corrected: bool) -> None:
    text = suite.source(name, corrected)
    if suite.target == "gfx950":
        pytest.importorskip("ziglang")
        from lanemap.toolchain.amdgpu import assemble

        assert assemble(text, "gfx950").startswith(b"\x7fELF")
    else:
        pytest.importorskip("nvidia")
        from lanemap.toolchain import ptxas

        cubin, messages = ptxas.judge(text, suite.target)
        assert cubin is not None, messages


def test_the_fault_is_caught(suite: Suite, name: str) -> None:
    pair = suite.pairs[name]
    with pytest.raises(Hazard) as caught:
        suite.run(name, corrected=False, strict=pair.only_strict)
    assert not pair.fault.wrong(caught.value, suite.source(name, corrected=False))


def right(suite: Suite, name: str, strict: bool) -> None:
    """Hold that the corrected twin has no report and the right result."""
    device, got = suite.run(name, corrected=True, hazards="report", strict=strict)
    assert [str(hazard) for hazard in (*device.hazards, *device.notes)] == []
    assert np.array_equal(got, suite.pairs[name].expected(len(got)))


def test_the_corrected_twin_is_clean_and_right(suite: Suite, name: str) -> None:
    right(suite, name, strict=False)


def test_the_corrected_twin_is_clean_in_strict_mode(suite: Suite, name: str) -> None:
    right(suite, name, strict=True)


def test_what_sources_disagree_over_is_no_hazard_otherwise(suite: Suite, disputed: str) -> None:
    pair = suite.pairs[disputed]
    device, got = suite.run(disputed, corrected=False, hazards="report")
    assert [str(hazard) for hazard in device.hazards] == []
    assert len(device.notes) == bool(pair.note)
    for note in device.notes:
        # Where lanes store sums, the note is at the store, the hazard where one decides.
        assert note.severity == "note" and note.kind in {pair.kind, "order"}
        assert pair.note in note.note and note.line in suite.hazard_lines(disputed)
        assert all(word in str(note) for word in pair.words)
    assert not suite.right or np.array_equal(got, pair.expected(len(got)))


def test_the_report_holds_the_fault_too(suite: Suite, ending: str) -> None:
    pair = suite.pairs[ending]
    device, _ = suite.run(ending, corrected=False, hazards="report", strict=pair.only_strict)
    found = {h.line for h in device.hazards if h.kind == pair.kind}
    assert found & suite.hazard_lines(ending)


def test_what_would_never_end_is_raised_in_report_mode_too(suite: Suite, endless: str) -> None:
    with pytest.raises(Hazard) as caught:
        suite.run(endless, corrected=False, hazards="report")
    assert caught.value.kind == suite.pairs[endless].kind
