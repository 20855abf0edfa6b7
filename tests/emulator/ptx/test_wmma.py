"""wmma: loads, products and stores of every shape, type, layout and stride, against NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

import lanemap
from lanemap.emulator.host.hazards import Hazard
from lanemap.errors import UserError
from lanemap.probing.wmma import kernel
from lanemap.probing.wmma.forms import SHAPES, Matrix, matrices
from tests import ptx

from .launching import Loaded
from .mma_texts import BITS, Floats, codes_of, values_of
from .test_mma import small

HEAD = kernel.HEAD.format(target="sm_90a")
Bytes = NDArray[np.uint8]
Product = tuple[tuple[int, int, int], str, str, str, tuple[str, str], str, str]


def laid(matrix: Matrix, major: str, stride: int, values: Floats) -> Bytes:
    """A matrix [row, column] as bytes, line after line."""
    bits = matrix.bits
    lines = values if major == "row" else values.T
    memory = np.zeros((lines.shape[0], stride, bits), np.uint8)
    codes = codes_of(matrix.kind, lines)
    for bit in range(bits):
        memory[:, : lines.shape[1], bit] = codes >> np.uint64(bit) & np.uint64(1)
    return np.packbits(memory.reshape(-1), bitorder="little")


def products() -> list[Product]:
    """Every wmma.mma: shape, types, layouts, what stands behind, the operation of bits."""
    found: list[Product] = []
    for kind, (shapes, results) in SHAPES.items():
        ends = ("", ".satfinite") if kind in ("s8", "u8", "s4", "u4") else ("",)
        for shape, d, c, end in itertools.product(shapes, results, results, ends):
            majors = [Matrix(x, shape, kind).majors() for x in "ab"]
            for pair in itertools.product(*majors):
                for bits in ("and", "xor") if kind == "b1" else ("",):
                    found.append((shape, kind, d, c, pair, end, bits))
    return found


@pytest.mark.parametrize(
    "which",
    products(),
    ids=lambda which: kernel.instruction(
        which[0], which[1], which[2], which[3], which[4], which[5], which[6]
    ),
)
def test_products(which: Product) -> None:
    shape, kind, d, c, majors, end, bits = which
    m, n, k = shape
    rng = np.random.default_rng(4)
    left, right = small(kind, (m, k), rng), small(kind, (k, n), rng)
    added = rng.integers(-8, 9, (m, n)).astype(np.float64)
    name = kernel.instruction(shape, kind, d, c, majors, end, bits)
    source = HEAD + kernel.product(name, shape, (kind, c, d), majors, "k")
    arrays = [
        laid(matrix, major, matrix.contiguous(major), values)
        for matrix, major, values in (
            (Matrix("a", shape, kind), majors[0], left),
            (Matrix("b", shape, kind), majors[1], right),
            (Matrix("c", shape, c), "row", added),
        )
    ]
    *_, stored = ptx.launch(source, *arrays, np.zeros(m * n * BITS[d] // 8, np.uint8))
    got = values_of(d, stored.view(f"u{BITS[d] // 8}").astype(np.uint64)).reshape(m, n)
    if kind == "b1":
        one, two = left.astype(bool)[:, None], right.T.astype(bool)[None]
        expected = (one & two if bits == "and" else one ^ two).sum(-1) + added
    else:
        expected = left @ right + added
    assert np.array_equal(got, expected)


@pytest.mark.parametrize(
    "matrix", [m for m in matrices() if m.operand == "c"], ids=lambda m: f"{m.spelled}.{m.kind}"
)
@pytest.mark.parametrize("majors", list(itertools.product(("row", "col"), repeat=2)))
def test_what_is_loaded_can_be_stored(matrix: Matrix, majors: tuple[str, str]) -> None:
    """C loaded in one layout and stored in another, with strides: the words are its fragment."""
    first, second = majors
    pad = 128 // matrix.bits
    strides = [matrix.contiguous(major) + pad for major in majors]
    values = np.arange(matrix.rows * matrix.columns, dtype=np.float64).reshape(matrix.rows, -1) / 8
    values = np.floor(values) if matrix.kind == "s32" else values
    source = HEAD + kernel.load(matrix, first, strides[0], "load")
    source += kernel.store(matrix, second, strides[1], "store")
    loaded = Loaded(source)
    words = np.zeros(matrix.words * 32, np.uint32)
    words = loaded.run("load", 1, 32, [laid(matrix, first, strides[0], values), words])[1]
    out = np.full(matrix.bytes_of(second, strides[1]), 0xEE, np.uint8)
    got = loaded.run("store", 1, 32, [words, out])[1]
    expected = laid(matrix, second, strides[1], values)
    lines = expected.reshape(-1, strides[1] * matrix.bits // 8)
    inside = matrix.contiguous(second) * matrix.bits // 8
    assert np.array_equal(got.reshape(lines.shape)[:, :inside], lines[:, :inside])
    assert (got.reshape(lines.shape)[:, inside:] == 0xEE).all(), "nothing beyond the lines"


F16 = Matrix("a", (16, 16, 16), "f16")


def test_lines_must_be_aligned() -> None:
    """16 bytes by default (CUDA C++ Programming Guide), the fragment's 32 bytes if strict."""
    given, words = np.zeros(16 * 25 * 2 + 64, np.uint8), np.zeros(256, np.uint32)
    for stride, strict, clean in ((24, False, True), (24, True, False), (20, False, False)):
        source = HEAD + kernel.load(F16, "row", stride, "k")
        device = lanemap.open_device("sm_90a", "emulator", hazards="report", strict=strict)
        arrays = device.array(given), device.array(words)
        device.load(source)["k"]((1, 1, 1), (32, 1, 1), arrays)
        found = [hazard.kind for hazard in device.hazards]
        assert (found == []) == clean, (stride, strict, found)
        assert set(found) <= {"misaligned"}


