"""LDS transpose reads of gfx950: `ds_read_b64_tr_b16`, `_tr_b8`, `_tr_b4` and `ds_read_b96_tr_b6`.

A wave of 64 lanes is four groups of 16. Every lane reads one chunk from its own address. Within a
group the chunks, in lane order, are a row-major matrix of 16 columns of elements (a row is four
chunks for b16, two for b8, one for b4 and b6); lane i of the group receives column i.
"""

from __future__ import annotations

from typing import Any

from lanemap.layout import LayoutMap, Space
from lanemap.model.variant import Variant
from lanemap.targets import targets_with

LANES = 64
_LEGALITY = (
    "gfx950; EXEC all ones; address a multiple of {align} bytes; {destination}; "
    "LDS in order on lgkmcnt"
)
_EVEN = "first destination VGPR even"
_ANY = "any first destination VGPR"
_ISA = "AMD CDNA4 ISA, LDS instructions: transpose reads (EXEC, alignment, destination)"
_TRITON = "Triton, AMD backend, MemoryOpToLLVM.cpp lowerDsReadTr"
_ROCROLLER = "rocRoller (ROCm/rocm-libraries), TransposeLoadsTest"


def spaces(chunk_bits: int) -> tuple[Space, Space]:
    """The registers that a read of so many bits a lane writes, and the chunks that it reads.

    Returns:
        "register": lane 64, register chunk_bits/32, bit 32; "chunk": lane 64, bit chunk_bits:
        the bits at the address that this lane gave.
    """
    register = Space("register", (("lane", LANES), ("register", chunk_bits // 32), ("bit", 32)))
    return register, Space("chunk", (("lane", LANES), ("bit", chunk_bits)))


def b16(lane: Any, element: Any) -> tuple[Any, Any]:
    """Halfword `element` of a lane, 0 to 3: its chunk's lane, and the halfword in the chunk."""
    return (lane & 48) + 4 * element + ((lane >> 2) & 3), lane & 3


def b8(lane: Any, element: Any) -> tuple[Any, Any]:
    """Byte `element` of a lane, 0 to 7: its chunk's lane, and the byte in the chunk."""
    return (lane & 48) + 2 * element + ((lane >> 3) & 1), lane & 7


def b4(lane: Any, element: Any) -> tuple[Any, Any]:
    """Nibble `element` of a lane, 0 to 15: its chunk's lane, and the nibble in the chunk."""
    return (lane & 48) + element, lane & 15


def b6(lane: Any, element: Any) -> tuple[Any, Any]:
    """6-bit field `element` of a lane, 0 to 15: its chunk's lane, and the field in the chunk."""
    return (lane & 48) + element, lane & 15


RULES = {16: b16, 8: b8, 4: b4, 6: b6}


def transpose_map(element_bits: int) -> LayoutMap:
    """The map on bits; elements lie in registers and chunks one after the other, low bits first."""
    register, chunk = spaces(96 if element_bits == 6 else 64)
    rule = RULES[element_bits]

    def source(lane: Any, register: Any, bit: Any) -> dict[str, Any]:
        place = 32 * register + bit
        from_lane, element = rule(lane, place // element_bits)
        return {"lane": from_lane, "bit": element * element_bits + place % element_bits}

    return LayoutMap.from_function(register, chunk, source)


def _variant(name: str, bits: int, formula: str, align: int, citations: tuple[str, ...]) -> Variant:
    return Variant(
        name=name,
        targets=targets_with(name),
        family="LDS transpose read",
        formula=formula,
        citations=(*citations, _ISA),
        legality=_LEGALITY.format(align=align, destination=_ANY if bits == 6 else _EVEN),
        build=lambda: transpose_map(bits),
    )


def variants() -> list[Variant]:
    """The four transpose reads of LDS."""
    return [
        _variant(
            "ds_read_b64_tr_b16",
            16,
            "out[l].half[j] = half (l&3) of the chunk at addr[(l&48) + 4*j + ((l>>2)&3)], j 0..3",
            8,
            (_TRITON, _ROCROLLER),
        ),
        _variant(
            "ds_read_b64_tr_b8",
            8,
            "out[l].byte[j] = byte (l&7) of the chunk at addr[(l&48) + 2*j + ((l>>3)&1)], j 0..7",
            8,
            (
                _TRITON,
                _ROCROLLER,
                "sunxxuns/aiter at a5559151: lanes 0, 1 and 8 measured on an MI355X",
            ),
        ),
        _variant(
            "ds_read_b64_tr_b4",
            4,
            "out[l].nibble[j] = nibble (l&15) of the chunk at addr[(l&48) + j], j 0..15",
            8,
            (_ROCROLLER,),
        ),
        _variant(
            "ds_read_b96_tr_b6",
            6,
            "out[l].field6[j] = 6-bit field (l&15) of the 12-byte chunk at addr[(l&48) + j], "
            "j 0..15, low bits first",
            16,
            (_ROCROLLER,),
        ),
    ]
