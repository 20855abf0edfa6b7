"""A planted wgmma: operands in shared memory, D in registers where it lies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from lanemap.probing.wgmma.kernel import BITS, ROWS, THREADS, Form
from lanemap.probing.wgmma.layouts import SWIZZLES, Fields

from .planted import Integers, Planted, value
from .tensor_core import codes_at

_CODES = {each.code: name for name, each in SWIZZLES.items()}


def elements(form: Form) -> Integers:
    """row * N + column of each element of D, [thread, element] (PTX ISA, wgmma: D fragments)."""
    thread, element = np.indices((THREADS, form.n // 2))
    row = 16 * (thread // 32) + thread % 32 // 4 + 8 * (element // 2 % 2)
    return row * form.n + 8 * (element // 4) + 2 * (thread % 4) + element % 2


def device(form: Form, places: Integers, product: Callable[[Any], Any] | None = None) -> Planted:
    """A planted device that runs the kernel of a form."""
    return Planted(partial(_launch, form, places, product))


def _operand(form: Form, image: Any, word: int, lines: int, kind: str) -> Any:
    start, leading, stride = (16 * (word >> at & 0x3FFF) for at in (0, 16, 32))
    fields = Fields(False, _CODES[word >> 62], BITS[kind], start, leading, stride, word >> 49 & 7)
    return value(kind, codes_at(image, fields.place(*np.indices((lines, form.depth))), BITS[kind]))


def _launch(form: Form, places: Integers, product: Any, entry: str, args: Sequence[Any]) -> None:
    images, descriptors, _, _, output = args[:5]
    assert entry == form.name
    dtype = {"f32": np.float32, "f16": np.float16, "s32": np.int32}[form.d]
    for case, (near, away) in enumerate(descriptors.tolist()):
        a = _operand(form, images[case], near, ROWS, form.a)
        b = _operand(form, images[case], away, form.n, form.b)
        d = a @ b.T
        d = (d if product is None else product(d)).reshape(-1)
        shown = np.where(places >= 0, d[np.maximum(places, 0)], 0).astype(dtype)
        output[case] = np.ascontiguousarray(shown).view(np.uint32).reshape(output[case].shape)
