"""Addresses between spaces and clusters, and hints to caches (NVIDIA PTX ISA, Data Movement)."""

from __future__ import annotations

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.ptx.isa.memory import SPACES, take_space
from lanemap.emulator.ptx.lower.reserved import PARAMETERS
from lanemap.emulator.ptx.lower.runtime import (
    mask64,
)
from lanemap.emulator.ptx.lower.special_registers import CTA_RANK
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.runtime import abi
from lanemap.emulator.runtime.abi import PRIVATE_APERTURE, SHARED_APERTURE

# -- addresses -----------------------------------------------------------------------------------
_WINDOWS = {"shared": SHARED_APERTURE, "local": PRIVATE_APERTURE}


def _window(space: str) -> int | None:
    """Upper half of the generic addresses of a space; None where they are the space's own."""
    return _WINDOWS.get(space.partition("::")[0])


@instruction(
    "cvta",
    "cvta.space.size d, a; cvta.to.space.size d, a",
    cite="PTX ISA, Data Movement and Conversion Instructions: cvta",
)
def cvta(s: Statement) -> Emit:
    """Between an address in a space and the generic one."""
    back = s.flag("to")
    space = s.choice(" ".join(name for name in SPACES if name))
    kind = s.type("u64 u32")
    d, x = s.destination(kind), s.source(kind)
    window = _window(space)
    if kind == "u32":
        raise OperandError("generic addresses have 64 bits")
    of_parameter = space.startswith("param") and not back
    if of_parameter:
        s.reads.append(PARAMETERS)

    def emit(b: Builder) -> None:
        value = x.read(b)
        if of_parameter:
            value = _of_parameter(b, value)
        if window is not None and back:
            value = b.alu.and_(value, b.ir.constant("i64", 0xFFFFFFFF))
        elif window is not None:
            value = b.alu.disjoint(value, b.ir.constant("i64", window << 32))
        d.write(b, value)

    return emit


def _of_parameter(b: Builder, address: Value) -> Value:
    """The generic address of a parameter, of whose address Triton keeps only 32 bits (mov.b32)."""
    base = b.registers.read(PARAMETERS)
    offset = b.alu.sub(b.alu.trunc(address, "i32"), b.alu.trunc(base, "i32"))
    return b.alu.add(base, b.alu.zext(offset, "i64"))


@instruction(
    "isspacep", "isspacep.space p, a", cite="PTX ISA, Data Movement and Conversion: isspacep"
)
def isspacep(s: Statement) -> Emit:
    """Whether a generic address lies in a space; constants lie in no global memory."""
    space = s.choice(" ".join(name for name in SPACES if name))
    p, x = s.destination("pred"), s.source("b64")
    window = _window(space)
    ranges = None
    if window is None:
        ranges = s.names.ranges("const" if space == "global" else space)
    if space in ("shared", "shared::cta"):
        s.reads.append(CTA_RANK)
    if ranges is not None:
        s.reads += [register for start, _ in ranges for register in start.registers]

    def emit(b: Builder) -> None:
        value = x.read(b)
        upper = b.alu.trunc(b.alu.lshr(value, b.ir.constant("i64", 32)), "i32")
        if window is not None:
            inside = b.alu.compare("eq", upper, b.ir.constant("i32", window))
            if space in ("shared", "shared::cta"):
                own = b.alu.compare("eq", _rank(b, value), b.registers.read(CTA_RANK))
                inside = b.alu.and_(inside, own)
            p.write(b, inside)
            return
        if ranges is not None:
            inside = b.ir.constant("i1", 0, True)
            for start, size in ranges:
                offset = b.alu.sub(value, start.read(b))
                inside = b.alu.or_(inside, b.alu.compare("ult", offset, b.ir.constant("i64", size)))
            if space == "global":
                for other in _WINDOWS.values():
                    inside = b.alu.or_(
                        inside, b.alu.compare("eq", upper, b.ir.constant("i32", other))
                    )
                inside = b.alu.not_(inside)
            p.write(b, inside)

    return emit


