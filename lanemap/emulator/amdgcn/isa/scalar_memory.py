"""Scalar loads: uniform, through the constant cache, out of order on lgkmcnt."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.rules import LGKMCNT
from lanemap.emulator.amdgcn.lower.table import SMEM, Role, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.amdgcn.text.operands import EXEC, M0
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi

_SMEM = "AMD CDNA4 ISA, chapter 8 and chapter 12, SMEM instructions"
_WIDTHS = {"dword": 1, "dwordx2": 2, "dwordx4": 4, "dwordx8": 8, "dwordx16": 16}


#: Registers that a scalar load cannot fill.
_UNLOADED = (M0, EXEC, EXEC + 1)


def _offset(c: Context) -> Value:
    """The offset in bytes: an immediate, an SGPR, or an SGPR and an immediate."""
    b = c.b
    operand = c.bound.operands[2]
    added = c.constant("i64", c.modifier("offset"))
    if operand.kind == "integer":
        return c.constant("i64", int(operand.value) + c.modifier("offset"))
    return b.alu.add(b.alu.zext(c.read(2), "i64"), added)


def _finish(c: Context, words: list[Value]) -> None:
    registers = registers_of(c.bound.operands[0])
    for register, word in zip(registers, words, strict=True):
        c.b.registers.write_issued(register, word)
    c.b.pending.issue(LGKMCNT, registers, abi.Space.GLOBAL, out_of_order=True)


def _offset_role(instruction: Instruction, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    # An immediate has 21 bits and is no constant of the scalar sources.
    if instruction.operands[-1].kind in ("integer", "expression"):
        return (*roles[:-1], Role("simm", "i32", True, False))
    return roles


def _word_if_inside(c: Context, base: Value, offset: Value, extra: int, size: Value) -> Value:
    """The word at base + offset + extra, 0 where it does not end before `size`."""
    b = c.b
    place = b.alu.add(offset, c.constant("i64", extra))
    inside = b.alu.compare("ule", b.alu.add(place, c.constant("i64", 4)), size)
    b.checks.require_defined(inside, "address")
    inside = Value(inside.name, "i1", False)
    with b.masks.all_lanes(), b.guarded(inside):
        (word,) = b.memory.load(abi.Space.GLOBAL, b.alu.add(base, place), 4, align=4)
    return b.alu.select(inside, b.lanes.extract(word, c.constant("i32", 0)), c.constant("i32", 0))


for _name, _words in _WIDTHS.items():

    @instruction(f"s_load_{_name}", f"=s:w{_words} s:i64 s:i32", SMEM, cite=_SMEM, raw=True,
                 kind="load", roles=_offset_role, not_to=_UNLOADED,
                 range=(-(1 << 20), (1 << 20) - 1))  # fmt: skip
    def s_load(c: Context, words: int = _words) -> None:
        """The address is rounded down to a multiple of 4 (8.2.1)."""
        b = c.b
        address = b.alu.and_(b.alu.add(c.read(1), _offset(c)), c.constant("i64", -4))
        _finish(c, b.memory.load_uniform(abi.Space.GLOBAL, address, 4 * words))

    @instruction(f"s_buffer_load_{_name}", f"=s:w{_words} s:w4 s:i32", SMEM, cite=_SMEM, raw=True,
                 kind="load", roles=_offset_role, not_to=_UNLOADED,
                 range=(0, (1 << 20) - 1))  # fmt: skip
    def s_buffer_load(c: Context, words: int = _words) -> None:
        """Base and size from a buffer descriptor; past its end the result is 0."""
        b = c.b
        descriptor = c.words(1)
        base = b.alu.join(descriptor[0], b.alu.and_(descriptor[1], c.constant("i32", 0xFFFF)))
        offset = b.alu.and_(_offset(c), c.constant("i64", -4))
        stride = b.alu.and_(
            b.alu.lshr(descriptor[1], c.constant("i32", 16)), c.constant("i32", 0x3FFF)
        )
        whole = b.alu.compare("eq", stride, c.constant("i32", 0))
        units = b.alu.select(whole, c.constant("i32", 1), stride)
        size = b.alu.mul(b.alu.zext(descriptor[2], "i64"), b.alu.zext(units, "i64"))
        _finish(c, [_word_if_inside(c, base, offset, 4 * word, size) for word in range(words)])


@instruction("s_memtime s_memrealtime", "=s:w2", SMEM, cite=_SMEM, raw=True, kind="load",
             not_to=_UNLOADED, lacks=("glc", "offset"))  # fmt: skip
def s_clock(c: Context) -> None:
    """Count the instructions of the wave: both clocks increase, and measure no time of a GPU."""
    executed = c.b.runtime.field("executed", "i64")  # a block counts when it begins
    left = c.constant("i64", c.values["left"])
    _finish(c, list(c.alu.split(c.alu.sub(executed, left))))


@instruction("s_dcache_inv s_dcache_wb", "", SMEM, cite=_SMEM, raw=True, lacks=("glc", "offset"))
def s_dcache(c: Context) -> None:
    """Emit nothing: caches are not modeled, and every access goes to memory."""
