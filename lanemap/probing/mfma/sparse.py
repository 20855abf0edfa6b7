"""SMFMAC: operand maps from the products of pairs of elements, as of MFMA.

A keeps two of every four elements along k, and the index says which. Two launches ask of every
element of A: with an index that names the first two of each four, and one that names the last two.
Together they are a product of all k: what the first of two kept elements meets has the first and
the third place of four, what the second meets the other two. So the places within four have names,
those that the index gives them; the order of fours has none, and follows B's registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lanemap.layout import Space
from lanemap.probing.mfma import kernel
from lanemap.probing.mfma.forms import LANES, PROBED, Form
from lanemap.probing.mma.forms import Key
from lanemap.probing.mma.fragments import Fragments, explaining, names, reading
from lanemap.probing.probe import State
from lanemap.probing.warp.tagged import TagReading
from lanemap.targets import TARGETS, instructions_of
from lanemap.toolchain.amdgcn_kernel import file

Integers = npt.NDArray[np.int64]
TYPES = ("f16", "bf16", "i8", "fp8", "bf8")
#: The index of each lane: the places of the two kept elements of four, two bits each.
FIRST_TWO, LAST_TWO = 0x44444444, 0xEEEEEEEE
_SHAPES = {
    16: ("16x16x32", "32x32x16", "16x16x64", "32x32x32"),
    8: ("16x16x64", "32x32x32", "16x16x128", "32x32x64"),
}


class Sparse(Form):
    """One form: of k, A keeps one half."""

    @property
    def is_sparse(self) -> bool:
        """True."""
        return True

    def elements(self, operand: str) -> int:
        """Elements that a lane holds."""
        return super().elements(operand) // (2 if operand == "A" else 1)

    def matrix(self, operand: str) -> Space:
        """The matrix: of A row, kept element, bit."""
        if operand != "A":
            return super().matrix(operand)
        axes = (("row", self.side), ("kept", self.depth // 2), ("bit", self.bits("A")))
        return Space("matrix", axes)


@dataclass(frozen=True)
class _Whole:
    """The product of both launches, whose A has all elements; `met` of one below the other."""

    form: Sparse
    met: Integers

    @property
    def lanes(self) -> int:
        return LANES

    @property
    def rows(self) -> int:
        return self.form.side

    @property
    def columns(self) -> int:
        return self.form.side

    @property
    def depth(self) -> int:
        return self.form.depth

    @property
    def products(self) -> int:
        return 1

    def elements(self, operand: str) -> int:
        return self.form.elements(operand) * (2 if operand == "A" else 1)

    def keys(self) -> tuple[Key, Key, Key]:
        """Those of dense products; k in the order of B's registers, eight of a lane at a time."""
        row, column, _ = self.form.keys()
        each = self.form.elements("B")

        def k(cell: int) -> tuple[int, ...]:
            partners = self.met[cell][self.met[cell] >= 0].tolist()
            places = (divmod(partner, each) for partner in partners)
            return min((n // 8, lane // self.form.side, n % 8) for lane, n in places)

        return row, column, k


class SparseFragments(Fragments):
    """Explains meetings of sparse products: fours of k are told apart up to names."""

    def renamings(self, sizes: Mapping[str, int]) -> Iterator[tuple[str, int, str]]:
        """Rows and columns, and fours of k."""
        for axis, size, shared in super().renamings(sizes):
            if axis != "k":
                yield axis, size, shared
        if fours := sizes.get("k", 0) // 4 or sizes.get("kept", 0) // 2:
            yield "four", fours, "A, B and the index"


def named(form: Sparse, met: Integers) -> dict[str, Integers] | None:
    """The matrix element of each register element of A, B and D; None if it is no such product.

    Args:
        form: The form.
        met: int64[2, elements of A, elements of D], what `kernel.meetings` returns by index.
    """
    both = np.concatenate(met)
    found = names(_Whole(form, both), both)
    if found is None:
        return None
    row, k = np.divmod(found["A"].reshape(2, -1), form.depth)
    place = k[0] % 4
    if (place > 1).any() or (k[1] != k[0] + 2).any() or (row[0] != row[1]).any():
        return None
    return {**found, "A": row[0] * (form.depth // 2) + k[0] // 4 * 2 + place}


def forms(target: str) -> Iterator[Sparse]:
    """Every form that a target has."""
    pairs = [(a, b) for a in ("fp8", "bf8") for b in ("fp8", "bf8")]
    for bits, kinds in ((16, [(x, x) for x in ("f16", "bf16")]), (8, [("i8", "i8"), *pairs])):
        for a, b in kinds:
            for size in _SHAPES[bits]:
                result = "i32" if a == "i8" else "f32"
                types = f"{a}_{b}" if "8" in a and a != "i8" else a
                name = f"v_smfmac_{result}_{size}_{types}"
                side, _, depth = (int(part) for part in size.split("x"))
                if name in instructions_of(target):
                    fnuz = TARGETS[target].fnuz
                    yield Sparse(name, name, side, depth, (a, b), result, fnuz=fnuz)


def sources() -> dict[str, str]:
    """The assembly file of all forms of each target that has any."""
    each = {target: [kernel.text(form) for form in forms(target)] for target in PROBED}
    return {target: file(texts, target) for target, texts in each.items() if texts}


def analysis() -> Fragments:
    """The analysis of the readings."""
    return explaining((form for target in PROBED for form in forms(target)), SparseFragments)


def readings(state: State) -> list[TagReading]:
    """Every form whose A has the type of this point of the axes: readings of A, B and D."""
    found = []
    for form in forms(state.device.target):
        if state["type"] != form.kinds[0]:
            continue
        entry = state.entry(form.entry)
        met = np.stack(
            [
                kernel.meetings(state.device, entry, form, np.uint32(index))
                for index in (FIRST_TWO, LAST_TWO)
            ]
        )
        elements = named(form, met)
        for operand in "ABD":
            spaces = form.registers(operand), form.matrix(operand)
            of = None if elements is None else elements[operand]
            passes = 2 * kernel.passes(form)
            found.append(reading(form.variant(operand), form.entry, passes, *spaces, of))
    return found
