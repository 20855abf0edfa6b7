"""mma.sync: every dense form against NumPy, by the fragments of the PTX ISA."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

import lanemap
from lanemap.errors import UserError
from lanemap.layout import LayoutMap
from lanemap.model import variant
from lanemap.toolchain import ptxas
from tests import ptx

from .launching import Loaded
from .mma_texts import Floats, Form, by_lane, by_word, forms, text

EVERY = list(forms())


def small(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Small integers that a type holds, so that all sums of them are exact."""
    low, high = {"u8": (0, 256), "s8": (-128, 128), "u4": (0, 16), "s4": (-8, 8), "b1": (0, 2)}.get(
        kind, (-4, 5)
    )
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
    *_, got = ptx.launch(text(form), *arrays, d, **more)
    return form.unpacked(by_lane(form, got))


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.name)
def test_products_of_small_integers(form: Form) -> None:
    rng = np.random.default_rng(7)
    a = small(form.a, (form.products, form.rows, form.depth), rng)
    b = small(form.b, (form.products, 8, form.depth), rng)
    c = rng.integers(-8, 9, (form.products, form.rows, 8)).astype(np.float64)
    assert np.array_equal(execute(form, a, b, c), product(form, a, b, c))


def one(name: str) -> Form:
    return next(form for form in EVERY if form.name == name)


HALF = one("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")


@pytest.mark.parametrize("operand", ["A", "B", "D"])
def test_another_map_gives_another_result(operand: str) -> None:
    """The registers of an operand in another order: what the emulator executes is the model."""
    rng = np.random.default_rng(2)
    a, b, c = (small("f16", shape, rng) for shape in ((1, 16, 16), (1, 8, 16), (1, 16, 8)))
    name = f"mma.sync.m16n8k16.{'f32' if operand == 'D' else 'f16'}:{operand}"
    model = variant(name).map
    table = model.table.reshape(32, -1, 32)[:, ::-1].reshape(-1)
    reversed_map = LayoutMap(model.destination, model.source, table)
    words = {x: HALF.packed(x, matrix) for x, matrix in zip("abc", (a, b, c), strict=True)}
    if operand in "AB":
        words[operand.lower()] = words[operand.lower()][:, ::-1]
    else:
        words["c"] = words["c"][:, ::-1]
    arrays = [by_word(HALF, x, words[x]) for x in "abc"]
    loaded = Loaded(text(HALF), models={name: reversed_map})
    got = by_lane(HALF, loaded.run("k", 1, 32, [*arrays, np.zeros(128, np.uint32)])[3])
    if operand == "D":
        got = got[:, ::-1]
    assert np.array_equal(HALF.unpacked(got), product(HALF, a, b, c))
    *_, plain = ptx.launch(text(HALF), *arrays, np.zeros(128, np.uint32))
    assert not np.array_equal(HALF.unpacked(by_lane(HALF, plain)), product(HALF, a, b, c))


@pytest.mark.parametrize("middle, low, high", [("", 0, 0), (".satfinite", 1, 1)])
def test_integer_sums_wrap_or_saturate(middle: str, low: int, high: int) -> None:
    form = one(f"mma.sync.aligned.m16n8k32.row.col{middle}.s32.s8.s8.s32")
    a = np.where(np.arange(16) % 2, -128.0, 127.0)[None, :, None] * np.ones((1, 16, 32))
    b = np.full((1, 8, 32), 127.0)
    c = np.where(np.arange(16) % 2, -(2.0**31), 2.0**31 - 1)[None, :, None] * np.ones((1, 16, 8))
    exact = product(form, a, b, c)
    wrapped = (exact + 2**31) % 2**32 - 2**31
    expected = np.clip(exact, -(2.0**31), 2.0**31 - 1) if middle else wrapped
    assert np.array_equal(execute(form, a, b, c), expected)


@pytest.mark.parametrize(
    "rounding, expected",
    [("", 1.0), (".rn", 1.0), (".rz", 1.0), (".rm", 1.0), (".rp", 1.0 + 2.0**-52)],
)
def test_f64_rounds_as_it_says(rounding: str, expected: float) -> None:
    """1 + 2^-60: only upward it is more than 1."""
    form = Form(8, 4, "f64", "f64", "f64", "f64", rounding)
    a, b = np.zeros((1, 8, 4)), np.zeros((1, 8, 4))
    a[..., 0], b[..., 0] = 2.0**-30, 2.0**-30
    assert (execute(form, a, b, np.ones((1, 8, 8))) == expected).all()


