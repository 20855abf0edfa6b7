"""Kinds of MFMA for designed dot products on matrix cores, and the assembly that executes one.

A wave executes one instruction on operands from memory, packed as for `kernels.source`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lanemap.conformance.tensor_cores.kinds import FORMATS, Kind, Places
from lanemap.probing.mfma.forms import LANES, Form, forms
from lanemap.toolchain.amdgcn_kernel import Kernel, file

#: Types by their names in AMD's instructions; 8-bit floats where they are the OCP's.
_TYPES = {"f32": "f32", "f16": "f16", "bf16": "bf16", "fp8": "e4m3", "bf8": "e5m2"}
#: The least K that designed dot products need.
_LEAST_DEPTH = 4
#: First registers of A, B, and C and D, and scalar registers of their addresses.
_FIRST = {"a": 8, "b": 16, "c": 32, "d": 32}
_ADDRESS = {"a": 4, "b": 6, "c": 8, "d": 10}
_WORD_BYTES = 4 * LANES


@dataclass(frozen=True)
class WaveKind(Kind):
    """One dense instruction of MFMA with one block; `form` is its whole name.

    The places of elements are those of the AMD CDNA4 ISA, 7.1.5.1, "Dense matrix layouts".
    """

    @property
    def threads(self) -> int:
        """Lanes of a wave."""
        return LANES

    def places(self, operand: str) -> Places:
        """See `Kind.places`."""
        count = self.rows * (self.columns if operand in "cd" else self.depth) // LANES
        lane, i = np.ogrid[:LANES, :count]
        line, group = lane % self.rows, lane // self.rows
        if operand in "cd":
            row = LANES // self.rows * 4 * (i // 4) + 4 * group + i % 4
            return np.asarray(row * self.columns + line)
        if FORMATS[self.a].bits == 8 and count == 32:  # 16 of each half of K
            return np.asarray(line * self.depth + self.depth // 2 * (i // 16) + 16 * group + i % 16)
        return np.asarray(line * self.depth + count * group + i)


def kinds(target: str) -> Iterator[tuple[WaveKind, Form]]:
    """The dense instructions of a target that add products of floats in f32."""
    for form in forms(target):
        eight_bits = any(kind in ("fp8", "bf8") for kind in form.kinds)
        if (
            form.result == "f32"
            and form.products == 1
            and form.depth >= _LEAST_DEPTH
            and all(kind in _TYPES for kind in form.kinds)
            and not (eight_bits and form.fnuz)
        ):
            a, b = (_TYPES[kind] for kind in form.kinds)
            sizes = form.side, form.side, form.depth
            yield WaveKind("mfma", *sizes, "f32", a, b, "f32", form=form.instruction), form


def _span(first: int, count: int) -> str:
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


def _moved(kind: Kind, operand: str) -> list[str]:
    """Instructions that load an operand, or store D; v1 has a lane's byte of a row of words."""
    words, address = words_of(kind, operand), _ADDRESS[operand]
    lines = [
        f"s_mul_i32 s12, s2, {words * _WORD_BYTES}",
        f"s_add_u32 s{address}, s{address}, s12",
        f"s_addc_u32 s{address + 1}, s{address + 1}, 0",
    ]
    for word in range(words):
        register, at = f"v{_FIRST[operand] + word}", f"s[{address}:{address + 1}]"
        given = f"v1, {register}, {at}" if operand == "d" else f"{register}, v1, {at}"
        name = "global_store_dword" if operand == "d" else "global_load_dword"
        lines.append(f"{name} {given} offset:{word * _WORD_BYTES}")
    return lines


def words_of(kind: Kind, operand: str) -> int:
    """Registers of a lane that an operand takes."""
    bits: int = FORMATS[getattr(kind, operand)].bits
    return int(kind.places(operand).shape[1]) * bits // 32


def source(kind: WaveKind, form: Form, target: str) -> str:
    """The assembly of a kind; its entry is `dots(a, b, c, d)`, a grid of tiles, one wave each."""
    a, b, d = (_span(_FIRST[each], words_of(kind, each)) for each in "abd")
    lines = [
        "s_load_dwordx8 s[4:11], s[0:1], 0x0",
        "v_lshlrev_b32 v1, 2, v0",
        "s_waitcnt lgkmcnt(0)",
        *(line for operand in "abc" for line in _moved(kind, operand)),
        "s_waitcnt vmcnt(0)",
        "s_nop 4",  # from a write by the VALU to a matrix instruction
        f"{form.spelled} {d}, {a}, {b}, {d}{form.modifiers}",
        "s_nop 15",
        "s_nop 15",  # no form needs more until its result is stored
        *_moved(kind, "d"),
        "s_endpgm",
    ]
    vgprs = _FIRST["d"] + words_of(kind, "d")
    kernel = Kernel("dots", ("a", "b", "c", "d"), (), 0, vgprs, 24, LANES)
    return file([(kernel, "\n".join(lines))], target)
