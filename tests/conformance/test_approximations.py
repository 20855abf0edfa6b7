"""The emulator within the distances that an H200's approximations have from the rounded result."""

from __future__ import annotations

import struct
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import lanemap
from lanemap.conformance import approximations
from lanemap.records.files import read_record
from tests import ptx

ROWS = Path(__file__).resolve().parents[2] / "results" / "sm_90a" / "cuda"
BODY = """\
.reg .b32 %n, %t; .reg .bBITS %x, %z, %y; .reg .b64 %k;
mov.u32 %n, %tid.x; mov.u32 %t, %ctaid.x; mad.lo.u32 %n, %t, 64, %n;
mul.wide.u32 %k, %n, STRIDE; add.u64 %in, %in, %k; add.u64 %out, %out, %k;
ld.global.bBITS %x, [%in]; ld.global.bBITS %z, [%in+SECOND];
FORM;
st.global.bBITS [%out], %y;"""
WIDE = [form for form in approximations.forms() if form not in approximations.NARROW]


@cache
def rows() -> dict[str, Any]:
    return dict(read_record(ROWS / "approximations.json").findings)


def emulated(form: str, inputs: list[tuple[int, int]]) -> list[int]:
    """Bits of the results for bits of one or two operands."""
    bits = 64 if form.endswith("f64") else 32
    kind = f"u{bits // 8}"
    given = np.zeros((-(-len(inputs) // 64) * 64, 2), kind)
    given[: len(inputs)] = inputs
    operands = "%y, %x, %z" if form.startswith("div") else "%y, %x"
    body = BODY.replace("FORM", f"{form} {operands}").replace("STRIDE", str(bits // 4))
    body = body.replace("SECOND", str(bits // 8)).replace("BITS", str(bits))
    sizes, out = {"grid": len(given) // 64, "block": 64}, np.zeros(given.shape, kind)
    _, out = ptx.launch(ptx.entry(body, "in out"), given, out, **sizes)
    return [int(value) for value in out[: len(inputs), 0]]


def operands_of(form: str, text: str) -> tuple[int, int]:
    """The operands that a row's input in hexadecimal stands for."""
    if form.startswith("div"):
        return int(text[:8], 16), int(text[8:], 16)
    return (int(text, 16) << 32, 0) if form.endswith("f64") else (int(text, 16), 0)


def as_float(form: str, bits: int) -> float:
    return float(
        struct.unpack(
            *(
                ("<d", struct.pack("<Q", bits))
                if form.endswith("f64")
                else ("<f", struct.pack("<I", bits))
            )
        )[0]
    )


def ordered(bits: int, width: int) -> int:
    return -(bits & ((1 << width - 1) - 1)) if bits >> (width - 1) else bits


def distance(form: str, one: int, other: int) -> int:
    """Values (of .ftz.f64: upper words) between two results; 0 between two NaN."""
    if any(np.isnan(as_float(form, bits)) for bits in (one, other)):
        both = all(np.isnan(as_float(form, bits)) for bits in (one, other))
        return 0 if both else 1 << 70
    if form.endswith("ftz.f64"):
        return abs(ordered(one >> 32, 32) - ordered(other >> 32, 32))
    width = 64 if form.endswith("f64") else 32
    return abs(ordered(one, width) - ordered(other, width))


#: How far the emulator itself may be from the rounded result: a quotient, a root and a function of
#: f32 are rounded once; of f64 the reference has two roundings and the upper word is cut.
OWN = {"rcp.approx.ftz.f64": 1, "rsqrt.approx.ftz.f64": 1, "rsqrt.approx.f64": 1}


def test_there_is_a_row_of_every_form() -> None:
    assert set(rows()) == set(approximations.forms())


@pytest.mark.parametrize("form", WIDE)
def test_the_emulator_rounds_where_the_h200_is_farthest_from_it(form: str) -> None:
    worst = rows()[form]["worst"]
    if not worst:
        assert rows()[form]["largest_distance"] == 0
        return
    results = emulated(form, [operands_of(form, item["input"]) for item in worst])
    for item, result in zip(worst, results, strict=True):
        assert distance(form, result, int(item["rounded"], 16)) <= OWN.get(form, 0), item
        apart = distance(form, result, int(item["result"], 16))
        assert apart <= rows()[form]["largest_distance"] + OWN.get(form, 0), item


def flushed(form: str, value: npt.NDArray[Any]) -> npt.NDArray[Any]:
    smallest = np.finfo(value.dtype).smallest_normal
    tiny = np.abs(value) < smallest
    return np.where(tiny & (".ftz" in form), np.copysign(0, value), value).astype(value.dtype)


FUNCTIONS = {
    "ex2": np.exp2, "lg2": np.log2, "rcp": lambda x: 1 / x, "rsqrt": lambda x: 1 / np.sqrt(x),
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
}  # fmt: skip


@pytest.mark.parametrize("form", [f for f in WIDE if f.endswith("f32") and f[:3] != "div"])
def test_the_emulator_rounds_a_sample_as_numpy_does(form: str) -> None:
    rng = np.random.default_rng(7)
    bits = rng.integers(0, 1 << 32, 1024, dtype=np.uint32)
    bits[::2] = rng.standard_normal(512).astype(np.float32).view(np.uint32)
    values = bits.view(np.float32)
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[form.split(".")[0]](flushed(form, values).astype(np.float64))
        rounded = flushed(form, exact.astype(np.float32)).view(np.uint32)
    results = emulated(form, [(int(b), 0) for b in bits])
    off = [distance(form, r, int(e)) for r, e in zip(results, rounded, strict=True)]
    assert max(off) == 0


@pytest.mark.parametrize("form", [f for f in WIDE if f.startswith("div")])
def test_the_emulator_rounds_quotients_as_numpy_does(form: str) -> None:
    rng = np.random.default_rng(8)
    a = (rng.standard_normal(512) * 1e3).astype(np.float32)
    b = rng.standard_normal(512).astype(np.float32)
    exact = (a.astype(np.float64) / b).astype(np.float32).view(np.uint32)
    pairs = list(zip(a.view(np.uint32).tolist(), b.view(np.uint32).tolist(), strict=True))
    assert emulated(form, pairs) == exact.tolist()


@pytest.mark.parametrize("form", approximations.NARROW)
def test_forms_of_16_bits_round_every_input_and_the_h200_stays_near(form: str) -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    found = approximations.sweep_narrow(device, form)
    apart = approximations.distances(found, approximations.rounded_narrow(form), form)
    # through f32: one input of ex2 in f16 lies so near a tie that it is rounded twice
    assert np.count_nonzero(apart) <= ("ex2.approx.f16" in form)
    assert apart.min() >= 0
    assert apart.max() <= 1
    stored = rows()[form]
    assert stored["inputs"] == 1 << 16
    for item in stored["worst"]:
        off = approximations.distances(
            np.array([found[int(item["input"], 16)]]),
            np.array([int(item["result"], 16)], np.uint16),
            form,
        )
        assert 0 <= off[0] <= stored["largest_distance"] + 1


def test_a_form_is_bit_equal_only_where_the_row_says_so() -> None:
    exact = {form for form, item in rows().items() if set(item["distances"]) == {"0"}}
    for form in exact:
        assert rows()[form]["worst"] == []