@pytest.mark.parametrize("replaced", ["", "A", "D"])
def test_f64_is_a_chain_of_fused_sums_in_any_map(replaced: str) -> None:
    """A row of A has an infinity, one a NaN; a replaced map has its registers in another order."""
    form = one("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64")
    rng = np.random.default_rng(5)
    a, b, c = (rng.standard_normal(shape) for shape in ((1, 16, 16), (1, 8, 16), (1, 16, 8)))
    a[0, 3, 2], a[0, 12, 9] = np.inf, np.nan
    expected = c[0].copy()
    for row, column, k in np.ndindex(16, 8, 16):
        if row in (3, 12):
            continue
        exact = Fraction(a[0, row, k]) * Fraction(b[0, column, k])
        expected[row, column] = float(exact + Fraction(expected[row, column]))
    expected[3], expected[12] = np.sign(b[0, :, 2]) * np.inf, np.nan
    words = {x: form.packed(x, matrix) for x, matrix in zip("abc", (a, b, c), strict=True)}
    models = {}
    for operand, names in (("A", "a"), ("D", "c")):
        if operand != replaced:
            continue
        name = f"mma.sync.m16n8k16.f64:{operand}"
        model = variant(name).map
        table = model.table.reshape(32, -1, 64)[:, ::-1].reshape(-1)
        models[name] = LayoutMap(model.destination, model.source, table)
        given = words[names].reshape(32, -1, 2)
        words[names] = given[:, ::-1].reshape(32, -1)
    arrays = [by_word(form, x, words[x]) for x in "abc"]
    loaded = Loaded(text(form), models=models)
    got = by_lane(form, loaded.run("k", 1, 32, [*arrays, np.zeros(32 * 8, np.uint32)])[3])
    if replaced == "D":
        got = got.reshape(32, -1, 2)[:, ::-1].reshape(32, -1)
    assert np.array_equal(form.unpacked(got)[0], expected, equal_nan=True)


def test_fp8_adds_c_last() -> None:
    """ptxas adds C with FADD: to nearest even, where HMMA would truncate (2^24 + 1.5)."""
    form = one("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
    a, b, c = np.zeros((1, 16, 32)), np.zeros((1, 8, 32)), np.full((1, 16, 8), 2.0**24)
    a[..., 0], b[..., 0] = 1.5, 1.0
    assert (execute(form, a, b, c) == 2.0**24 + 2).all()
    half = np.zeros((1, 16, 16)), np.zeros((1, 8, 16))
    half[0][..., 0], half[1][..., 0] = 1.5, 1.0
    assert (execute(HALF, *half, c) == 2.0**24).all()


REFUSED = (
    ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16", "`.f16` does not apply"),
    ("mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32", "`.bf16` does not apply"),
    ("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32", "`.row.row` does not apply"),
    ("mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32", "`.satfinite` of"),
    ("mma.sync.aligned.m16n8k16.row.col.rz.f32.f16.f16.f32", "`.rz` does not apply"),
    ("mma.sync.aligned.m8n8k16.row.col.f32.f16.f16.f32", "has no shape .m8n8k16 of type .f16"),
    ("mma.sync.aligned.m16n8k16.row.f32.f16.f16.f32", "needs .row or .col for both A and B"),
)


@pytest.mark.parametrize("instruction, words", REFUSED)
def test_what_ptxas_refuses_is_refused(instruction: str, words: str) -> None:
    source = text(HALF, instruction=instruction)
    assert ptxas.judge(source, "sm_90a")[0] is None
    with pytest.raises(UserError) as refused:
        Loaded(source)
    assert words in str(refused.value)


def test_it_counts_its_products() -> None:
    device = lanemap.open_device("sm_90a", device="emulator")
    for form, products in (
        (HALF, 16 * 8 * 16),
        (one("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"), 4 * 8 * 8 * 4),
    ):
        arrays = [device.zeros((32 * form.words(x),), np.uint32) for x in "abcd"]
        kernel = device.load(text(form))["k"]
        with device.count() as counts:
            kernel((1, 1, 1), (32, 1, 1), arrays)
        assert counts.matrix_flops == 2 * products
