"""Matrix products of operands in memory: exact results, and every fault of an operand found.

Oracles: NumPy and exact fractions (sums.py) for results. Where elements lie is written down here
from the canonical layouts of shared memory operands (NVIDIA/cutlass,
cute/arch/mma_sm100_desc.hpp) and of scale factors in tensor memory (PTX ISA, tcgen05.mma).
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.host.hazards import Hazard
from lanemap.emulator.host.observers import Counting
from lanemap.emulator.runtime.abi import Format, Result, Sum, SumRule

from .products import CHUNK, Engine, Laid, Sided, complete, fill, hand_over, launch, product, take
from .sums import RULES, decoded, dot
from .test_matrix import random_codes, same, width

F64 = SumRule(sum=Sum.F64, result=Result.F32)


def swizzled(address: NDArray[np.int64], bytes_of_row: int) -> NDArray[np.int64]:
    """16-byte units permuted by the address, in rows of 128, 64, 32 or 16 (none) bytes."""
    return address ^ (address >> 7 & bytes_of_row // 16 - 1) << 4


def k_major(lines: int, depth_bytes: int, start: int, row: int) -> NDArray[np.int64]:
    """Byte of each 16 bytes of k, [line, unit]: rows of `row` bytes in groups of 8."""
    line, unit = np.meshgrid(np.arange(lines), np.arange(depth_bytes // 16), indexing="ij")
    if row == 16:  # units of a group side by side: 128 bytes from one to the next
        return start + (line // 8 * (depth_bytes // 16) + unit) * 128 + line % 8 * 16
    return swizzled(start + line * row + unit * 16, row)


def mn_major(lines: int, depth: int, start: int) -> NDArray[np.int64]:
    """The same of each 8 lines of 16-bit elements, [k, unit], in rows of 128 bytes (64 lines)."""
    k, unit = np.meshgrid(np.arange(depth), np.arange(lines // 8), indexing="ij")
    return swizzled(start + unit // 8 * depth * 128 + k * 128 + unit % 8 * 16, 128)


def put(
    image: NDArray[np.uint8],
    units: NDArray[np.int64],
    codes: NDArray[np.uint64],
    bits: int,
    along_k: bool = True,
) -> Laid:
    """Write elements [line, k] to units of 16 bytes; where they lie then."""
    each = 128 // bits
    ordered = (codes if along_k else codes.T).reshape(*units.shape, each)
    packed = np.packbits(
        (ordered[..., None] >> np.arange(bits, dtype=np.uint64) & np.uint64(1))
        .astype(np.uint8)
        .reshape(*units.shape, 128),
        axis=-1,
        bitorder="little",
    )
    image[units[..., None] + np.arange(16)] = packed
    return Laid(units * 8, each, bits, along_k)


def columns(rows: int, lanes: int, start: int = 0, in_engine: bool = False) -> Laid:
    """Results [row, lane] of 32 bits, row after row."""
    return Laid((start + np.arange(rows)[:, None] * lanes * 4) * 8, lanes, 32, False, in_engine)


ROWS, COLUMNS, DEPTH = 64, 32, 16
RESULT_AT = 16384


def small(row: int = 128) -> tuple[NDArray[np.uint8], Sided, Sided, NDArray[np.float32]]:
    """Operands of 64 x 32 x 16 in shared memory, and the exact D."""
    rng = np.random.default_rng(row)
    image = np.zeros(RESULT_AT + ROWS * COLUMNS * 4, np.uint8)
    a, b = (random_codes("bf16", (n, DEPTH), rng, 3) for n in (ROWS, COLUMNS))
    first = Sided(put(image, k_major(ROWS, 32, 0, row), a, 16), ROWS, Format.BF16)
    second = Sided(put(image, k_major(COLUMNS, 32, 8192, row), b, 16), COLUMNS, Format.BF16)
    expected = decoded("bf16", a) @ decoded("bf16", b).T
    return image, first, second, expected.astype(np.float32)


FRESH = SumRule(sum=Sum.F64, result=Result.F32, fresh=1)
OPERANDS, RESULTS = range(RESULT_AT // CHUNK), range(RESULT_AT // CHUNK, RESULT_AT // CHUNK + 32)


def test_the_product_is_exact_and_seen_by_a_later_reader() -> None:
    image, a, b, expected = small()
    d = columns(ROWS, COLUMNS, RESULT_AT)
    whole = product(a, b, d, FRESH, DEPTH, Engine())
    again = product(a, b, d, F64, DEPTH, Engine())
    out = launch(
        image,
        len(image),
        fill(OPERANDS),
        hand_over(),
        whole,
        again,
        complete,
        take(RESULTS, len(image) // CHUNK),
    )
    found = out[RESULT_AT:].view(np.float32).reshape(ROWS, COLUMNS)
    np.testing.assert_array_equal(found, 2 * expected)


@pytest.mark.parametrize("row", [16, 32, 64, 128])
def test_what_is_read_before_the_engine_is_done_is_a_hazard(row: int) -> None:
    image, a, b, _ = small(row)
    act = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), FRESH, DEPTH, Engine())
    with pytest.raises(Hazard) as found:
        launch(
            image, len(image), fill(OPERANDS), hand_over(), act, take(RESULTS, len(image) // CHUNK)
        )
    assert found.value.kind == "order"
    assert f"byte {RESULT_AT:#x}" in found.value.sentence
    assert found.value.instruction == "take"


def test_a_source_is_locked_until_the_engine_is_done() -> None:
    image, a, b, _ = small()
    act = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), FRESH, DEPTH, Engine())
    steps = fill(OPERANDS), hand_over(), act
    for chunk in (0, 8192 // CHUNK):
        with pytest.raises(Hazard) as found:
            launch(image, 0, *steps, fill([chunk], 1))
        assert found.value.kind == "order"
        assert f"writes shared memory at byte {chunk * CHUNK:#x} " in found.value.sentence
        assert "the read by" in found.value.sentence
    launch(image, 0, *steps, fill([60], -60))  # which the engine does not read
    launch(image, 0, *steps, complete, fill([0, 8192 // CHUNK], 1))


@pytest.mark.parametrize("handed", [False, True])
def test_a_write_that_was_not_handed_over_is_a_hazard(handed: bool) -> None:
    image, a, b, _ = small()
    act = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), FRESH, DEPTH, Engine())
    last = [hand_over()] if handed else []
    steps = fill(OPERANDS[1:]), hand_over(), fill([0]), *last, act
    if handed:
        launch(image, 0, *steps)
        return
    with pytest.raises(Hazard) as found:
        launch(image, 0, *steps)
    assert found.value.kind == "order"
    assert "reads shared memory at byte 0x0 " in found.value.sentence


@pytest.mark.parametrize("missing", [3, 8192 // CHUNK + 5])
def test_an_undefined_operand_is_named_with_its_origin(missing: int) -> None:
    byte = missing * CHUNK
    image, a, b, _ = small()
    act = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), FRESH, DEPTH, Engine())
    filled = fill([chunk for chunk in OPERANDS if chunk != missing])
    with pytest.raises(Hazard) as found:
        launch(image, 0, filled, hand_over(), act)
    assert found.value.kind == "undefined"
    # the row's two units are permuted by the row's number, which is even here
    units = sorted(
        {
            int(swizzled(np.array(byte + row * 128 + unit * 16), 128))
            for row in range(2)
            for unit in range(2)
        }
    )
    assert "decide the matrix operand" in found.value.sentence
    assert f"they come from shared memory, byte {units[0]:#x}, which nothing had written" in (
        found.value.sentence
    )


def test_an_operand_without_its_result_is_undefined() -> None:
    image, a, b, _ = small()
    act = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), F64, DEPTH, Engine())
    with pytest.raises(Hazard, match=f"shared memory, byte {RESULT_AT:#x}, which nothing"):
        launch(image, 0, fill(OPERANDS), hand_over(), act)


def test_an_operand_outside_its_memory_is_out_of_bounds() -> None:
    image, a, b, _ = small()
    a.laid.places = a.laid.places + (len(image) - 64 * 128 + 16) * 8
    act = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), FRESH, DEPTH, Engine())
    with pytest.raises(Hazard, match="are outside the shared memory of this launch") as found:
        launch(image, 0, fill(OPERANDS), hand_over(), act)
    assert found.value.kind == "out-of-bounds"


def test_what_the_engine_reads_and_writes_is_counted() -> None:
    image, a, b, _ = small()
    act = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), FRESH, DEPTH, Engine())
    again = product(a, b, columns(ROWS, COLUMNS, RESULT_AT), F64, DEPTH, Engine())
    counting = Counting()
    launch(image, 0, fill(OPERANDS), hand_over(), act, again, observers=(counting,))
    (first, second) = (i.traffic for i in counting.counts.instructions if i.text == "act")
    read, result = (ROWS + COLUMNS) * DEPTH * 2, ROWS * COLUMNS * 4
    assert first["shared", "load"].bytes == read
    assert first["shared", "store"].bytes == result
    assert second["shared", "load"].bytes == read + result
    assert second["shared", "store"].bytes == result


# -- tiles as large as instructions make them ----------------------------------------------------


def tile(how: str, names: tuple[str, str], rule: str, start: float) -> None:
    """128 x 256 by 32 bytes of k, from shared to the engine's memory, column by column."""
    rng = np.random.default_rng(len(how))
    bits = [width(name) for name in names]
    depth = 256 // bits[0]
    image = np.zeros(64 * 1024, np.uint8)
    a, b = (
        random_codes(name, (n, depth), rng, 4) for name, n in zip(names, (128, 256), strict=True)
    )
    if how == "mn":
        first, second = (
            put(image, mn_major(n, depth, at), m, 16, False)
            for n, at, m in ((128, 0, a), (256, 16384, b))
        )
    else:
        row = int(how)
        at = 128 * max(row, 32)
        first, second = (
            put(image, k_major(n, 32, where, row), m, bits[0])
            for n, where, m in ((128, 0, a), (256, at, b))
        )
    sides = [
        Sided(laid, n, Format[name.upper()])
        for laid, n, name in zip((second, first), (256, 128), names[::-1], strict=True)
    ]
    c = (np.round(rng.normal(size=(256, 128)) * 64) / 8).astype(np.float32) * np.float32(start)
    engine = Engine(first=c.view(np.uint8).reshape(-1))
    form = RULES[rule].engine() if rule else F64
    act = product(sides[0], sides[1], columns(256, 128, in_engine=True), form, depth, engine)
    launch(image, 0, fill(range(len(image) // CHUNK)), hand_over(), act)
    found = engine.contents.data[: 256 * 128 * 4].view(np.float32).reshape(256, 128).T
    values = decoded(names[0], a), decoded(names[1], b)
    if not rule:
        sums = c.T.astype(np.float64)
        for k in range(depth):
            sums = sums + values[0][:, k, None] * values[1][None, :, k]
        np.testing.assert_array_equal(found, sums.astype(np.float32))
        return
    for i, j in zip(rng.integers(0, 128, 400), rng.integers(0, 256, 400), strict=True):
        exact = dot(
            values[0][i].tolist(), values[1][j].tolist(), float(c[j, i]), RULES[rule], names
        )
        assert same(float(found[i, j]), exact), (i, j)


@pytest.mark.parametrize("how", ["16", "32", "64", "128", "mn"])
def test_a_tile_of_bf16_in_every_layout(how: str) -> None:
    tile(how, ("bf16", "bf16"), "", 1)


@pytest.mark.parametrize(("names", "rule"), [
    (("bf16", "bf16"), "wgmma f16"), (("tf32", "tf32"), "wgmma tf32"),
    (("e4m3", "e5m2"), "wgmma e4m3"), (("e4m3", "e4m3"), "tcgen05 f8f6f4"),
])  # fmt: skip
def test_a_tile_under_published_rules(names: tuple[str, str], rule: str) -> None:
    tile("128", names, rule, 1)


def test_block_scales_from_the_engines_memory() -> None:
    """E2M1 with a scale for 16 k: byte j of lane mn % 32, column mn / 32; A from lanes too."""
    rng = np.random.default_rng(12)
    lines, depth, blocks = (128, 64), 64, 4
    image = np.zeros(16 * 1024, np.uint8)
    a, b = (random_codes("e2m1", (n, depth), rng, 0) for n in lines)
    codes = [rng.integers(0x28, 0x48, (n, blocks), dtype=np.uint8) for n in lines]
    second = put(image, k_major(lines[1], 32, 0, 32), b, 4)
    # A on lanes: 8 elements in a cell of 32 bits, cells of a column side by side
    first = np.zeros(64 * 512, np.uint8)
    line, word = np.meshgrid(np.arange(128), np.arange(8), indexing="ij")
    cells = (word * 128 + line) * 4
    nibbles = a.reshape(128, 8, 8).astype(np.uint32) << (4 * np.arange(8, dtype=np.uint32))
    packed = nibbles.sum(-1, dtype=np.uint32)[..., None]
    first[cells[..., None] + np.arange(4)] = packed.view(np.uint8)
    scales = []
    for column, each in zip((8, 12), codes, strict=True):
        mn, j = np.meshgrid(np.arange(len(each)), np.arange(blocks), indexing="ij")
        at = ((column + mn // 32) * 128 + mn % 32) * 4 + j
        first[at] = each
        scales.append(Laid(at[::32].T * 8, 32, 32, False, in_engine=True))
    engine = Engine(first=first)
    sides = [
        Sided(second, 64, Format.E2M1, scales[1], Format.UE4M3, 16),
        Sided(Laid(cells * 8, 8, 4, in_engine=True), 128, Format.E2M1, scales[0], Format.UE4M3, 16),
    ]
    rule = RULES["tcgen05 mxf4"].engine()
    rule.fresh = 1
    d = columns(64, 128, 64 * 512, in_engine=True)
    act = product(sides[0], sides[1], d, rule, depth, engine)
    launch(image, 0, fill(range(len(image) // CHUNK)), hand_over(), act)
    start = 64 * 512
    found = engine.contents.data[start : start + 64 * 512].view(np.float32).reshape(64, 128).T
    values = decoded("e2m1", a), decoded("e2m1", b)
    powers = [decoded("ue4m3", each) for each in codes]
    for i, j in zip(rng.integers(0, 128, 300), rng.integers(0, 64, 300), strict=True):
        exact = dot(
            values[0][i].tolist(),
            values[1][j].tolist(),
            0.0,
            RULES["tcgen05 mxf4"],
            ("e2m1", "e2m1"),
            (powers[0][i].tolist(), powers[1][j].tolist()),
            "ue4m3",
        )
        assert same(float(found[i, j]), exact), (i, j)


@pytest.mark.parametrize("run", [16, 128])
def test_only_the_bytes_that_a_view_names_are_touched(run: int) -> None:
    """Results in strips of 16 lanes leave the lanes between them as they were."""
    image, a, b, expected = small()
    engine = Engine()
    places = (np.arange(COLUMNS)[:, None] * 512 + np.arange(4) * 128) * 8
    if run == 128:
        places = np.arange(COLUMNS)[:, None] * 512 * 8
    d = Laid(places, min(run, ROWS), 32, False, True)
    act = product(b, a, d, FRESH, DEPTH, engine)
    launch(image, 0, fill(OPERANDS), hand_over(), act)
    lanes = np.arange(ROWS) if run == 128 else np.arange(ROWS) % 16 + np.arange(ROWS) // 16 * 32
    cells = engine.contents.data[: COLUMNS * 512].view(np.float32).reshape(COLUMNS, 128)
    np.testing.assert_array_equal(cells[:, lanes].T, expected)
    undefined = engine.contents.undefined_bytes(0, COLUMNS * 512).reshape(COLUMNS, 128, 4)
    others = np.setdiff1d(np.arange(128), lanes)
    assert not undefined[:, lanes].any()
    assert undefined[:, others].all()


def halves(rows: int, lanes: int) -> Laid:
    """Results [row, lane] of 16 bits in words of their own, in the engine's memory."""
    return Laid(columns(rows, lanes).places, lanes, 32, False, True)


def test_results_of_16_bits_lie_in_the_low_halves_of_words() -> None:
    """PTX ISA, Packing format for matrix D. It does not say what the upper half is."""
    image, a, b, expected = small()
    engine, d = Engine(), halves(ROWS, COLUMNS)
    first, second = (RULES["tcgen05 f16 to f16"].engine() for _ in range(2))
    first.fresh = 1
    whole = product(a, b, d, first, DEPTH, engine)
    again = product(a, b, d, second, DEPTH, engine)
    launch(image, 0, fill(OPERANDS), hand_over(), whole, again)
    size = ROWS * COLUMNS * 4
    found = engine.contents.data[:size].view(np.float16).reshape(ROWS, COLUMNS, 2)[..., 0]
    np.testing.assert_array_equal(found, (2 * expected).astype(np.float16))
    undefined = engine.contents.undefined_bytes(0, size).reshape(-1, 4)
    assert (undefined == [False, False, True, True]).all()
    assert engine.contents.undefined_bytes(size, 4096).all()


def test_a_result_of_16_bits_that_is_added_must_be_defined() -> None:
    image, a, b, _ = small()
    rule = RULES["tcgen05 f16 to f16"].engine()
    act = product(a, b, halves(ROWS, COLUMNS), rule, DEPTH, Engine())
    with pytest.raises(Hazard, match="byte 0x0, which nothing had written") as found:
        launch(image, 0, fill(OPERANDS), hand_over(), act)
    assert found.value.kind == "undefined"


@pytest.mark.parametrize(
    ("name", "bits", "shift"), [("e2m1", 4, 2), ("e3m2", 6, 1), ("e2m3", 6, 1)]
)
def test_narrow_elements_in_bytes(name: str, bits: int, shift: int) -> None:
    """A of f8f6f4 in tensor memory: four 8-bit holders a cell; what else they hold is not read."""
    rng, depth = np.random.default_rng(bits), 32
    image = np.zeros(8192, np.uint8)
    a, b = (random_codes(each, (n, depth), rng, 0) for each, n in ((name, 128), ("e4m3", 16)))
    second = put(image, k_major(16, 32, 0, 32), b, 8)
    line, word = np.meshgrid(np.arange(128), np.arange(8), indexing="ij")
    cells = (word * 128 + line) * 4
    first = np.zeros(8 * 512, np.uint8)
    held = (a << np.uint64(shift)).astype(np.uint8)
    first[cells[..., None] + np.arange(4)] = held.reshape(128, 8, 4)
    used = ((1 << bits) - 1) << shift
    for bad in (0, 1 << shift):
        engine = Engine(first=first, undefined=~used & 0xFF | bad)
        sides = [
            Sided(second, 16, Format.E4M3),
            Sided(
                Laid(cells * 8 + shift, 4, 8, in_engine=True, used=used * 0x01010101),
                128,
                Format[name.upper()],
            ),
        ]
        act = product(sides[0], sides[1], columns(16, 128, 8 * 512, True), FRESH, depth, engine)
        steps = fill(range(len(image) // CHUNK)), hand_over(), act
        if bad:
            with pytest.raises(Hazard, match="decide the matrix operand"):
                launch(image, 0, *steps)
            continue
        launch(image, 0, *steps)
        found = engine.contents.data[8 * 512 :][: 16 * 512].view(np.float32).reshape(16, 128).T
        expected = (decoded(name, a) @ decoded("e4m3", b).T).astype(np.float32)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("name", "bits"), [("e2m1", 4), ("e3m2", 6)])
def test_narrow_elements_packed_at_the_beginning_of_16_bytes(name: str, bits: int) -> None:
    """Operands of f8f6f4 in shared memory: 16 elements, and then padding that nothing reads.

    CUDA Driver API, gaps of 8 bytes of 16U4_ALIGN16B, of 4 of 16U6_ALIGN16B.
    """
    rng, depth = np.random.default_rng(bits), 32
    image = np.full(16384, 0xFF, np.uint8)
    a, b = (random_codes(name, (n, depth), rng, 0) for n in (64, 32))
    sides = []
    for codes, at in ((a, 0), (b, 8192)):
        units = k_major(len(codes), 32, at, 32)
        packed = np.packbits(
            (
                codes.reshape(*units.shape, 16)[..., None] >> np.arange(bits, dtype=np.uint64)
                & np.uint64(1)
            )
            .astype(np.uint8)
            .reshape(*units.shape, 16 * bits),
            axis=-1,
            bitorder="little",
        )
        image[units[..., None] + np.arange(2 * bits)] = packed
        sides.append(Sided(Laid(units * 8, 16, bits), len(codes), Format[name.upper()]))
    engine, counting = Engine(), Counting()
    act = product(sides[1], sides[0], columns(32, 64, 0, True), FRESH, depth, engine)
    launch(image, 0, fill(range(len(image) // CHUNK)), hand_over(), act, observers=(counting,))
    found = engine.contents.data[: 32 * 256].view(np.float32).reshape(32, 64).T
    expected = (decoded(name, a) @ decoded(name, b).T).astype(np.float32)
    np.testing.assert_array_equal(found, expected)
    (traffic,) = (i.traffic for i in counting.counts.instructions if i.text == "act")
    assert traffic["shared", "load"].bytes == (64 + 32) * 2 * 2 * bits
