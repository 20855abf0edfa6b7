"""The stored lists of instructions against clang, and what of them is executed."""

from __future__ import annotations

import re

import pytest

from lanemap.conformance.instructions import candidates, family, judge, shares
from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower.refused import why_refused
from lanemap.emulator.amdgcn.lower.table import SPELLINGS, TABLE, lookup
from lanemap.emulator.api import executes
from lanemap.targets import TARGETS, instructions_of
from tests.emulator.amdgcn.test_table import canonical, theirs

AMD = [each.name for each in TARGETS.values() if not each.is_nvidia]
#: Other names that the assembler does not keep in its table of mnemonics.
ALIASES = {"v_accvgpr_read", "v_accvgpr_write"}


@pytest.mark.parametrize("target", AMD)
def test_the_stored_list_is_what_clang_accepts(target: str) -> None:
    pytest.importorskip("ziglang", reason="judged by the clang of the ziglang package")
    assert set(judge(candidates(), target)) == instructions_of(target)


def test_every_instruction_of_the_emulator_is_listed() -> None:
    listed = set().union(*map(instructions_of, AMD))
    assert (set(TABLE) | set(SPELLINGS)) - listed == ALIASES


def _in_older_words(line: str) -> str:
    """The bits of caches as gfx90a calls them; its scratch needs an address."""
    line = line.replace(" sc0", " glc")
    return re.sub("off$", "s9", line) if line.startswith("scratch_") else line


@pytest.mark.parametrize("target", AMD)
def test_what_is_executed_is_assembled_by_clang(target: str) -> None:
    """A line for each, with operands as the emulator's table says, and for each other name."""
    older = TARGETS[target].cache_bits != ("sc0", "sc1", "nt")
    lines = {}
    for name in {*TABLE, *SPELLINGS}:
        definition = lookup(name, target)
        if definition is not None:
            line = canonical(definition).replace(definition.name, name)
            lines[name] = _in_older_words(line) if older else line
    assert (
        set(lines) == {name for name in instructions_of(target) if executes(name, target)} | ALIASES
    )
    assert None not in theirs(list(lines.values()), target)


@pytest.mark.parametrize("target", AMD)
def test_what_is_refused_has_a_reason(target: str) -> None:
    for name in sorted(instructions_of(target)):
        reason = why_refused(name)
        assert bool(reason) != executes(name, target), name
        assert not reason or reason.startswith("because ")


@pytest.mark.parametrize("target", AMD)
def test_shares_add_up(target: str) -> None:
    *families, total = shares(target, executes)
    assert (total.accepted, total.executed) == (
        sum(each.accepted for each in families),
        sum(each.executed for each in families),
    )
    listed = sorted(instructions_of(target))
    assert total.accepted == len(listed) and 0.95 * total.accepted < total.executed < total.accepted
    (matrix,) = (each for each in families if each.family == "matrix products")
    products = [name for name in listed if re.match(r"v_s?mfmac?_|v_accvgpr_", name)]
    unknown = {"v_mfma_ld_scale_b32"} & set(products)
    assert matrix.accepted == len(products) == matrix.executed + len(unknown)
    assert not executes("v_mfma_ld_scale_b32", target)
    assert family("v_cmpx_lt_f32") == "comparison" and family("ds_read_b32") == "LDS"
