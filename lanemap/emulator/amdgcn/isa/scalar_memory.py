"""Scalar memory: one address for the wave, through the scalar cache, out of order on lgkmcnt.

The cache holds what scalar stores write until s_dcache_wb (AMD CDNA4 ISA, chapter 12, SMEM); LLVM
writes it back before the wave ends (SIInsertWaitcnts). A store with glc is written through, as
Tensile's flags are (ROCm/Tensile#1885), and atomics are done in L2.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lanemap.emulator.amdgcn.isa.flat import (
    FLOAT_ATOMICS,
    atomic_operation,
    atomic_stems,
    data_words,
    exchange,
)
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.rules import LGKMCNT, Rule
from lanemap.emulator.amdgcn.lower.table import SMEM, Role, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.amdgcn.text.operands import EXEC, M0
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi

_SMEM = "AMD CDNA4 ISA, chapter 8 and chapter 12, SMEM instructions"
_WIDTHS = {"dword": 1, "dwordx2": 2, "dwordx4": 4, "dwordx8": 8, "dwordx16": 16}


#: Registers that a scalar load cannot fill, and a scalar store not read.
_NOT_DATA = (M0, EXEC, EXEC + 1)
#: Scalar accesses go another way than vector ones.
_APART = abi.AccessKind.APART
#: Pending.issue: a wait for a scalar load tells nothing of accesses on vmcnt.
_NOT_ORDERED = abi.Space.PRIVATE
_GLOBAL_RANGE, _BUFFER_RANGE = (-(1 << 20), (1 << 20) - 1), (0, (1 << 20) - 1)


def _offset(c: Context, scale: int = 1) -> Value:
    """The offset in bytes: an immediate, an SGPR times `scale`, or both.

    The two lowest bits of each part do not count (8.2.1.1). Any SGPR serves, as clang and 8.2.1.1
    have it; table 39 has M0 alone for stores and atomics.
    """
    b = c.b
    operand = c.bound.operands[2]
    added = c.modifier("offset") & -4
    if operand.kind == "integer":
        return c.constant("i64", (int(operand.value) & -4) + added)
    part = b.alu.and_(b.alu.zext(c.read(2), "i64"), c.constant("i64", 0xFFFFFFFC))
    return b.alu.add(b.alu.mul(part, c.constant("i64", scale)), c.constant("i64", added))


def _finish(c: Context, words: list[Value], space: int = _NOT_ORDERED) -> None:
    registers = registers_of(c.bound.operands[0])[: len(words)]
    for register, word in zip(registers, words, strict=True):
        c.b.registers.write_issued(register, word)
    c.b.pending.issue(LGKMCNT, registers, space, out_of_order=True)


def _roles(text: Instruction, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """An immediate offset has 21 bits and is no scalar constant; atomics return only with glc."""
    if text.operands[-1].kind in ("integer", "expression"):
        roles = (*roles[:-1], Role("simm", "i32", True, False))
    if "_atomic_" in text.mnemonic and not text.modifiers.get("glc"):
        roles = (Role("s", roles[0].type, True, False), *roles[1:])
    return roles


@contextlib.contextmanager
def _one_lane(c: Context, condition: Value | None = None) -> Iterator[None]:
    """In the `with` block an access is made once, whatever EXEC is; only if `condition` holds."""
    b = c.b
    first = b.lanes.of_mask(c.constant("i64", 1))
    if condition is not None:
        first = b.alu.and_(first, b.ir.spread(condition))
    with b.masks.all_lanes(), b.guarded(first):
        yield


def _place(c: Context, scale: int = 1) -> Value:
    """Address of a global access, a multiple of 4."""
    return c.alu.add(c.alu.and_(c.read(1), c.constant("i64", -4)), _offset(c, scale))


def _buffer(c: Context) -> tuple[Value, Value, Value]:
    """Base, offset and size in bytes of a buffer access."""
    b = c.b
    descriptor = c.words(1)
    low = b.alu.and_(descriptor[0], c.constant("i32", -4))
    base = b.alu.join(low, b.alu.and_(descriptor[1], c.constant("i32", 0xFFFF)))
    offset = _offset(c)
    stride = b.alu.and_(b.alu.lshr(descriptor[1], c.constant("i32", 16)), c.constant("i32", 0x3FFF))
    whole = b.alu.compare("eq", stride, c.constant("i32", 0))
    units = b.alu.select(whole, c.constant("i32", 1), stride)
    return base, offset, b.alu.mul(b.alu.zext(descriptor[2], "i64"), b.alu.zext(units, "i64"))


def _inside(c: Context, offset: Value, bytes_: int, size: Value) -> Value:
    """Whether the bytes end before `size`, as a uniform i1."""
    b = c.b
    inside = b.alu.compare("ule", b.alu.add(offset, c.constant("i64", bytes_)), size)
    b.checks.require_defined(inside, "address")
    return Value(inside.operand, "i1", False)


def _scale(c: Context) -> int:
    """The factor of a register's offset; that of scratch counts bytes of a lane (8.2.1.1).

    Nothing else tells them apart: the base is a plain address, which the kernel has to know.
    """
    return 64 if c.name.startswith("s_scratch") else 1


# -- loads ----------------------------------------------------------------------------------------


def _load(c: Context, address: Value, words: int) -> list[Value]:
    """Words at one address; with glc other workgroups may write them meanwhile, as in polling."""
    b = c.b
    if not c.modifier("glc"):
        return b.memory.load_uniform(abi.Space.GLOBAL, address, 4 * words, scope=_APART)
    with _one_lane(c):
        loaded = b.memory.load(
            abi.Space.GLOBAL, address, 4 * words, align=4, relaxed=True, scope=_APART
        )
    return [b.lanes.extract(word, c.constant("i32", 0)) for word in loaded]


def _word_if_inside(c: Context, base: Value, offset: Value, extra: int, size: Value) -> Value:
    """The word at base + offset + extra, 0 where it does not end before `size`."""
    b = c.b
    inside = _inside(c, offset, extra + 4, size)
    place = b.alu.add(offset, c.constant("i64", extra))
    with b.masks.all_lanes(), b.guarded(inside):
        (word,) = b.memory.load(abi.Space.GLOBAL, b.alu.add(base, place), 4, align=4, scope=_APART)
    return b.alu.select(inside, b.lanes.extract(word, c.constant("i32", 0)), c.constant("i32", 0))


for _name, _words in _WIDTHS.items():

    @instruction(
        f"s_load_{_name}",
        f"=s:w{_words} s:i64 s:i32",
        SMEM,
        cite=_SMEM,
        raw=True,
        kind="load",
        roles=_roles,
        not_to=_NOT_DATA,
        offset_optional=True,
        range=_GLOBAL_RANGE,
    )
    def s_load(c: Context, words: int = _words) -> None:
        _finish(c, _load(c, _place(c, _scale(c)), words))

    if _words <= 4:
        instruction(
            f"s_scratch_load_{_name}",
            f"=s:w{_words} s:i64 s:i32",
            SMEM,
            cite=_SMEM,
            raw=True,
            kind="load",
            roles=_roles,
            not_to=_NOT_DATA,
            offset_optional=True,
            range=_GLOBAL_RANGE,
        )(s_load)

    @instruction(
        f"s_buffer_load_{_name}",
        f"=s:w{_words} s:w4 s:i32",
        SMEM,
        cite=_SMEM,
        raw=True,
        kind="load",
        roles=_roles,
        not_to=_NOT_DATA,
        offset_optional=True,
        range=_BUFFER_RANGE,
    )
    def s_buffer_load(c: Context, words: int = _words) -> None:
        """Base and size from a buffer descriptor; past its end the result is 0."""
        base, offset, size = _buffer(c)
        _finish(c, [_word_if_inside(c, base, offset, 4 * word, size) for word in range(words)])


# -- stores and atomics ---------------------------------------------------------------------------


def _store(c: Context, place: Value, words: list[Value], inside: Value | None = None) -> None:
    with _one_lane(c, inside):
        c.b.memory.store(
            abi.Space.GLOBAL,
            place,
            words,
            4 * len(words),
            align=4,
            relaxed=bool(c.modifier("glc")),
            scope=_APART,
        )


def _issue(c: Context) -> None:
    """A barrier orders it only after a wait."""
    c.b.pending.issue(LGKMCNT, (), abi.ISSUED_APART, out_of_order=True)


def _keep(c: Context, accesses: int) -> None:
    """What a store wrote by so many accesses stays in the scalar cache."""
    if not c.modifier("glc"):
        c.b.runtime.call("lm_keep_scalar", accesses, c.bound.instruction.line)


for _name in ("dword", "dwordx2", "dwordx4"):
    _words = _WIDTHS[_name]

    @instruction(
        f"s_store_{_name}",
        f"s:w{_words} s:i64 s:i32",
        SMEM,
        cite=_SMEM,
        raw=True,
        kind="store",
        roles=_roles,
        not_to=_NOT_DATA,
        offset_optional=True,
        range=_GLOBAL_RANGE,
    )
    @instruction(
        f"s_scratch_store_{_name}",
        f"s:w{_words} s:i64 s:i32",
        SMEM,
        cite=_SMEM,
        raw=True,
        kind="store",
        roles=_roles,
        not_to=_NOT_DATA,
        offset_optional=True,
        range=_GLOBAL_RANGE,
    )
    def s_store(c: Context) -> None:
        _store(c, _place(c, _scale(c)), c.words(0))
        _issue(c)
        _keep(c, 1)

    @instruction(
        f"s_buffer_store_{_name}",
        f"s:w{_words} s:w4 s:i32",
        SMEM,
        cite=_SMEM,
        raw=True,
        kind="store",
        roles=_roles,
        not_to=_NOT_DATA,
        offset_optional=True,
        range=_BUFFER_RANGE,
    )
    def s_buffer_store(c: Context) -> None:
        """Words outside the buffer are not stored (8.4)."""
        base, offset, size = _buffer(c)
        for number, word in enumerate(c.words(0)):
            at = c.alu.add(offset, c.constant("i64", 4 * number))
            _store(c, c.alu.add(base, at), [word], _inside(c, at, 4, size))
        _issue(c)
        _keep(c, len(c.words(0)))


def _atomic(c: Context, place: Value, stem: str, inside: Value | None = None) -> None:
    """With glc the old value comes back in the first registers of the data."""
    b = c.b
    with _one_lane(c, inside):
        old = exchange(c, abi.Space.GLOBAL, place, c.words(0), stem, _APART)
    if not c.modifier("glc"):
        _issue(c)
        return
    before = b.lanes.extract(old, c.constant("i32", 0))
    words = [before] if before.bits == 32 else list(b.alu.split(before))
    _finish(c, words, abi.ISSUED_APART)


for _stem in atomic_stems():
    if _stem in FLOAT_ATOMICS:
        continue

    @instruction(
        f"s_atomic_{_stem}",
        f"+s:w{data_words(_stem)} s:i64 s:i32",
        SMEM,
        cite=_SMEM,
        raw=True,
        kind="atomic",
        roles=_roles,
        not_to=_NOT_DATA,
        offset_optional=True,
        range=_GLOBAL_RANGE,
    )
    def s_atomic(c: Context, stem: str = _stem) -> None:
        _atomic(c, _place(c), stem)

    @instruction(
        f"s_buffer_atomic_{_stem}",
        f"+s:w{data_words(_stem)} s:w4 s:i32",
        SMEM,
        cite=_SMEM,
        raw=True,
        kind="atomic",
        roles=_roles,
        not_to=_NOT_DATA,
        offset_optional=True,
        range=_BUFFER_RANGE,
    )
    def s_buffer_atomic(c: Context, stem: str = _stem) -> None:
        """Outside the buffer nothing is done (8.4); no source says what is returned."""
        base, offset, size = _buffer(c)
        inside = _inside(c, offset, atomic_operation(stem)[1] // 8, size)
        if c.modifier("glc"):
            lanes = c.constant("i64", -1)
            c.b.checks.rule(c.alu.not_(inside), Rule.SCALAR_BUFFER, lanes=lanes)
        _atomic(c, c.alu.add(base, offset), stem, inside)


# -- clocks and caches ----------------------------------------------------------------------------


@instruction(
    "s_memtime s_memrealtime",
    "=s:w2",
    SMEM,
    cite=_SMEM,
    raw=True,
    kind="load",
    not_to=_NOT_DATA,
    lacks=("glc", "offset"),
)
def s_clock(c: Context) -> None:
    """Count the instructions of the wave: both clocks increase, and measure no time of a GPU."""
    executed = c.b.runtime.field("executed", "i64")  # a block counts when it begins
    left = c.constant("i64", c.values["left"])
    _finish(c, list(c.alu.split(c.alu.sub(executed, left))))


@instruction(
    "s_dcache_inv s_dcache_wb s_dcache_inv_vol s_dcache_wb_vol",
    "",
    SMEM,
    cite=_SMEM,
    raw=True,
    lacks=("glc", "offset"),
)
def s_dcache(c: Context) -> None:
    """Write back what the scalar cache keeps; else it is not modeled, accesses go to memory."""
    if "_wb" in c.name:
        c.b.runtime.call("lm_write_back_scalar")
