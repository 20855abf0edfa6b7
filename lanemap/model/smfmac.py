"""SMFMAC of CDNA 3 and 4: sparse products, of which A keeps two of every four elements along k.

A lane holds kept elements of row l mod M of A, and all elements of some k of column l mod N of B.
The index has 4 bits for each two kept elements that follow each other in a lane, in the same lane:
bits 1:0 say which of the four elements the first one is, bits 3:2 which the second. One register
holds several sets of them where they fit; abid chooses one. C and D lie as those of dense MFMA.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.mfma import (
    FP8,
    LANES,
    LEGALITY,
    Operand,
    Shape,
    named,
    operand_map,
    result_map,
)
from lanemap.model.variant import Variant
from lanemap.targets import targets_with

_SILICON = (
    "ROCm/hip-fpsan, tests of SMFMAC (LayoutMatchesHardware, SmfmacFp8), which AMD ran on MI350; "
    "not of i8"
)
_WIDTHS = "llvm/llvm-project, MLIR's amdgpu.sparse_mfma: one packing for all 8-bit types"
_SETS = (
    "AMD CDNA3 ISA, SMFMAC: CBSZ and ABID; llvm/llvm-project PR 193541: gfx950's doubled K has "
    "half as many sets"
)
_LEGALITY = f"{LEGALITY}; the index is a VGPR"


@dataclass(frozen=True)
class Form(Shape):
    """One SMFMAC."""

    @property
    def kept(self) -> int:
        """Elements of A in one lane."""
        return self.side * self.depth // 2 // LANES

    @property
    def sets(self) -> int:
        """Sets of indices that one register has room for."""
        return 32 // (2 * self.kept)


_HALVES, _BYTES = ("f16", "bf16"), ("i8", *FP8)
FORMS = tuple(
    Form(*named("v_smfmac", size, types))
    for size, kinds in (
        ("16x16x32", _HALVES),
        ("32x32x16", _HALVES),
        ("16x16x64", _HALVES),
        ("32x32x32", _HALVES),
        ("16x16x64", _BYTES),
        ("32x32x32", _BYTES),
        ("16x16x128", _BYTES),
        ("32x32x64", _BYTES),
    )
    for types in kinds
)


def kept_of(form: Form, group: Any, element: Any) -> Any:
    """Which of the kept elements of its row is element n of lane group g = lane / side."""
    if form.bits == 16:
        return form.kept * group + element
    word, byte = element // 4, element % 4
    half = form.depth // 4  # kept elements of half a row
    if form.kept == 8:
        return half * word + 4 * group + byte
    if form.side == 32:
        return half * group + 8 * (word % 2) + 4 * (word // 2) + byte
    return half * (group // 2) + 8 * (group % 2) + 16 * (word % 2) + 4 * (word // 2) + byte


def k_of(form: Form, group: Any, element: Any) -> Any:
    """Return k of element n of B of lane group g = lane / side: groups take runs of 8 in turn."""
    return LANES // form.side * 8 * (element // 8) + 8 * group + element % 8


def _kept(form: Form) -> Operand:
    """A: kept elements 2 * q and 2 * q + 1 of a row are those of k = 4 * q to 4 * q + 3."""
    rule = partial(kept_of, form)
    formula = _kept_formula(form)
    return Operand(form.side, form.depth // 2, form.bits, rule, formula, along="kept")


def _dense(form: Form) -> Operand:
    """B, as of dense MFMA but for its k."""
    formula = (
        f"element n of lane l: column l%{form.side}, "
        f"k = {LANES // form.side * 8}*(n/8) + 8*(l/{form.side}) + n%8"
    )
    return Operand(form.side, form.depth, form.bits, partial(k_of, form), formula)


def index_map(form: Form, number: int) -> LayoutMap:
    """The register of the index: row, group of four k, bit 4 of them.

    Args:
        form: The instruction.
        number: Which set abid chooses; the bits of others are not read.
    """
    register = Space("register", (("lane", LANES), ("register", 1), ("bit", 32)))
    index = Space("index", (("row", form.side), ("group", form.depth // 4), ("bit", 4)))
    width = 2 * form.kept

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = bit % width
        group = kept_of(form, lane // form.side, place // 4 * 2) // 2
        bit_of = np.where(bit // width == number, place % 4, UNDEFINED)
        return {"row": lane % form.side, "group": group, "bit": bit_of}

    return LayoutMap.from_function(register, index, source)


_KEPT = {
    16: "kept element {kept}*(l/{side}) + n",
    8: "kept element {half}*(n/4) + 4*(l/{side}) + n%4",
}
_KEPT_DOUBLED = {
    16: "kept element 32*(l/32) + 8*((l/16)%2) + 16*((n/4)%2) + 4*(n/8) + n%4",
    32: "kept element 16*(l/32) + 8*((n/4)%2) + 4*(n/8) + n%4",
}


def _kept_formula(form: Form) -> str:
    words = _KEPT[form.bits]
    if form.kept == 16:
        words = _KEPT_DOUBLED[form.side]
    said = words.format(kept=form.kept, side=form.side, half=form.depth // 4)
    return f"element n of lane l: row l%{form.side}, {said}"


def variants() -> list[Variant]:
    """A, B, D and each set of indices of the sparse MFMA."""
    found: list[Variant] = []
    for form in FORMS:
        found += [
            Variant(
                name=f"{form.name}:{letter}",
                targets=targets_with(form.name),
                family="SMFMAC operand",
                formula=chosen.formula,
                citations=(_SILICON, _WIDTHS),
                legality=_LEGALITY,
                build=partial(operand_map, chosen, letter),
            )
            for letter, chosen in (("A", _kept(form)), ("B", _dense(form)))
        ]
        found.append(
            Variant(
                name=f"{form.name}:D",
                targets=targets_with(form.name),
                family="SMFMAC result",
                formula=f"as of dense MFMA of {form.side}x{form.side}",
                citations=(_SILICON, _WIDTHS),
                legality=_LEGALITY,
                build=partial(result_map, form.side),
            )
        )
        found += [
            Variant(
                name=f"{form.name}:index.set{number}",
                targets=targets_with(form.name),
                family="SMFMAC index",
                formula=f"bits {2 * form.kept * number} to {2 * form.kept * (number + 1) - 1} of "
                "lane l: 4 bits for each two elements of A that follow each other in the lane",
                citations=(_SILICON, _SETS),
                legality=_LEGALITY,
                build=partial(index_map, form, number),
                rest="not read" if form.sets > 1 else "",
            )
            for number in range(form.sets)
        ]
    return found
