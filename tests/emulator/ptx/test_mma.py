"""mma.sync: every dense form against NumPy, by the fragments of the PTX ISA."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from .launching import run
from .mma_texts import Floats, Form, by_lane, by_word, forms, text

EVERY = list(forms())


def small(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Small integers that a type holds, so that all sums of them are exact."""
    low, high = {"u8": (0, 256), "s8": (-128, 128), "u4": (0, 16), "s4": (-8, 8), "b1": (0, 2)}.get(
        kind, (-4, 5))  # fmt: skip
    return rng.integers(low, high, shape).astype(np.float64)


def product(form: Form, a: Floats, b: Floats, c: Floats) -> Floats:
    """D of matrices a [product, row, k], b [product, column, k] and c [product, row, column]."""
    if form.a != "b1":
        return np.einsum("prk,pck->prc", a, b) + c
    left, right = a.astype(bool)[:, :, None], b.astype(bool)[:, None]
    return (left & right if "and" in form.end else left ^ right).sum(-1) + c


def execute(form: Form, a: Floats, b: Floats, c: Floats, **more: object) -> Floats:
    words = {x: form.packed(x, matrix) for x, matrix in zip("abc", (a, b, c), strict=True)}
    arrays: list[NDArray[np.uint32]] = [by_word(form, x, words[x]) for x in "abc"]
    d = np.zeros(32 * form.words("d"), np.uint32)
    got = run(text(form), "k", 1, 32, [*arrays, d], **more)[3]
    return form.unpacked(by_lane(form, got))


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.name)
def test_products_of_small_integers(form: Form) -> None:
    rng = np.random.default_rng(7)
    a = small(form.a, (form.products, form.rows, form.depth), rng)
    b = small(form.b, (form.products, 8, form.depth), rng)
    c = rng.integers(-8, 9, (form.products, form.rows, 8)).astype(np.float64)
    assert np.array_equal(execute(form, a, b, c), product(form, a, b, c))
