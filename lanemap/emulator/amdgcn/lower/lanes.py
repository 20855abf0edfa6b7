"""DPP and SDWA: lane moves and sub-register selection on any vector instruction.

AMD CDNA4 ISA, 6.5 (SDWA), 6.6 (DPP) and the DPP_CTRL table of chapter 13; AMD, "GCN Assembly:
Cross-Lane Operations", for what a lane without a valid source does.
"""

from __future__ import annotations

from collections.abc import Callable

from lanemap.emulator.amdgcn.lower.constants import float_bits
from lanemap.emulator.amdgcn.lower.emission import Emission
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.codegen.values import Value

LANES = 64
_ALL = (1 << LANES) - 1
_LLVM_FLOATS = {"f16": "half", "bf16": "bfloat", "f32": "float", "f64": "double"}
_BITS = {"f16": 16, "f32": 32, "f64": 64}


def float_constant(c: Emission, kind: str, value: float) -> Value:
    """A float constant of an operand type."""
    if kind == "bf16":
        return c.constant("bfloat", float_bits(value, 32) >> 16)
    return c.constant(_LLVM_FLOATS[kind], float_bits(value, _BITS[kind]))


def clamped(c: Emission, kind: str, value: Value) -> Value:
    """A float held to 0 .. 1; NaN becomes 0 where MODE.dx10_clamp is set."""
    b = c.b
    zero, one = float_constant(c, kind, 0.0), float_constant(c, kind, 1.0)
    above = b.alu.compare("ogt" if c.mode.dx10_clamp else "ugt", value, zero)
    value = b.alu.select(above, value, zero)
    return b.alu.select(b.alu.compare("ogt", value, one), one, value)


def with_half(c: Emission, old: Value, half: Value, high: bool) -> Value:
    """A register with one half replaced; `half` is an i32 below 2**16."""
    b = c.b
    if high:
        half = b.alu.shl(half, c.constant("i32", 16))
    keep = b.alu.and_(old, c.constant("i32", 0xFFFF if high else 0xFFFF0000))
    return b.alu.disjoint(keep, half)


# -- DPP ------------------------------------------------------------------------------------------


def dpp_sources(c: Emission) -> list[int | None]:
    """The lane that each lane reads; None where there is none."""
    modifiers = c.bound.instruction.modifiers
    rows = range(LANES)
    if "quad_perm" in modifiers:
        return [(lane & ~3) | c.bit("quad_perm", lane & 3) for lane in rows]
    if "row_mirror" in modifiers:
        return [lane ^ 15 for lane in rows]
    if "row_half_mirror" in modifiers:
        return [lane ^ 7 for lane in rows]
    for name, rule in _DPP_RULES.items():
        if name in modifiers:
            return [rule(lane, c.modifier(name)) for lane in rows]
    return list(rows)


def _in_row(lane: int, place: int) -> int | None:
    return (lane & ~15) + place if 0 <= place < 16 else None


def _row_bcast(lane: int, last: int) -> int | None:
    """15: lane 15 of each row to the next row; 31: lane 31 to rows 2 and 3."""
    return None if lane <= last else (lane & (48 if last == 15 else 32)) - 1


_DPP_RULES: dict[str, Callable[[int, int], int | None]] = {
    "row_shl": lambda lane, n: _in_row(lane, (lane & 15) + n),
    "row_shr": lambda lane, n: _in_row(lane, (lane & 15) - n),
    "row_ror": lambda lane, n: (lane & ~15) + ((lane - n) & 15),
    "row_newbcast": lambda lane, n: (lane & ~15) + n,
    "wave_shl": lambda lane, n: lane + 1 if lane < 63 else None,
    "wave_shr": lambda lane, n: lane - 1 if lane > 0 else None,
    "wave_rol": lambda lane, n: (lane + 1) & 63,
    "wave_ror": lambda lane, n: (lane - 1) & 63,
    "row_bcast": _row_bcast,
}


