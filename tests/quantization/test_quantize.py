"""Quantization to block-scaled formats, against exact fractions, ml_dtypes and PyTorch."""

from __future__ import annotations

from bisect import bisect
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import lanemap
from lanemap.errors import UserError
from lanemap.quantization.formats import E2M1, E4M3, E5M2, FORMATS

#: Exponent bits, fraction bits, largest finite code: OCP MX specification v1.0, 5.3.
BITS = {"e2m1": (2, 1, 0b0111), "e4m3": (4, 3, 0x7E), "e5m2": (5, 2, 0x7B)}
#: Elements, scales and block of each format: the same, 5.2, and arXiv 2509.25149.
SPECIFIED = {
    "nvfp4": ("e2m1", "e4m3", 16), "mxfp4": ("e2m1", "e8m0", 32),
    "mxfp8_e4m3": ("e4m3", "e8m0", 32), "mxfp8_e5m2": ("e5m2", "e8m0", 32),
}  # fmt: skip
#: E2M1 in the order of its codes, the same, table 5.
E2M1_VALUES = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6]


def value(code: int, kind: str) -> Fraction:
    """What a code without its sign means."""
    exponents, fractions, _ = BITS[kind]
    exponent, fraction = code >> fractions, code & ((1 << fractions) - 1)
    bias = (1 << (exponents - 1)) - 1
    significand = Fraction(fraction, 1 << fractions) + (exponent > 0)
    return significand * Fraction(2) ** (max(exponent, 1) - bias)


VALUES = {kind: [value(c, kind) for c in range(bits[2] + 1)] for kind, bits in BITS.items()}


def nearest(x: Fraction, kind: str) -> int:
    """The code of the nearest value; of two the even one."""
    above = bisect(VALUES[kind], x)
    codes = range(max(above - 1, 0), min(above + 1, len(VALUES[kind])))
    return min(codes, key=lambda code: (abs(VALUES[kind][code] - x), code % 2))


def plain_block(block: list[float], name: str) -> tuple[int, list[int]]:
    """Scale code and element codes of a block, in exact arithmetic."""
    element, scale, _ = SPECIFIED[name]
    exact = [Fraction(each) for each in block]
    most, largest = max(map(abs, exact)), VALUES[element][-1]
    if scale == "e4m3":
        scale_code = nearest(most / largest, "e4m3")
        factor = VALUES["e4m3"][scale_code]
    else:
        scale_code = 0
        while (
            scale_code < 254
            and most
            and Fraction(2) ** (scale_code - 126)
            * 2 ** (2 if element == "e2m1" else 8 if element == "e4m3" else 15)
            <= most
        ):
            scale_code += 1
        factor = Fraction(2) ** (scale_code - 127)
    codes = [nearest(abs(each) / factor if factor else Fraction(0), element) for each in exact]
    sign = 1 << sum(BITS[element][:2])
    return scale_code, [
        code + (sign if np.signbit(each) and factor else 0)
        for code, each in zip(codes, block, strict=True)
    ]


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_blocks_are_those_of_exact_arithmetic(name: str, data: Any) -> None:
    size = SPECIFIED[name][2]
    numbers = st.one_of(
        st.floats(width=32, allow_nan=False, allow_infinity=False),
        st.floats(-8, 8, width=32),
        st.integers(-24, 24).map(lambda n: n / 4),  # ties
    )
    x = data.draw(arrays(np.float32, (1, 32), elements=numbers))
    found = lanemap.quantize(x, name)
    codes = found.elements().view(np.uint8).reshape(-1, size)
    for block, scale, row in zip(
        x.reshape(-1, size), found.scales.view(np.uint8)[0], codes, strict=True
    ):
        assert (int(scale), row.tolist()) == plain_block(block.tolist(), name)


