"""tcgen05.mma of one CTA against NumPy: small integers, whose sums are exact under every rule."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import lanemap
from tests.emulator.ptx.mma_kernels import (
    COLUMNS,
    DTYPES,
    LANES,
    SWIZZLES,
    Array,
    Mma,
    Operand,
    codes,
    launch,
    put,
    text,
)

IMAGE, B_START = 65536, 32768
DENSE = [
    *(("f16", a, b, d) for a in ("f16", "bf16") for b in ("f16", "bf16") for d in ("f32",)),
    ("f16", "f16", "f16", "f16"), ("tf32", "tf32", "tf32", "f32"),
    *(("f8f6f4", a, b, d) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")
      for d in ("f32", "f16")),
    *(("i8", a, b, "s32") for a in ("s8", "u8") for b in ("s8", "u8")),
]  # fmt: skip


def values(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Small integers that the type holds."""
    low, high = {"u8": (0, 9), "e2m1": (-4, 5)}.get(kind, (-4, 5))
    found = rng.integers(low, high, shape)
    return np.where(np.abs(found) == 5, 4, found)


def row_lane(m: Mma, half: int) -> Array:
    """Lane of each row of D (layouts D and F of the ISA)."""
    row = np.arange(m.rows)
    return row if m.rows == 128 else 32 * (row // 16) + half + row % 16


def cells(m: Mma, column: int, half: int = 0) -> tuple[Array, Array]:
    """Lane and column of every element of D, [row, column]."""
    lane = row_lane(m, half)[:, None] + np.zeros(m.columns, np.int64)
    return lane, column + np.arange(m.columns) + np.zeros((m.rows, 1), np.int64)


def stored(kind: str, matrix: Array, before: Array) -> Array:
    """Words of tensor memory that hold D: an element of 16 bits is in the low half."""
    if kind == "f16":
        return before & 0xFFFF0000 | codes("f16", matrix).astype(np.uint32)
    return codes(kind, matrix)


def kept(kind: str) -> int:
    """The bits that D defines of its words."""
    return 0xFFFF if kind == "f16" else 0xFFFFFFFF


def tensor_a(m: Mma, given: Array, a: Array, column: int, half: int = 0) -> None:
    """Lay A in tensor memory: element k in column k * bits / 32, low first (packing of A)."""
    bits, lane = m.bits, row_lane(m, half)
    for k in range(m.depth):
        where = column + k * bits // 32
        shift = np.uint32(k * bits % 32)
        mask = np.uint32((1 << bits) - 1) << shift
        word = codes(m.a, a[:, k]).astype(np.uint32) << shift
        given[lane, where] = given[lane, where] & ~mask | word


def multiply(
    m: Mma,
    near: Operand,
    far: Operand,
    seed: int = 0,
    adds: bool = True,
    column: int = 0,
    half: int = 0,
    **options: Any,
) -> tuple[Array, Array]:
    """Tensor memory as the emulator has it, and as NumPy does."""
    rng = np.random.default_rng(seed)
    a, b = values(m.a, (m.rows, m.depth), rng), values(m.b, (m.columns, m.depth), rng)
    c = rng.integers(-9, 10, (m.rows, m.columns)) * (1 << (m.shift or 0))
    image = rng.integers(0, 256, (1, IMAGE), dtype=np.uint8)
    given = rng.integers(0, 2**32, (LANES, COLUMNS), dtype=np.uint32)
    put(image, far.places(m.bits, m.columns, m.depth), codes(m.b, b), m.bits)
    if m.tensor:
        tensor_a(m, given, a, 400, half)
    else:
        put(image, near.places(m.bits, m.rows, m.depth), codes(m.a, a), m.bits)
    place = cells(m, column, half)
    given[place] = stored(m.d, c, given[place])
    words = {"i": m.idesc(near.mn, far.mn), "adds": int(adds), "d": half << 16 | column,
             "ta": half << 16 | 400, "keep": kept(m.d)}  # fmt: skip
    got = launch(
        m.statement(),
        1,
        image,
        given[None],
        near.descriptor(m.bits, m.rows, m.depth),
        far.descriptor(m.bits, m.columns, m.depth),
        words,
        **options,
    )[0]
    want = given.copy()
    sums = a.astype(float) @ b.T.astype(float)
    sums = sums * (-1 if m.fields >> 13 & 1 else 1) * (-1 if m.fields >> 14 & 1 else 1)
    sums += c / (1 << (m.shift or 0)) if adds else 0
    want[place] = stored(m.d, sums, given[place])
    for number, mask in enumerate(m.masks):
        for bit in range(32):
            if mask >> bit & 1:
                want[32 * number + bit] = given[32 * number + bit]
    return got, want & np.uint32(kept(m.d))


NEAR, FAR = Operand("128B"), Operand("128B", start=B_START)


def test_published_descriptors_come_out() -> None:
    """What TileLang emits for two shapes: tcgen05mma_ws_ss, and mxf4nvf4_blockscaled_ss."""
    assert Mma("f16", 64, 64, "f16", "f16").idesc(b_mn=True) == 68222992
    assert Mma("mxf4nvf4", 128, 128, "e2m1", "e2m1").idesc() == 136316032


@pytest.mark.parametrize("tensor", [False, True], ids=["shared", "tensor"])
@pytest.mark.parametrize("types", DENSE, ids=".".join)
def test_every_type(types: tuple[str, str, str, str], tensor: bool) -> None:
    kind, a, b, d = types
    shapes = [(128, 256), (64, 8), (128, 16), (64, 64 if kind == "i8" else 72)]
    for seed, (rows, columns) in enumerate(shapes):
        m = Mma(kind, rows, columns, a, b, d, tensor=tensor)
        got, want = multiply(m, NEAR, FAR, seed)
        assert np.array_equal(got, want), (rows, columns)


@pytest.mark.parametrize("kind", ["f16", "tf32", "f8f6f4", "i8"])
def test_every_swizzle_and_major(kind: str) -> None:
    types = {
        "f16": ("bf16", "f16", "f32"),
        "tf32": ("tf32", "tf32", "f32"),
        "f8f6f4": ("e4m3", "e5m2", "f32"),
        "i8": ("s8", "u8", "s32"),
    }[kind]
    k_major = [Operand(name) for name in SWIZZLES if name != "128B_32B"]
    turned = ["128B_32B"] if kind == "tf32" else [s for s in SWIZZLES if s != "128B_32B"]
    layouts = k_major + [Operand(name, True) for name in turned]
    for number, (near, far) in enumerate(itertools.product(layouts, repeat=2)):
        rows, columns = ((128, 32), (64, 128), (64, 16))[number % 3]
        if near.mn or far.mn:  # whole rows of an atom
            rows, columns = 128, 128
        m = Mma(kind, rows, columns, *types)
        got, want = multiply(m, near, replace(far, start=B_START), number)
        assert np.array_equal(got, want), (near, far, rows, columns)


@pytest.mark.parametrize("swizzle", ["32B", "64B", "128B"])
def test_a_pattern_may_start_at_any_row_that_the_base_offset_names(swizzle: str) -> None:
    m = Mma("f16", 128, 32, "f16", "bf16")
    for row in range(1, 8):
        near = Operand(swizzle, start=128 * row, base=row)
        far = Operand(swizzle, row % 2 == 0, start=B_START + 128 * row, base=row)
        got, want = multiply(m, near, far)
        assert np.array_equal(got, want), row


def test_later_k_lies_inside_the_atom() -> None:
    """The start address moves by 32 bytes in a row of 128."""
    m = Mma("f16", 64, 32, "f16", "bf16")
    for step in (32, 64, 96):
        got, want = multiply(m, Operand("128B", start=step), Operand("128B", start=B_START + step))
        assert np.array_equal(got, want), step


@pytest.mark.parametrize("tensor", [False, True], ids=["shared", "tensor"])
def test_64_rows_begin_at_lane_0_or_16(tensor: bool) -> None:
    for half, column in ((0, 5), (16, 130)):
        m = Mma("f16", 64, 40, "f16", "f16", tensor=tensor)
        got, want = multiply(m, NEAR, FAR, column=column, half=half)
        assert np.array_equal(got, want)


def test_every_n() -> None:
    for columns in range(8, 257, 8):
        m = Mma("f8f6f4", 64, columns, "e4m3", "e4m3")
        got, want = multiply(m, NEAR, Operand("32B", start=B_START), columns, column=columns % 7)
        assert np.array_equal(got, want), columns


def test_without_enable_input_d_the_addend_is_not_read() -> None:
    for d in ("f32", "f16"):
        got, want = multiply(Mma("f16", 128, 64, "f16", "f16", d), NEAR, FAR, adds=False)
        assert np.array_equal(got, want)


@pytest.mark.parametrize("shift", [0, 1, 7, 15])
def test_scale_input_d_divides_the_addend(shift: int) -> None:
    for kind in ("f16", "tf32"):
        m = Mma(kind, 64, 16, kind, kind, shift=shift)
        got, want = multiply(m, NEAR, FAR)
        assert np.array_equal(got, want)
    got, want = multiply(Mma("f16", 64, 16, "f16", "f16", "f16", shift=min(shift, 7)), NEAR, FAR)
    assert np.array_equal(got, want)


@pytest.mark.parametrize("signs", [1, 2, 3])
def test_negation(signs: int) -> None:
    for kind, a, d in (("f16", "bf16", "f32"), ("f8f6f4", "e5m2", "f16"), ("tf32", "tf32", "f32")):
        for tensor in (False, True):
            m = Mma(kind, 128, 32, a, a, d, tensor=tensor, fields=signs << 13)
            got, want = multiply(m, NEAR, FAR)
            assert np.array_equal(got, want)


def test_disabled_lanes_stay() -> None:
    masks = (0x80000001, 0xFFFFFFFF, 0, 0x0000FF00)
    for rows, kind in ((128, "f16"), (64, "f16"), (128, "i8")):
        types = ("s8", "s8", "s32") if kind == "i8" else ("f16", "f16", "f32")
        got, want = multiply(Mma(kind, rows, 32, *types, masks=masks), NEAR, FAR)
        assert np.array_equal(got, want)


@pytest.mark.parametrize("types", [("f16", "f16"), ("f8f6f4", "e4m3"), ("i8", "s8")])
def test_ashift_takes_the_next_row_of_32_lanes(types: tuple[str, str]) -> None:
    """A in tensor memory: row r is A[r + 1], but for the last row of 32 lanes (NVIDIA/cutlass at
    7107b05, mma_sm100_umma.hpp)."""
    kind, a = types
    m = Mma(kind, 128, 16, a, a, "s32" if kind == "i8" else "f32", words=".ashift", tensor=True)
    rng = np.random.default_rng(3)
    near, far = values(a, (128, m.depth), rng), values(a, (16, m.depth), rng)
    image, given = np.zeros((1, IMAGE), np.uint8), np.zeros((LANES, COLUMNS), np.uint32)
    put(image, FAR.places(m.bits, 16, m.depth), codes(a, far), m.bits)
    tensor_a(m, given, near, 64)
    words = {"i": m.idesc(), "ta": 64, "adds": 0}
    descriptor = FAR.descriptor(m.bits, 16, m.depth)
    got = launch(m.statement(), 1, image, given[None], 0, descriptor, words)
    row = np.arange(128)
    shifted = near[row + (row % 32 != 31)]
    assert np.array_equal(got[0, :, :16].view(DTYPES[m.d]), shifted @ far.T)


def test_integers_saturate_where_the_descriptor_says() -> None:
    m = Mma("i8", 128, 8, "s8", "s8", "s32")
    image = np.full((1, IMAGE), 127, np.uint8)
    given = np.full((1, LANES, COLUMNS), 2**31 - 5, np.uint32)
    for bit in (0, 1):
        m = replace(m, fields=bit << 3)
        got = launch(
            m.statement(),
            1,
            image,
            given,
            NEAR.descriptor(8, 128, 32),
            FAR.descriptor(8, 8, 32),
            {"i": m.idesc()},
        )[0]
        total = (2**31 - 5 + 32 * 127 * 127 + 2**31) % 2**32 - 2**31
        assert (got[:, :8].view(np.int32) == (2**31 - 1 if bit else total)).all()


@pytest.mark.parametrize("collector", ["fill", "use", "lastuse", "discard"])
def test_collectors_change_no_value(collector: str) -> None:
    m = Mma("f16", 128, 64, "f16", "f16", words=f".collector::a::{collector}")
    filled = replace(m, words=".collector::a::fill").statement()
    got, want = multiply(m, NEAR, FAR, adds=False, before=filled if "use" in collector else "")
    assert np.array_equal(got, want)


def test_ptxas_accepts_these_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    forms = [
        Mma(kind, 128, 64, a, b, d, tensor=tensor)
        for kind, a, b, d in DENSE[::4]
        for tensor in (False, True)
    ]
    forms += [
        Mma("f16", 64, 8, "f16", "f16", masks=(1, 2, 3, 4), shift=15),
        Mma("i8", 64, 8, "s8", "s8", "s32", masks=(1, 2, 3, 4), tensor=True, words=".ashift"),
        *(
            Mma("f16", 64, 8, "f16", "f16", words=f".collector::a::{use}")
            for use in ("fill", "use", "lastuse", "discard")
        ),
    ]
    for m in forms:
        cubin, messages = ptxas.judge(text(m.statement()), "sm_100a")
        assert cubin is not None, messages


def test_products_and_bytes_are_counted() -> None:
    """By the instruction descriptor: the text does not tell M and N."""
    m = Mma("f16", 128, 64, "f16", "bf16")
    device = lanemap.open_device("sm_100a", device="emulator")
    kernel = device, device.load(text(m.statement()))["kernel"]
    with device.count() as counts:
        got, want = multiply(m, NEAR, FAR, kernel=kernel)
    assert np.array_equal(got, want)
    assert counts.matrix_flops == 2 * 128 * 64 * 16
    assert counts.matrix_instructions == 1
    (one,) = [each for each in counts.instructions if each.opcode.startswith("tcgen05.mma")]
    found = {place: traffic.bytes for place, traffic in one.traffic.items()}
    assert found == {
        ("shared", "load"): (128 + 64) * 32,
        ("tensor", "load"): 128 * 64 * 4,
        ("tensor", "store"): 128 * 64 * 4,
    }
