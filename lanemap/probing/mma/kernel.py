"""PTX that multiplies one element of A, a one, by B: D then shows the elements of B that it meets.

CTA (n, p), one warp, has a one in element n of A (thread n / elements, element n % elements), and
zeros elsewhere. In pass p, an element of B is one if bit p of its number is set; numbers begin at
1, in the order of threads and elements. C is zero. So the bits of element d of D over all passes
are the number of the element of B with which A's one is multiplied in d, or zero if it is not.
Padding of A and B holds ones, so that D shows nothing else only if padding is not read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.probing.mma.forms import LANES, ONE, Form

HEAD = ".version 9.0\n.target {target}\n.address_size 64\n"
Integers = npt.NDArray[np.int64]
#: A number that no element has: what D shows is neither zero nor one element of B.
NO_ELEMENT = 1 << 40
#: One in a type of D; of f64 its upper half.
RESULTS = {"f64": 0x3FF00000, "f32": 0x3F800000, "f16": 0x3C00, "s32": 1}


def passes(form: Form) -> int:
    """Bits of the numbers of B's elements."""
    return (LANES * form.elements("B")).bit_length()


def padding(form: Form) -> int:
    """A word whose bits outside of elements are ones; 0 where elements fill it."""
    bits, below = form.place("A")
    if bits == form.bits("A"):
        return 0
    return (0xFF ^ ((1 << form.bits("A")) - 1) << below) * 0x01010101


def _list(letter: str, count: int) -> str:
    return "{" + ", ".join(f"{letter}{i}" for i in range(count)) + "}"


def _one_hot(form: Form) -> list[str]:
    """The words of A: the one where thread and element are those of the CTA's number."""
    (bits, below), lines = form.place("A"), []
    per, one = max(1, 32 // bits), ONE.get(form.kind, 1) << below
    for word in range(form.words("A")):
        if bits == 64:
            value = one if word % 2 else 0
            lines.append(f"setp.eq.u32 here, element, {word // 2};")
            lines.append(f"mov.b32 x, {value};")
        else:
            lines += [
                f"sub.u32 place, element, {word * per};",
                f"setp.lt.u32 here, place, {per};",
                f"mul.lo.u32 place, place, {bits};",
                f"mov.b32 x, {one};",
                "shl.b32 x, x, place;",
            ]
        lines += ["and.pred here, here, mine;", f"selp.b32 wa{word}, x, 0, here;"]
        if padding(form):
            lines.append(f"or.b32 wa{word}, wa{word}, {padding(form)};")
    return lines


def _operand(form: Form, letter: str) -> tuple[list[str], str]:
    """Statements that turn words into the registers of the instruction, and their list."""
    operand = "D" if letter in "cd" else letter.upper()
    count = form.words(operand)
    if form.bits(operand) != 64:
        return [], _list(f"w{letter}", count)
    lines = [
        f"mov.b64 d{letter}{i}, {{w{letter}{2 * i}, w{letter}{2 * i + 1}}};"
        for i in range(count // 2)
    ]
    return lines, _list(f"d{letter}", count // 2)


def text(form: Form) -> str:
    """The kernel of a form: (images of B, out); grid (elements of A, passes), one warp."""
    a, b, d = (form.words(x) for x in "ABD")
    prepared = {letter: _operand(form, letter) for letter in "abcd"}
    stores = prepared["d"][0]
    if stores:
        stores = [f"mov.b64 {{wd{2 * i}, wd{2 * i + 1}}}, dd{i};" for i in range(d // 2)]
    lines = [
        f".visible .entry {form.entry}(.param .u64 images, .param .u64 out) {{",
        ".reg .b32 t, n, p, owner, element, place, x; .reg .b64 at; .reg .pred here, mine;",
        *([".reg .b32 ones; mov.b32 ones, 0x7f7f7f7f;"] if form.scaled else []),
        f".reg .b32 wa<{a}>, wb<{b}>, wc<{d}>, wd<{d}>;",
        f".reg .b64 da<{a}>, db<{b}>, dc<{d}>, dd<{d}>;",
        "mov.u32 t, %tid.x; mov.u32 n, %ctaid.x; mov.u32 p, %ctaid.y;",
        f"div.u32 owner, n, {form.elements('A')}; rem.u32 element, n, {form.elements('A')};",
        "setp.eq.u32 mine, owner, t;",
        *_one_hot(form),
        f"ld.param.u64 at, [images]; mad.lo.u32 x, p, {b * LANES}, t;",
        "mad.wide.u32 at, x, 4, at;",
        *(f"ld.global.b32 wb{i}, [at+{i * LANES * 4}];" for i in range(b)),
        *(f"mov.b32 wc{i}, 0;" for i in range(d)),
        *prepared["a"][0], *prepared["b"][0], *prepared["c"][0],
        f"{form.instruction} {prepared['d'][1]}, {prepared['a'][1]}, {prepared['b'][1]}, "
        f"{prepared['c'][1]}{form.arguments};",
        *stores,
        "mov.u32 x, %nctaid.x; mad.lo.u32 n, p, x, n;",
        f"ld.param.u64 at, [out]; mad.lo.u32 x, n, {d * LANES}, t; mad.wide.u32 at, x, 4, at;",
        *(f"st.global.b32 [at+{i * LANES * 4}], wd{i};" for i in range(d)),
        "ret; }\n",
    ]  # fmt: skip
    return "\n".join(lines)


def images(form: Form) -> npt.NDArray[np.uint32]:
    """B in every pass: uint32[passes, word, lane]."""
    (bits, below), count = form.place("B"), form.elements("B")
    number = 1 + np.arange(LANES * count).reshape(LANES, count)
    shown = np.full((passes(form), form.words("B"), LANES), padding(form), np.uint32)
    for each in range(passes(form)):
        chosen = (number >> each & 1).astype(np.uint32)
        for element in range(count):
            if bits == 64:
                shown[each, 2 * element + 1] = chosen[:, element] * np.uint32(ONE[form.kind])
                continue
            value = np.uint32(ONE.get(form.kind, 1)) << np.uint32(element * bits % 32 + below)
            shown[each, element * bits // 32] |= chosen[:, element] * value
    return shown


def meetings(device: Any, entry: Any, form: Form) -> Integers:
    """Which element of B meets each element of A in each element of D.

    Returns:
        int64[elements of A, elements of D], in the order of threads and elements; the number of
        the element of B, -1 where A's element does not reach D's, or a number that no element
        has where D shows neither.
    """
    cells, words = LANES * form.elements("A"), form.words("D")
    out = device.zeros((passes(form), cells, words, LANES), np.uint32)
    entry((cells, passes(form), 1), (LANES, 1, 1), [device.array(images(form)), out])
    shown = out.get().swapaxes(2, 3)  # pass, element of A, lane, word
    bits = form.bits("D")
    if bits == 64:
        shown = shown[..., 1::2]
    elif bits == 16:
        shown = np.stack([shown & 0xFFFF, shown >> 16], -1).reshape(*shown.shape[:3], -1)
    number = np.zeros((cells, LANES * form.elements("D")), np.int64)
    for each in range(passes(form)):
        held = shown[each].reshape(cells, -1)
        number |= (held != 0).astype(np.int64) << each
        number[(held != 0) & (held != RESULTS[form.result])] = NO_ELEMENT
    return number - 1
