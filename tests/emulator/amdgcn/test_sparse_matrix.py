"""Every SMFMAC through kernels, its registers filled as AMD's own tests fill them on an MI350."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.claims import claims_of
from lanemap.emulator.host.hazards import Hazard
from lanemap.layout import LayoutMap
from lanemap.model.smfmac import FORMS, Form

from .machine import run
from .test_matrix import DTYPES, element_bits, in_registers

A, B, INDEX, D = 10, 14, 22, 24  # first registers; of A at most 4, of B 8, of D 16
Words = NDArray[np.uint32]


def said(form: Form, operand: str) -> LayoutMap:
    """Where ROCm/hip-fpsan says that an operand lies; of i8 as of fp8, which are as wide."""
    name = form.name.replace("i32", "f32").replace("_i8", "_fp8_fp8")
    (claim,) = claims_of(f"{name}:{operand}")
    return claim.map


def filled(layout: LayoutMap, values: NDArray[Any]) -> Words:
    """The registers that hold the elements of a matrix; zero where the source says nothing."""
    bits = np.unpackbits(np.ascontiguousarray(values).view(np.uint8), bitorder="little")
    return held_bits(layout, bits)


def held_bits(layout: LayoutMap, bits: NDArray[np.uint8]) -> Words:
    table = layout.table.reshape(-1)
    held = np.where(table >= 0, bits[table], 0).astype(np.uint8).reshape(layout.destination.sizes)
    return np.packbits(held, axis=2, bitorder="little").view(np.uint32)[:, :, 0].T


def product(form: Form, a: Any, b: Any, c: Any, places: Any) -> Any:
    """C plus, for each four k, both kept elements of a row by those of B that they meet."""
    total = c.astype(np.float64)
    for group in range(form.depth // 4):
        for number in range(2):
            met = b[4 * group + places[:, group, number]]  # row, column
            total = total + a[:, 2 * group + number, None].astype(np.float64) * met
    return total


def operands(form: Form, seed: int) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(seed)
    kinds = [np.dtype(DTYPES[kind]) for kind in form.kinds]
    side, depth = form.side, form.depth
    a = rng.integers(-8, 9, (side, depth // 2)).astype(kinds[0])
    b = rng.integers(-8, 9, (depth, side)).astype(kinds[1])
    c = rng.integers(-99, 99, (side, side)).astype(
        np.int32 if form.bits == 8 and form.kinds[0] == "i8" else np.float32
    )
    places = np.stack([rng.permutation(4)[:2] for _ in range(side * depth // 4)])
    return a, b, c, places.reshape(side, depth // 4, 2)


def index_word(form: Form, places: Any, number: int = 0) -> Words:
    """The index register with its set of that number in place, and 1 bits in the others."""
    codes = (places[..., 0] | places[..., 1] << 2).astype(np.uint8)
    bits = codes[..., None] >> np.arange(4) & 1
    first = held_bits(said(form, "index.set0"), bits.reshape(-1).astype(np.uint8))[0]
    width = 2 * form.kept
    others = 0xFFFFFFFF ^ ((1 << width) - 1) << width * number
    return (first.astype(np.uint64) << np.uint64(width * number)).astype(np.uint32) | np.uint32(
        others & 0xFFFFFFFF
    )


def instruction(form: Form, modifiers: str = "") -> str:
    registers = form.kept * form.bits // 32
    last = D + form.side * form.side // 64 - 1
    return (
        f"s_nop 8\n{form.name} v[{D}:{last}], v[{A}:{A + registers - 1}], "
        f"v[{B}:{B + 2 * registers - 1}], v{INDEX}{modifiers}\ns_nop 15\ns_nop 15"
    )


def executed(form: Form, a: Any, b: Any, c: Any, index: Words, modifiers: str = "") -> Words:
    words = np.zeros((30, 64), np.uint32)
    result = said_of_d(form)
    for first, rows in (
        (A, filled(said(form, "A"), a)),
        (B, filled(said(form, "B"), b)),
        (D, in_registers(c, result)),
    ):
        words[first - 10 : first - 10 + len(rows)] = rows
    words[INDEX - 10] = index
    count = form.side * form.side // 64
    return run(instruction(form, modifiers), list(words), [f"v{D + i}" for i in range(count)])


def said_of_d(form: Form) -> LayoutMap:
    """D as AMD's matrix instruction calculator lays out that of dense MFMA."""
    dense = {16: "v_mfma_f32_16x16x16_f16:D", 32: "v_mfma_f32_32x32x8_f16:D"}[form.side]
    return next(each.map for each in claims_of(dense) if "calculator" in each.source)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_product_of_kept_elements(form: Form) -> None:
    a, b, c, places = operands(form, form.side)
    found = executed(form, a, b, c, index_word(form, places))
    wanted = product(form, a, b.astype(np.float64), c, places).astype(c.dtype)
    np.testing.assert_array_equal(
        element_bits(found, said_of_d(form)), wanted.view(np.uint32).astype(np.uint64)
    )


SETS = [form for form in FORMS if form.sets > 1 and form.kinds[0] in ("f16", "i8")]


@pytest.mark.parametrize("form", SETS, ids=lambda form: form.name)
def test_abid_chooses_a_set_of_indices_and_cbsz_the_first_one(form: Form) -> None:
    a, b, c, places = operands(form, 7)
    last = form.sets - 1
    wanted = executed(form, a, b, c, index_word(form, places))
    chosen = executed(form, a, b, c, index_word(form, places, last), f" abid:{last}")
    np.testing.assert_array_equal(chosen, wanted)
    first = executed(form, a, b, c, index_word(form, places), f" cbsz:1 abid:{last}")
    np.testing.assert_array_equal(first, wanted)
    assert not np.array_equal(executed(form, a, b, c, index_word(form, places, last)), wanted)


def test_elements_of_b_that_no_kept_one_meets_do_not_count() -> None:
    form = next(form for form in FORMS if form.name == "v_smfmac_f32_16x16x32_f16")
    a, b, c, places = operands(form, 3)
    places[...] = (1, 3)
    b[0::4], b[2::4] = np.inf, np.nan
    found = executed(form, a, b, c, index_word(form, places))
    assert np.isfinite(found.view(np.float32)).all()


def test_an_undefined_index_is_a_hazard() -> None:
    form = FORMS[0]
    text = instruction(form).replace(f"v{INDEX}", "v90")
    with pytest.raises(Hazard, match="matrix operand"):
        run(text, list(np.zeros((30, 64), np.uint32)), ["v24"])
