"""Buffer accesses: an address made from a descriptor, an index and offsets, with range checks."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.flat import (
    TO_LDS,
    atomic_operation,
    atomic_stems,
    data_words,
    exchange,
    scoped,
    store_to_lds,
)
from lanemap.emulator.amdgcn.isa.lds import beside, extended
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.rules import VMCNT, Rule
from lanemap.emulator.amdgcn.lower.table import MUBUF, Role, instruction
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi

_MUBUF = "AMD CDNA4 ISA, 9.1 and chapter 12, MUBUF instructions"
_GLOBAL = abi.Space.GLOBAL
_ROLES = "baddr s:w4 soff"
#: In the last word of a descriptor: the lane's number is added to the index.
_ADD_TID = 23


def _buffer_roles(text: Instruction, roles: tuple[Role, ...]) -> tuple[Role, ...]:
    """Loads into LDS have no destination and read M0; atomics return only with sc0."""
    if text.modifiers.get("lds"):
        return (*roles[1:], Role("m0", "i32", True, False, implied=True))
    if "_atomic_" in text.mnemonic and not text.modifiers.get("sc0"):
        return (Role("va", roles[0].type, True, False), *roles[1:])
    return roles


def uniform(c: Context, value: Value) -> Value:
    """Read a word of the descriptor, whose undefined bits are a hazard: they decide an address."""
    return c.b.checks.require_defined(value, "address")


def located(
    c: Context, position: int, size: int, *, whole: bool = False, scratch: Value | None = None
) -> tuple[Value, Value]:
    """Every lane's address, and an i1 of every lane: the access lies inside the buffer.

    `position` is that of the address VGPRs; `whole`: an access across the end is one outside, no
    hazard. With an index and a stride, the index is held against the number of records (9.1.5.1,
    structured buffer), otherwise the offset against the number of bytes less the scalar offset.
    `scratch`: whether the descriptor is that of scratch; then no lane is inside.
    """
    b = c.b
    descriptor = [uniform(c, word) for word in c.words(position + 1)]
    base = b.alu.join(descriptor[0], b.alu.and_(descriptor[1], c.constant("i32", 0xFFFF)))
    swizzled = b.alu.compare("slt", descriptor[1], c.constant("i32", 0))
    elsewhere = None if scratch is None else b.alu.not_(scratch)
    b.checks.rule(swizzled if elsewhere is None else b.alu.and_(swizzled, elsewhere), Rule.SWIZZLE)
    scalar = b.alu.zext(uniform(c, c.words(position + 2)[0]), "i64")
    limit = b.alu.zext(descriptor[2], "i64")
    registers = registers_of(c.bound.operands[position])
    offset = c.constant("i64", c.modifier("offset"))
    if c.modifier("offen"):
        offset = b.alu.add(b.alu.zext(b.registers.read(registers[-1]), "i64"), offset)
    index = c.constant("i64", 0)
    shifted = b.alu.lshr(descriptor[1], c.constant("i32", 16))
    stride = b.alu.zext(b.alu.and_(shifted, c.constant("i32", 0x3FFF)), "i64")
    if c.modifier("idxen"):
        index = b.alu.zext(b.registers.read(registers[0]), "i64")
        offset = b.alu.add(b.alu.mul(index, stride), offset)
    offset = b.checks.require_defined(offset, "address")
    begins = b.alu.add(offset, scalar)
    inside = b.alu.compare("ule", b.alu.add(begins, c.constant("i64", size)), limit)
    started = b.alu.compare("ult", begins, limit)
    if c.modifier("idxen"):
        index = index.defined
        counted = b.alu.compare("ult", index, limit)
        structured = b.alu.compare("ne", stride, c.constant("i64", 0))
        inside = b.alu.select(structured, counted, inside)
        started = b.alu.select(structured, counted, started)
    if elsewhere is not None:
        inside, started = b.alu.and_(inside, elsewhere), b.alu.and_(started, elsewhere)
    if size > 4 and not whole:
        cut = b.lanes.ballot(b.alu.and_(started, b.alu.not_(inside)))
        cut = b.alu.and_(cut, b.masks.active_or_all())
        b.checks.rule(b.alu.compare("ne", cut, c.constant("i64", 0)), Rule.BUFFER_CUT, cut)
    return b.alu.add(b.alu.add(base, scalar), b.ir.spread(offset)), b.ir.spread(inside)


def _is_scratch(c: Context, position: int) -> Value | None:
    """Whether the descriptor is that of scratch, a uniform i1; None in kernels that have none.

    The buffer that such a kernel is given is swizzled and adds the lane's number (LLVM,
    SIInstrInfo::getScratchRsrcWords23).
    """
    if not c.values["scratch"]:
        return None
    words = [uniform(c, word) for word in c.words(position + 1)]
    both = c.alu.and_(words[1], c.alu.shl(words[3], c.constant("i32", 31 - _ADD_TID)))
    return c.alu.compare("slt", both, c.constant("i32", 0))


def _in_scratch(c: Context, position: int) -> Value:
    """Every lane's byte in its own scratch; the scalar offset counts the bytes of all lanes."""
    b = c.b
    scalar = uniform(c, c.words(position + 2)[0])
    offset = b.alu.lshr(scalar, c.constant("i32", 6))
    offset = b.alu.add(offset, c.constant("i32", c.modifier("offset")))
    if c.modifier("offen"):
        registers = registers_of(c.bound.operands[position])
        offset = b.alu.add(b.registers.read(registers[-1]), offset)
    return b.ir.spread(offset)


