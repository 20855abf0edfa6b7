"""Vector comparisons, classes and selections against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from .machine import run, words
from .numbers import Array, registers, samples

FLOAT: dict[str, Callable[[Array, Array], Array]] = {
    "f": lambda a, b: np.zeros(len(a), bool), "lt": lambda a, b: a < b, "eq": lambda a, b: a == b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "lg": lambda a, b: (a < b) | (a > b),
    "ge": lambda a, b: a >= b, "o": lambda a, b: ~np.isnan(a) & ~np.isnan(b),
    "u": lambda a, b: np.isnan(a) | np.isnan(b), "nge": lambda a, b: ~(a >= b),
    "nlg": lambda a, b: ~((a < b) | (a > b)), "ngt": lambda a, b: ~(a > b),
    "nle": lambda a, b: ~(a <= b), "neq": lambda a, b: ~(a == b), "nlt": lambda a, b: ~(a < b),
    "tru": lambda a, b: np.ones(len(a), bool),
}  # fmt: skip
INTEGER: dict[str, Callable[[Array, Array], Array]] = {
    "f": FLOAT["f"], "lt": FLOAT["lt"], "eq": FLOAT["eq"], "le": FLOAT["le"], "gt": FLOAT["gt"],
    "ne": lambda a, b: a != b, "ge": FLOAT["ge"], "t": FLOAT["tru"],
}  # fmt: skip
INTEGERS = {"i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
            "i64": np.int64, "u64": np.uint64}  # fmt: skip


def flags(text: str, sources: list[NDArray[np.uint32]], **options: Any) -> NDArray[np.bool_]:
    """A lane's bit of the mask that the text leaves in s[30:31]."""
    body = text + "\nv_cndmask_b32_e64 v20, 0, 1, s[30:31]"
    (found,) = run(body, sources, ["v20"], **options)
    return found.astype(bool)


def places(wide: bool) -> str:
    return "v[10:11], v[12:13]" if wide else "v10, v11"


def pair(kind: str, seed: int) -> tuple[Array, Array, list[NDArray[np.uint32]]]:
    """Two sources, often equal, and their registers."""
    if kind[0] == "f":
        a, b = samples(kind, seed), samples(kind, seed + 1)
    else:
        dtype = INTEGERS[kind]
        low = [words(seed + i).astype(np.uint64) for i in range(2)]
        high = [words(seed + 2 + i).astype(np.uint64) << np.uint64(32) for i in range(2)]
        shape = np.dtype(dtype).str.replace("i", "u")
        a, b = ((x | y).astype(shape).view(dtype) for x, y in zip(low, high, strict=True))
    b[::5] = a[::5]
    if kind[1:] == "16" and kind[0] != "f":
        rubbish = np.uint32(0x7FFF0000)  # above the half that counts
        rows = [v.view(np.uint16).astype(np.uint32) ^ rubbish for v in (a, b)]
    elif kind[1:] == "64" and kind[0] != "f":
        rows = [*registers(a.view(np.float64)), *registers(b.view(np.float64))]
    elif kind[0] != "f":
        rows = [a.view(np.uint32), b.view(np.uint32)]
    else:
        rows = [*registers(a), *registers(b)]
    return a, b, rows


@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
def test_floats(kind: str) -> None:
    a, b, rows = pair(kind, 80)
    for name, compare in FLOAT.items():
        text = f"v_cmp_{name}_{kind} s[30:31], {places(kind == 'f64')}"
        assert (flags(text, rows) == compare(a, b)).all(), name


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers(kind: str) -> None:
    a, b, rows = pair(kind, 84)
    for name, compare in INTEGER.items():
        text = f"v_cmp_{name}_{kind} s[30:31], {places(kind[1:] == '64')}"
        assert (flags(text, rows) == compare(a, b)).all(), name


def test_subnormals_compare_as_zeros_where_sources_are_flushed() -> None:
    a = np.array([0.0, 1e-40, -1e-40, 1.0] * 16, np.float32)
    zero = np.zeros(64, np.float32)
    text = "v_cmp_eq_f32 s[30:31], v10, v11"
    assert (flags(text, registers(a) + registers(zero), denormals=0) == (np.abs(a) < 0.5)).all()
    assert (flags(text, registers(a) + registers(zero), denormals=3) == (a == 0)).all()