def _dpp_valid(c: Emission) -> Value | None:
    """Per-lane i1: whether the source lane exists and is active; None if all are."""
    b = c.b
    sources = dpp_sources(c)
    exists = sum(1 << lane for lane, source in enumerate(sources) if source is not None)
    mask = b.masks.active()
    if mask is None and exists == _ALL:
        return None
    valid = b.lanes.of_mask(c.constant("i64", exists)) if mask is None else None
    if mask is not None:
        there = [lane if source is None else source for lane, source in enumerate(sources)]
        valid = b.lanes.shuffled(b.lanes.of_mask(mask), there)
        if exists != _ALL:
            valid = b.alu.and_(valid, b.lanes.of_mask(c.constant("i64", exists)))
    return valid


def dpp_guard(c: Emission) -> Value | None:
    """Per-lane i1: whether the result is written; None if all lanes write."""
    b = c.b
    rows, banks = c.modifier("row_mask", 15), c.modifier("bank_mask", 15)
    enabled = sum(
        1 << lane
        for lane in range(LANES)
        if rows >> (lane // 16) & 1 and banks >> (lane % 16 // 4) & 1
    )
    guard = None if enabled == _ALL else b.lanes.of_mask(c.constant("i64", enabled))
    if "bound_ctrl" in c.bound.instruction.modifiers:
        return guard
    valid = _dpp_valid(c)
    if valid is None or guard is None:
        return valid if guard is None else guard
    return b.alu.and_(guard, valid)


def dpp_source(c: Emission, word: Value) -> Value:
    """src0 with every lane's value from the lane that it names; 0 where bound_ctrl makes it so."""
    b = c.b
    sources = [lane if one is None else one for lane, one in enumerate(dpp_sources(c))]
    moved = b.lanes.shuffled(word, sources)
    valid = _dpp_valid(c) if "bound_ctrl" in c.bound.instruction.modifiers else None
    return moved if valid is None else b.alu.select(valid, moved, c.constant("i32", 0))


# -- SDWA -----------------------------------------------------------------------------------------

_SELECTIONS = {
    "BYTE_0": (0, 8), "BYTE_1": (8, 8), "BYTE_2": (16, 8), "BYTE_3": (24, 8),
    "WORD_0": (0, 16), "WORD_1": (16, 16), "DWORD": (0, 32),
}  # fmt: skip


def _selection(c: Emission, name: str) -> tuple[int, int]:
    return _SELECTIONS[str(c.bound.instruction.modifiers.get(name, "DWORD"))]


def sdwa_source(c: Emission, word: Value, number: int, sext: bool) -> Value:
    """The byte or half that srcN_sel picks, extended to 32 bits."""
    b = c.b
    shift, bits = _selection(c, f"src{number}_sel")
    if bits == 32:
        return word
    narrow = b.alu.trunc(b.alu.lshr(word, c.constant("i32", shift)), f"i{bits}")
    return b.alu.sext(narrow, "i32") if sext else b.alu.zext(narrow, "i32")


def sdwa_result(c: Emission, position: int, word: Value) -> Value:
    """The result in the byte or half that dst_sel picks; the rest zero, sign, or as it was."""
    b = c.b
    shift, bits = _selection(c, "dst_sel")
    if bits == 32:
        return word
    unused = str(c.bound.instruction.modifiers.get("dst_unused", "UNUSED_PRESERVE"))
    field = ((1 << bits) - 1) << shift
    placed = b.alu.shl(word, c.constant("i32", shift))
    if unused == "UNUSED_SEXT":
        # bits above the selection repeat its highest bit, those below are zero
        top = c.constant("i32", 32 - bits - shift)
        return b.alu.ashr(b.alu.shl(placed, top), top)
    placed = b.alu.and_(placed, c.constant("i32", field))
    if unused == "UNUSED_PAD":
        return placed
    (register,) = registers_of(c.bound.operands[position])
    rest = b.alu.and_(b.registers.read(register), c.constant("i32", 0xFFFFFFFF ^ field))
    return b.alu.disjoint(rest, placed)
