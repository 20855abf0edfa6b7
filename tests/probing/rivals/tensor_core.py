"""A planted tcgen05.mma: operands by descriptors, scales from tensor memory, D where it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lanemap.probing.tensor_core.descriptors import SWIZZLES, TensorFields
from lanemap.probing.tensor_core.kernel import (
    GIVEN_COLUMNS,
    HOLDERS,
    SFA_COLUMN,
    SFB_COLUMN,
    TYPES,
    Form,
)

from .planted import Integers, Planted, value

LANES = 128
_CODES = {each.code: name for name, each in SWIZZLES.items()}


@dataclass(frozen=True)
class Shape:
    """What the instruction and its descriptor say, as the planted device reads them."""

    form: Form
    rows: int
    columns: int
    kinds: tuple[str, str]
    majors: tuple[bool, bool]
    d: str
    ids: tuple[int, int]

    @property
    def depth(self) -> int:
        return 256 // HOLDERS[self.form.kind]

    @property
    def fold(self) -> int:
        own = self.rows // self.form.ctas
        return LANES // own if self.form.ws or (self.form.ctas, own) == (2, 64) else 1


def shape_of(form: Form, word: int) -> Shape:
    """NVIDIA PTX ISA, Instruction descriptor."""
    types = {code: name for name, code in TYPES[form.kind].items()}
    kinds = types[word >> 7 & 7], types[word >> 10 & 7]
    result = "f32" if form.vector else ("f16", "f32", "s32")[word >> 4 & 3]
    ids = (word >> 29 & 3, word >> 4 & 3) if form.vector else (0, 0)
    majors = bool(word >> 15 & 1), bool(word >> 16 & 1)
    return Shape(form, (word >> 24 & 31) * 16, (word >> 17 & 63) * 8, kinds, majors, result, ids)


def fields_of(word: int, mn: bool, bits: int) -> TensorFields:
    """NVIDIA PTX ISA, Shared memory descriptor."""
    start, leading, stride = (16 * (word >> at & 0x3FFF) for at in (0, 16, 32))
    return TensorFields(mn, _CODES[word >> 61], bits, start, leading, stride, word >> 49 & 7)


def place(fields: TensorFields, line: Integers, k: Integers) -> Integers:
    return fields.place(line, k)


def elements(shape: Shape) -> Integers:
    """row * N + column of each word of D, or -1 (PTX ISA, Data Path Layout Organization)."""
    ctas, own = shape.form.ctas, shape.rows // shape.form.ctas
    across = shape.columns // shape.fold
    m, n = np.indices((shape.rows, shape.columns))
    lane = m % own + own * (n // across)
    if (shape.form.ws, ctas, shape.rows) == (False, 1, 64):
        lane = m // 16 * 32 + m % 16
    found = np.full((ctas, LANES, across), -1, np.int64)
    found[m // own, lane, n % across] = m * shape.columns + n
    return found


def scale_place(shape: Shape, of_b: bool) -> Integers:
    """Byte of the columns given to a CTA with the scale of each row and block, [row, block]."""
    rows = shape.columns if of_b else shape.rows
    row, block = np.indices((rows, shape.form.vector))
    folded = of_b and (shape.form.ctas, shape.rows) == (2, 128)
    here = row % (rows // 2) if folded else row
    lane = here % 32 + (row // (rows // 2) * 64 if folded else 0)
    column = (SFB_COLUMN if of_b else SFA_COLUMN) + here // 32
    return (lane * GIVEN_COLUMNS + column) * 4 + shape.ids[of_b] + block


def scale_block(shape: Shape, k: Integers) -> Integers:
    return k // (shape.depth // shape.form.vector)


Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Behavior:
    """How a planted device behaves: by default as the documents say.

    Attributes:
        place: The bit of an element of an operand, from the fields, its line and its k.
        elements: The element of D in each word.
        scale_place: The byte of each scale, of A or of B.
        scale_block: The block of k that scales each k.
        scales: What is made of scales [row, block] of all bytes' values, or None.
        product: What is made of the matrix D.
        words: What is made of the words of a case, uint32[cta, lane, column], and of D's columns.
    """

    place: Callable[[TensorFields, Integers, Integers], Integers] = place
    elements: Callable[[Shape], Integers] = elements
    scale_place: Callable[[Shape, bool], Integers] = scale_place
    scale_block: Callable[[Shape, Integers], Integers] = scale_block
    scales: Callable[[Numbers, Numbers], Numbers] = field(default=lambda chosen, every: chosen)
    product: Callable[[Numbers], Numbers] = field(default=lambda d: d)
    words: Callable[[NDArray[np.uint32], int], None] = field(default=lambda words, own: None)


def device(forms: Iterable[Form], behavior: Behavior) -> Planted:
    """A planted device that runs the kernels of these forms."""
    return Planted(partial(_launch, {form.name: form for form in forms}, behavior))


def codes_at(image: NDArray[np.uint8], places: Integers, bits: int) -> Integers:
    """Codes of elements at bits of an image; what lies outside reads as zero."""
    octets = np.concatenate([image.astype(np.int64), np.zeros(8, np.int64)])
    byte = places // 8
    byte = np.where((byte >= 0) & (byte < image.size), byte, image.size)
    found = sum(octets[byte + each] << 8 * each for each in range(max(bits // 8, 1)))
    return np.asarray(found >> places % 8 & (1 << bits) - 1)


def _operand(
    shape: Shape, behavior: Behavior, images: NDArray[np.uint8], word: int, of_b: bool
) -> Numbers:
    """A matrix [line, k], which the CTAs hold in equal parts."""
    bits, lines = HOLDERS[shape.form.kind], (shape.columns if of_b else shape.rows) // len(images)
    fields = fields_of(word, shape.majors[of_b], bits)
    line, k = np.indices((lines, shape.depth))
    places = behavior.place(fields, line, k)
    parts = [value(shape.kinds[of_b], codes_at(image, places, bits)) for image in images]
    return np.concatenate(parts)


def _scaled(
    shape: Shape, behavior: Behavior, matrix: Numbers, octets: NDArray[np.uint8], of_b: bool
) -> Numbers:
    codes = octets.astype(np.int64)
    every = value("e4m3", codes) if shape.form.vector == 4 else 2.0 ** (codes - 127.0)
    chosen = behavior.scales(every[behavior.scale_place(shape, of_b)], every)
    block = behavior.scale_block(shape, np.arange(shape.depth))
    return np.asarray(matrix * chosen[:, block])


def _launch(forms: dict[str, Form], behavior: Behavior, entry: str, args: Sequence[Any]) -> None:
    images, given, operands, output = args[:4]
    form = forms[entry]
    for case, (near, away, word, _) in enumerate(operands.tolist()):
        shape = shape_of(form, word)
        a = _operand(shape, behavior, images[case], near, False)
        b = _operand(shape, behavior, images[case], away, True)
        if form.vector:
            octets = np.ascontiguousarray(given[case, 0]).view(np.uint8).reshape(-1)
            a = _scaled(shape, behavior, a, octets, False)
            b = _scaled(shape, behavior, b, octets, True)
        d = behavior.product(a @ b.T).reshape(-1)
        found = behavior.elements(shape)
        words = np.full((form.ctas, LANES, output.shape[2]), 0xFFFFFFFF, np.uint32)
        dtype = {"f32": np.float32, "f16": np.float16, "s32": np.int32}[shape.d]
        held = np.ascontiguousarray(d[np.maximum(found, 0)].astype(dtype))
        held = held.view(f"u{held.itemsize}").astype(np.uint32)
        keep = np.uint32(0xFFFF0000 if shape.d == "f16" else 0)
        own = words[..., : found.shape[-1]]
        own[found >= 0] = (own & keep | held)[found >= 0]
        behavior.words(words, found.shape[-1])
        output[case * form.ctas :][: form.ctas] = words
