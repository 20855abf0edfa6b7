"""wgmma.mma_async against NumPy: small integers, whose sums are exact under every rule.

The H200 gave the same results for all dense forms here; tests/hazards/test_wgmma.py has its faults.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from lanemap.errors import UserError
from lanemap.probing.wgmma.kernel import BITS, STEP_BITS, Form, source
from tests.emulator.ptx.wgmma_operands import (
    Array,
    a_registers,
    bit_place,
    codes,
    d_matrix,
    d_registers,
    descriptor,
    launch,
    offsets,
    put,
)
from tests.sampled import sampled

_FP8, _BYTES = ("e4m3", "e5m2"), ("s8", "u8")
TYPES = [
    ("f32", "f16", "f16"), ("f16", "f16", "f16"), ("f32", "bf16", "bf16"), ("f32", "tf32", "tf32"),
    *((d, a, b) for d in ("f16", "f32") for a in _FP8 for b in _FP8),
    *(("s32", a, b) for a in _BYTES for b in _BYTES), ("s32", "b1", "b1"),
]  # fmt: skip
IMAGE, B_START = 65536, 16384


def _values(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    low, high = {"b1": (0, 2), "u8": (0, 9)}.get(kind, (-4, 5))
    return rng.integers(low, high, shape)


def _multiply(
    form: Form, swizzle: int, seed: int = 0, start: int = 0, base: int = 0, adds: bool = True,
    text: str = "",
) -> tuple[Array, Array]:  # fmt: skip
    """D as the emulator has it, and as NumPy does."""
    rng = np.random.default_rng(seed)
    bits, depth = BITS[form.a], STEP_BITS // BITS[form.a]
    a, b = _values(form.a, (64, depth), rng), _values(form.b, (depth, form.n), rng)
    c = rng.integers(-9, 10, (64, form.n))
    image = rng.integers(0, 256, IMAGE, dtype=np.uint8)
    words = []
    for matrix, kind, mn, at in ((a, form.a, form.a_mn, start), (b.T, form.b, form.b_mn, B_START)):
        line, k = np.indices(matrix.shape)
        steps = offsets(swizzle, mn, bits, len(matrix), depth)
        places = bit_place(swizzle, mn, bits, line, k, at, *steps, base)
        put(image, bits, places, codes(kind, matrix))
        words.append(descriptor(at, *steps, swizzle, base))
    device = lanemap.open_device("sm_90a", device="emulator")
    got = launch(
        device,
        form,
        image,
        (words[0], words[1]),
        a_registers(form.a, codes(form.a, a)),
        d_registers(form, c),
        adds,
        text,
    )
    want = form.scale_a * form.scale_b * (a.astype(float) @ b) + (c if adds else 0)
    return d_matrix(form, got), want


@pytest.mark.parametrize("registers", [False, True], ids=["shared", "registers"])
@pytest.mark.parametrize(
    "types", sampled([(each,) for each in TYPES], 3, lambda case: ".".join(case[0]))
)
def test_every_type(types: tuple[str, str, str], registers: bool) -> None:
    for n in (8, 24, 64, 256):
        got, want = _multiply(Form(n, *types, registers=registers), swizzle=n % 3)
        assert np.array_equal(got, want)


@pytest.mark.parametrize("swizzle", [0, 1, 2, 3])
@pytest.mark.parametrize("bits", [32, 16, 8])
def test_every_swizzle_and_major(bits: int, swizzle: int) -> None:
    kind = {32: "tf32", 16: "f16", 8: "e4m3"}[bits]
    majors = (False, True) if bits == 16 else (False,)
    for a_mn, b_mn, n in itertools.product(majors, majors, (16, 128)):
        form = Form(n, "f32", kind, kind, a_mn=a_mn, b_mn=b_mn)
        got, want = _multiply(form, swizzle)
        assert np.array_equal(got, want)


@pytest.mark.parametrize("start", [16, 32, 1024, 1152])
@pytest.mark.parametrize("base", [0, 1, 5])
def test_start_and_base_offset(start: int, base: int) -> None:
    for swizzle in (1, 2, 3):
        got, want = _multiply(Form(32, "f32", "bf16", "bf16"), swizzle, start=start, base=base)
        assert np.array_equal(got, want)


@pytest.mark.parametrize("scales", [(1, -1), (-1, 1), (-1, -1)])
def test_scales_negate(scales: tuple[int, int]) -> None:
    form = Form(16, "f32", "f16", "f16", scale_a=scales[0], scale_b=scales[1])
    for each in (form, replace(form, d="f16"), replace(form, registers=True)):
        got, want = _multiply(each, 1)
        assert np.array_equal(got, want)


def test_without_scale_d_the_addend_is_not_read() -> None:
    got, want = _multiply(Form(24, "f32", "tf32", "tf32"), 0, adds=False)
    assert np.array_equal(got, want)


@pytest.mark.parametrize("kept", [None, 5], ids=["no register", "all but one register"])
@pytest.mark.parametrize("d", ["f32", "f16"])
def test_sums_that_nobody_wrote_are_a_fault_where_they_are_added(d: str, kept: int | None) -> None:
    form = Form(24, d, "f16", "f16")
    lines = source([form]).splitlines(keepends=True)
    loads = [line for line in lines if "[%c+" in line]
    unwritten = loads if kept is None else loads[kept : kept + 1]
    text = "".join(line for line in lines if line not in unwritten)
    got, want = _multiply(form, 1, adds=False, text=text)
    assert np.array_equal(got, want)
    with pytest.raises(Hazard, match="undefined bits .* decide the matrix operand; they come from"):
        _multiply(form, 1, text=text)


def test_satfinite_clamps() -> None:
    form = Form(8, "s32", "s8", "s8", registers=True, saturate=True)
    image = np.full(2048, 127, np.uint8)
    a = np.full((64, 32), 127, np.int8)
    c = np.full((64, 8), 2**31 - 5)
    device = lanemap.open_device("sm_90a", device="emulator")
    for each, want in ((form, 2**31 - 1), (replace(form, saturate=False), None)):
        got = launch(
            device,
            each,
            image,
            (0, descriptor(0, 128, 256, 0)),
            a_registers("s8", codes("s8", a)),
            d_registers(each, c),
        )
        total = (2**31 - 5 + 32 * 127 * 127 + 2**31) % 2**32 - 2**31
        assert (d_matrix(each, got) == (total if want is None else want)).all()


@pytest.mark.parametrize("selector", [0, 1])
@pytest.mark.parametrize("kind", ["f16", "tf32", "s8", "e5m2"])
@pytest.mark.parametrize("registers", [False, True], ids=["shared", "registers"])
def test_sparse(kind: str, selector: int, registers: bool) -> None:
    """Random metadata; where each chunk's lie is as an H200 showed, thread by thread."""
    bits = BITS[kind]
    if bits == 8 and selector:
        pytest.skip("8-bit elements have one selector")
    form = Form(16, "s32" if kind == "s8" else "f32", kind, kind, registers, selector=selector)
    rng = np.random.default_rng(selector)
    stored, depth = STEP_BITS // bits, 2 * STEP_BITS // bits
    a, b = rng.integers(-4, 5, (64, stored)), rng.integers(-4, 5, (depth, 16))
    each, wide = (1, 2) if bits == 32 else (2, 4)
    pairs = [(0, 1), (2, 3)] if bits == 32 else [(i, j) for j in range(4) for i in range(j)]
    dense, metadata = np.zeros((64, depth)), np.zeros(128, np.uint32)
    for row in range(64):
        for chunk in range(stored // each):
            i, j = pairs[rng.integers(len(pairs))]
            places = [i // 2] if bits == 32 else [i, j]
            for e, place in enumerate(places):
                dense[row, wide * chunk + place] = a[row, each * chunk + e]
            lane, half = row % 8 * 4, row // 8 % 2
            if bits == 8:
                thread, nibble = lane + half + 2 * (chunk // 8), chunk % 8
            else:
                thread, nibble = lane + 2 * selector + chunk // 4, 4 * half + chunk % 4
            metadata[32 * (row // 16) + thread] |= np.uint32((i | j << 2) << 4 * nibble)
    image = rng.integers(0, 256, IMAGE, dtype=np.uint8)
    line, k = np.indices(a.shape)
    steps = offsets(0, False, bits, 64, stored)
    put(image, bits, bit_place(0, False, bits, line, k, 0, *steps), codes(kind, a))
    line, k = np.indices((16, depth))
    b_steps = offsets(0, False, bits, 16, depth)
    put(image, bits, bit_place(0, False, bits, line, k, B_START, *b_steps), codes(kind, b.T))
    held = a_registers(kind, codes(kind, a))
    held[:, 4] = metadata
    device = lanemap.open_device("sm_90a", device="emulator")
    words = descriptor(0, *steps, 0), descriptor(B_START, *b_steps, 0)
    c = rng.integers(-9, 10, (64, 16))
    got = launch(device, form, image, words, held, d_registers(form, c))
    assert np.array_equal(d_matrix(form, got), dense @ b + c)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("m64n24k16.f32.f16.f16", "m64n20k16.f32.f16.f16"),
        ("m64n24k16.f32.f16.f16", "m64n24k8.f32.f16.f16"),
        ("m64n24k16.f32.f16.f16", "m64n24k16.f32.f16.bf16"),
    ],
)
def test_illegal_forms_are_refused(wrong: str, words: str) -> None:
    text = source([Form(24, "f32", "f16", "f16")]).replace(wrong, words)
    device = lanemap.open_device("sm_90a", device="emulator")
    module = device.load(text)
    with pytest.raises(UserError, match="wgmma"):
        module[module.entries[0]]


def test_another_target_has_no_wgmma() -> None:
    form = Form(8, "f32", "f16", "f16")
    text = source([form]).replace("sm_90a", "sm_100a")
    with pytest.raises(UserError, match="sm_100a has no wgmma"):
        lanemap.open_device("sm_100a", device="emulator").load(text)[form.name]
