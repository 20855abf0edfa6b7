"""tcgen05.mma places elements as the model says, and executes a map that replaces the model's.

A map that is given for a variant is a table; without one, elements are placed by the columns that
the model gives. Both must move the same cells for every variant that the model lists.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.settings import Settings
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.text.errors import PtxError
from lanemap.layout import LayoutMap
from lanemap.model import shared_layout, tcgen05_mma
from lanemap.model.variant import Variant
from tests.emulator.ptx.launching import require
from tests.emulator.ptx.mma_kernels import (
    COLUMNS,
    KINDS,
    LANES,
    Array,
    Mma,
    Operand,
    launch,
    text,
)

#: D of 16 bits and integers differ from D in f32 by the type alone: of those one shape each.
VARIANTS = [
    v
    for v in tcgen05_mma.variants()
    if not v.name.endswith(":D")
    or ".sp." not in v.name
    and re.search(r"n\d+\.f32:D|n64\.(f16|s32):D", v.name)
]
IMAGE, B_START, SFA, SFB, A_COLUMN = 131072, 65536, 300, 340, 400
NEAR, FAR = Operand("128B"), Operand("128B", start=B_START)
_TYPES = {"f32": ("f16", "f16"), "f16": ("f16", "f16"), "s32": ("i8", "s8")}


@cache
def _models() -> dict[str, LayoutMap]:
    """The model's own maps of all instructions and of tiles, each made once."""
    tiles = [v for v in shared_layout.variants() if "major" in v.name and "4bit" not in v.name]
    return {v.name: v.map for v in (*VARIANTS, *tiles)}


def _maps(statement: str, part: str) -> dict[str, LayoutMap]:
    """Those of an instruction that have `part` in their names."""
    form = statement.partition(".kind")[0]
    return {
        name: map_
        for name, map_ in _models().items()
        if name.startswith((form, "shared.")) and part in name
    }


@cache
def _kernel(statement: str, ctas: int, part: str = "") -> Any:
    models = _maps(statement, part) if part else {}
    device = lanemap.open_device("sm_100a", device="emulator", models=models)
    return device, device.load(text(statement, ctas))["kernel"]


def _run(m: Mma, near: Operand, far: Operand, kernel: Any, fields: int = 0) -> Array:
    """Tensor memories after one product of noise that has no infinities."""
    rng = np.random.default_rng(5)
    image = rng.integers(0, 0x3C, (m.ctas, IMAGE), dtype=np.uint8)
    given = rng.integers(0, 0x3C, (m.ctas, LANES, COLUMNS * 4), dtype=np.uint8).view(np.uint32)
    if m.scaled:  # all copies alike
        given[:, :, SFA:A_COLUMN] = np.tile(given[:, :32, SFA:A_COLUMN], (1, 4, 1))
    rows, columns = m.rows // m.ctas, m.columns // m.ctas
    words = {"i": m.idesc(near.mn, far.mn) | fields, "sa": SFA, "sb": SFB, "ta": A_COLUMN,
             "keep": 0xFFFF if m.d == "f16" else 0xFFFFFFFF}  # fmt: skip
    return launch(
        m.statement(),
        m.ctas,
        image,
        given,
        near.descriptor(m.bits, rows, m.depth),
        far.descriptor(m.bits, columns, m.depth),
        words,
        kernel=kernel,
    )


def _same_on_every_cell(
    m: Mma, part: str, near: Any = NEAR, far: Any = FAR, fields: int = 0
) -> None:
    assert _maps(m.statement(), part)
    found = [
        _run(m, near, far, _kernel(m.statement(), m.ctas, each), fields) for each in ("", part)
    ]
    assert np.array_equal(*found), m


_D = [v for v in VARIANTS if v.name.endswith(":D")]


def _of_d(variant: Variant) -> Mma:
    match = re.fullmatch(
        r"tcgen05\.mma(\.ws)?\.cta_group::(\d)\.m(\d+)n(\d+)\.(\w+):D", variant.name
    )
    assert match
    kind, a = _TYPES[match[5]]
    return Mma(kind, int(match[3]), int(match[4]), a, a, match[5], int(match[2]), bool(match[1]))


def test_d_lies_as_the_model_says() -> None:
    for variant in _D:
        _same_on_every_cell(_of_d(variant), ":D")
    assert len(_D) == 43


def test_a_lies_in_tensor_memory_as_the_model_says() -> None:
    found = [v for v in VARIANTS if v.name.endswith(":A")]
    for variant in found:
        match = re.fullmatch(
            r"tcgen05\.mma(\.ws)?\.cta_group::(\d)\.kind::(\w+)\.m(\d+)\.(\w+):A", variant.name
        )
        assert match
        kind, a = match[3], match[5]
        b = a if kind == "mxf4" else next(iter(KINDS[kind][1]))
        m = Mma(
            kind,
            int(match[4]),
            64,
            a,
            b,
            "s32" if kind == "i8" else "f32",
            int(match[2]),
            bool(match[1]),
            tensor=True,
        )
        _same_on_every_cell(m, ":A", fields=1 << 23 if kind == "mxf4" else 0)
    assert len(found) == 63