def _rank(b: Builder, address: Value) -> Value:
    """Rank of the CTA that a shared address, generic or not, belongs to."""
    low = b.alu.trunc(address, "i32") if address.bits == 64 else address
    return b.alu.lshr(low, b.ir.constant("i32", abi.RANK_SHIFT))


@instruction(
    "mapa",
    "mapa{.space}.type d, a, b; .space = shared::cluster",
    cite="PTX ISA, Data Movement and Conversion Instructions: mapa; ptxas 13.0 for sm_90a replaces "
    "bits 24 to 31 of the address, and those of shared variables have %cluster_ctarank there",
    needs="clusters",
)
def mapa(s: Statement) -> Emit:
    """The address of the same variable in CTA b of the cluster; generic without a space."""
    s.flag("shared::cluster")
    kind = s.type("u32 u64")
    d, x, rank = s.destination(kind), s.source(kind), s.source("u32")
    wide = f"i{BITS[kind]}"
    keep = ~(0xFF << abi.RANK_SHIFT) & (1 << BITS[kind]) - 1

    def emit(b: Builder) -> None:
        number = b.alu.and_(rank.read(b), b.ir.constant("i32", 0xFF))
        bits = b.alu.shl(b.alu.zext(number, wide), b.ir.constant(wide, abi.RANK_SHIFT))
        d.write(b, b.alu.disjoint(b.alu.and_(x.read(b), b.ir.constant(wide, keep)), bits))

    return emit


@instruction(
    "getctarank",
    "getctarank{.space}.type d, a",
    cite="PTX ISA, Data Movement and Conversion Instructions: getctarank",
    needs="clusters",
)
def getctarank(s: Statement) -> Emit:
    """The rank of the CTA in the cluster that a shared address belongs to."""
    s.flag("shared::cluster")
    kind = s.type("u32 u64")
    d, x = s.destination("u32"), s.source(kind)
    return lambda b: d.write(b, _rank(b, x.read(b)))


@instruction(
    "prefetch prefetchu applypriority discard createpolicy",
    "prefetch{.space}.level [a]; prefetchu.L1 [a]; applypriority [a], 128; "
    "discard.global.L2 [a], 128",
    cite="PTX ISA, Data Movement and Conversion: prefetch, applypriority, discard, createpolicy",
)
def cache_control(s: Statement) -> Emit:
    """Hints to caches: they change no value; a policy is a number that nothing looks at.

    discard makes the 128 bytes undefined.
    """
    opcode = s.instruction.opcode
    if opcode == "createpolicy":
        return _policy(s)
    space = take_space(s)
    for word in ("L1", "L2", "L2::evict_last", "L2::evict_normal", "tensormap"):
        s.flag(word)
    address = s.address(space)
    if opcode == "applypriority" or opcode == "discard":
        s.immediate()

    def emit(b: Builder) -> None:
        if opcode != "discard":
            b.checks.require_defined(address.read(b), "address")
            return
        b.memory.set_addresses(address.read(b))
        b.runtime.call("lm_ptx_discard", b.index, space, mask64(b), 128)

    return emit


_PRIORITIES = "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged"


def _policy(s: Statement) -> Emit:
    """Make a policy; the modifiers and operands are those of the ISA's three forms."""
    s.type("b64")
    form = s.next_word("range fractional cvt")
    if form == "cvt":
        s.next_word("L2")
    else:
        if form == "range":
            s.flag("global")
        s.next_word(_PRIORITIES)
        if s.words_left:
            s.next_word("L2::evict_first L2::evict_unchanged")
    d = s.destination("b64")
    if form == "range":
        s.address(abi.Space.GLOBAL)
        s.source("b32")
        s.source("b32")
    elif form == "cvt":
        s.source("b64")
    elif s.left:
        s.source("f32")
    return lambda b: d.write(b, b.ir.constant("i64", 0, True))
