"""Block-scaled tcgen05.mma against NumPy: small integers and powers of two, whose sums are exact.

Scale factors lie as the PTX ISA (Block Scaling) and NVIDIA/cutlass at 7107b05,
mma_traits_sm100.hpp, tmem_sf_frg have them: of row r on lane r % 32 of all four groups of 32
lanes, in column r / 32. Of M = 128 with two CTAs, those of B's first N / 2 columns lie on lanes 0
to 63, the others' above.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx.mma_kernels import (
    COLUMNS,
    LANES,
    WIDTHS,
    Array,
    Mma,
    Operand,
    codes,
    launch,
    put,
    text,
)
from tests.emulator.ptx.test_tcgen05_mma_pairs import places as pair_places
from tests.sampled import sampled

IMAGE, B_START, A_COLUMN, SFA, SFB = 65536, 32768, 400, 300, 340
NEAR, FAR = Operand("128B"), Operand("128B", start=B_START)
#: Scales of a row, by kind and modifier.
VECTORS = {("mxf8f6f4", ""): 1, ("mxf8f6f4", ".scale_vec::1X"): 1, ("mxf8f6f4", ".block32"): 1,
           ("mxf4", ""): 2, ("mxf4", ".scale_vec::2X"): 2, ("mxf4", ".block32"): 2,
           ("mxf4nvf4", ".scale_vec::2X"): 2, ("mxf4nvf4", ".block32"): 2,
           ("mxf4nvf4", ".scale_vec::4X"): 4, ("mxf4nvf4", ".block16"): 4}  # fmt: skip


def _values(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Values that the type holds: of 4 bits halves, too."""
    if kind == "e2m1":
        return rng.choice(np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.5, -1, -3, -6]), shape)
    return rng.integers(-4, 5, shape).astype(float)


def _packed(kind: str, bits: int, matrix: Array) -> tuple[Array, int]:
    """Codes to put, and their width."""
    return codes(kind, matrix), WIDTHS.get(kind, bits)


