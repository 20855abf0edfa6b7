"""Every instruction with its maps, texts, plans and sources, as the pages of the site show them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from lanemap.drawing.grid import drawn_units, grid_of
from lanemap.drawing.packed import packed
from lanemap.drawing.sheet import preview
from lanemap.emission.copies import fitting
from lanemap.emission.layouts import (
    FORMATS,
    emit_c,
    emit_cute,
    emit_gluon,
    emit_python,
    emit_triton,
)
from lanemap.errors import LanemapError, UserError
from lanemap.layout import LayoutMap
from lanemap.layout.f2 import F2Fit, axis_bits
from lanemap.layout.fits import fit_layout
from lanemap.model import Variant, variants
from lanemap.model.names import base
from lanemap.probing.compare.best import CELL_BITS, best_map, coarse
from lanemap.probing.compare.comparison import compare
from lanemap.records.files import Roots
from lanemap.records.lookup import all_observations
from lanemap.sweeping.executors import side_by_side

#: Shares of the instructions for each core; each share reads the rows anew.
SHARES = 4
#: Instructions of a share at least.
LEAST = 24
WORDS = {bits: name for name, bits in CELL_BITS.items()}


#: What is told of an instruction, or of one of its operands.
Told = dict[str, Any]


def instructions(results: Roots, compared: Mapping[str, Any], wanted: str = "") -> list[Told]:
    """Every listed instruction, in the model's order.

    Args:
        results: Folders of observations.
        compared: What `lanemap compare --json` says of variants that were observed.
        wanted: Only instructions whose name has this text, or one of several with commas between.
    """
    groups: dict[str, list[Variant]] = {}
    for each in variants():
        groups.setdefault(base(each.name), []).append(each)
    texts = wanted.split(",")
    names = [name for name in groups if any(text in name for text in texts)]
    size = max(LEAST, -(-len(names) // (SHARES * (os.cpu_count() or 1))))
    shares = [names[at : at + size] for at in range(0, len(names), size)]
    calls = [partial(_share, results, dict(compared), share) for share in shares]
    if len(calls) < 2:
        return [one for call in calls for one in call()]
    with side_by_side(calls) as found:
        return [one for share in found for one in share]


def _share(results: Roots, compared: Mapping[str, Any], names: Sequence[str]) -> list[Told]:
    wanted = set(names)
    groups: dict[str, list[Variant]] = {name: [] for name in names}
    for each in variants():
        if base(each.name) in wanted:
            groups[base(each.name)].append(each)
    own = [each for group in groups.values() for each in group]
    seen = all_observations({each.name for each in own}, results)
    return [_instruction(name, group, seen, compared) for name, group in groups.items()]


def _instruction(
    name: str, group: Sequence[Variant], seen: Mapping[str, Any], compared: Mapping[str, Any]
) -> Told:
    grids, operands = [], []
    for each in group:
        layout, says = best_map(each, "best", seen.get(each.name, []))
        grids.append(grid_of(layout, each.name, (each.formula,)))
        operands.append(_operand(name, each, layout, says, compared))
    first = group[0]
    return {
        "name": name,
        "targets": list(first.targets),
        "family": first.family,
        "operands": operands,
        "preview": preview(grids),
    }


def _operand(
    name: str, each: Variant, layout: LayoutMap, says: Sequence[str], compared: Mapping[str, Any]
) -> Told:
    held = compared.get(each.name) or compare(each.name).to_json()
    return {
        "name": each.name,
        "operand": each.name[len(name) + 1 :],
        "formula": each.formula,
        "legality": each.legality,
        "gauge": each.gauge,
        "rest": each.rest,
        "citations": list(each.citations),
        "says": list(says),
        "map": packed(layout) | {"name": each.name},
        "texts": _texts(each.name, layout),
        "comparison": held,
        "plans": _plans(each, layout),
    }


def _texts(name: str, layout: LayoutMap) -> list[dict[str, str]]:
    """The map in every language, each with the command that prints it; or why there is none."""
    cells = WORDS.get(drawn_units(layout).here.unit, "bit")
    try:
        layout = coarse(layout, cells)
    except UserError:
        cells = "bit"
    wide = "" if cells == "bit" else f" --cells {cells}"
    found = []
    for form, told in _written(_Key(layout)).items():
        command = f"lanemap emit {name} --as {form if form in FORMATS else 'formula'}{wide}"
        found.append({"form": form, "command": command} | told)
    return found


@dataclass(frozen=True, eq=False)
class _Key:
    """A map by its contents: many variants have the same one, and texts and plans are its own."""

    layout: LayoutMap

    @cached_property
    def digest(self) -> tuple[Any, ...]:
        table = hashlib.sha256(np.ascontiguousarray(self.layout.table).tobytes()).digest()
        return self.layout.destination, self.layout.source, table

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.digest == other.digest


@lru_cache(maxsize=16)
def _written(key: _Key) -> dict[str, dict[str, str]]:
    """A map's text, or why it has none, by language."""
    layout = key.layout
    makers: dict[str, Callable[[], str]] = {
        "formula": lambda: fit_layout(layout).formula() + "\n",
        "F2 matrix": lambda: _matrix(layout),
        "cute": lambda: emit_cute(layout),
        "c": lambda: emit_c(fit_layout(layout), "source"),
        "python": lambda: emit_python(fit_layout(layout), "source"),
        "triton": lambda: emit_triton(layout),
        "gluon": lambda: emit_gluon(layout),
    }
    found = {}
    for form, make in makers.items():
        try:
            found[form] = {"text": make()}
        except UserError as error:
            found[form] = {"reason": str(error)}
    return found


def _matrix(layout: LayoutMap) -> str:
    """The matrix over F2, a row for each bit of the source."""
    fit = fit_layout(layout, "f2")
    if not isinstance(fit, F2Fit):
        raise TypeError("a fit over F2 was asked for")
    columns = " ".join(f"{axis}.{bit}" for axis, bit in axis_bits(layout.destination))
    lines = [f"# rows: bits of the {layout.source.name} cell; columns: {columns}; then the offset"]
    bits = axis_bits(layout.source)
    for (axis, bit), row, offset in zip(bits, fit.matrix, fit.offset, strict=True):
        lines.append(f"{''.join(str(int(entry)) for entry in row)} {int(offset)}  {axis}.{bit}")
    return "\n".join(lines) + "\n"


def _plans(each: Variant, layout: LayoutMap) -> list[Told]:
    """The loads and stores that fit a place in tensor memory."""
    if not each.name.startswith("tcgen05.mma") or layout.destination.name != "tmem":
        return []
    return _fitting(_Key(layout))


@lru_cache(maxsize=16)
def _fitting(key: _Key) -> list[Told]:
    try:
        fits = fitting(key.layout)
    except LanemapError:
        return []
    return [
        {
            "verb": fit.verb,
            "shape": fit.shape,
            "issues": fit.plan.instructions,
            "registers": fit.registers,
            "variants": list(fit.plan.variants),
        }
        for fit in fits
    ]
