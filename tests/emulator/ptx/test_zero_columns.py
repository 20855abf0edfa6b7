"""The zero-column mask of tcgen05.mma.ws, against the examples of the PTX ISA and NumPy.

PTX ISA 9.0, 9.7.16.4.3, Zero-Column Mask Descriptor. Where its text and its examples differ (which
of the two spans counts used columns) the examples are followed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx.mma_kernels import COLUMNS, LANES, Mma, Operand, codes, launch, put, text
from tests.emulator.ptx.test_tcgen05_mma import kept, stored, values

IMAGE, B_START, FURTHER = 65536, 32768, 40
NEAR, FAR = Operand("128B"), Operand("32B", start=B_START)
MN_MAJOR = Operand("128B", mn=True, start=B_START)


def descriptor(
    starts: tuple[int, ...] = (),
    firsts: tuple[int, ...] = (),
    mask: int = 1,
    skip: int = 0,
    use: int = 0,
    shift: int = 0,
) -> int:
    """Fields as the ISA's table has them; starts and firsts of sub-masks 0, 1, 2, 3."""
    word = mask << 39 | skip << 40 | use << 48 | shift << 56
    for number, start in enumerate(starts):
        word |= start << 8 * number
    for number, first in enumerate(firsts):
        word |= first << 32 + number
    return word


def ones(pattern: str, size: int) -> list[bool]:
    """A mask as the ISA prints it, the lowest column last: 3 zeros and 4 used ones are 111 0000."""
    spans = pattern.split()
    periodic = spans[:2]  # the two that are printed whole, at the top
    column = [c == "1" for c in reversed("".join(spans))]
    while len(column) < size:
        column += [c == "1" for c in reversed("".join(periodic))]
    return column[:size]


#: M, N, descriptor, and the mask of each sub-mask as the ISA's examples have it.
EXAMPLES = {
    1: (128, 64, descriptor(mask=0, skip=4, use=3), ["0 0"]),
    2: (128, 64, descriptor(skip=2, use=3), ["111 0000 111 0000"]),
    3: (64, 128, descriptor(firsts=(1, 0), skip=2, use=3),
        ["111 0000 111 0000 111", "0000 111 0000 111 0000"]),
    4: (32, 128, descriptor((0, 1, 2, 1), (1, 1, 0, 0), skip=2, use=3, shift=2),
        ["0000 111 0000 111", "0000 111 0000 11", "111 0000 111 00", "111 0000 111 000"]),
}  # fmt: skip


def spans(size: int, start: int, first: int, skip: int, use: int) -> list[bool]:
    """A sub-mask span by span: zeros, `skip` + 1 of them, and used columns, `use` + 1."""
    found: list[bool] = []
    zero = bool(first)
    while len(found) < size + start:
        found += [zero] * ((skip if zero else use) + 1)
        zero = not zero
    return found[start : start + size]