def _put_scales(memory: Array, column: int, scales: Array, first: int, folded: bool) -> None:
    """Scales [row, block] as codes, from byte `first` on, into [lane, column, byte]."""
    rows = len(scales)
    for row in range(rows):
        here = row % (rows // 2) if folded else row
        groups = (2 * (row // (rows // 2)) + np.arange(2)) if folded else np.arange(4)
        for group in groups:
            lane, at = here % 32 + 32 * group, column + here // 32
            memory[lane, at, first : first + scales.shape[1]] = scales[row]


def _scales(shape: tuple[int, int], kind: str, rng: np.random.Generator) -> tuple[Array, Array]:
    """Codes and values: powers of two, and of UE4M3 other numbers too."""
    values = 2.0 ** rng.integers(-3, 4, shape)
    if kind == "ue4m3":
        values = rng.choice(np.array([0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 16.0]), shape)
    return codes(kind, values), values


def multiply(
    m: Mma,
    blocks: int,
    scale: str = "ue8m0",
    ids: tuple[int, int] = (0, 0),
    near: Operand = NEAR,
    far: Operand = FAR,
    seed: int = 0,
    adds: bool = True,
    spoil: Any = None,
) -> tuple[Array, Array]:
    """Tensor memories of all CTAs as the emulator has them, and as NumPy does."""
    rng = np.random.default_rng(seed)
    a, b = _values(m.a, (m.rows, m.depth), rng), _values(m.b, (m.columns, m.depth), rng)
    c = rng.integers(-9, 10, (m.rows, m.columns))
    image = rng.integers(0, 256, (m.ctas, IMAGE), dtype=np.uint8)
    given = rng.integers(0, 2**32, (m.ctas, LANES, COLUMNS), dtype=np.uint32)
    sfa, a_scale = _scales((m.rows, blocks), scale, rng)
    sfb, b_scale = _scales((m.columns, blocks), scale, rng)
    rows, columns = m.rows // m.ctas, m.columns // m.ctas
    for rank in range(m.ctas):
        mine, others = a[rank * rows :][:rows], b[rank * columns :][:columns]
        put(image[rank], far.places(m.bits, columns, m.depth, m.b), *_packed(m.b, m.bits, others))
        if m.tensor:
            _tensor_a(m, given[rank], mine)
        else:
            put(image[rank], near.places(m.bits, rows, m.depth, m.a), *_packed(m.a, m.bits, mine))
        memory = given[rank].view(np.uint8).reshape(LANES, COLUMNS, 4)
        _put_scales(memory, SFA, sfa[rank * rows :][:rows], ids[0], False)
        _put_scales(memory, SFB, sfb, ids[1], (m.rows, m.ctas) == (128, 2))
        if spoil:
            spoil(memory)
    row, n = np.indices((m.rows, m.columns))
    place = pair_places(m, 0) if m.ctas == 2 else (np.zeros_like(row), row, n)
    given[place] = codes("f32", c)
    ids_field = ids[0] << 29 | ids[1] << 4
    word = m.idesc(near.mn, far.mn) | ids_field | (scale == "ue8m0") << 23
    got = launch(
        m.statement(),
        m.ctas,
        image,
        given,
        near.descriptor(m.bits, rows, m.depth),
        far.descriptor(m.bits, columns, m.depth),
        {"i": word, "adds": int(adds), "sa": SFA, "sb": SFB, "ta": A_COLUMN},
    )
    each = m.depth // blocks
    near_values, far_values = a * np.repeat(a_scale, each, 1), b * np.repeat(b_scale, each, 1)
    want = given.copy()
    want[place] = codes("f32", near_values @ far_values.T + (c if adds else 0))
    return got, want


def _tensor_a(m: Mma, memory: Array, a: Array) -> None:
    """A in tensor memory: of 6 bits in bits 1 to 6 of a byte, of 4 in bits 2 to 5; of mxf4 two to
    a byte (Packing format used for matrix A in Tensor Memory)."""
    found = codes(m.a, a).astype(np.uint8)
    if m.bits == 4:
        found = found[:, 0::2] | found[:, 1::2] << 4
    else:
        found = found << {6: 1, 4: 2}.get(WIDTHS.get(m.a, 8), 0)
    words = np.ascontiguousarray(found).view(np.uint32)
    for lane in [0] if len(a) == 128 else [0, 64]:
        memory[lane : lane + len(a), A_COLUMN : A_COLUMN + 8] = words


def _shapes() -> Iterator[tuple[int, int, int]]:
    yield from ((1, 128, 64), (1, 128, 8), (1, 128, 256), (1, 128, 72))
    yield from ((2, 256, 64), (2, 256, 256), (2, 256, 16), (2, 128, 64), (2, 128, 256))


@pytest.mark.parametrize(
    "form", sampled([(form,) for form in VECTORS], 3, lambda case: "".join(case[0]))
)
def test_every_number_of_scales(form: tuple[str, str]) -> None:
    kind, words = form
    types = ("e4m3", "e5m2") if kind == "mxf8f6f4" else ("e2m1", "e2m1")
    for seed, (ctas, rows, columns) in enumerate(_shapes()):
        m = Mma(kind, rows, columns, *types, ctas=ctas, words=words)
        got, want = multiply(m, VECTORS[form], seed=seed)
        assert np.array_equal(got, want), (ctas, rows, columns)


@pytest.mark.parametrize("words", [".scale_vec::4X", ".block16"])
def test_ue4m3_scales(words: str) -> None:
    for ctas, rows, columns in _shapes():
        m = Mma("mxf4nvf4", rows, columns, "e2m1", "e2m1", ctas=ctas, words=words)
        got, want = multiply(m, 4, "ue4m3", adds=columns != 64)
        assert np.array_equal(got, want), (ctas, rows, columns)


def test_every_scale_factor_id() -> None:
    for first in range(4):
        for second in range(4):
            m = Mma("mxf8f6f4", 128, 64, "e4m3", "e4m3")
            got, want = multiply(m, 1, ids=(first, second))
            assert np.array_equal(got, want), (first, second)
    for first, second in ((0, 2), (2, 0), (2, 2)):
        for kind, words in (("mxf4", ""), ("mxf4nvf4", ".scale_vec::2X")):
            m = Mma(kind, 128, 40, "e2m1", "e2m1", words=words)
            got, want = multiply(m, 2, ids=(first, second))
            assert np.array_equal(got, want), (first, second)


@pytest.mark.parametrize("swizzle", ["none", "32B", "64B", "128B"])
def test_every_swizzle(swizzle: str) -> None:
    for kind, kinds, blocks in (("mxf8f6f4", "e5m2", 1), ("mxf4", "e2m1", 2)):
        m = Mma(kind, 128, 64, kinds, kinds)
        got, want = multiply(m, blocks, near=Operand(swizzle), far=Operand(swizzle, start=B_START))
        assert np.array_equal(got, want)


@pytest.mark.parametrize("majors", [(False, True), (True, False), (True, True)])
def test_transposed_operands_of_8_bits(majors: tuple[bool, bool]) -> None:
    m = Mma("mxf8f6f4", 128, 128, "e4m3", "e5m2")
    near, far = Operand("128B", majors[0]), Operand("32B", majors[1], B_START)
    got, want = multiply(m, 1, near=near, far=far)
    assert np.array_equal(got, want)


@pytest.mark.parametrize("a", ["e4m3", "e2m3", "e3m2", "e2m1"])
def test_a_in_tensor_memory(a: str) -> None:
    for ctas, rows in ((1, 128), (2, 256), (2, 128)):
        m = Mma("mxf8f6f4", rows, 64, a, "e4m3", ctas=ctas, tensor=True)
        got, want = multiply(m, 1)
        assert np.array_equal(got, want), (ctas, rows)
    if a == "e2m1":
        m = Mma("mxf4nvf4", 128, 64, a, a, words=".block16", tensor=True)
        got, want = multiply(m, 4, "ue4m3")
        assert np.array_equal(got, want)


@pytest.mark.parametrize("a", ["e4m3", "e2m3", "e3m2", "e2m1"])
@pytest.mark.parametrize("b", ["e5m2", "e2m3", "e3m2", "e2m1"])
def test_narrow_types(a: str, b: str) -> None:
    """Of 4 and 6 bits: 16 elements side by side at the beginning of 16 bytes of shared memory."""
    for swizzle in ("none", "128B"):
        m = Mma("mxf8f6f4", 128, 64, a, b)
        got, want = multiply(m, 1, near=Operand(swizzle), far=Operand(swizzle, start=B_START))
        assert np.array_equal(got, want)


@pytest.mark.parametrize("signs", [1, 2, 3])
def test_negation(signs: int) -> None:
    m = Mma("mxf4", 128, 64, "e2m1", "e2m1")
    _, plain = multiply(m, 2, adds=False)
    got, _ = multiply(Mma("mxf4", 128, 64, "e2m1", "e2m1", fields=signs << 13), 2, adds=False)
    sums = plain[0, :, :64].view(np.float32) * (1 if signs == 3 else -1)
    assert np.array_equal(got[0, :, :64].view(np.float32), sums)


def _spoil(memory: Array) -> None:
    memory[64 + 5, SFB + 1, 0] ^= 1


def test_a_copy_of_a_scale_that_differs_is_a_hazard() -> None:
    m = Mma("mxf8f6f4", 128, 64, "e4m3", "e4m3")
    with pytest.raises(Hazard, match=r"scales of row \(or column\) 37 differ between groups"):
        multiply(m, 1, spoil=_spoil)


def test_ptxas_accepts_these_texts() -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain import ptxas

    for number, (kind, words) in enumerate(VECTORS):
        types = ("e4m3", "e5m2") if kind == "mxf8f6f4" else ("e2m1", "e2m1")
        ctas = 1 + number % 2
        m = Mma(kind, 128 * ctas, 64, *types, ctas=ctas, words=words, tensor=number % 3 == 0)
        cubin, messages = ptxas.judge(text(m.statement(), ctas), "sm_100a")
        assert cubin is not None, messages
