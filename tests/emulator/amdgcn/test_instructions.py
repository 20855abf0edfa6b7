"""The stored list of gfx950's instructions against clang, and what of it is executed."""

from __future__ import annotations

import re

import pytest

from lanemap.conformance.instructions import accepted, candidates, family, judge, shares
from lanemap.emulator.amdgcn.lower.refused import why_refused
from lanemap.emulator.amdgcn.lower.table import SPELLINGS, TABLE, lookup
from tests.emulator.amdgcn.test_table import canonical, theirs

lookup("s_nop")  # fills the table
#: Other names that the assembler does not keep in its table of mnemonics.
ALIASES = {"v_accvgpr_read", "v_accvgpr_write"}


def executed(name: str) -> bool:
    return lookup(name) is not None


def test_the_stored_list_is_what_clang_accepts() -> None:
    pytest.importorskip("ziglang", reason="judged by the clang of the ziglang package")
    assert tuple(judge(candidates())) == accepted()


def test_every_instruction_of_the_emulator_is_listed() -> None:
    assert (set(TABLE) | set(SPELLINGS)) - set(accepted()) == ALIASES


def test_what_is_executed_is_assembled_by_clang() -> None:
    """A line for each, with operands as the emulator's table says, and for each other name."""
    lines = {name: canonical(definition) for name, definition in TABLE.items()}
    lines |= {old: lines[new].replace(new, old) for old, new in SPELLINGS.items()}
    assert set(lines) == {name for name in accepted() if executed(name)} | ALIASES
    assert None not in theirs(list(lines.values()))


def test_what_is_refused_has_a_reason() -> None:
    for name in accepted():
        reason = why_refused(name)
        assert bool(reason) != executed(name), name
        assert not reason or reason.startswith("because ")


def test_shares_add_up() -> None:
    *families, total = shares(executed)
    assert (total.accepted, total.executed) == (
        sum(each.accepted for each in families),
        sum(each.executed for each in families),
    )
    assert total.accepted == len(accepted()) and 0 < total.executed < total.accepted
    (matrix,) = (each for each in families if each.family == "matrix products")
    products = [name for name in accepted() if re.match(r"v_s?mfmac?_|v_accvgpr_", name)]
    assert matrix.accepted == len(products) == matrix.executed + 1
    assert not executed("v_mfma_ld_scale_b32")
    assert family("v_cmpx_lt_f32") == "comparison" and family("ds_read_b32") == "LDS"
