"""Tables of rules: one row each, which the C, Python and reports share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lanemap.emulator import ptx
from lanemap.emulator.amdgcn.lower.rules import WAIT_STATES
from lanemap.emulator.amdgcn.lower.rules import Rule as AmdRule
from lanemap.emulator.ptx.lower.rules import Mbarrier, Note, Rule
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.rules import Rules
from tests.test_walls import SYNTAX

EMULATOR = Path(ptx.__file__).parents[1]
HEAD = "number\tname\tsource\tsentence\n"
TRAP = "7\tTRAP\tISA, trap\tstopped by {}\n"


def test_a_row_has_its_number_its_sentence_and_its_place_in_c(tmp_path: Path) -> None:
    (tmp_path / "rules.tsv").write_text(f"{HEAD}{TRAP}2\tCALL\tISA, call\tcalls nothing\n")
    table = Rules(tmp_path / "rules.tsv")
    assert (table.TRAP, table.CALL) == (7, 2)
    assert table.sentences == {7: "stopped by {}", 2: "calls nothing"}
    assert table.header("Rule") == "enum { RULE_TRAP = 7, RULE_CALL = 2 };\n"
    with pytest.raises(AttributeError, match="no row has the name TRAPPED"):
        _ = table.TRAPPED


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("7\tOTHER\tISA\tsays\n", "two rows have the same"),
        ("8\tTRAP\tISA\tsays\n", "two rows have the same"),
        ("8\tOTHER\tsays\n", r"rules.tsv:3: a row has number, name, source, sentence"),
        ("8\tOTHER\t\tsays\n", "rules.tsv:3: a row has"),
        ("x\tOTHER\tISA\tsays\n", "rules.tsv:3: a row has"),
    ],
)
def test_a_wrong_row_is_refused(tmp_path: Path, row: str, message: str) -> None:
    (tmp_path / "rules.tsv").write_text(HEAD + TRAP + row)
    with pytest.raises(ValueError, match=message):
        Rules(tmp_path / "rules.tsv")


def used(in_c: str, in_python: str, *folders: str) -> set[str]:
    """The names that C (`RULE_NAME`) and Python (`Rule.NAME`) of some folders use."""
    text = "\n".join(
        path.read_text()
        for folder in folders
        for path in (EMULATOR / folder).rglob("*.*")
        if path.suffix in (".c", ".h", ".py")
    )
    return set(re.findall(rf"\b(?:{in_c}_|{in_python}\.)([A-Z][A-Z0-9_]+)\b", text))


@pytest.mark.parametrize(
    ("table", "in_c", "in_python", "folders"),
    [
        (Rule, "RULE", "Rule", ["ptx"]),
        (Note, "NOTE", "Note", ["ptx"]),
        (Mbarrier, "MBARRIER", "Mbarrier", ["ptx", "memory_model"]),
        (AmdRule, "AMDGCN", "Rule", ["amdgcn"]),
    ],
)
def test_every_row_is_used_and_every_use_has_a_row(
    table: Rules, in_c: str, in_python: str, folders: list[str]
) -> None:
    no_rules = {"REPLICAS", "BYTES"}  # a note that every front end has; the size of an mbarrier
    assert used(in_c, in_python, *folders) - no_rules == set(table.numbers)


def test_the_memory_model_has_its_own_rules_and_names_no_instruction() -> None:
    assert not used("(?:RULE|AMDGCN)", "Rule", "memory_model")
    assert not [row for row in Mbarrier.rows if SYNTAX.search(row.sentence)]


def test_numbers_do_not_meet_those_of_others() -> None:
    assert all(number < WAIT_STATES for number in AmdRule.sentences)
    assert not Mbarrier.sentences.keys() & Rule.sentences.keys()
    assert all(abi.OWN_NOTES <= number < abi.MOST_NOTES for number in Note.sentences)


def test_every_sentence_takes_the_numbers_of_a_report() -> None:
    for table in (Rule, Mbarrier, AmdRule):
        for row in table.rows:
            assert row.sentence.format(1, 2, 3, 4, earlier="")
