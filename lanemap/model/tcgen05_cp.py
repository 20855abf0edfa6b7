"""`tcgen05.cp` and `tcgen05.shift`.

The copy brings rows of shared memory, found by a descriptor, to lanes of tensor memory. The shift
moves 32 bytes of each of 32 lanes by one lane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lanemap.layout import UNDEFINED, LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import modeled

TARGETS = modeled("tcgen05")
LANES = 128


@dataclass(frozen=True)
class Form:
    """One form of the copy.

    Attributes:
        name: Shape and multicast as the instruction spells them.
        rows: Rows of the source matrix.
        bits: Bits of a row: 128 are 4 columns, 256 are 8.
        row_of: The row that a lane of tensor memory receives; -1 for none.
        formula: Where row r goes.
    """

    name: str
    rows: int
    bits: int
    row_of: Callable[[Any], Any]
    formula: str


FORMS = (
    Form("128x256b", 128, 256, lambda lane: lane, "row r to lane r"),
    Form(
        "4x256b",
        4,
        256,
        lambda lane: np.where(lane % 32 == 0, lane // 32, UNDEFINED),
        "row r to lane 32*r",
    ),
    Form("128x128b", 128, 128, lambda lane: lane, "row r to lane r"),
    Form(
        "64x128b.warpx2::02_13",
        64,
        128,
        lambda lane: lane % 64,
        "row r to lanes r and r + 64",
    ),
    Form(
        "64x128b.warpx2::01_23",
        64,
        128,
        lambda lane: lane % 32 + 32 * (lane // 64),
        "row r to lanes r%32 + 64*(r/32) and 32 more",
    ),
    Form("32x128b.warpx4", 32, 128, lambda lane: lane % 32, "row r to lanes r + {0, 32, 64, 96}"),
)


def copy_map(form: Form) -> LayoutMap:
    """The bits of tensor memory from taddr on, and the bits of the source rows they receive.

    Returns:
        "tmem": lane 128, column 4 or 8, bit 32; "shared": row, bit 128 or 256.
    """
    tmem = Space("tmem", (("lane", LANES), ("column", form.bits // 32), ("bit", 32)))
    shared = Space("shared", (("row", form.rows), ("bit", form.bits)))

    def source(lane: Any, column: Any, bit: Any) -> dict[str, Any]:
        return {"row": form.row_of(lane), "bit": 32 * column + bit}

    return LayoutMap.from_function(tmem, shared, source)


def _variant(form: Form) -> Variant:
    return Variant(
        name=f"tcgen05.cp.{form.name}",
        targets=TARGETS,
        family="tcgen05.cp",
        formula=f"{form.formula}; bit b to column b/32, bit b%32",
        citations=(
            "NVIDIA PTX ISA, tcgen05.cp",
            "apache/tvm at 5d4dc87, tests of tcgen05.cp that run on a B200",
            "NVIDIA/cutlass at 7107b05, copy_sm100.hpp, the SM100_UTCCP operations",
        ),
        legality=(
            f"{', '.join(TARGETS)}; one thread; .cta_group::1 or ::2; source by a shared-memory "
            "descriptor; asynchronous until tcgen05.commit; .b8x16 decompression is not modelled: "
            "no public source gives its bytes"
        ),
        build=lambda: copy_map(form),
        rest="unchanged" if form.name == "4x256b" else "",
    )


def shift_map() -> LayoutMap:
    """The contents of the 32 lanes from taddr on after the shift, by their earlier contents.

    Returns:
        "tmem" to "tmem": lane 32, column 8, bit 32.
    """
    space = Space("tmem", (("lane", 32), ("column", 8), ("bit", 32)))

    def source(lane: Any, column: Any, bit: Any) -> dict[str, Any]:
        return {"lane": np.minimum(lane + 1, 31), "column": column, "bit": bit}

    return LayoutMap.from_function(space, space, source)


def _shift() -> Variant:
    return Variant(
        name="tcgen05.shift.down",
        targets=TARGETS,
        family="tcgen05.shift",
        formula="lane r receives lane r + 1, columns 0 to 7; lane 31 keeps its own",
        citations=(
            "NVIDIA PTX ISA, tcgen05.shift: 32 bytes of all rows but the last, down by one row",
            "NVIDIA/cutlass at 7107b05, of .ashift, which the ISA words alike: row r is A[r + 1]",
        ),
        legality=(
            f"{', '.join(TARGETS)}; one thread; .cta_group::1 or ::2; lane of taddr a multiple of "
            "32; asynchronous until tcgen05.commit; which way is down rests on .ashift alone"
        ),
        build=shift_map,
    )


def variants() -> list[Variant]:
    """The six forms of the copy without decompression, and the shift."""
    return [*(_variant(form) for form in FORMS), _shift()]