# -- loads ----------------------------------------------------------------------------------------

_NARROW = {"ubyte": ("u8", 1), "sbyte": ("i8", 1), "ushort": ("u16", 2), "sshort": ("i16", 2)}
_HALF = {"ubyte_d16": ("u8", 1), "sbyte_d16": ("i8", 1), "short_d16": ("u16", 2)}
_WIDE = {"dword": 1, "dwordx2": 2, "dwordx3": 3, "dwordx4": 4}


def _load(c: Context, position: int, size: int) -> list[Value]:
    """The words of every lane; 0 where the access lies outside the buffer."""
    b = c.b
    scratch = _is_scratch(c, position)
    place, inside = located(c, position, size, scratch=scratch)
    with b.guarded(inside):
        words = b.memory.load(_GLOBAL, place, size, **scoped(c))
    words = [b.alu.select(inside, word, c.constant("i32", 0)) for word in words]
    if scratch is None:
        return words
    scratch = b.ir.spread(scratch)
    with b.guarded(scratch):
        own = b.memory.load(abi.Space.PRIVATE, _in_scratch(c, position), size)
    return [b.alu.select(scratch, mine, word) for mine, word in zip(own, words, strict=True)]


def _finish(c: Context, words: list[Value]) -> None:
    registers = registers_of(c.bound.operands[0])
    for register, word in zip(registers, words, strict=True):
        c.b.registers.write_issued(register, word)
    c.b.pending.issue(VMCNT, registers, _GLOBAL)


def _into_lds(c: Context, suffix: str) -> bool:
    if not c.modifier("lds"):
        return False
    store_to_lds(c, _load(c, 0, TO_LDS[suffix]), suffix)
    return True


@instruction(
    [f"buffer_load_{n}" for n in _NARROW],
    f"=va:i32 {_ROLES}",
    MUBUF,
    cite=_MUBUF,
    raw=True,
    kind="load",
    modifiers="lds",
    roles=_buffer_roles,
)
def buffer_load_narrow(c: Context) -> None:
    suffix = c.name.removeprefix("buffer_load_")
    if _into_lds(c, suffix):
        return
    kind, size = _NARROW[suffix]
    _finish(c, [extended(c, _load(c, 1, size)[0], kind)])


@instruction(
    [f"buffer_load_{n}{hi}" for n in _HALF for hi in ("", "_hi")],
    f"+va:i32 {_ROLES}",
    MUBUF,
    cite=_MUBUF,
    raw=True,
    kind="load",
    half=True,
    roles=_buffer_roles,
)
def buffer_load_half(c: Context) -> None:
    """Into one half of the register."""
    kind, size = _HALF[c.name.removeprefix("buffer_load_").removesuffix("_hi")]
    half = c.alu.and_(extended(c, _load(c, 1, size)[0], kind), c.constant("i32", 0xFFFF))
    (register,) = registers_of(c.bound.operands[0])
    _finish(c, [beside(c, register, half)])


for _suffix, _words in _WIDE.items():

    @instruction(
        f"buffer_load_{_suffix}",
        f"=va:w{_words} {_ROLES}",
        MUBUF,
        cite=_MUBUF,
        raw=True,
        kind="load",
        modifiers="lds" if _suffix in TO_LDS else "",
        roles=_buffer_roles,
    )
    def buffer_load(c: Context, suffix: str = _suffix, size: int = 4 * _words) -> None:
        if not _into_lds(c, suffix):
            _finish(c, _load(c, 1, size))


