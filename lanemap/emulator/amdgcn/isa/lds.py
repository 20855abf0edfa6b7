"""Reads, writes and atomics of LDS; they return in order on lgkmcnt."""

from __future__ import annotations

from collections.abc import Sequence

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.lanes import with_half
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.rules import LGKMCNT
from lanemap.emulator.amdgcn.lower.table import DS, instruction
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.runtime import abi

_DS = "AMD CDNA4 ISA, chapter 11 and chapter 12, LDS instructions"
SHARED = abi.Space.SHARED
#: Atomic sums of two halves of a word at once.
PACKED_SUMS = {"f16": abi.Format.F16, "bf16": abi.Format.BF16}


def address(c: Context, position: int, offset: int) -> Value:
    """The LDS address of each lane: the VGPR plus an offset in bytes."""
    (base,) = c.words(position)
    return c.alu.add(base, c.constant("i32", offset))


def finish(c: Context, registers: Sequence[Register], words: Sequence[Value]) -> None:
    """Write what a read returns; it is pending until lgkmcnt says otherwise."""
    for register, word in zip(registers, words, strict=True):
        c.b.registers.write_issued(register, word)
    c.b.pending.issue(LGKMCNT, registers, SHARED)


def extended(c: Context, word: Value, kind: str) -> Value:
    """A loaded byte or half: zero-extended as it comes, or sign-extended for i8 and i16."""
    if kind[0] != "i":
        return word
    return c.alu.sext(c.alu.trunc(word, kind), "i32")


def beside(c: Context, register: Register, half: Value) -> Value:
    """A VGPR with the half that a d16 load writes; without SRAM ECC the other one is kept.

    With it, as every MI355X has it, the other one becomes zero: LLVM does not count on its being
    kept (GCNSubtarget, d16PreservesUnusedBits), and Tensile (its HasEccHalf) on its being zero.
    """
    old = c.peek(register) if c.values["keeps_halves"] else c.constant("i32", 0)
    return with_half(c, old, half, c.name.endswith("_hi"))


# -- reads ----------------------------------------------------------------------------------------

_NARROW = {"u8": 1, "i8": 1, "u16": 2, "i16": 2}


@instruction(
    [f"ds_read_{n}" for n in _NARROW], "=va:i32 v:i32", DS, cite=_DS, raw=True, kind="load"
)
def ds_read_narrow(c: Context) -> None:
    kind = c.name[8:]
    (word,) = c.b.memory.load(SHARED, address(c, 1, c.modifier("offset")), _NARROW[kind])
    finish(c, registers_of(c.bound.operands[0]), [extended(c, word, kind)])


_HALVES = [f"ds_read_{kind}_d16{hi}" for kind in ("u8", "i8", "u16") for hi in ("", "_hi")]


@instruction(_HALVES, "+va:i32 v:i32", DS, cite=_DS, raw=True, kind="load", half=True)
def ds_read_half(c: Context) -> None:
    """Into one half of the register."""
    kind = c.name[8:].split("_")[0]
    (word,) = c.b.memory.load(SHARED, address(c, 1, c.modifier("offset")), _NARROW[kind])
    half = c.alu.and_(extended(c, word, kind), c.constant("i32", 0xFFFF))
    (register,) = registers_of(c.bound.operands[0])
    finish(c, [register], [beside(c, register, half)])


