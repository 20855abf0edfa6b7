"""Assembly that multiplies one element of A, a one, by B: D then shows the elements of B it meets.

Workgroup p * 64 + t, one wave, puts a one into each element of lane t of A in turn, with zeros
elsewhere. In pass p, an element of B is digit p of its number; numbers begin at 1, in the order of
lanes and elements. C is zero. So the digits in element d of D over all passes are the number of
the element of B with which A's one is multiplied in d, or zero if it is not. One pass more shows
a digit that checks the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lanemap.probing.mfma.forms import DIGIT, LANES, PROBED, Form, code, forms
from lanemap.probing.mma.kernel import NO_ELEMENT
from lanemap.probing.tags.digits import joined, split
from lanemap.toolchain.amdgcn_kernel import Kernel, file

Integers = npt.NDArray[np.int64]
_A, _B, _D = 8, 16, 32  # first registers
_ROW = 4 * LANES  # bytes that a register takes in memory


def passes(form: Form) -> int:
    """Digits of the numbers of B's elements, and the one that checks them."""
    bits = (LANES * form.elements("B")).bit_length()
    return 1 - (-bits // DIGIT[form.kind("B")])


def _span(first: int, count: int) -> str:
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def _one(form: Form) -> list[str]:
    """The words of A: a one in element s11 of the lane in s8."""
    bits, one = form.bits("A"), code(form.kind("A"), 1, form.fnuz)
    lines = [
        f"s_mul_i32 s12, s11, {bits}", "s_lshr_b32 s13, s12, 5", "s_and_b32 s12, s12, 31",
        f"s_mov_b32 s14, {one & 0xFFFFFFFF:#x}", f"s_mov_b32 s15, {one >> 32:#x}",
        "s_lshl_b64 s[14:15], s[14:15], s12", "s_add_u32 s16, s13, 1",
    ]  # fmt: skip
    for word in range(form.words("A")):
        lines += [
            f"s_cmp_eq_u32 s13, {word}",
            "s_cselect_b32 s17, s14, 0",
            f"s_cmp_eq_u32 s16, {word}",
            "s_cselect_b32 s18, s15, 0",
            "s_or_b32 s17, s17, s18",
            "v_mov_b32 v2, s17",
            f"v_cndmask_b32 v{_A + word}, 0, v2, vcc",
        ]
    return lines


def text(form: Form) -> tuple[Kernel, str]:
    """The kernel of a form: (images of B, out); grid (64 * passes), one wave.

    A sparse one takes every lane's index too, and adds to D, which is zero before.
    """
    a, b, d = (form.words(x) for x in "ABD")
    operands = f"{_span(_D, d)}, {_span(_A, a)}, {_span(_B, b)}"
    zeros = [f"v_mov_b32 v{_D + word}, 0" for word in range(d)] if form.is_sparse else []
    stores = [
        line
        for word in range(d)
        for line in (
            f"global_store_dword v1, v{_D + word}, s[6:7]",
            f"s_add_u32 s6, s6, {_ROW}",
            "s_addc_u32 s7, s7, 0",
        )
    ]
    lines = [
        "s_load_dwordx4 s[4:7], s[0:1], 0x0", "v_lshlrev_b32 v1, 2, v0",
        *(["s_load_dword s20, s[0:1], 0x10"] if form.is_sparse else []),
        "s_and_b32 s8, s2, 63", "s_lshr_b32 s9, s2, 6",
        "v_cmp_eq_u32 vcc, s8, v0", f"s_mul_i32 s9, s9, {b * _ROW}",
        f"s_mul_i32 s10, s2, {form.elements('A') * d * _ROW}", "s_waitcnt lgkmcnt(0)",
        "s_add_u32 s4, s4, s9", "s_addc_u32 s5, s5, 0",
        "s_add_u32 s6, s6, s10", "s_addc_u32 s7, s7, 0",
        *(["v_mov_b32 v6, s20"] if form.is_sparse else []),
        *(f"global_load_dword v{_B + i}, v1, s[4:5] offset:{i * _ROW}" for i in range(b)),
        "s_mov_b32 s11, 0", "s_waitcnt vmcnt(0)",
        f"next_{form.entry}:",
        *_one(form), *zeros,
        "s_nop 4",  # from a write by the VALU to a matrix instruction
        f"{form.spelled} {operands}, {'v6' if form.is_sparse else '0'}{form.modifiers}",
        "s_nop 15", "s_nop 15",  # no form needs more until its result is stored
        *stores,
        "s_waitcnt vmcnt(0)",
        "s_add_u32 s11, s11, 1", f"s_cmp_lt_u32 s11, {form.elements('A')}",
        f"s_cbranch_scc1 next_{form.entry}",
        "s_endpgm",
    ]  # fmt: skip
    words = ("index",) if form.is_sparse else ()
    return Kernel(form.entry, ("images", "out"), words, 0, _D + d, 24, LANES), "\n".join(lines)


def sources() -> dict[str, str]:
    """The assembly file of all forms of each target."""
    return {target: file([text(form) for form in forms(target)], target) for target in PROBED}


def images(form: Form) -> npt.NDArray[np.uint32]:
    """B in every pass: uint32[passes, word, lane]."""
    kind, bits, count = form.kind("B"), form.bits("B"), form.elements("B")
    number = 1 + np.arange(LANES * count).reshape(LANES, count)
    place = np.arange(bits, dtype=np.uint64)
    shown = []
    for digit in split(number, 1 << DIGIT[kind], passes(form) - 1):
        values, which = np.unique(digit, return_inverse=True)
        codes = np.array([code(kind, int(value), form.fnuz) for value in values], np.uint64)
        chosen = codes[which.reshape(digit.shape)]
        held = (chosen[..., None] >> place & np.uint64(1)).astype(np.uint8).reshape(LANES, -1)
        shown.append(np.packbits(held, axis=1, bitorder="little").view(np.uint32).T)
    return np.ascontiguousarray(shown)


def meetings(device: Any, entry: Any, form: Form, *more: Any) -> Integers:
    """Which element of B meets each element of A in each element of D; `more`: words of the kernel.

    Returns:
        int64[elements of A, elements of D], in the order of lanes and elements; the number of the
        element of B, -1 where A's element does not reach D's, or NO_ELEMENT where D shows neither.
    """
    count, own, words = passes(form), form.elements("A"), form.words("D")
    out = device.zeros((count, LANES, own, words, LANES), np.uint32)
    entry((LANES * count, 1, 1), (LANES, 1, 1), [device.array(images(form)), out, *more])
    # pass, lane and element of A, lane of D, its words
    shown = np.ascontiguousarray(out.get().swapaxes(3, 4)).reshape(count, LANES * own, -1)
    kind = {"f32": np.float32, "f64": np.float64, "i32": np.int32}[form.result]
    read = shown.view(kind)
    met = np.any(read != 0, axis=0)  # a number begins at 1; most elements of D are not reached
    read = read[:, met].astype(np.float64)
    base = 1 << DIGIT[form.kind("B")]
    whole = (read >= 0) & (read < base) & (read == np.floor(read))
    number = joined(list(np.where(whole, read, -1).astype(np.int64)), base)
    found = np.full(met.shape, -1, np.int64)
    found[met] = np.where(number > 0, number - 1, NO_ELEMENT)
    return found