# -- stores and atomics ---------------------------------------------------------------------------

_STORES = {"byte": (1, False), "byte_d16_hi": (1, True), "short": (2, False),
           "short_d16_hi": (2, True)}  # fmt: skip


def _store(c: Context, words: list[Value], size: int) -> None:
    """Lanes outside the buffer store nothing."""
    b = c.b
    scratch = _is_scratch(c, 1)
    place, inside = located(c, 1, size, scratch=scratch)
    with b.guarded(inside):
        b.memory.store(_GLOBAL, place, words, size, **scoped(c))
    if scratch is not None:
        with b.guarded(b.ir.spread(scratch)):
            b.memory.store(abi.Space.PRIVATE, _in_scratch(c, 1), words, size)
    b.pending.issue(VMCNT, (), _GLOBAL)


@instruction(
    [f"buffer_store_{n}" for n in _STORES],
    f"va:i32 {_ROLES}",
    MUBUF,
    cite=_MUBUF,
    raw=True,
    kind="store",
)
def buffer_store_narrow(c: Context) -> None:
    size, high = _STORES[c.name.removeprefix("buffer_store_")]
    (word,) = c.words(0)
    _store(c, [c.alu.lshr(word, c.constant("i32", 16)) if high else word], size)


for _suffix, _words in _WIDE.items():

    @instruction(
        f"buffer_store_{_suffix}",
        f"va:w{_words} {_ROLES}",
        MUBUF,
        cite=_MUBUF,
        raw=True,
        kind="store",
    )
    def buffer_store(c: Context, size: int = 4 * _words) -> None:
        _store(c, c.words(0), size)


for _stem in atomic_stems():

    @instruction(
        f"buffer_atomic_{_stem}",
        f"+va:w{data_words(_stem)} {_ROLES}",
        MUBUF,
        cite=_MUBUF,
        raw=True,
        kind="atomic",
        roles=_buffer_roles,
    )
    def buffer_atomic(c: Context, stem: str = _stem) -> None:
        """With sc0 the old value comes back in the first registers of the data."""
        b = c.b
        bits = atomic_operation(stem)[1]
        data = c.words(0)
        place, inside = located(c, 1, bits // 8)
        with b.guarded(inside):
            old = exchange(c, _GLOBAL, place, data, stem)
        if not c.modifier("sc0"):
            b.pending.issue(VMCNT, (), _GLOBAL)
            return
        old = b.alu.select(inside, old, c.constant(old.type, 0))
        registers = registers_of(c.bound.operands[0])[: bits // 32]
        parts = [old] if bits == 32 else list(b.alu.split(old))
        for register, word in zip(registers, parts, strict=True):
            b.registers.write_issued(register, word)
        b.pending.issue(VMCNT, registers, _GLOBAL)


@instruction(
    "buffer_inv buffer_wbl2",
    "",
    MUBUF,
    cite=_MUBUF,
    raw=True,
    kind="fence",
    lacks=("offset", "offen", "idxen"),
)
def buffer_cache(c: Context) -> None:
    """Let other waves run. Caches are not modeled: every access goes to memory.

    At the scope of the agent (sc1) they release to and acquire from other workgroups: LLVM,
    AMDGPUUsage, "Memory Model gfx942". Where there is no buffer_inv, buffer_wbl2 writes back to the
    system, and a wait for vmcnt(0) releases to the agent (s_waitcnt).
    """
    if c.modifier("sc1"):
        c.b.runtime.call("lm_write_back" if c.name == "buffer_wbl2" else "lm_acquire_all")


@instruction(
    "buffer_wbinvl1 buffer_wbinvl1_vol buffer_invl2",
    "",
    MUBUF,
    cite='AMD MI200 ISA, chapter 12, MUBUF instructions; LLVM, AMDGPUUsage, "Memory Model gfx90a"',
    raw=True,
    kind="fence",
    lacks=("offset", "offen", "idxen", "sc0", "sc1", "nt"),
)
def buffer_invalidate(c: Context) -> None:
    """Acquire from other workgroups: the vector cache is the only one between them."""
    if c.name != "buffer_invl2":
        c.b.runtime.call("lm_acquire_all")