for _bits in (32, 64, 96, 128):

    @instruction(
        f"ds_read_b{_bits}", f"=va:w{_bits // 32} v:i32", DS, cite=_DS, raw=True, kind="load"
    )
    def ds_read(c: Context, size: int = _bits // 8) -> None:
        words = c.b.memory.load(SHARED, address(c, 1, c.modifier("offset")), size)
        finish(c, registers_of(c.bound.operands[0]), words)

    @instruction(
        f"ds_write_b{_bits}", f"v:i32 va:w{_bits // 32}", DS, cite=_DS, raw=True, kind="store"
    )
    def ds_write(c: Context, size: int = _bits // 8) -> None:
        c.b.memory.store(SHARED, address(c, 0, c.modifier("offset")), c.words(1), size)
        c.b.pending.issue(LGKMCNT, (), SHARED)


@instruction(
    "ds_write_b8 ds_write_b16 ds_write_b8_d16_hi ds_write_b16_d16_hi",
    "v:i32 va:i32",
    DS,
    cite=_DS,
    raw=True,
    kind="store",
)
def ds_write_narrow(c: Context) -> None:
    """The low bits of the register, or with d16_hi those of its upper half."""
    (word,) = c.words(1)
    if c.name.endswith("_hi"):
        word = c.alu.lshr(word, c.constant("i32", 16))
    size = 1 if "_b8" in c.name else 2
    c.b.memory.store(SHARED, address(c, 0, c.modifier("offset")), [word], size)
    c.b.pending.issue(LGKMCNT, (), SHARED)


# -- two places at once ---------------------------------------------------------------------------


def pair_offsets(c: Context, size: int) -> tuple[int, int]:
    """Both offsets in bytes; they count elements, or 64 elements in the st64 forms."""
    unit = size * (64 if "st64" in c.name else 1)
    return c.modifier("offset0") * unit, c.modifier("offset1") * unit


for _bits in (32, 64):
    _words = _bits // 32
    _names = [f"2_b{_bits}", f"2st64_b{_bits}"]

    @instruction(
        [f"ds_read{n}" for n in _names],
        f"=va:w{2 * _words} v:i32",
        DS,
        cite=_DS,
        raw=True,
        kind="load",
        modifiers="offset0 offset1",
        lacks=("offset",),
    )
    def ds_read2(c: Context, size: int = _bits // 8) -> None:
        words = []
        for offset in pair_offsets(c, size):
            words += c.b.memory.load(SHARED, address(c, 1, offset), size)
        finish(c, registers_of(c.bound.operands[0]), words)

    @instruction(
        [f"ds_write{n}" for n in _names],
        f"v:i32 va:w{_words} va:w{_words}",
        DS,
        cite=_DS,
        raw=True,
        kind="store",
        modifiers="offset0 offset1",
        lacks=("offset",),
    )
    def ds_write2(c: Context, size: int = _bits // 8) -> None:
        for number, offset in enumerate(pair_offsets(c, size)):
            c.b.memory.store(SHARED, address(c, 0, offset), c.words(1 + number), size)
        c.b.pending.issue(LGKMCNT, (), SHARED)


# -- atomics --------------------------------------------------------------------------------------

#: Suffix of the mnemonic without its type -> the core's operation, and the types.
_ATOMICS = {
    "add": ("add", "u32 u64"), "sub": ("sub", "u32 u64"), "rsub": ("rsub", "u32 u64"),
    "inc": ("inc", "u32 u64"), "dec": ("dec", "u32 u64"), "and": ("and", "b32 b64"),
    "or": ("or", "b32 b64"), "xor": ("xor", "b32 b64"),
}  # fmt: skip


def _operation(name: str) -> str:
    """The core's operation of `ds_min_rtn_i32` and alike."""
    words = name.removeprefix("ds_").split("_")
    stem, kind = words[0], words[-1]
    if stem == "pk":
        return kind
    if stem == "wrxchg":
        return "exchange"
    if stem in ("min", "max", "add") and kind[0] == "f":
        return "f" + stem
    if stem in ("min", "max"):
        return ("s" if kind[0] == "i" else "u") + stem
    return stem


def _atomic_names(bits: int, returning: bool) -> list[str]:
    infix = "_rtn" if returning else ""
    names = [
        f"ds_{stem}{infix}_{kind}"
        for stem, (_, kinds) in _ATOMICS.items()
        for kind in kinds.split()
        if kind.endswith(str(bits))
    ]
    for kind in ("i", "u", "f"):
        names += [f"ds_{stem}{infix}_{kind}{bits}" for stem in ("min", "max")]
    names.append(f"ds_add{infix}_f{bits}")
    if bits == 32:
        names += [f"ds_pk_add{infix}_{kind}" for kind in PACKED_SUMS]
    return names + ([f"ds_wrxchg_rtn_b{bits}"] if returning else [])


def add_halves(c: Context, space: int, place: Value, data: Value, kind: str) -> Value:
    """Add both halves of a word to those in memory: the old word."""
    b = c.b
    b.memory.set_addresses(place)
    b.rows.store(0, [data])
    b.runtime.call(
        "lm_add_halves", b.runtime.index, space, b.masks.active64(), PACKED_SUMS[kind], 0
    )
    return b.rows.load(0, defined=not b.ir.precise)


def _operand(c: Context, position: int, bits: int) -> Value:
    words = c.words(position)
    return words[0] if bits == 32 else c.alu.join(words[0], words[1])


def _atomic(c: Context, bits: int, first: int, operation: str) -> Value:
    """The read-modify-write; `first` is the position of the address."""
    place = address(c, first, c.modifier("offset"))
    if operation in PACKED_SUMS:
        return add_halves(c, SHARED, place, c.words(first + 1)[0], operation)
    if operation != "cas":
        operand = _operand(c, first + 1, bits)
        return c.b.memory.atomic(SHARED, operation, place, operand, align=bits // 8)
    compare, new = _operand(c, first + 1, bits), _operand(c, first + 2, bits)
    return c.b.memory.atomic(SHARED, "cas", place, new, compare, align=bits // 8)


def _return(c: Context, old: Value) -> None:
    words = [old] if old.bits == 32 else list(c.alu.split(old))
    finish(c, registers_of(c.bound.operands[0]), words)


for _bits in (32, 64):
    _kind = f"w{_bits // 32}"

    @instruction(
        _atomic_names(_bits, False), f"v:i32 va:{_kind}", DS, cite=_DS, raw=True, kind="ds_atomic"
    )
    def ds_atomic(c: Context, bits: int = _bits) -> None:
        _atomic(c, bits, 0, _operation(c.name))
        c.b.pending.issue(LGKMCNT, (), SHARED)

    @instruction(
        _atomic_names(_bits, True),
        f"=va:{_kind} v:i32 va:{_kind}",
        DS,
        cite=_DS,
        raw=True,
        kind="ds_atomic",
    )
    def ds_atomic_returning(c: Context, bits: int = _bits) -> None:
        _return(c, _atomic(c, bits, 1, _operation(c.name)))

    @instruction(
        f"ds_cmpst_b{_bits}",
        f"v:i32 va:{_kind} va:{_kind}",
        DS,
        cite=_DS,
        raw=True,
        kind="ds_atomic",
    )
    def ds_cmpst(c: Context, bits: int = _bits) -> None:
        """DATA is compared, DATA2 stored."""
        _atomic(c, bits, 0, "cas")
        c.b.pending.issue(LGKMCNT, (), SHARED)

    @instruction(
        f"ds_cmpst_rtn_b{_bits}",
        f"=va:{_kind} v:i32 va:{_kind} va:{_kind}",
        DS,
        cite=_DS,
        raw=True,
        kind="ds_atomic",
    )
    def ds_cmpst_returning(c: Context, bits: int = _bits) -> None:
        _return(c, _atomic(c, bits, 1, "cas"))
