"""The mutation run itself: what it changes, which tests it takes, and what it counts."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.mutation import sites
from tests.mutation.session import Reach, Verdict, _verdict, chosen
from tests.mutation.swap import HIT, _instrumented, mutate, replace

ROOT = Path(__file__).resolve().parents[2]
FUNCTION = '''
def semantics(s):
    """Not mutated: add."""
    if s.flag("sat"):
        raise ValueError("sub" + str(1))
    return lambda b: b.alu.shl(b.alu.add(s.x, 3), is_signed(s.kind))
'''


def mutants_of(text: str, folder: Path) -> list[sites.Mutant]:
    path = folder / "ptx" / "isa" / "made.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return list(sites.mutants(path))


def test_each_mutant_changes_one_thing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sites, "EMULATOR", tmp_path)
    found = {each.name: ast.unparse(each.definition) for each in mutants_of(FUNCTION, tmp_path)}
    ours = "ptx/isa/made.py:semantics"
    assert set(found) == {
        f"{ours}+2: condition negated #1",
        f"{ours}+4: operands swapped #1",
        f"{ours}+4: shl to lshr #1",
        f"{ours}+4: add to sub #1",
        f"{ours}+4: 3 to 4 #1",
        f"{ours}+4: is_signed negated #1",
    }
    assert "b.alu.shl(b.alu.sub(s.x, 3)" in found[f"{ours}+4: add to sub #1"]
    assert "shl(is_signed(s.kind), b.alu.add" in found[f"{ours}+4: operands swapped #1"]
    assert "bool(not is_signed(s.kind))" in found[f"{ours}+4: is_signed negated #1"]
    assert "if not s.flag('sat')" in found[f"{ours}+2: condition negated #1"]


def test_a_sample_is_the_same_again_and_has_every_file() -> None:
    names = [each.name for each in sites.sample("ptx", 100, 1)]
    assert names == [each.name for each in sites.sample("ptx", 100, 1)]
    assert names != [each.name for each in sites.sample("ptx", 100, 2)]
    with_mutants = {path.name for path in sites.files("ptx") if list(sites.mutants(path))}
    assert {name.partition(":")[0].rpartition("/")[2] for name in names} == with_mutants


def test_every_statement_is_announced() -> None:
    (function,) = ast.parse(FUNCTION).body
    assert isinstance(function, ast.FunctionDef)
    text = ast.unparse(_instrumented(function))
    assert text.count(HIT) == 4  # docstring, if, raise, return


def test_a_mutant_takes_the_place_of_the_function_for_all_who_hold_it() -> None:
    from lanemap.emulator.ptx.isa import integers
    from lanemap.emulator.ptx.lower.table import TABLE

    path = sites.EMULATOR / "ptx" / "isa" / "integers.py"
    mutant = next(m for m in sites.mutants(path) if m.function == "_result_type")
    held, before = integers._result_type, integers._result_type("s32", "wide")
    old = held.__code__
    try:
        mutate(mutant)
        assert integers._result_type is held and held("s32", "wide") != before
    finally:
        held.__code__ = old
    assert TABLE["add"].function is integers.add
    definition = next(f for f in sites.functions(path) if f.name == "_result_type")
    assert held("s32", "wide") == before and replace(mutant.file, definition).co_name == old.co_name


def test_only_a_test_that_saw_other_code_kills() -> None:
    tests = ["a", "b"]

    def status(*told: Any) -> str:
        return _verdict("m", tests, list(told)).status

    assert _verdict("m", tests, [["a", True, True], ["b", False, True]]) == (
        Verdict("m", "killed", "b", 2)
    )
    assert status(["a", True, True], ["b", True, False]) == "survived"
    assert status(["a", True, False], ["b", True, False]) == "unchanged"
    assert status(["a", False, False], ["b", True, False]) == "refused"
    assert status(["a", True, True], "hang") == status("crash") == "killed"


def test_tests_are_chosen_by_what_they_execute() -> None:
    path = sites.EMULATOR / "ptx" / "isa" / "integers.py"
    mutant = next(iter(sites.mutants(path)))
    line = f"{mutant.file}:{mutant.line}"
    reach = {
        "slow": Reach(9, True, [line, "else"]),
        "quick": Reach(1, True, [line, "else", "more"]),
        "other": Reach(1, True, ["else"]),
    }
    assert chosen(mutant, reach, 4) == ["quick", "slow"]
    assert chosen(mutant, reach, 1) == ["slow"]


def test_a_run_from_end_to_end(tmp_path: Path) -> None:
    """One statement of bfe: where the sign of a field is that leaves the register."""
    test = "tests/emulator/ptx/test_written_out.py::"
    test += "test_the_sign_of_a_field_that_leaves_the_register_is_its_last_bit"
    out = tmp_path / "score.json"
    words = ["--front", "ptx", "--full", "--only", "bits.py:bfe+21", "--tests", test]
    command = [sys.executable, "-m", "tests.mutation", *words, "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT, timeout=600)
    score = json.loads(out.read_text())["ptx"]
    # Bits 35, 33 (1 of the word) and 30 in the place of bit 31 are zero.
    assert (score["killed"], score["survivors"], score["unreached"]) == (3, [], [])