@pytest.mark.parametrize("instruction, words", [
    ("wmma.load.a.sync.aligned.row.m16n16k16.global.s4 {r0}, [p]", "no shape .m16n16k16 of type"),
    ("wmma.load.a.sync.aligned.row.m16n16k16.global.f32 {r0}, [p]", "`.f32` is not a type of A"),
    ("wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {r0}, [p]", "`.col` does not apply"),
    ("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.u4.s32 {r0, r1}, {r2}, {r3}, {r4, r5}",
     "`.u4` does not apply"),
])  # fmt: skip
def test_what_the_isa_lacks_is_refused(instruction: str, words: str) -> None:
    body = f".visible .entry k() {{ .reg .b32 r<8>; .reg .b64 p; {instruction}; ret; }}\n"
    with pytest.raises(UserError) as refused:
        Loaded(HEAD + body)
    assert words in str(refused.value)


# -- accesses ---------------------------------------------------------------------

C8 = Matrix("c", (8, 8, 32), "s32")


def hazard_of(source: str, sizes: tuple[int, int], written: bool = True) -> Hazard:
    """Launch entry k(in, out) on arrays of these bytes and fetch the result: the hazard."""
    device = lanemap.open_device("sm_90a", "emulator")
    given, out = device.zeros(sizes[0], np.uint8), device.zeros(sizes[1], np.uint8)
    if not written:
        given = device.empty(sizes[0], np.uint8)
    with pytest.raises(Hazard) as caught:
        device.load(source)["k"]((1, 1, 1), (32, 1, 1), (given, out))
        out.get()
    return caught.value


@pytest.mark.parametrize("verb, sizes", [("load", (252, 256)), ("store", (256, 252))])
def test_every_line_must_lie_inside(verb: str, sizes: tuple[int, int]) -> None:
    """8 lines of 32 bytes: the last one ends at byte 256."""
    write = kernel.load if verb == "load" else kernel.store
    found = hazard_of(HEAD + write(C8, "row", 8, "k"), sizes)
    assert found.kind == "out-of-bounds" and f"wmma.{verb}" in str(found)
    assert "lane 7" in str(found), "the last line is that of lane 7"


def test_a_gap_between_lines_is_not_touched() -> None:
    """A stride of 16 elements: the array may end after the last line."""
    source = HEAD + kernel.load(C8, "row", 16, "k")
    values = np.arange(7 * 16 + 8, dtype=np.uint32)
    _, words = ptx.launch(source, values, np.zeros(64, np.uint32))
    row, column = np.arange(32) // 4, 2 * (np.arange(32) % 4)
    assert np.array_equal(words.reshape(2, 32), [16 * row + column, 16 * row + column + 1])


def test_undefined_memory_stays_undefined_until_something_depends_on_it() -> None:
    moved = hazard_of(HEAD + kernel.load(C8, "row", 8, "k"), (256, 256), written=False)
    assert moved.kind == "undefined" and "wmma.load" in str(moved), "it says where they come from"
