"""The matrices of access kind by hazard: every cell is reported where it is, and nowhere else.

`make test` plays every fourth hazard of each kind, and of each hazard every fourth kind; what a
hazard or a kind breaks by itself is seen there. `make test-slow` plays the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from tests.emulator.access import (
    gfx950_hazards,
    gfx950_kinds,
    ptx_hazards,
    ptx_kinds,
    tensor_cells,
    tensor_mma_cells,
    wgmma_cells,
    wmma_cells,
)
from tests.emulator.access.cells import Cell, complaints

Make = Callable[[], Cell | str]
EVERY = 9


def _crossed(
    hazards: Mapping[str, Callable[..., Cell | str]], rows: Mapping[str, tuple[Any, ...]]
) -> Iterator[tuple[str, Make, bool]]:
    """The name of each cell, what makes it, and whether it is of the sample."""
    for column, (hazard, make) in enumerate(hazards.items()):
        for number, (row, given) in enumerate(rows.items()):
            yield f"{hazard}: {row}", partial(make, *given), (column + number) % EVERY == 0


def _rows(module: Any) -> dict[str, tuple[Any, ...]]:
    return {module.row_id(name, space): (module.KINDS[name], space) for name, space in module.ROWS}


WMMA_ROWS = {
    ptx_kinds.row_id(name, space): (wmma_cells.KINDS[name], space)
    for name, space in wmma_cells.ROWS
}
WGMMA_ROWS = {
    f"{form}, swizzle {wgmma_cells.SWIZZLES[swizzle]}": (form, swizzle)
    for form, swizzle in wgmma_cells.ROWS
}
MATRICES = {
    "gfx950": _crossed(gfx950_hazards.HAZARDS, _rows(gfx950_kinds)),
    "ptx": _crossed(ptx_hazards.HAZARDS, _rows(ptx_kinds)),
    "wmma": _crossed(wmma_cells.HAZARDS, WMMA_ROWS),
    "wgmma": _crossed(wgmma_cells.HAZARDS, WGMMA_ROWS),
    "wgmma registers": _crossed({"registers": wgmma_cells.registers}, {"branches": ("branches",),
                                                                      "guards": ("guards",)}),
    "tensor memory": _crossed(tensor_cells.HAZARDS, {name: (name,) for name in tensor_cells.ROWS}),
    "tcgen05.mma shared": _crossed(
        tensor_mma_cells.SHARED, {name: (name,) for name in tensor_mma_cells.LAYOUTS}),
    "tcgen05.mma tensor": _crossed(
        tensor_mma_cells.TENSOR, {name: (name,) for name in tensor_mma_cells.FORMS}),
}  # fmt: skip
ALL = [(f"{matrix}: {name}", make, quick) for matrix, cells in MATRICES.items()
       for name, make, quick in cells]  # fmt: skip


def _in_all_modes(make: Any) -> bool:
    """Whether the kind has no twin in another memory that is played in them."""
    kind, space = (*make.args, "")[:2]
    if isinstance(kind, ptx_kinds.Kind):
        return bool(space == kind.spaces[0])
    return not (isinstance(kind, gfx950_kinds.Kind) and kind.flat and space == gfx950_kinds.LDS)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=name, marks=() if quick and number % 2 == 0 else pytest.mark.slow)
        for number, (name, make, quick) in enumerate(ALL)
        if isinstance(make(), Cell)
    ],
)
def test_a_cell(make: Make) -> None:
    cell = make()
    assert isinstance(cell, Cell)
    found = list(complaints(cell, modes=_in_all_modes(make)))
    assert not found, f"{len(found)} of {len(cell.launches)}:\n" + "\n".join(found[:6])


def test_a_hazard_that_does_not_apply_says_why() -> None:
    whys = [why for _, make, _ in ALL if isinstance(why := make(), str)]
    assert whys and all(len(why.split()) >= 3 for why in whys)


def _texts() -> Iterator[tuple[str, str]]:
    """Target and text: every access, and one text of each kind of operand."""
    yield ptx_hazards.TARGET, ptx_hazards.every_access()
    for kind in wmma_cells.KINDS.values():
        for hazard in ("undefined", "origin kept", "order"):
            cell = wmma_cells.HAZARDS[hazard](kind, ptx_kinds.SHARED)
            if isinstance(cell, Cell):
                yield wmma_cells.TARGET, cell.text
                break
    for form in wgmma_cells.FORMS:
        yield wgmma_cells.TARGET, wgmma_cells.text(form)
    yield wgmma_cells.TARGET, wgmma_cells.registers("branches").text
    for form in tensor_mma_cells.FORMS:
        yield tensor_mma_cells.TARGET, tensor_mma_cells.text(form)


def test_ptxas_assembles_the_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for target, text in _texts():
        cubin, messages = ptxas.judge(text, target)
        assert cubin is not None, messages


def test_clang_assembles_every_access() -> None:
    pytest.importorskip("ziglang")
    from lanemap.toolchain.amdgpu import assemble

    lines = "\n".join(kind.text for kind in gfx950_kinds.KINDS.values())
    text = f'.amdgcn_target "amdgcn-amd-amdhsa--gfx950"\n.text\n{lines}\ns_endpgm\n'
    assert assemble(text, "gfx950").startswith(b"\x7fELF")
