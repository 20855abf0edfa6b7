"""Cycles on the pages of instructions: which timed opcode an instruction is, and what it takes.

An instruction of PTX is timed by the name of it that the probes wrote. A product is meant by its
shape and type: `mma.sync.m16n8k16.f16` has A and B of f16, so each timed mma.sync of that shape
with f16 as A is meant, and with f16 as D too, where the page has D.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lanemap.records.schema import Record

from .timing_pages import by_instruction, file_name, folder
from .timing_sources import Source, grouped, plain

_PRODUCT = re.compile(
    r"(?P<verb>mma\.sync|mma\.sp|wgmma)\.m(?P<m>\d+)(?:n(?P<n>\d+))?(?:k(?P<k>\d+))?"
    r"\.(?P<type>\w+?)(?P<part>\.(?:sp|selector)\d+)?"
)
_TIMED = re.compile(
    r"(?P<verb>wgmma\.mma_async|mma)(?P<sparse>\.sp(?:::ordered_metadata)?)?(?:\.sync)?\.aligned"
    r"\.m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+)(?:\.row\.col)?(?:\.satfinite)?"
    r"\.(?P<d>\w+)\.(?P<a>\w+)\.(?P<b>\w+)(?:\..*)?"
)


@dataclass(frozen=True)
class _Opcode:
    """A timed opcode of a target, the instructions of PTX that become it, and its figures."""

    name: str
    target: str
    page: str
    ptx: Sequence[str]
    pairs: Sequence[tuple[tuple[str, str], Sequence[Source]]]


class Timings:
    """What was timed, to be asked by instruction.

    Args:
        rows: Every record; those of timings are taken.
        ptx: By timed opcode the instructions of PTX that become it.
    """

    def __init__(self, rows: Sequence[Record], ptx: Mapping[str, Sequence[str]]) -> None:
        self._opcodes: list[_Opcode] = []
        places: dict[Path, list[Record]] = {}
        for row in rows:
            if row.kind == "timing":
                places.setdefault(folder(row), []).append(row)
        for place, own in places.items():
            for name, found in by_instruction(own).items():
                page = (place / file_name(name)).as_posix()
                pairs = grouped(source for _, source in found)
                names = ptx.get(name, ())
                self._opcodes.append(_Opcode(name, own[0].target, page, names, pairs))

    def of(
        self, name: str, operands: Sequence[str], targets: Sequence[str]
    ) -> tuple[list[dict[str, Any]], str]:
        """What an instruction takes, and why nothing is known if the list is empty.

        Args:
            name: The instruction, as its page is called.
            operands: The operands that the page has.
            targets: The targets that have it.
        """
        if name.startswith("shared."):
            return [], "a layout of shared memory is no instruction: what reads it is timed"
        own = [each for each in self._opcodes if each.target in targets]
        if not own:
            timed = sorted({each.target for each in self._opcodes})
            return [], (
                f"no GPU that has it was timed; the stored rows are of {', '.join(timed) or 'none'}"
            )
        found = [line for each in own for line in _lines(each, name, operands)]
        what = "this shape and type" if _PRODUCT.fullmatch(name) else "it by this name"
        return found, "" if found else f"no stored row of {own[0].target} times {what}"


def _lines(opcode: _Opcode, name: str, operands: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A line for each pair of events and kind of figure of an opcode that is the instruction."""
    product = _PRODUCT.fullmatch(name)
    meant = [ptx for ptx in opcode.ptx if ptx == name or product and _is(product, ptx, operands)]
    if not meant:
        return
    verbs = {ptx.partition(".")[0] for ptx in opcode.ptx}
    columns = product and product["verb"] == "wgmma" and product["n"]
    for number, (events, sources) in enumerate(opcode.pairs):
        if len(verbs) > 1 and meant[0].partition(".")[0] + "." not in events[0]:
            continue  # the opcode stands for another instruction there
        figures = [each.figure for each in sources]
        held = [each for each in figures if each["explained"] and each["value"] is not None]
        if columns:
            held = [each for each in held if str(each.get("axes", {}).get("N")) == columns]
        for kind in dict.fromkeys(each["kind"] for each in held):
            values = [each["value"] for each in held if each["kind"] == kind]
            low, high = plain(min(values)), plain(max(values))
            yield {
                "opcode": opcode.name, "page": f"{opcode.page}#pair-{number}",
                "target": opcode.target, "ptx": meant[0] if len(meant) == 1 else "",
                "from": events[0], "to": events[1], "kind": kind, "figures": len(values),
                "time": low if low == high else f"{low} to {high}", "unit": sources[0].unit,
            }  # fmt: skip


def _is(product: re.Match[str], ptx: str, operands: Sequence[str]) -> bool:
    """Whether an instruction of PTX has the shape of a product, and its type as A or D."""
    timed = _TIMED.fullmatch(ptx)
    if timed is None:
        return False
    sparse = product["verb"] == "mma.sp" or (product["part"] or "").startswith(".sp")
    if timed["verb"].partition(".")[0] != product["verb"].partition(".")[0]:
        return False
    if sparse != bool(timed["sparse"]) and not (product["verb"] == "wgmma" and product["n"]):
        return False
    if any(product[each] not in (None, timed[each]) for each in "mnk"):
        return False
    # Without A the page is one of results, or of what belongs to A (metadata).
    types = {timed["a"] for each in operands if each != "D"} | {
        timed["d"] for each in operands if each == "D"
    }
    return product["type"] in types
