"""Mutants of instructions take the place of the functions in the tables of instructions."""

from __future__ import annotations

from typing import Any

import pytest

from lanemap.emulator.amdgcn import isa as amdgcn_isa  # noqa: F401  fills the table
from lanemap.emulator.amdgcn.lower.table import TABLE as AMDGCN
from lanemap.emulator.ptx.isa import integers
from lanemap.emulator.ptx.lower.table import TABLE as PTX
from tools.mutation import sites, swap


@pytest.fixture
def unchanged() -> Any:
    yield
    swap.execute("ptx", {})
    swap.execute("amdgcn", {})


def test_a_mutant_takes_the_place_of_the_function(unchanged: Any) -> None:
    path = sites.EMULATOR / "ptx" / "isa" / "integers.py"
    mutant = next(m for m in sites.mutants(path) if m.function == "_result_type")
    before, names = integers._result_type("s32", "wide"), list(PTX)
    swap.mutate(mutant)
    assert integers._result_type("s32", "wide") != before
    assert list(PTX) == names and PTX["add"].function is integers.add


def test_a_mutant_of_a_definition_in_a_loop_reaches_the_table(unchanged: Any) -> None:
    path = sites.EMULATOR / "amdgcn" / "isa" / "lds.py"
    assert AMDGCN["ds_read_b128"].function.__defaults__ == (16,)
    mutant = next(m for m in sites.mutants(path) if m.function == "ds_read" and "8 to 9" in m.name)
    swap.mutate(mutant)
    assert AMDGCN["ds_read_b128"].function.__defaults__ == (14,)
