"""Dot products of two floats, against sums of exact products."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from .machine import run
from .numbers import rounded

KINDS: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16}
Words = NDArray[np.uint32]


def pairs(kind: str, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(64, 2)) * np.exp2(rng.integers(-3, 4, (64, 2)))).astype(KINDS[kind])


def held(values: Any) -> Words:
    words: Words = values.view(np.uint32)[:, 0].copy()
    return words


def dot(a: Any, b: Any, c: Any) -> Any:
    """The sum of both products and C, rounded once: their exact sum fits no f64 rarely."""
    found = []
    for x, y, z in zip(a.astype(float), b.astype(float), c.astype(float), strict=True):
        total = Fraction(z) + sum(Fraction(p) * Fraction(q) for p, q in zip(x, y, strict=True))
        found.append(rounded(total, "f32"))
    return np.array(found).astype(np.float32)


@pytest.mark.parametrize("kind", KINDS)
def test_two_products_and_a_sum(kind: str) -> None:
    a, b = pairs(kind, 300), pairs(kind, 301)
    c = np.random.default_rng(302).normal(size=64).astype(np.float32)
    text = f"v_dot2_f32_{kind} v20, v10, v11, v12"
    (found,) = run(text, [held(a), held(b), c], ["v20"])
    np.testing.assert_array_equal(found.view(np.float32), dot(a, b, c))
    text = f"v_mov_b32 v20, v12\nv_dot2c_f32_{kind} v20, v10, v11"
    (found,) = run(text, [held(a), held(b), c], ["v20"])
    np.testing.assert_array_equal(found.view(np.float32), dot(a, b, c))


def test_signs_of_halves_and_of_the_sum() -> None:
    a, b = pairs("f16", 303), pairs("f16", 304)
    c = np.random.default_rng(305).normal(size=64).astype(np.float32)
    text = "v_dot2_f32_f16 v20, v10, v11, v12 neg_lo:[1,0,1] neg_hi:[0,0,1] clamp"
    (found,) = run(text, [held(a), held(b), c], ["v20"])
    wanted = np.clip(dot(a * np.array([-1, 1], np.float16), b, -c), 0, 1)
    np.testing.assert_array_equal(found.view(np.float32), wanted)


def test_those_of_f16_flush_subnormals_of_f32_and_those_of_bf16_keep_them() -> None:
    small = np.full(64, 2.0**-140, np.float32)
    zero = np.zeros(64, np.uint32)
    (found,) = run("v_dot2_f32_f16 v20, v10, v10, v11", [zero, small], ["v20"])
    assert (found.view(np.float32) == 0).all()
    (found,) = run("v_dot2_f32_bf16 v20, v10, v10, v11", [zero, small], ["v20"])
    assert (found.view(np.float32) == small).all()
