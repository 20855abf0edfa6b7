"""Global, flat and scratch accesses: loads, stores, atomics, and loads into LDS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lanemap.emulator.amdgcn.isa.lds import PACKED_SUMS, add_halves, beside, extended
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import M0_REGISTER, registers_of
from lanemap.emulator.amdgcn.lower.rules import LGKMCNT, VMCNT
from lanemap.emulator.amdgcn.lower.table import FLAT, Role, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.runtime import abi

_FLAT = "AMD CDNA4 ISA, chapter 10 and chapter 12, FLAT, scratch and global instructions"


@dataclass(frozen=True)
class Segment:
    """One of the three families: how its addresses are written and where they lead.

    `order` is the space that the core ties to completion; `roles` are the address operands of a
    load, in order.
    """

    name: str
    space: int
    order: int
    roles: str


SEGMENTS = (
    Segment("global", abi.Space.GLOBAL, abi.Space.GLOBAL, "gaddr saddr"),
    Segment("flat", abi.Space.GENERIC, abi.Space.GLOBAL, "gaddr"),
    Segment("scratch", abi.Space.PRIVATE, 2, "vaddr saddr"),
)


def _at(c: Context, position: int) -> Value | None:
    """An address operand as i64 (global, flat) or i32 (scratch); None for `off`."""
    operand = c.bound.operands[position]
    if not operand.is_register:
        return None
    words = [c.b.registers.read(register) for register in registers_of(operand)]
    return words[0] if len(words) == 1 else c.alu.join(words[0], words[1])


def address(c: Context, segment: Segment, position: int) -> Value:
    """Every lane's address; `position` is that of its VGPRs among the operands."""
    b = c.b
    offset = c.modifier("offset")
    vector = _at(c, position)
    saddr = _saddr(c)
    if segment.name == "scratch":
        total = c.constant("i32", offset)
        for part in (vector, None if saddr is None else _at(c, saddr)):
            total = total if part is None else b.alu.add(part, total)
        return b.ir.spread(total)
    if vector is None:
        raise ValueError("a global access without an address")
    scalar = None if saddr is None else _at(c, saddr)
    if scalar is not None:
        vector = b.alu.add(scalar, b.alu.zext(vector, "i64"))
    return b.alu.add(vector, c.constant("i64", offset))


def _saddr(c: Context) -> int | None:
    """The position of the scalar part of the address."""
    for position, role in enumerate(c.bound.roles):
        if role.place == "saddr":
            return position
    return None


def issue(c: Context, segment: Segment, registers: tuple[Register, ...] = ()) -> None:
    """The access is outstanding: on vmcnt, and a flat one on lgkmcnt too, out of order.

    Its result may come from either side, so that both counts have to be 0 (CDNA4 ISA, 10.2).
    """
    flat = segment.name == "flat"
    c.b.pending.issue(VMCNT, registers, segment.order, out_of_order=flat)
    if flat:
        c.b.pending.issue(LGKMCNT, registers, abi.Space.SHARED, out_of_order=True)


def scoped(c: Context) -> dict[str, Any]:
    """Say for the core whether a load or store is atomic or volatile, and in which scope.

    Such an access names a scope wider than the wave: sc0 is the workgroup's, sc1 the agent's, both
    the system's (LLVM, AMDGPUUsage, "Memory Model gfx942"). Before CDNA 3 loads have glc for all of
    them, and stores say nothing ("Memory Model gfx90a"; lm_store_meets).
    """
    group, wider = bool(c.modifier("sc0")), bool(c.modifier("sc1"))
    narrow = group and not wider and c.target.names_scopes
    return {"relaxed": group or wider, "scope": abi.AccessKind.NARROW if narrow else 0}


# -- loads and stores -----------------------------------------------------------------------------

