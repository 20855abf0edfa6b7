"""Where the fields of matrix descriptors lie: of operands in shared memory, and of instructions.

The emulator's C has them from here (ptx/lower/facts.py), so this module runs where a build does,
without any dependency of lanemap.
"""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """A field: its first bit, its width, what it is, and the place that says so."""

    low: int
    width: int
    meaning: str
    source: str

    def of(self, word: int) -> int:
        """The field of a word."""
        return word >> self.low & self.most

    @property
    def most(self) -> int:
        """The largest value."""
        return (1 << self.width) - 1


_WGMMA = "PTX ISA, wgmma: Matrix Descriptor Format"
_TENSOR = "PTX ISA, tcgen05: Shared memory descriptor"
_PLAIN = "PTX ISA 9.0, 9.7.16.4.2, Instruction descriptor, table 42"
_SCALED = "PTX ISA 9.0, 9.7.16.4.2, Instruction descriptor, tables 43 and 44"
_BASE = "number of the 128-byte row with which the swizzle's pattern begins"


def _shared(source: str) -> dict[str, Field]:
    return {
        "start": Field(0, 14, "start address in units of 16 bytes", source),
        "leading": Field(
            16, 14, "leading-dimension byte offset (LBO) in units of 16 bytes", source
        ),
        "stride": Field(32, 14, "stride-dimension byte offset (SBO) in units of 16 bytes", source),
        "base": Field(49, 3, _BASE, source),
    }


#: Of wgmma. The swizzle's code is that of tcgen05 without its lowest bit.
WGMMA_SHARED = {**_shared(_WGMMA), "swizzle": Field(62, 2, "swizzling mode", _WGMMA)}
TENSOR_SHARED = {
    **_shared(_TENSOR),
    "version": Field(46, 3, "fixed: 1", _TENSOR),
    "leading_mode": Field(52, 1, "1: LBO is an absolute address (sm_103a)", _TENSOR),
    "swizzle": Field(61, 3, "swizzling mode", _TENSOR),
}


def _both(source: str) -> dict[str, Field]:
    """Fields of every instruction descriptor."""
    return {
        "sparse": Field(2, 1, "A is sparse", source),
        "a_type": Field(7, 3, "type of A", source),
        "b_type": Field(10, 3, "type of B", source),
        "negate_a": Field(13, 1, "A is negated", source),
        "negate_b": Field(14, 1, "B is negated", source),
        "a_mn": Field(15, 1, "A is M-major", source),
        "b_mn": Field(16, 1, "B is N-major", source),
        "n": Field(17, 6, "N in units of 8", source),
        "m": Field(24, 5, "M in units of 16", source),
    }


#: Of kinds without scales: f16, tf32, f8f6f4, i8.
INSTRUCTION = {
    **_both(_PLAIN),
    "selector": Field(0, 2, "sparsity selector", _PLAIN),
    "saturate": Field(3, 1, "integers saturate", _PLAIN),
    "d_type": Field(4, 2, "type of D", _PLAIN),
    "max_shift": Field(30, 2, "largest shift of B's rows, of .ws", _PLAIN),
}
#: Of kinds with scales: mxf8f6f4, mxf4, mxf4nvf4.
SCALED_INSTRUCTION = {
    **_both(_SCALED),
    "sfb_id": Field(4, 2, "byte of its column where B's first scale lies", _SCALED),
    "scale_type": Field(23, 1, "type of the scales", _SCALED),
    "sfa_id": Field(29, 2, "byte of its column where A's first scale lies", _SCALED),
    "k96": Field(31, 1, "K is 96 (sm_103a)", _SCALED),
}
WIDTHS = {"WGMMA_SHARED": 64, "TENSOR_SHARED": 64, "INSTRUCTION": 32, "SCALED_INSTRUCTION": 32}


def unused(fields: dict[str, Field], width: int) -> int:
    """The bits of a word that no field has."""
    used = 0
    for field in fields.values():
        used |= field.most << field.low
    return ~used & ((1 << width) - 1)