def multiply(m: Mma, word: int, mask: list[bool], far: Operand, seed: int = 0) -> None:
    """Multiply with that descriptor, and expect zeros for the columns of the mask."""
    rng = np.random.default_rng(seed)
    lines, shift = m.columns + FURTHER, word >> 56 & 63
    a, b = values(m.a, (m.rows, m.depth), rng), values(m.b, (lines, m.depth), rng)
    c = rng.integers(-9, 10, (m.rows, m.columns))
    image = rng.integers(0, 256, (1, IMAGE), dtype=np.uint8)
    given = rng.integers(0, 2**32, (LANES, COLUMNS), dtype=np.uint32)
    put(image, NEAR.places(m.bits, m.rows, m.depth), codes(m.a, a), m.bits)
    bits = codes(m.b, b)
    if m.kind != "i8":  # what a zero column holds does not matter, be it all ones: NaN
        bits[shift : shift + m.columns][mask] = (1 << m.bits) - 1
    lines_up = -(-lines // 64) * 64
    put(image, far.places(m.bits, lines_up, m.depth)[:lines], bits, m.bits)
    each = m.columns * m.rows // 128
    row, n = np.indices(c.shape)
    place = row + m.rows * (n // each), 3 + n % each
    given[place] = stored(m.d, c, given[place])
    statement = m.statement().replace("%adds;", "%adds, %x;")
    got = launch(
        statement,
        1,
        image,
        given[None],
        NEAR.descriptor(m.bits, m.rows, m.depth),
        far.descriptor(m.bits, lines_up, m.depth),
        {"i": m.idesc(b_mn=far.mn), "d": 3, "keep": kept(m.d)},
        before=f"mov.b64 %x, {word:#x};",
    )[0]
    used: NDArray[Any] = b[shift : shift + m.columns].astype(float)
    used[mask] = 0
    want = given.copy()
    want[place] = stored(m.d, a.astype(float) @ used.T + c, given[place])
    assert np.array_equal(got, want & np.uint32(kept(m.d)))


@pytest.mark.parametrize("number", EXAMPLES)
def test_the_examples_of_the_isa(number: int) -> None:
    rows, columns, word, patterns = EXAMPLES[number]
    each = columns * rows // 128
    mask = [bit for pattern in patterns for bit in ones(pattern, each)]
    assert sum(mask) > each // 4 or number == 1
    multiply(Mma("f16", rows, columns, "bf16", "bf16", ws=True), word, mask, FAR)


TYPES = [("f16", "f16", "f16", "f16"), ("tf32", "tf32", "tf32", "f32"), ("i8", "s8", "u8", "s32"),
         ("f8f6f4", "e4m3", "e5m2", "f32")]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_random_masks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kind, a, b, d = TYPES[seed % 4]
    rows, columns = (32, 64, 128)[seed % 3], int(rng.choice([64, 128, 256]))
    skip, use = (int(n) for n in rng.integers(0, 20, 2))
    count, each = 128 // rows, columns * rows // 128
    firsts = tuple(int(n) for n in rng.integers(0, 2, count))
    starts = tuple(int(rng.integers(0, (skip if first else use) + 1)) for first in firsts)
    shift = int(rng.integers(0, 17)) * (seed % 2)
    parts = zip(starts, firsts, strict=True)
    mask = [bit for start, first in parts for bit in spans(each, start, first, skip, use)]
    word = descriptor(starts, firsts, 1, skip, use, shift)
    far = MN_MAJOR if kind == "f16" else FAR
    multiply(Mma(kind, rows, columns, a, b, d, ws=True), word, mask, far, seed)


@pytest.mark.parametrize("b", ["e2m3", "e2m1"])
def test_narrow_elements(b: str) -> None:
    """Bytes of zeros and ones alone: elements lie side by side, whatever their width."""
    m = Mma("f8f6f4", 64, 64, "e4m3", b, ws=True)
    width = {"e2m3": 6, "e2m1": 4}[b]
    one = {"e2m3": 8, "e2m1": 2}[b]
    rng = np.random.default_rng(1)
    chosen = rng.integers(0, 2, (m.columns, m.depth))
    image = np.zeros((1, IMAGE), np.uint8)
    put(image, NEAR.places(8, m.rows, m.depth), codes("e4m3", np.ones((m.rows, m.depth))), 8)
    starts = FAR.places(8, m.columns, m.depth)[:, ::16]  # of each 16 bytes, which hold 16 elements
    places = (starts[..., None] + np.arange(16) * width).reshape(m.columns, m.depth)
    put(image, places, chosen * one, width)
    word = descriptor((0, 0), (1, 0), 1, skip=2, use=1)
    got = launch(
        m.statement().replace("%adds;", "%adds, %x;"),
        1,
        image,
        np.zeros((1, LANES, COLUMNS), np.uint32),
        NEAR.descriptor(8, 64, m.depth),
        FAR.descriptor(8, 64, m.depth),
        {"i": m.idesc(), "d": 0, "adds": 0},
        before=f"mov.b64 %x, {word:#x};",
    )[0]
    sums = chosen.sum(1).astype(np.float32)
    sums[np.array(spans(32, 0, 1, 2, 1) + spans(32, 0, 0, 2, 1))] = 0
    d = got.view(np.float32)[:, :32]
    assert np.array_equal(d[:64], np.tile(sums[:32], (64, 1)))
    assert np.array_equal(d[64:], np.tile(sums[32:], (64, 1)))


@pytest.mark.parametrize(("word", "sentence"), [
    (1 << 36, "sets bits 0x1000000000, which are reserved"),
    (descriptor(mask=0, shift=33), "column shift 33 .* at most 32"),
    (descriptor((5,), (0,), use=4), "start count 5 for sub-mask 0, whose first span has only 5"),
    (descriptor((0, 3), (0, 1), skip=2, use=3), "start count 3 for sub-mask 1"),
])  # fmt: skip
def test_a_descriptor_that_the_isa_does_not_describe(word: int, sentence: str) -> None:
    m = Mma("f16", 64, 64, "f16", "f16", ws=True)
    with pytest.raises(Hazard, match=sentence):
        multiply(m, word, [False] * 64, FAR)


def test_an_immediate_of_zero_is_no_mask() -> None:
    """As tile-ai/tilelang writes it."""
    m = Mma("f16", 64, 64, "f16", "f16", ws=True)
    image = np.zeros((1, IMAGE), np.uint8)
    put(image, NEAR.places(16, 64, 16), codes("f16", np.ones((64, 16))), 16)
    put(image, FAR.places(16, 64, 16), codes("f16", np.ones((64, 16))), 16)
    got = launch(
        m.statement().replace("%adds;", "%adds, 0;"),
        1,
        image,
        np.zeros((1, LANES, COLUMNS), np.uint32),
        NEAR.descriptor(16, 64, 16),
        FAR.descriptor(16, 64, 16),
        {"i": m.idesc(), "d": 0, "adds": 0},
    )[0]
    assert np.array_equal(got.view(np.float32)[:, :32], np.full((LANES, 32), 16))


def test_ptxas_accepts_it() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    statement = Mma("f16", 64, 64, "f16", "f16", ws=True).statement()
    for mask in ("%x", "0"):
        masked = statement.replace("%adds;", f"%adds, {mask};")
        cubin, messages = ptxas.judge(text(masked), "sm_100a")
        assert cubin is not None, messages
