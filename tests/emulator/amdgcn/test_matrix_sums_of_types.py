"""How MFMA adds numbers of other types than f16: once rounded, and no rival of that.

Elements are random but for two dot products: a tie, and a small product beside a large one that C
cancels. Every rival of `test_matrix_sums` gives another result somewhere. Each is computed with
fractions, apart from the emulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.layout import LayoutMap
from lanemap.model import variant

from .machine import run
from .test_matrix import in_registers, outputs, random_words, text
from .test_matrix_sums import SUMS, Adds, aligned, at_once, in_order

#: By instruction: its depth, the type of A and B, and how far apart their exponents are.
TYPES: Mapping[str, tuple[int, Any, int]] = {
    "v_mfma_f32_16x16x32_bf16": (32, ml_dtypes.bfloat16, 12),
    "v_mfma_f32_16x16x32_f16": (32, np.float16, 8),
    "v_mfma_f32_16x16x32_fp8_fp8": (32, ml_dtypes.float8_e4m3fn, 6),
    "v_mfma_f32_16x16x32_bf8_bf8": (32, ml_dtypes.float8_e5m2, 12),
    "v_mfma_f32_16x16x128_f8f6f4": (128, ml_dtypes.float8_e4m3fn, 6),
    "v_mfma_f32_16x16x4_f32": (4, np.float32, 12),
}
#: Rows of D that every rival is asked for.
ROWS = 4


def rivals(depth: int) -> dict[str, Adds]:
    """Those of f16 for this depth, without those that are one exact sum at this depth."""
    found = dict(SUMS)
    for name in [each for each in SUMS if each.startswith("a fused")]:
        backward = name.endswith("backward")
        found[name] = partial(in_order, range(depth)[:: -1 if backward else 1])
    if depth <= 4:
        for name in [each for each in SUMS if "exactly, each" in each]:
            del found[name]
    found["aligned at once, 23 bits kept, toward zero"] = partial(aligned, depth, 23, "zero")
    return found


def operands(name: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float32]]:
    """A of 16 x depth, B of depth x 16, and C."""
    depth, dtype, far = TYPES[name]
    rng = np.random.default_rng(depth + far)

    def matrix(rows: int, columns: int) -> NDArray[Any]:
        scale = 2.0 ** rng.integers(-far // 2, far // 2 + 1, (rows, columns))
        return (rng.normal(size=(rows, columns)) * scale).astype(dtype)

    a, b = matrix(16, depth), matrix(depth, 16)
    c = rng.normal(size=(16, 16)) * 2.0 ** rng.integers(-far, far, (16, 16))
    a[:2], b[:, :2] = 0, 0
    a[0, 0], b[0, 0], c[0, 0] = 2.0**-9, 2.0**-9, 64  # half a unit of 64 in f32
    a[1, :2], b[:2, 1], c[1, 1] = (256, 2.0**-9), (256, 2.0**-9), -(2.0**16)
    return a, b, c.astype(np.float32)


def map_of(name: str, operand: str) -> LayoutMap:
    """The map of an operand; one that takes several formats has FP8."""
    several = name.endswith("f8f6f4") and operand != "D"
    return variant(f"{name}:{operand}{'.fp8' * several}").map


def of_the_emulator(
    name: str, a: NDArray[Any], b: NDArray[Any], c: NDArray[np.float32]
) -> NDArray[np.float32]:
    """D of 16 x 16."""
    words = random_words(("f32", "f32"), 1)
    for first, matrix, operand in ((0, a, "A"), (8, b, "B"), (16, c, "D")):
        held = in_registers(matrix, map_of(name, operand))
        words[first : first + len(held)] = held
    registers = (map_of(name, "A").destination.sizes[1], map_of(name, "B").destination.sizes[1], 4)
    found = run(text(name, registers), list(words), outputs(4))
    layout = map_of(name, "D")
    places = np.argsort(layout.table.reshape(-1, 32)[:, 0])
    flat = np.ascontiguousarray(found.T).reshape(-1)[places]
    return flat.view(np.float32).reshape(16, 16)


@pytest.mark.parametrize("name", TYPES)
def test_one_exact_sum_is_rounded_and_every_rival_is_told_from_it(name: str) -> None:
    a, b, c = operands(name)
    found = of_the_emulator(name, a, b, c)
    ones, twos = ([[Fraction(float(each)) for each in row] for row in rows] for rows in (a, b.T))
    products = {
        (i, j): [one * two for one, two in zip(ones[i], twos[j], strict=True)]
        for i in range(16)
        for j in range(16)
    }
    for (i, j), each in products.items():
        right = at_once("even", each, Fraction(float(c[i, j])))
        assert Fraction(float(found[i, j])) == right, (i, j)
    for rival, add in rivals(len(ones[0])).items():
        assert any(
            add(products[i, j], Fraction(float(c[i, j]))) != Fraction(float(found[i, j]))
            for i in range(ROWS)
            for j in range(16)
        ), rival
