"""LDS instructions that exchange conditionally, count lanes, or take the lane as the address."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.lds import SHARED, address, finish, pair_offsets
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import M0_REGISTER, registers_of
from lanemap.emulator.amdgcn.lower.rules import LGKMCNT, Rule
from lanemap.emulator.amdgcn.lower.table import DS, instruction
from lanemap.emulator.codegen.values import Value

_DS = "AMD CDNA4 ISA, 12.13, LDS instructions"


# -- read-modify-writes ---------------------------------------------------------------------------


def _exchange(
    c: Context, function: str, place: Value, data: list[Value], other: list[Value], *size: int
) -> list[Value]:
    """The old contents of the addresses; `data` and `other` are the words of DATA and DATA2.

    The runtime follows undefined bits of row 0 alone, so those of `other` join them.
    """
    b = c.b
    b.memory.set_addresses(place)
    if other:
        data = [b.alu.xor(b.alu.xor(x, y), y) for x, y in zip(data, other, strict=True)]
    b.rows.store(0, data)
    b.rows.store(2, other or data)
    b.runtime.call(function, b.runtime.index, b.masks.active64(), *size)
    return [b.rows.load(row, defined=not b.ir.precise) for row in range(len(data))]


def _define(name: str, function: str, bits: int, sized: bool, silent: bool) -> None:
    """An instruction of DATA and DATA2, returning or (`silent`) in both forms."""
    kind = f"w{bits // 32}"
    stem, _, suffix = name.rpartition("_")
    size = (bits // 8,) if sized else ()

    @instruction(
        f"{stem}_rtn_{suffix}",
        f"=va:{kind} v:i32 va:{kind} va:{kind}",
        DS,
        cite=_DS,
        raw=True,
        kind="ds_atomic",
    )
    def returning(c: Context) -> None:
        place = address(c, 1, c.modifier("offset"))
        old = _exchange(c, function, place, c.words(2), c.words(3), *size)
        finish(c, registers_of(c.bound.operands[0]), old)

    if not silent:
        return

    @instruction(name, f"v:i32 va:{kind} va:{kind}", DS, cite=_DS, raw=True, kind="ds_atomic")
    def plain(c: Context) -> None:
        place = address(c, 0, c.modifier("offset"))
        _exchange(c, function, place, c.words(1), c.words(2), *size)
        c.b.pending.issue(LGKMCNT, (), SHARED)


for _bits in (32, 64):
    _define(f"ds_mskor_b{_bits}", "lm_masked_or", _bits, True, True)
    _define(f"ds_cmpst_f{_bits}", "lm_compare_floats", _bits, True, True)
_define("ds_wrap_b32", "lm_wrap", 32, False, False)


@instruction(
    "ds_condxchg32_rtn_b64", "=va:w2 v:i32 va:w2", DS, cite=_DS, raw=True, kind="ds_atomic"
)
def ds_condxchg32(c: Context) -> None:
    """Each word is exchanged if the top bit of its data is set, which is stored as 0.

    Only 16 bits of the address count, and the last three of them are zero.
    """
    place = c.alu.and_(address(c, 1, c.modifier("offset")), c.constant("i32", 0xFFF8))
    old = _exchange(c, "lm_exchange_words", place, c.words(2), [])
    finish(c, registers_of(c.bound.operands[0]), old)


for _bits in (32, 64):
    _words = _bits // 32

    @instruction(
        f"ds_wrxchg2_rtn_b{_bits} ds_wrxchg2st64_rtn_b{_bits}",
        f"=va:w{2 * _words} v:i32 va:w{_words} va:w{_words}",
        DS,
        cite=_DS,
        raw=True,
        kind="ds_atomic",
        modifiers="offset0 offset1",
        lacks=("offset",),
    )
    def ds_wrxchg2(c: Context, bits: int = _bits) -> None:
        """Two exchanges, one after the other."""
        old: list[Value] = []
        for number, offset in enumerate(pair_offsets(c, bits // 8)):
            words = c.words(2 + number)
            value = words[0] if bits == 32 else c.alu.join(words[0], words[1])
            place = address(c, 1, offset)
            was = c.b.memory.atomic(SHARED, "exchange", place, value, align=bits // 8)
            old += [was] if bits == 32 else list(c.alu.split(was))
        finish(c, registers_of(c.bound.operands[0]), old)


# -- the lane as the address ----------------------------------------------------------------------


def _own_word(c: Context) -> Value:
    """M0[15:0] + offset + 4 times the lane."""
    b = c.b
    base = b.alu.and_(b.registers.read(M0_REGISTER), c.constant("i32", 0xFFFF))
    b.checks.require_defined(base, "address")
    start = b.alu.add(Value(base.operand, "i32", False), c.constant("i32", c.modifier("offset")))
    return b.alu.add(start, b.alu.shl(b.lanes.numbers(), c.constant("i32", 2)))


@instruction("ds_read_addtid_b32", "=va:i32 (m0)", DS, cite=_DS, raw=True, kind="load")
def ds_read_addtid(c: Context) -> None:
    finish(c, registers_of(c.bound.operands[0]), c.b.memory.load(SHARED, _own_word(c), 4))


@instruction("ds_write_addtid_b32", "va:i32 (m0)", DS, cite=_DS, raw=True, kind="store")
def ds_write_addtid(c: Context) -> None:
    c.b.memory.store(SHARED, _own_word(c), c.words(0), 4)
    c.b.pending.issue(LGKMCNT, (), SHARED)


# -- counts of lanes ------------------------------------------------------------------------------


@instruction("ds_append ds_consume", "=va:i32 (m0)", DS, cite=_DS, raw=True, kind="ds_atomic")
def ds_append(c: Context) -> None:
    """Add or subtract the number of active lanes, once; every lane gets the value before.

    The ISA takes the offset as the address. LLVM puts the address into M0 besides
    (AMDGPUISelDAGToDAG.cpp, SelectDSAppendConsume), so both agree where M0 is 0 only.
    """
    b = c.b
    base = b.registers.read(M0_REGISTER)
    b.checks.rule(b.alu.compare("ne", base, c.constant("i32", 0)), Rule.APPEND)
    mask = b.masks.active_or_all()
    first = b.alu.and_(mask, b.alu.neg(mask))
    count = b.alu.resize(b.alu.intrinsic("ctpop", mask), "i32")
    with b.guarded(b.lanes.of_mask(first)):
        old = b.memory.atomic(
            SHARED,
            "add" if c.name == "ds_append" else "sub",
            c.constant("i32", c.modifier("offset")),
            b.ir.spread(count),
            align=4,
        )
    lane = b.alu.resize(b.alu.intrinsic("cttz", mask), "i32")
    lane = b.alu.and_(lane, c.constant("i32", 63))
    before = b.lanes.extract(old, Value(lane.operand, "i32", False))
    finish(c, registers_of(c.bound.operands[0]), [b.ir.spread(before)])


@instruction("ds_nop", "", DS, cite=_DS, raw=True, lacks=("offset",))
def ds_nop(c: Context) -> None:
    """Do nothing."""
