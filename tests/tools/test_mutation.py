"""The mutation run itself: what it changes, which tests it takes, and what it counts."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lanemap.errors import UserError
from tools.mutation import mutants, reach, session, sites, swap
from tools.mutation import score as scores
from tools.mutation.session import Reach, Verdict, _verdict, chosen, optimized

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
    found = {each.name: ast.unparse(each.statement) for each in mutants_of(FUNCTION, tmp_path)}
    ours = "ptx/isa/made.py:semantics"
    assert set(found) == {
        f"{ours}+0: condition negated #1",
        f"{ours}+1: operands swapped #1",
        f"{ours}+1: shl to lshr #1",
        f"{ours}+1: add to sub #1",
        f"{ours}+1: 3 to 4 #1",
        f"{ours}+1: is_signed negated #1",
    }
    assert "b.alu.shl(b.alu.sub(s.x, 3)" in found[f"{ours}+1: add to sub #1"]
    assert "shl(is_signed(s.kind), b.alu.add" in found[f"{ours}+1: operands swapped #1"]
    assert "bool(not is_signed(s.kind))" in found[f"{ours}+1: is_signed negated #1"]
    assert "if not s.flag('sat')" in found[f"{ours}+0: condition negated #1"]


LOOP = """
for bits in (32, 64):

    @instruction(f"load_b{bits}", "d, a", size=3)
    def load(c, size=bits // 8):
        return c.load(size)

define("v_mfma", Shape(16))
"""


def test_definitions_in_loops_and_calls_that_define_are_mutated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sites, "EMULATOR", tmp_path)
    found = {each.name: ast.unparse(each.statement) for each in mutants_of(LOOP, tmp_path)}
    ours = "ptx/isa/made.py"
    assert set(found) == {
        f"{ours}:load+0: FloorDiv to Mult #1",
        f"{ours}:load+0: 8 to 9 #1",
        f"{ours}:define+0: 16 to 17 #1",
    }
    assert "size=bits // 9)" in found[f"{ours}:load+0: 8 to 9 #1"]


@pytest.mark.parametrize("call", [
    "b.alu.compare('eq', x, y)", "b.alu.compare('uno', x, y)", "b.alu.float_op('fmul', x, y)",
    "b.alu.extremum(operation, x, y)", "b.alu.intrinsic('smin', x, y)", "b.alu.disjoint(x, y)",
    "b.alu.and_(x, y)", "b.alu.add(x, y)", "b.alu.intrinsic('maximum', x, y)",
])  # fmt: skip
def test_operands_that_commute_are_not_swapped(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sites, "EMULATOR", tmp_path)
    changes = [each.change for each in mutants_of(f"def f(b):\n    return {call}\n", tmp_path)]
    assert "operands swapped" not in changes
    other = "def f(b):\n    return b.alu.compare('ult', x, y)\n"
    assert "operands swapped" in [each.change for each in mutants_of(other, tmp_path)]


def test_a_sample_is_the_same_again_and_has_every_file() -> None:
    names = [each.name for each in sites.sample("ptx", 20, 1)]
    assert names == [each.name for each in sites.sample("ptx", 20, 1)]
    assert names != [each.name for each in sites.sample("ptx", 20, 2)]
    with_mutants = {sites.relative(path) for path in sites.files("ptx") if [*sites.mutants(path)]}
    assert {name.partition(":")[0] for name in names} == with_mutants


MADE = '''
"""A module."""
from __future__ import annotations


def define(name):
    TABLE[name] = lambda: name


for each in ("one", "two"):
    define(each)
define("three")


def helper(x):
    return x
'''


def test_every_statement_is_announced_and_what_runs_at_import_is_told_by_form() -> None:
    hits: list[int] = []
    table: dict[str, Any] = {}
    at_import = swap._Import(table)
    space = {
        "TABLE": table, swap.BEGIN: lambda line: at_import.begin("made.py", line),
        swap.HIT: lambda line: at_import.hit(str(line)) if at_import.running else hits.append(line),
    }  # fmt: skip
    exec(compile(swap._instrumented(ast.parse(MADE)), "made.py", "exec"), space)
    lines = at_import.lines_of_forms()
    assert lines["one"] == lines["two"] >= {"made.py:10", "11", "7"}
    assert lines["three"] >= {"made.py:12", "7"} and not {"made.py:10", "11"} & lines["three"]
    assert "made.py:12" not in lines["one"]
    space["helper"](1)  # type: ignore[operator]
    assert hits == [16]


CODE = """define i32 @block(ptr %w) {{
  %x = load i32, ptr %w
  %f = icmp slt i32 %x, 0
  %y = {extend} i1 %f to i32
  %z = and i32 %y, {mask}
  ret i32 %z
}}"""


def test_equal_code_is_recognized_by_what_llvm_makes_of_it() -> None:
    """A flag may be extended either way if all but its lowest bit is then masked."""
    zext, sext = CODE.format(extend="zext", mask=1), CODE.format(extend="sext", mask=1)
    assert optimized(zext) == optimized(sext)
    assert optimized(zext) != optimized(CODE.format(extend="sext", mask=3))


def test_only_tests_of_other_code_kill() -> None:
    tests = ["a", "b"]

    def status(*told: Any) -> str:
        return _verdict("m", tests, list(told)).status

    assert _verdict("m", tests, [["a", True, True], ["b", False, True]]) == (
        Verdict("m", "killed", "b", 2)
    )
    # What cannot be built any more in one place, and is other code elsewhere, is noticed.
    assert status(["a", True, True], ["b", False, False]) == "killed"
    assert status(["a", False, False], ["b", True, True]) == "killed"
    assert status(["a", True, True], ["b", True, False]) == "survived"
    assert status(["a", True, False], ["b", True, False]) == "unchanged"
    assert status(["a", False, False], ["b", True, False]) == "refused"
    assert status(["a", True, True], "hang") == status("crash") == "killed"
    assert status() == "refused"


def test_tests_are_chosen_by_what_they_execute(monkeypatch: pytest.MonkeyPatch) -> None:
    path = sites.EMULATOR / "ptx" / "isa" / "integers.py"
    mutant = next(iter(sites.mutants(path)))
    line = f"{mutant.file}:{mutant.line}"
    reach = {
        "slow": Reach([line, "else"], [1], 9),
        "quick": Reach([line, "else", "more"], [2], 1),
        "other": Reach(["else"], [], 1),
    }
    assert chosen(mutant, reach) == ["quick", "slow"]
    reach["broad"] = Reach([line, *map(str, range(9))], [3], 5)
    assert chosen(mutant, reach) == ["quick", "slow", "broad"]
    monkeypatch.setattr(session, "MOST_LINES", 10)
    assert chosen(mutant, reach) == ["quick", "slow"]
    # What tests that share a launch emit counts once.
    reach["same launch"] = Reach([line, "else"], [1], 9)
    monkeypatch.setattr(session, "MOST_LINES", 15)
    assert chosen(mutant, reach) == ["quick", "same launch", "broad", "slow"]
    monkeypatch.setattr(session, "MOST_TESTS", 1)
    assert chosen(mutant, reach) == ["quick"]
    monkeypatch.setattr(session, "MOST_TESTS", 3)
    names = ["a.py::1", "a.py::2", "a.py::3", "b.py::1"]
    reach = {name: Reach([line], [at], 1) for at, name in enumerate(names)}
    assert chosen(mutant, reach) == ["a.py::1", "b.py::1", "a.py::2"]


def test_what_a_test_reaches_is_packed_and_unpacked() -> None:
    found = Reach(["ptx/isa/a.py:3", "ptx/isa/a.py:7", "ptx/isa/b.py:1"], [0, 0xFFFFFFFF], 5)
    assert reach.unpacked({"a": json.loads(json.dumps(reach._packed(found)))}) == {"a": found}


WHERE = "tests/emulator/ptx/test_written_out.py::"
WHERE += "test_the_sign_of_a_field_that_leaves_the_register_is_its_last_bit"
ALONE = f"""
from tools.mutation import session, sites, suite
session.prepare()
tests = suite.collected(["tests/emulator/ptx/test_written_out.py"])
name = {WHERE!r}
reach = {{name: session.measure("ptx", tests[name])}}
for mutant in sites.sample("ptx", 1, 1):
    if "bits.py:bfe+15" in mutant.name:
        print(session.judge(mutant, tests, reach).status)
"""


@pytest.mark.slow
def test_a_statement_from_end_to_end() -> None:
    """One statement of bfe: where the sign of a field is that leaves the register.

    Bits 35, 33 (1 of the word) and 30 in the place of bit 31 are zero.
    """
    command = [sys.executable, "-c", ALONE]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    assert ended.stdout.split() == ["killed"] * 3


def test_a_word_stands_for_the_mutants_whose_names_contain_it() -> None:
    few = mutants._chosen(["amdgcn/isa/cube.py:"])
    assert few and all("isa/cube.py:" in name for name in few)
    assert mutants._chosen(few[:1]) == few[:1]
    unnoticed = scores.stored("ptx").unnoticed
    assert mutants._chosen(["ptx", mutants.OPEN]) == [n for n in mutants.items() if n in unnoticed]
    with pytest.raises(UserError, match="no such mutant's name contains nothing"):
        mutants._chosen(["nothing"])
    with pytest.raises(UserError, match="'none' is neither a front end nor one of its tests"):
        reach._chosen(["none"])