@pytest.mark.parametrize("kind", [E2M1, E4M3, E5M2], ids=["e2m1", "e4m3", "e5m2"])
def test_rounding_is_that_of_ml_dtypes(kind: Any) -> None:
    """Every code, everything halfway between two, their neighbors, and random numbers."""
    name = str(kind.dtype)
    codes = np.arange(1 << kind.bits, dtype=np.uint8)
    values = codes.view(kind.dtype).astype(np.float64)
    keep = np.isfinite(values)
    np.testing.assert_array_equal(kind.encode(values[keep]), codes[keep], name)
    ordered = np.unique(values[keep])
    # ml_dtypes rounds float64 by way of float32, and so twice.
    halfway = ((ordered[1:] + ordered[:-1]) / 2).astype(np.float32)
    random = np.random.default_rng(0).standard_normal(20000, np.float32) * kind.largest / 3
    every = np.concatenate([halfway, np.nextafter(halfway, np.float32(1e9)),
                            np.nextafter(halfway, np.float32(-1e9)),
                            np.clip(random, -kind.largest, kind.largest)])  # fmt: skip
    theirs = every.astype(kind.dtype).view(np.uint8)
    np.testing.assert_array_equal(kind.encode(every), theirs, name)
    np.testing.assert_array_equal(
        kind.encode([1e300, -1e300]).view(kind.dtype).astype(float), [kind.largest, -kind.largest]
    )


def test_an_example_by_hand() -> None:
    """The largest magnitude is 12: NVFP4 has scale 2, and MXFP4 2^(3 - 2) = 2."""
    x = np.zeros((2, 32), np.float32)
    x[0, :8] = [12, -12, 1, 3, 5, -9, 0.4, 8]
    for name, scale in (("nvfp4", 2.0), ("mxfp4", 2.0)):
        found = lanemap.quantize(x, name)
        assert float(found.scales[0, 0]) == scale
        # 6, -6, 0.5, 1.5, 2.5 -> 2 (even), -4.5 -> -4, 0.2 -> 0, 4: codes 7, 15, 1, 3, 4, 14, 0, 6
        np.testing.assert_array_equal(found.data[0, :4], [0xF7, 0x31, 0xE4, 0x60])
        np.testing.assert_array_equal(found.dequantize()[0, :8], [12, -12, 1, 3, 4, -8, 0, 8])
    # A block of zeros: E4M3 has a zero, E8M0 has 2^-127.
    assert float(lanemap.quantize(x, "nvfp4").scales[1, 0]) == 0
    assert float(lanemap.quantize(x, "mxfp4").scales[1, 0]) == 2.0**-127
    # 3 * 2^126 / 2^(127 - 8) = 3 * 2^7 in E4M3.
    large = lanemap.quantize(np.full((1, 32), 3 * 2.0**126), "mxfp8_e4m3")
    np.testing.assert_array_equal(large.data.astype(np.float32), 384)