def test_scales_lie_as_the_model_says() -> None:
    found = [v for v in VARIANTS if re.search(r":SF[AB]$", v.name)]
    for variant in found:
        match = re.fullmatch(
            r"tcgen05\.mma\.cta_group::(\d)(?:\.m(\d+))?(?:\.n(\d+))?"
            r"\.scale_vec::(\d)X\.id(\d):SF([AB])",
            variant.name,
        )
        assert match
        rows, columns = int(match[2] or 128), int(match[3] or 128)
        vector, first = int(match[4]), int(match[5])
        kind = {1: "mxf8f6f4", 2: "mxf4", 4: "mxf4nvf4"}[vector]
        a = "e4m3" if vector == 1 else "e2m1"
        words = ".block16" if vector == 4 else ""
        m = Mma(kind, rows, columns, a, a, ctas=int(match[1]), words=words)
        field = first << (29 if match[6] == "A" else 4)
        _same_on_every_cell(m, ":SF", fields=field | (vector < 4) << 23)
    assert len(found) == 56


@pytest.mark.parametrize("major", ["k", "mn"])
def test_tiles_lie_as_the_model_says(major: str) -> None:
    """Operands with the offsets of the model's tiles."""
    for swizzle in shared_layout.SWIZZLES:
        for bits, kind in ((32, "tf32"), (16, "f16"), (8, "f8f6f4")):
            atoms32 = swizzle == "128b_atom32b"
            if atoms32 and major == "k" or major == "mn" and atoms32 != (bits == 32):
                continue
            tile = shared_layout.dense_tile(major, swizzle, bits)
            a = next(iter(KINDS[kind][1]))
            columns = 64 if tile.rows >= 64 else tile.rows // 16 * 16
            m = Mma(kind, 64, columns, a, a)
            name = swizzle.replace("128b_atom32b", "128B_32B").replace("b", "B")
            operand = Operand(name, major == "mn")
            word = tile.leading_bytes >> 4 << 16 | tile.stride_bytes >> 4 << 32
            keep = (1 << 14) - 1 << 16 | (1 << 14) - 1 << 32
            replaced = _Dense(operand, word, keep)
            _same_on_every_cell(m, "shared.", replaced, replaced)


class _Dense:
    """An operand with given offsets."""

    def __init__(self, operand: Operand, offsets: int, keep: int) -> None:
        self.mn, self._operand, self._offsets, self._keep = operand.mn, operand, offsets, keep

    def descriptor(self, bits: int, lines: int, depth: int) -> int:
        """The descriptor."""
        return self._operand.descriptor(bits, lines, depth) & ~self._keep | self._offsets


def _turned(model: LayoutMap, width: int) -> LayoutMap:
    """The map with its first axis of cells upside down."""
    table = model.table.reshape(width, -1)[::-1].reshape(-1).copy()
    return LayoutMap(model.destination, model.source, table)


@pytest.mark.parametrize("name", [
    "tcgen05.mma.cta_group::1.m128n64.f32:D", "tcgen05.mma.cta_group::1.kind::f16.m128.f16:A",
    "shared.k_major.128b.16bit", "tcgen05.mma.cta_group::1.m128.scale_vec::1X.id0:SFA",
    "tcgen05.mma.cta_group::1.n64.scale_vec::1X.id0:SFB",
])  # fmt: skip
def test_a_replaced_map_is_what_executes(name: str) -> None:
    """Turned upside down: D, or A, or both operands, or scales, by lane or by byte."""
    model = {v.name: v for v in (*VARIANTS, *shared_layout.variants())}[name].map
    turned = _turned(model, model.destination.sizes[0] // (16 if "shared" in name else 1))
    device = lanemap.open_device("sm_100a", device="emulator", models={name: turned})
    m = Mma("f16", 128, 64, "f16", "f16", tensor=name.endswith(":A"))
    if ":SF" in name:
        m = Mma("mxf8f6f4", 128, 64, "e4m3", "e4m3")
    fields = int(m.scaled) << 23
    kernel = (device, device.load(text(m.statement()))["kernel"])
    plain = _run(m, NEAR, FAR, _kernel(m.statement(), 1), fields)
    got = _run(m, NEAR, FAR, kernel, fields)
    assert not np.array_equal(got, plain)
    if m.kind == "f16" and not name.startswith("shared"):
        rng = np.random.default_rng(5)
        rng.integers(0, 0x3C, (1, IMAGE), dtype=np.uint8)
        before = rng.integers(0, 0x3C, (1, LANES, COLUMNS * 4), dtype=np.uint8).view(np.uint32)
        added = [
            each[0, :, :64].view(np.float32) - before[0, :, :64].view(np.float32)
            for each in (got, plain)
        ]
        assert np.allclose(added[0], added[1][::-1], rtol=1e-4)


def test_a_map_that_tears_elements_apart_is_refused() -> None:
    name = "tcgen05.mma.cta_group::1.m128n64.f32:D"
    model = tcgen05_mma.resolve(name)[0].map
    table = model.table.copy()
    table[:2] = table[1::-1]
    models = {name: LayoutMap(model.destination, model.source, table)}
    statement = Mma("f16", 128, 64, "f16", "f16").statement()
    with pytest.raises(PtxError, match="does not keep elements together"):
        require(load(text(statement), "k.ptx", Settings(models=models)))
