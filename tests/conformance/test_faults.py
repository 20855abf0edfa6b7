"""Faults of compilers: the emulator keeps PTX's promise, and the row says what ptxas made of it."""

from __future__ import annotations

import copy
import hashlib
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lanemap.conformance.agreement import agree
from lanemap.conformance.faults.history import MUSEUM_BY_RELEASE, WRONG, histories, of_fault
from lanemap.conformance.faults.programs import FAULTS, FaultProgram
from lanemap.conformance.faults.trial import LEVELS, TIMES, as_program, words
from lanemap.conformance.forms.judged import accepted
from lanemap.conformance.forms.packing import unpack
from lanemap.conformance.programs.crew import emulate
from lanemap.records.files import read_record
from lanemap.records.schema import Record
from lanemap.toolchain import ptxas, sass
from tools.compilers import ptx_history

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = [program for fault in FAULTS for program in fault.programs]
FAILING = [program for program in PROGRAMS if not program.cure]


@cache
def row() -> Record:
    return read_record(ROOT / "results" / "sm_90a" / "cuda" / "compiler_faults.json")


def stored(program: FaultProgram) -> dict[str, Any]:
    """The row's part on one program."""
    found: list[dict[str, Any]] = [
        item
        for fault in row().findings["faults"]
        for item in fault["programs"]
        if item["name"] == program.name
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_emulator_keeps_the_promise(program: FaultProgram) -> None:
    """The promises are written down from the ISA, in programs.py; none comes from the emulator."""
    output, error = emulate(as_program(program))
    assert not error
    assert words(output) == list(program.promise)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_row_holds_the_program_as_it_stands(program: FaultProgram) -> None:
    item = stored(program)
    assert item["text"] == program.text and item["promise"] == list(program.promise)
    assert {outcome["options"] for outcome in item["outcomes"]} == set(LEVELS)
    for outcome in item["outcomes"]:
        once = 0 if "refused" in outcome else 1  # an error ends the process
        assert outcome["runs"] == (once if outcome.keys() & {"error", "refused"} else TIMES)


@pytest.mark.parametrize("program", FAILING, ids=lambda program: program.name)
def test_each_fault_was_seen_on_silicon_and_each_cure_helps(program: FaultProgram) -> None:
    """At -O3, every time, with CUDA 13's ptxas; with every ptxas a cure comes out right."""
    assert row().evidence == "silicon"
    for outcome in stored(program)["outcomes"]:
        if outcome["options"] == "-O3" and outcome["compiler"].startswith("ptxas 13."):
            assert not outcome.get("as promised", False)
            assert outcome["the same"] == outcome["runs"]
    fault = next(fault for fault in FAULTS if program in fault.programs)
    cures = [other for other in fault.programs if other.cure]
    assert cures
    for other in cures:
        assert all(outcome.get("as promised") for outcome in stored(other)["outcomes"])


def test_a_second_run_is_compared_by_what_came_out() -> None:
    """Another wording of an error, or one compiler fewer, is the same; another word is not."""
    first = row()
    fewer: dict[str, Any] = copy.deepcopy(dict(first.findings))
    for fault in fewer["faults"]:
        for program in fault["programs"]:
            program["outcomes"] = program["outcomes"][:3]
            for outcome in program["outcomes"]:
                if "error" in outcome:
                    outcome["error"] = outcome["error"].replace("kernel", "the kernel")
    assert agree(first, replace(first, findings=fewer))
    for fault in fewer["faults"]:
        for outcome in fault["programs"][0]["outcomes"]:
            outcome.pop("error", None)
            outcome["words"] = [1]
    assert not agree(first, replace(first, findings=fewer))
    for fault in fewer["faults"]:
        for program in fault["programs"]:
            program["outcomes"] = []
    assert not agree(first, replace(first, findings=fewer))


def test_the_page_says_what_the_row_says() -> None:
    """docs/found.md: a section for each fault, the compilers, the words that came out."""
    page = (ROOT / "docs" / "found.md").read_text()
    known = histories([row()])
    anchors = set(re.findall(r'<a id="([\w-]+)"></a>', page))
    assert {fault.name for fault in FAULTS} <= anchors
    for fault in FAULTS:
        section = page.split(f'<a id="{fault.name}"></a>')[1].split("<a id=")[0]
        block = re.search(r"```ptx\n(.*?)```", section, re.DOTALL)
        assert block is not None
        assert any(block[1] in program.text for program in fault.programs)
        # The releases of its first program, as the page's list of compilers has them.
        (_, first, last), *_ = (
            each for each in of_fault(fault.name, known)[0].ranges("-O3") if each[0] == WRONG
        )
        assert f"Compilers: {first} to {last.removeprefix('ptxas ')}" in section


@pytest.mark.parametrize(("program", "claim"), [
    ("redux behind a timed wait", [0xF0] * 32 + [0, 1] * 16),
    ("shfl behind a timed wait", [0] * 32 + [0, 1] * 16),
    ("exchange behind a timed wait", "CUDA_ERROR_ILLEGAL_ADDRESS"),
    ("an object behind a timed wait", "CUDA_ERROR_LAUNCH_FAILED"),
    ("set.gt.f32.s32 under a guard", [0x40E00000, 0x3F800000] * 16),
    ("vadd4.u32.u32.u32.add under a guard", [8 + lane for lane in range(32)]),
    ("ld.param.b128 of a function", [0] * 32),
])  # fmt: skip
def test_what_the_page_says_came_out_is_what_the_row_has(program: str, claim: Any) -> None:
    """The page's figures, written out here once more."""
    item = next(p for p in PROGRAMS if p.name == program)
    for outcome in stored(item)["outcomes"]:
        if outcome["options"] == "-O3" and outcome["compiler"].startswith("ptxas 13."):
            seen = outcome["error"] if "error" in outcome else outcome["words"]
            assert claim in seen if isinstance(claim, str) else seen == claim
    page = (ROOT / "docs" / "found.md").read_text()
    if isinstance(claim, str):
        assert claim in page


def test_the_text_that_crashes_ptxas_still_does() -> None:
    """The page's own text; a ptxas that refuses it, as it should, makes the section history."""
    page = (ROOT / "docs" / "found.md").read_text()
    section = page.split('<a id="crash-v8"></a>')[1]
    block = re.search(r"```ptx\n(.*?)```", section, re.DOTALL)
    assert block is not None
    cubin, messages = ptxas.judge(block[1], "sm_90a")
    assert cubin is None and [m.severity for m in messages] == ["fatal"]
    narrow = (
        block[1]
        .replace("ld.param.v8.b16 {", "ld.param.v4.b16 {")
        .replace("{%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}", "{%a0, %a1, %a2, %a3}")
    )
    cubin, messages = ptxas.judge(narrow, "sm_90a")
    assert cubin is not None  # the rest of the text is right


def test_faults_of_the_museum_begin_with_a_release_of_triton() -> None:
    folders = [ROOT / "results" / target / "emulator" for target in ("sm_90a", "gfx950")]
    rows = [read_record(folder / f"{MUSEUM_BY_RELEASE}.json") for folder in folders]
    known = histories(rows)
    (hoisted,) = of_fault("hoisted_load", known)
    assert hoisted.page == "museum/hoisted_load.py"
    assert hoisted.ranges("sm_90a") == [
        ("refused", "triton 3.0.0", "triton 3.2.0"),
        ("right", "triton 3.3.1", "triton 3.4.0"),
        (WRONG, "triton 3.5.1", "triton 3.6.0"),
    ]
    (own,) = of_fault("in_place", known)  # the script's fault, not Triton's
    assert own.ranges("sm_90a") == [(WRONG, "triton 3.0.0", "triton 3.6.0")]
    for row in rows:
        for fault in row.findings["faults"]:
            assert (ROOT / "museum" / f"{fault['name']}.py").is_file()
            mended = [each for each in fault["programs"] if each["cure"]][0]["outcomes"]
            assert all("refused" in each or each.get("as promised") for each in mended)
            assert any(each.get("as promised") for each in mended)


def test_releases_of_ptxas_accept_what_is_stored_of_ours() -> None:
    """The row was made release by release; what 13.0.88 accepts was stored before, by itself."""
    found = read_record(ROOT / "results" / "sm_90a" / "ptxas" / "compiler_releases.json").findings
    now: set[str] = set()
    for release in found["forms"]["releases"]:
        now = (now | set(unpack(release["gained"]))) - set(unpack(release["lost"]))
        assert len(now) == release["accepted"] == sum(release["families"].values())
        if release["compiler"] == "ptxas 13.0.88":
            assert now == {name for name in accepted("sm_90a") if ptx_history._is_asked(name)}
    for text in found["texts"]:
        content = (ROOT / text["name"]).read_text()
        assert text["ptx"] == f"sha256:{hashlib.sha256(content.encode()).hexdigest()}"
        names = [each["compiler"] for each in text["outcomes"]]
        assert {each["compiler"] for each in found["forms"]["releases"]} <= set(names)


def test_the_instructions_of_a_cubin_are_those_that_the_disassembler_sees() -> None:
    text = (ROOT / "museum" / "tile_reused.ptx").read_text()
    cubin = ptxas.assemble(text, "sm_90a")
    seen = sum(map(len, sass.disassemble(cubin).values()))
    assert len(ptx_history.sass(cubin)) == ptx_history.INSTRUCTION_BYTES * seen > 0
