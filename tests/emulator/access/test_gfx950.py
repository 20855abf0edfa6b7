"""The matrix of access kind by hazard, gfx950."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.emulator.access.cells import Cell, complaints
from tests.emulator.access.gfx950_hazards import HAZARDS
from tests.emulator.access.gfx950_kinds import KINDS, ROWS, row_id
from tests.emulator.access.known import GFX950, gap


def _cells() -> Iterator[Any]:
    for hazard in HAZARDS:
        for name, memory in ROWS:
            if isinstance(HAZARDS[hazard](KINDS[name], memory), Cell):
                cell = f"{hazard}: {row_id(name, memory)}"
                reason = gap(GFX950, cell)
                marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
                yield pytest.param(hazard, name, memory, id=cell, marks=marks)


CELLS = list(_cells())


@pytest.mark.parametrize(("hazard", "name", "memory"), CELLS)
def test_a_cell(hazard: str, name: str, memory: str) -> None:
    cell = HAZARDS[hazard](KINDS[name], memory)
    assert isinstance(cell, Cell)
    found = list(complaints(cell, modes=not name.endswith(" of LDS")))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


def test_what_is_known_to_fail_is_a_cell() -> None:
    for pattern in GFX950:
        assert any(gap({pattern: "known"}, str(cell.id)) for cell in CELLS), pattern


def test_a_hazard_that_does_not_apply_says_why() -> None:
    for hazard in HAZARDS.values():
        for name, memory in ROWS:
            cell = hazard(KINDS[name], memory)
            assert isinstance(cell, Cell) or len(cell.split()) >= 3


def test_clang_assembles_every_access() -> None:
    pytest.importorskip("ziglang")
    from lanemap.toolchain.amdgpu import assemble

    lines = "\n".join(kind.text for kind in KINDS.values())
    text = f'.amdgcn_target "amdgcn-amd-amdhsa--gfx950"\n.text\n{lines}\ns_endpgm\n'
    assert assemble(text, "gfx950").startswith(b"\x7fELF")
