"""Properties of an instruction that the wait state rules (wait_states.py) use."""

from __future__ import annotations

import functools
import operator
import re
from dataclasses import dataclass

from lanemap.emulator.amdgcn.lower.binding import SDWA_MODIFIERS, Bound
from lanemap.emulator.amdgcn.lower.registers import FIRST_AGPR, FIRST_SCALAR
from lanemap.emulator.amdgcn.text.operands import EXEC, M0, VCC, Operand, scalar_name

_VALU = frozenset(["VOP1", "VOP2", "VOPC", "VOP3", "VOP3P", "VOP3PX2"])
_BASES = {"v": 0, "a": FIRST_AGPR, "s": FIRST_SCALAR}
VECTORS = (1 << FIRST_SCALAR) - 1
EXEC_BITS = 3 << FIRST_SCALAR + EXEC
VCC_BITS = 3 << FIRST_SCALAR + VCC
M0_BIT = 1 << FIRST_SCALAR + M0
_ZEROS = {"vccz": VCC_BITS, "execz": EXEC_BITS}
# AMD CDNA4 ISA, 4.5, table 12.
_TRANS = re.compile(r"v_(exp|log|rcp|rcp_iflag|rsq|sqrt|sin|cos)_f(16|32|64)$")
_TO_FP4 = re.compile(r"v_cvt_scalef32_(sr_)?pk_fp4_")
_TO_BYTE = re.compile(r"v_cvt_(scalef32_)?sr_[fb][pf]8_")
_MATRIX = re.compile(r"v_s?mfmac?_(?:scale_)?[fi]\d+_(\d+)x\d+x(\d+)_?(?:\d+b_)?([a-z]\w*)$")


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix instruction: its kind ("XDL", "SGEMM" of f32, "DGEMM" of f64) and passes.

    `cores`: the generation of the matrix cores, `Target.tensor_cores`.
    """

    kind: str
    passes: int
    cores: str = "CDNA 4"


@dataclass(frozen=True, slots=True)
class Traits:
    """Properties that the rules use. Registers are bits by their `tracked` number.

    Attributes:
        states: Wait states that the instruction itself is.
        reads, writes: Registers, implied ones too.
        kept: Destinations of which the write leaves a part in place.
        lane_masks: SGPRs that are read as masks of lanes (carry-in, v_cndmask).
        selector: The SGPR that selects a lane.
        constants: SGPRs that are read as whole values, not as masks of lanes.
        zeros: VCC and EXEC where VCCZ and EXECZ are read.
        accumulator: SrcC of a matrix instruction or dot product; `sources`: its others.
        data: VGPRs of a store of more than 64 bits that can be overwritten too early.
        shifted: VGPRs in which the result does not begin at bit 0, or is not forwarded.
        overwrites: SGPRs that it gives new values, whichever unit it is executed by.
        hardware: Number of the hardware register that s_setreg or s_getreg names, or -1.
        opcode: The instruction and its encoding.
    """

    name: str = ""
    opcode: str = ""
    states: int = 1
    vector: bool = False
    memory: bool = False
    lds: bool = False
    dpp: bool = False
    matrix: Matrix | None = None
    dot: bool = False
    trans: bool = False
    reads: int = 0
    writes: int = 0
    kept: int = 0
    lane_masks: int = 0
    selector: int = 0
    constants: int = 0
    zeros: int = 0
    accumulator: int = 0
    sources: int = 0
    data: int = 0
    shifted: int = 0
    overwrites: int = 0
    hardware: int = -1

    @property
    def plain(self) -> bool:
        """Whether it is a VALU instruction other than a matrix instruction."""
        return self.vector and self.matrix is None

    @property
    def writes_mode(self) -> bool:
        """s_setreg."""
        return self.hardware >= 0 and self.name.startswith("s_setreg")


_IDLE = Traits()


@functools.cache
def matrix_of(name: str, formats: tuple[int, int], cores: str = "CDNA 4") -> Matrix | None:
    """The kind and the passes of a matrix instruction; None of another.

    Args:
        name: The mnemonic.
        formats: cbsz and blgp, which name the formats of f8f6f4 (0 and 1 are the 8-bit ones).
        cores: `Target.tensor_cores`.
    """
    match = _MATRIX.match(name)
    if match is None:
        return None
    side, depth, source = int(match[1]), int(match[2]), match[3]
    if source == "f64":
        wide = 16 if cores == "CDNA 4" else 8
        return Matrix("DGEMM", 4 if side == 4 else wide, cores)
    kind = "SGEMM" if source == "f32" else "XDL"
    if side == 4:
        return Matrix(kind, 2, cores)
    slow = cores == "CDNA 2" or (depth <= 4 and source != "xf32")
    passes = side // 2 if slow else side // 4
    if source == "f8f6f4" and min(formats) < 2:
        passes *= 2
    return Matrix(kind, passes, cores)


def traits_of(bound: Bound, indexed: bool, cores: str) -> Traits:
    """Return the properties that the rules use.

    Args:
        bound: The instruction.
        indexed: Whether it stands under s_set_gpr_idx_on.
        cores: `Target.tensor_cores`.
    """
    form = bound.definition.format.name
    if form in _VALU:
        return _vector(bound, [_bits(operand, indexed) for operand in bound.operands], cores)
    if form in ("DS", "FLAT", "MUBUF", "MTBUF"):
        return _memory(bound, [_bits(operand, indexed) for operand in bound.operands])
    name = bound.definition.name
    if name == "s_nop":
        return Traits(name, states=(int(bound.operands[0].value) & 15) + 1)
    if bound.definition.kind in ("getreg", "mode"):
        place = 1 if bound.definition.kind == "getreg" else 0
        return Traits(name, hardware=int(bound.operands[place].value) & 63)
    if bound.definition.kind == "relative":
        return Traits(name, reads=M0_BIT)
    overwrites = 0
    for role, operand in zip(bound.roles, bound.operands, strict=True):
        if role.writes and operand.kind == "s":
            overwrites |= _bits(operand, False)
    return Traits(name, writes=overwrites & M0_BIT, overwrites=overwrites) if overwrites else _IDLE


def _vector(bound: Bound, masks: list[int], cores: str) -> Traits:
    name, modifiers = bound.definition.name, bound.instruction.modifiers
    matrix = None
    if name.startswith(("v_mfma", "v_smfmac")):
        formats = _number(modifiers.get("cbsz")), _number(modifiers.get("blgp"))
        matrix = matrix_of(name, formats, cores)
    dot = name.startswith("v_dot")
    reads = writes = constants = lane_masks = zeros = tied = 0
    for role, operand, mask in zip(bound.roles, bound.operands, masks, strict=True):
        if role.writes:
            writes |= mask
        if role.reads:
            reads |= mask
            if role.writes:
                tied |= mask
            elif operand.kind == "s" and not role.implied and role.place != "m":
                constants |= mask
            elif role.place in ("m", "vcc"):
                lane_masks |= mask
            elif operand.kind == "special":
                zeros |= _ZEROS.get(operand.name, 0)
    accumulator = sources = 0
    if matrix is not None or dot:
        accumulator = tied or masks[3]
        last = masks[1:] if tied else [*masks[1:3], *masks[4:]]
        sources = functools.reduce(operator.or_, last)
    return Traits(
        name=name,
        opcode=f"{name} {bound.encoding}",
        vector=True,
        dpp=bound.encoding == "dpp",
        matrix=matrix,
        dot=dot,
        trans=_TRANS.match(name) is not None,
        reads=reads,
        writes=writes,
        kept=writes & VECTORS if _keeps(bound) else 0,
        selector=masks[-1] if name in ("v_readlane_b32", "v_writelane_b32") else 0,
        constants=constants,
        lane_masks=lane_masks,
        zeros=zeros,
        accumulator=accumulator,
        sources=sources,
        overwrites=writes & ~VECTORS,
        shifted=writes & VECTORS if _shifts(bound) else 0,
    )


def _memory(bound: Bound, masks: list[int]) -> Traits:
    reads = writes = constants = data = 0
    lds = bound.definition.format.name == "DS"
    for role, operand, mask in zip(bound.roles, bound.operands, masks, strict=True):
        if role.writes:
            writes |= mask
        if role.reads:
            reads |= mask
            if operand.kind == "s" and not role.implied:
                constants |= mask
            if role.place == "va" and operand.count > 2 and not lds:
                data |= mask
            if role.place == "soff" and operand.kind == "s":
                data = 0  # the ISA's table: no wait states with an SGPR as the offset
    return Traits(
        name=bound.definition.name,
        memory=True,
        lds=lds,
        reads=reads,
        writes=writes,
        constants=constants,
        data=data,
    )


def _bits(operand: Operand, indexed: bool) -> int:
    base = _BASES.get(operand.kind)
    if base is None or (indexed and operand.kind == "v"):
        return 0
    return (1 << operand.count) - 1 << base + operand.index


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _keeps(bound: Bound) -> bool:
    """Whether a vector destination may keep bits of what it held."""
    if bound.encoding == "sdwa":
        return bool(set(bound.instruction.modifiers) & SDWA_MODIFIERS)
    narrow = any(role.writes and role.type in ("i16", "f16", "bf16") for role in bound.roles)
    return narrow and (
        bound.definition.high_half == "keep" or "op_sel" in bound.instruction.modifiers
    )


def _shifts(bound: Bound) -> bool:
    """Whether the result goes elsewhere than bits 0 and up: SDWA's dst_sel, op_sel's last bits.

    Conversions to FP4 count whatever byte op_sel picks (LLVM; ISA 7.3: no forwarding path).
    """
    modifiers = bound.instruction.modifiers
    if bound.encoding == "sdwa":
        return str(modifiers.get("dst_sel", "DWORD")).upper() != "DWORD"
    if _TO_FP4.match(bound.definition.name):
        return True
    chosen = modifiers.get("op_sel")
    if bound.definition.format.name == "VOP3P" or not isinstance(chosen, tuple):
        return False
    if _TO_BYTE.match(bound.definition.name):
        return any(chosen[2:])
    explicit = [role for role in bound.roles if not role.implied and role.place in ("x", "v")]
    read = sum(role.reads and not role.writes for role in explicit)
    return any(chosen[read:])


def names_of(registers: int) -> str:
    """The first of some registers by name, and how many more there are."""
    first = (registers & -registers).bit_length() - 1
    if first >= FIRST_SCALAR:
        name = scalar_name(first - FIRST_SCALAR)
    else:
        name = f"a{first - FIRST_AGPR}" if first >= FIRST_AGPR else f"v{first}"
    more = registers.bit_count() - 1
    return f"{name} and {more} more" if more else name