_NARROW = {"ubyte": ("u8", 1), "sbyte": ("i8", 1), "ushort": ("u16", 2), "sshort": ("i16", 2)}
_HALF = {"ubyte_d16": ("u8", 1), "sbyte_d16": ("i8", 1), "short_d16": ("u16", 2)}
_WIDE = {"dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4}
_STORES = {"byte": (1, False), "byte_d16_hi": (1, True), "short": (2, False),
           "short_d16_hi": (2, True)}  # fmt: skip


def _store_roles(segment: Segment, data: str) -> str:
    """Stores name the data between the address and its scalar part."""
    first, *rest = segment.roles.split()
    return " ".join([first, data, *rest])


def _define_loads(segment: Segment) -> None:
    name, roles = segment.name, segment.roles

    @instruction(
        [f"{name}_load_{n}" for n in _NARROW],
        f"=va:i32 {roles}",
        FLAT,
        cite=_FLAT,
        raw=True,
        kind="load",
    )
    def load_narrow(c: Context) -> None:
        kind, size = _NARROW[c.name.rsplit("_", 1)[1]]
        (word,) = c.b.memory.load(segment.space, address(c, segment, 1), size, **scoped(c))
        registers = registers_of(c.bound.operands[0])
        c.b.registers.write_issued(registers[0], extended(c, word, kind))
        issue(c, segment, registers)

    halves = [f"{name}_load_{n}{hi}" for n in _HALF for hi in ("", "_hi")]

    @instruction(halves, f"+va:i32 {roles}", FLAT, cite=_FLAT, raw=True, kind="load", half=True)
    def load_half(c: Context) -> None:
        """Into one half of the register."""
        stem = c.name.removeprefix(f"{name}_load_").removesuffix("_hi")
        kind, size = _HALF[stem]
        (word,) = c.b.memory.load(segment.space, address(c, segment, 1), size, **scoped(c))
        half = c.alu.and_(extended(c, word, kind), c.constant("i32", 0xFFFF))
        registers = registers_of(c.bound.operands[0])
        merged = beside(c, registers[0], half)
        c.b.registers.write_issued(registers[0], merged)
        issue(c, segment, registers)

    for suffix, words in _WIDE.items():

        @instruction(
            f"{name}_load_{suffix}",
            f"=va:w{words} {roles}",
            FLAT,
            cite=_FLAT,
            raw=True,
            kind="load",
        )
        def load_wide(c: Context, size: int = 4 * words) -> None:
            loaded = c.b.memory.load(segment.space, address(c, segment, 1), size, **scoped(c))
            registers = registers_of(c.bound.operands[0])
            for register, word in zip(registers, loaded, strict=True):
                c.b.registers.write_issued(register, word)
            issue(c, segment, registers)


def _define_stores(segment: Segment) -> None:
    name = segment.name

    @instruction(
        [f"{name}_store_{n}" for n in _STORES],
        _store_roles(segment, "va:i32"),
        FLAT,
        cite=_FLAT,
        raw=True,
        kind="store",
    )
    def store_narrow(c: Context) -> None:
        size, high = _STORES[c.name.removeprefix(f"{name}_store_")]
        (word,) = c.words(1)
        if high:
            word = c.alu.lshr(word, c.constant("i32", 16))
        place = address(c, segment, 0)
        c.b.memory.store(segment.space, place, [word], size, **scoped(c))
        issue(c, segment)

    for suffix, words in _WIDE.items():

        @instruction(
            f"{name}_store_{suffix}",
            _store_roles(segment, f"va:w{words}"),
            FLAT,
            cite=_FLAT,
            raw=True,
            kind="store",
        )
        def store_wide(c: Context, size: int = 4 * words) -> None:
            place = address(c, segment, 0)
            c.b.memory.store(segment.space, place, c.words(1), size, **scoped(c))
            issue(c, segment)


for _segment in SEGMENTS:
    _define_loads(_segment)
    _define_stores(_segment)


# -- atomics --------------------------------------------------------------------------------------

#: Mnemonic -> the core's operation, for integers of 32 (and with _x2 of 64) bits.
ATOMICS = {
    "swap": "exchange", "cmpswap": "cas", "add": "add", "sub": "sub", "smin": "smin",
    "umin": "umin", "smax": "smax", "umax": "umax", "and": "and", "or": "or", "xor": "xor",
    "inc": "inc", "dec": "dec",
}  # fmt: skip
FLOAT_ATOMICS = {
    "add_f32": ("fadd", 32),
    "add_f64": ("fadd", 64),
    "min_f64": ("fmin", 64),
    "max_f64": ("fmax", 64),
    "pk_add_f16": ("f16", 32),
    "pk_add_bf16": ("bf16", 32),
}


def atomic_operation(stem: str) -> tuple[str, int]:
    """The core's operation and the bits of `add`, `cmpswap_x2`, `add_f64`, .."""
    if stem in FLOAT_ATOMICS:
        return FLOAT_ATOMICS[stem]
    return ATOMICS[stem.removesuffix("_x2")], 64 if stem.endswith("_x2") else 32


def atomic_stems() -> list[str]:
    """Every atomic without the name of its family."""
    return [f"{n}{x}" for n in ATOMICS for x in ("", "_x2")] + list(FLOAT_ATOMICS)


def data_words(stem: str) -> int:
    """Registers of the data: for a compare and swap the new value, then what to compare with."""
    operation, bits = atomic_operation(stem)
    return bits // 32 * (2 if operation == "cas" else 1)


def exchange(
    c: Context, space: int, place: Value, data: list[Value], stem: str, flags: int = 0
) -> Value:
    """The read-modify-write of every lane that executes: the old value; `flags` for the core."""
    operation, bits = atomic_operation(stem)
    b = c.b
    if operation in PACKED_SUMS:
        return add_halves(c, space, place, data[0], operation)

    def number(words: list[Value]) -> Value:
        return words[0] if bits == 32 else b.alu.join(words[0], words[1])

    half = len(data) // 2 if operation == "cas" else len(data)
    compare = number(data[half:]) if operation == "cas" else None
    return b.memory.atomic(
        space, operation, place, number(data[:half]), compare, align=bits // 8, flags=flags
    )


def _atomic_roles(text: Instruction, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Without sc0 the old value is not returned, and no destination is written down."""
    return roles if text.modifiers.get("sc0") else roles[1:]


def _define_atomics(segment: Segment) -> None:
    prefix = f"{segment.name}_atomic_"
    for stem in atomic_stems():
        words = data_words(stem)
        result = atomic_operation(stem)[1] // 32

        @instruction(
            prefix + stem,
            f"=va:w{result} {_store_roles(segment, f'va:w{words}')}",
            FLAT,
            cite=_FLAT,
            raw=True,
            kind="atomic",
            roles=_atomic_roles,
        )
        def atomic(c: Context, stem: str = stem) -> None:
            returns = int(c.bound.roles[0].writes)
            place = address(c, segment, returns)
            old = exchange(c, segment.space, place, c.words(returns + 1), stem)
            if not returns:
                issue(c, segment)
                return
            registers = registers_of(c.bound.operands[0])
            parts = [old] if old.bits == 32 else list(c.alu.split(old))
            for register, word in zip(registers, parts, strict=True):
                c.b.registers.write_issued(register, word)
            issue(c, segment, registers)


for _segment in SEGMENTS[:2]:
    _define_atomics(_segment)


# -- global memory to LDS -------------------------------------------------------------------------

TO_LDS = {"ubyte": 1, "sbyte": 1, "ushort": 2, "sshort": 2, "dword": 4, "dwordx3": 12,
          "dwordx4": 16}  # fmt: skip


def store_to_lds(c: Context, words: list[Value], suffix: str) -> None:
    """Write what a load brought to LDS at M0 + offset + lane * size; no scatter, no padding.

    Bytes and halves are extended and take four bytes (CDNA4 ISA, 9.1.9).
    """
    b = c.b
    size = max(TO_LDS[suffix], 4)
    base = b.registers.read(M0_REGISTER)
    b.checks.require_defined(base, "address")
    base = Value(base.operand, "i32", False)
    start = b.alu.add(base, c.constant("i32", c.modifier("offset")))
    place = b.alu.add(start, b.alu.mul(b.lanes.numbers(), c.constant("i32", size)))
    if suffix in _NARROW:
        words = [extended(c, words[0], _NARROW[suffix][0])]
    b.memory.store(abi.Space.SHARED, place, words, size, copy=True)
    # vmcnt tells of the read of global memory too, which program order keeps before later stores.
    b.pending.issue(VMCNT, (), abi.ISSUED_COPY)


@instruction(
    [f"global_load_lds_{n}" for n in TO_LDS],
    "gaddr saddr (m0)",
    FLAT,
    cite=_FLAT,
    raw=True,
    kind="load",
)
def global_load_lds(c: Context) -> None:
    suffix = c.name.removeprefix("global_load_lds_")
    words = c.b.memory.load(abi.Space.GLOBAL, address(c, SEGMENTS[0], 0), TO_LDS[suffix])
    store_to_lds(c, words, suffix)


@instruction(
    [f"scratch_load_lds_{n}" for n in TO_LDS if "x" not in n],
    "vaddr saddr (m0)",
    FLAT,
    cite=_FLAT,
    raw=True,
    kind="load",
)
def scratch_load_lds(c: Context) -> None:
    suffix = c.name.removeprefix("scratch_load_lds_")
    words = c.b.memory.load(abi.Space.PRIVATE, address(c, SEGMENTS[2], 0), TO_LDS[suffix])
    store_to_lds(c, words, suffix)
