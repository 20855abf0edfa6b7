"""tcgen05.mma of a pair of CTAs against NumPy, with operands and D laid out by hand.

Layouts A and B of the PTX ISA (Data Path Layout Organization): CTA r has rows r*M/2.. of A and D,
and gives columns r*N/2.. of B.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.emulator.ptx.mma_kernels import (
    COLUMNS,
    LANES,
    Array,
    Mma,
    Operand,
    codes,
    launch,
    put,
    text,
)
from tests.emulator.ptx.test_tcgen05_mma import kept, stored, values

IMAGE, B_START = 65536, 32768
NEAR, FAR = Operand("128B"), Operand("64B", start=B_START)


def places(m: Mma, column: int) -> tuple[Array, Array, Array]:
    """CTA, lane and column of every element of D."""
    row, n = np.indices((m.rows, m.columns))
    if m.rows == 256:
        return row // 128, row % 128, column + n
    half = m.columns // 2
    return row // 64, row % 64 + 64 * (n // half), column + n % half


def _tensor_a(m: Mma, given: Array, a: Array, column: int) -> None:
    """Row m on the lane of D's row m; of M = 128 also 64 lanes on."""
    each = m.rows // 2
    for row in range(m.rows):
        for lane in [row % each] if m.rows == 256 else [row % each, row % each + 64]:
            words = codes(m.a, a[row]).tobytes()
            given[row // each, lane, column : column + 8] = np.frombuffer(words, np.uint32)


def pair(
    m: Mma,
    near: Operand = NEAR,
    far: Operand = FAR,
    seed: int = 0,
    adds: bool = True,
    column: int = 0,
    **options: Any,
) -> tuple[Array, Array]:
    """Tensor memories as the emulator has them, and as NumPy does."""
    rng = np.random.default_rng(seed)
    a, b = values(m.a, (m.rows, m.depth), rng), values(m.b, (m.columns, m.depth), rng)
    c = rng.integers(-9, 10, (m.rows, m.columns)) * (1 << (m.shift or 0))
    image = rng.integers(0, 256, (2, IMAGE), dtype=np.uint8)
    given = rng.integers(0, 2**32, (2, LANES, COLUMNS), dtype=np.uint32)
    rows, columns = m.rows // 2, m.columns // 2
    for rank in range(2):
        mine, others = a[rank * rows :][:rows], b[rank * columns :][:columns]
        put(image[rank], far.places(m.bits, columns, m.depth), codes(m.b, others), m.bits)
        if not m.tensor:
            put(image[rank], near.places(m.bits, rows, m.depth), codes(m.a, mine), m.bits)
    if m.tensor:
        _tensor_a(m, given, a, 400)
    place = places(m, column)
    given[place] = stored(m.d, c, given[place])
    words = {"i": m.idesc(near.mn, far.mn), "adds": int(adds), "d": column, "ta": 400,
             "keep": kept(m.d)}  # fmt: skip
    got = launch(
        m.statement(),
        2,
        image,
        given,
        near.descriptor(m.bits, rows, m.depth),
        far.descriptor(m.bits, columns, m.depth),
        words,
        **options,
    )
    want = given.copy()
    want[place] = stored(
        m.d, a.astype(float) @ b.T + (c / (1 << (m.shift or 0)) if adds else 0), given[place]
    )
    for number, mask in enumerate(m.masks[:4]):
        for bit in range(32):
            if mask >> bit & 1:
                want[:, 32 * number + bit] = given[:, 32 * number + bit]
    return got, want & np.uint32(kept(m.d))


TYPES = [("f16", "bf16", "bf16", "f32"), ("f16", "f16", "f16", "f16"), ("tf32", "tf32", "tf32",
         "f32"), ("f8f6f4", "e4m3", "e5m2", "f32"), ("i8", "s8", "u8", "s32")]  # fmt: skip


@pytest.mark.parametrize("tensor", [False, True], ids=["shared", "tensor"])
@pytest.mark.parametrize("types", TYPES, ids=".".join)
def test_both_layouts(types: tuple[str, str, str, str], tensor: bool) -> None:
    kind, a, b, d = types
    for rows, columns in ((256, 256), (256, 32), (128, 64), (128, 256)):
        got, want = pair(Mma(kind, rows, columns, a, b, d, 2, tensor=tensor), column=columns % 5)
        assert np.array_equal(got, want), (rows, columns)


def test_every_n() -> None:
    for columns in range(16, 257, 16):
        for rows in (128, 256):
            m = Mma("f8f6f4", rows, columns, "e5m2", "e5m2", ctas=2)
            got, want = pair(m, seed=columns)
            assert np.array_equal(got, want), (rows, columns)


@pytest.mark.parametrize("majors", [(False, True), (True, False), (True, True)])
def test_transposed_operands(majors: tuple[bool, bool]) -> None:
    near, far = replace(NEAR, mn=majors[0]), replace(FAR, mn=majors[1])
    for rows in (128, 256):
        got, want = pair(Mma("f16", rows, 128, "f16", "bf16", ctas=2), near, far)
        assert np.array_equal(got, want)


def test_without_the_addend_scaled_and_with_lanes_disabled() -> None:
    mask = (0x0F0F0F0F, 0, 0xFFFFFFFF, 1) * 2
    for rows in (128, 256):
        for m, adds in (
            (Mma("f16", rows, 64, "f16", "f16", ctas=2), False),
            (Mma("f16", rows, 64, "f16", "f16", "f16", 2, shift=5), True),
            (Mma("tf32", rows, 64, "tf32", "tf32", ctas=2, masks=mask), True),
        ):
            got, want = pair(m, adds=adds)
            assert np.array_equal(got, want), m


def test_ptxas_accepts_these_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for m in (
        Mma("f16", 256, 64, "f16", "f16", ctas=2, masks=(1,) * 8, shift=15),
        Mma("i8", 128, 64, "s8", "s8", "s32", 2, tensor=True),
    ):
        cubin, messages = ptxas.judge(text(m.statement(), 2), "sm_100a")
        assert cubin is not None, messages