@settings(max_examples=40, deadline=None)
@given(
    shape=st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 70)),
    name=st.sampled_from(list(FORMATS)),
    second=st.booleans(),
    seed=st.integers(0, 99),
)
def test_any_shape_comes_back_as_near_as_its_format_allows(
    shape: tuple[int, int, int], name: str, second: bool, seed: int
) -> None:
    x = np.random.default_rng(seed).standard_normal(shape)
    found = lanemap.quantize(x, name, None if second else 1.0)
    padded = -(-shape[2] // 32) * 32
    fraction, block = BITS[SPECIFIED[name][0]][1], SPECIFIED[name][2]
    assert found.elements().shape == (*shape[:2], padded)
    assert found.scales.shape == (*shape[:2], padded // block)
    assert not found.elements()[..., shape[2] :].astype(np.float32).any()
    back = found.dequantize()
    assert back.shape == shape
    # Half a unit in the last place of the largest binade, or what saturates: the scale of NVFP4
    # is at most 1/16 too small, that of an MX format leaves 2^(emax + 1) / largest.
    blocks = np.pad(np.abs(x), [(0, 0), (0, 0), (0, padded - shape[2])])
    most = blocks.reshape(*shape[:2], -1, block).max(-1).repeat(block, -1)[..., : shape[2]]
    assert (np.abs(back - x) <= most * max(2.0 ** -(fraction + 1), 0.25) * 1.07).all()


def test_a_second_level_gives_the_largest_block_the_largest_scale() -> None:
    x = np.random.default_rng(3).standard_normal((4, 64)) * 1e-6
    found = lanemap.quantize(x, "nvfp4", None)
    assert float(found.scales.astype(np.float32).max()) == 448
    assert np.abs(found.dequantize() - x).max() < np.abs(x).max() / 6 * 1.01
    # Without it, scales below 2^-10 become zero, and so does x.
    assert not lanemap.quantize(x, "nvfp4").dequantize().any()
    assert lanemap.quantize(np.zeros((1, 16)), "nvfp4", None).global_scale == 1.0


def test_the_element_of_the_lower_k_is_in_the_low_bits() -> None:
    """PTX ISA, cvt to .e2m1x2: the second operand, which is the lower k, goes to the low bits."""
    x = np.array([[0.5, -6, 1.5, 4]], ml_dtypes.float4_e2m1fn)  # codes 1, 15, 3, 6
    packed = lanemap.pack_nibbles(x)
    np.testing.assert_array_equal(packed, [[0xF1, 0x63]])
    assert [E2M1_VALUES[code] for code in lanemap.unpack_nibbles(packed)[0]] == [0.5, -6, 1.5, 4]


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(1, 300), columns=st.integers(1, 11), batches=st.integers(0, 2))
def test_atoms_hold_every_scale_where_cublas_says(rows: int, columns: int, batches: int) -> None:
    shape = (batches, rows, columns) if batches else (rows, columns)
    scales = np.random.default_rng(rows).integers(1, 256, shape).astype(np.uint8)
    atoms = lanemap.scale_atoms(scales)
    tiles = -(-columns // 4)
    flat = atoms.reshape(*shape[:-2], -1)
    row, column = np.indices((rows, columns))
    # cuBLAS, 1D Block Scaling Factors Layout: tiles of 128 x 4, row by row; in a tile,
    # (outer % 32) * 16 + (outer / 32) * 4 + inner.
    outer, inner = row % 128, column % 4
    at = (row // 128 * tiles + column // 4) * 512 + outer % 32 * 16 + outer // 32 * 4 + inner
    np.testing.assert_array_equal(flat[..., at], scales)
    assert np.count_nonzero(atoms) == scales.size  # what is beside them is zero
    np.testing.assert_array_equal(lanemap.scales_of_atoms(atoms, rows, columns), scales)


def test_an_atom_is_that_of_cutlass() -> None:
    """Sm1xxBlockScaledBasicChunk of CUTLASS for vectors of 16: ((32,4),(16,4)) : ((16,4),(0,1))."""
    layouts = pytest.importorskip("tensor_layouts")
    chunk = layouts.Layout(((32, 4), (16, 4)), ((16, 4), (0, 1)))
    scales = np.arange(512).reshape(128, 4) % 251
    atom = lanemap.scale_atoms(scales.astype(np.uint8)).reshape(-1)
    for row in range(128):
        for k in range(64):
            assert atom[chunk(row, k)] == scales[row, k // 16]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: lanemap.quantize(np.ones((1, 16)), "nvfp5"), "'nvfp5' is not one of nvfp4, mxfp4"),
        (lambda: lanemap.quantize(np.ones(16)), r"x has shape \(16,\); it must be \(.., M, K\)"),
        (lambda: lanemap.quantize([[np.inf]]), "x has infinities or NaN"),
        (lambda: lanemap.quantize([[1.0]], global_scale=0), "the global scale is 0; it must be"),
        (lambda: lanemap.pack_nibbles(np.zeros((2, 3), np.uint8)), "do not fill bytes"),
        (lambda: lanemap.pack_nibbles([0, 16]), "the code 16 has more than 4 bits"),
        (lambda: lanemap.scale_atoms(np.zeros((4, 4))), r"of one byte each, not \(4, 4\)"),
        (lambda: lanemap.scales_of_atoms(np.zeros((1, 1, 32, 4, 4), np.uint8), 129, 4),
         r"atoms of 129 x 4 scales are \(.., 2, 1, 32, 4, 4\), not \(1, 1, 32, 4, 4\)"),
    ],
)  # fmt: skip
def test_errors_are_sentences(call: Any, says: str) -> None:
    with pytest.raises(UserError, match=says):
        call()