CLASSES: list[Callable[[Array], Array]] = [
    lambda x: np.isnan(x) & ~quiet(x), lambda x: np.isnan(x) & quiet(x), lambda x: x == -np.inf,
    lambda x: (x < 0) & ~tiny(x) & np.isfinite(x), lambda x: (x < 0) & tiny(x),
    lambda x: (x == 0) & np.signbit(x), lambda x: (x == 0) & ~np.signbit(x),
    lambda x: (x > 0) & tiny(x), lambda x: (x > 0) & ~tiny(x) & np.isfinite(x),
    lambda x: x == np.inf,
]  # fmt: skip


def quiet(x: Array) -> Array:
    """Whether the highest bit of the mantissa is set."""
    bits, shift = {2: (np.uint16, 9), 4: (np.uint32, 22), 8: (np.uint64, 51)}[x.dtype.itemsize]
    result: Array = (x.view(bits) >> bits(shift) & bits(1)).astype(bool)
    return result


def tiny(x: Array) -> Array:
    result: Array = np.abs(x) < np.finfo(x.dtype).tiny
    return result


@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
def test_classes(kind: str) -> None:
    """AMD CDNA4 ISA, V_CMP_CLASS_F32: the ten bits of the second source."""
    x = samples(kind, 90)
    bits = {"f16": np.uint16, "f32": np.uint32, "f64": np.uint64}[kind]
    # Signalling, with the lowest bit of the mantissa alone, and with all but the highest.
    x.view(bits)[0] = np.array([np.inf], x.dtype).view(bits)[0] + 1
    x.view(bits)[1] = (
        np.array([-np.inf], x.dtype).view(bits)[0] | (1 << np.finfo(x.dtype).nmant - 1) - 1
    )
    with np.errstate(invalid="ignore"):
        every = [classify(x) for classify in CLASSES]
    assert np.sum(every, axis=0).tolist() == [1] * len(x)
    place = "v[10:11]" if kind == "f64" else "v10"
    for number, expected in enumerate(every):
        text = f"v_mov_b32 v9, {1 << number}\nv_cmp_class_{kind} s[30:31], {place}, v9"
        assert (flags(text, registers(x)) == expected).all(), number
    text = f"v_mov_b32 v9, 0x3ff\nv_cmp_class_{kind} s[30:31], {place}, v9"
    assert flags(text, registers(x)).all()


def test_a_mask_has_zeros_for_lanes_that_are_off() -> None:
    a = np.arange(64, dtype=np.uint32)
    text = """
s_mov_b64 s[30:31], -1
s_mov_b32 exec_lo, 0x0000ffff
s_mov_b32 exec_hi, 0xf0000000
v_cmp_eq_u32 s[30:31], v10, v10
s_mov_b64 exec, -1"""
    assert (flags(text, [a]) == ((a < 16) | (a >= 60))).all()


def test_cmpx_sets_exec_too() -> None:
    a = np.arange(64, dtype=np.uint32)
    text = """
v_mov_b32 v21, 0
s_mov_b32 exec_lo, 0x0000ffff
v_cmpx_lt_u32 vcc, 5, v10
v_mov_b32 v21, 1
s_mov_b64 s[30:31], exec
s_mov_b64 exec, -1"""
    expected = ((a > 5) & (a < 16)) | (a >= 32)
    (found,) = run(text, [a], ["v21"])
    assert (found.astype(bool) == expected).all()
    assert (flags(text, [a]) == expected).all()
    assert (flags(text + "\ns_mov_b64 s[30:31], vcc", [a]) == expected).all()


def test_selection_with_signs() -> None:
    a, b = samples("f32", 92), samples("f32", 93)
    text = "v_cmp_lt_f32 vcc, v10, v11\nv_cndmask_b32_e64 v20, -v10, |v11|, vcc"
    (found,) = run(text, [a, b], ["v20"])
    expected = np.where(a < b, np.abs(b), -a)
    assert (found == expected.view(np.uint32)).all()
