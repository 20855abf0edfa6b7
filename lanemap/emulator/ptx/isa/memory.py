"""Loads, stores, atomics and addresses (NVIDIA PTX ISA, Data Movement; Parallel Synchronization).

Cache, eviction and prefetch qualifiers change no value.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lanemap.emulator.codegen.builder import Builder
from lanemap.emulator.codegen.element_types import BITS as LLVM_BITS
from lanemap.emulator.codegen.values import Register, Value
from lanemap.emulator.ptx.lower.abi import Half
from lanemap.emulator.ptx.lower.access import Destination, Source
from lanemap.emulator.ptx.lower.accesses import check_access
from lanemap.emulator.ptx.lower.names import Names
from lanemap.emulator.ptx.lower.runtime import (
    acquire,
    mask64,
    note_polling,
    pass_tensor_order,
    release,
)
from lanemap.emulator.ptx.lower.statement import Statement
from lanemap.emulator.ptx.lower.table import Emit, instruction
from lanemap.emulator.ptx.text.kinds import BITS
from lanemap.emulator.ptx.text.operand_text import OperandError
from lanemap.emulator.ptx.text.operands import Sink
from lanemap.emulator.runtime import abi

SPACES = {
    "": abi.Space.GENERIC, "const": abi.Space.GLOBAL, "global": abi.Space.GLOBAL,
    "param": abi.Space.GLOBAL, "param::entry": abi.Space.GLOBAL,
    "local": abi.Space.PRIVATE, "shared": abi.Space.SHARED,
    "shared::cta": abi.Space.SHARED, "shared::cluster": abi.Space.CLUSTER,
}  # fmt: skip
_TYPES = "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"
_CACHE = (
    "ca cg cs lu cv wb wt nc L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last "
    "L1::no_allocate L2::evict_normal L2::evict_first L2::evict_last L2::64B L2::128B L2::256B"
).split()
_SCOPES = "cta cluster gpu sys"


def qualifiers(s: Statement) -> None:
    """Take the qualifiers that say how to cache."""
    for word in _CACHE:
        s.flag(word)


def take_space(s: Statement) -> int:
    """Take the state space; none means a generic address."""
    return SPACES[s.choice(" ".join(name for name in SPACES if name), "")]


def take_policy(s: Statement, hinted: bool) -> None:
    """Take the cache policy that .L2::cache_hint announces."""
    if hinted:
        s.source("b64")


@dataclass(frozen=True)
class Order:
    """Memory order and scope of an access (PTX ISA, Memory Consistency Model).

    Attributes:
        sem: "relaxed", "acquire", "release", "acq_rel", or "" for a weak access.
        scope: "cta", "cluster", "gpu", "sys", or "".
        races: Whether others may access the same bytes meanwhile.
        names: Those of the kernel, which say whether it uses tensor memory.
    """

    sem: str
    scope: str
    races: bool
    names: Names

    @property
    def kind(self) -> int:
        """The scope, as the runtime takes it: 0 is that of the GPU."""
        narrow = {"cta": abi.AccessKind.NARROW, "cluster": abi.AccessKind.CLUSTER}
        return int(narrow.get(self.scope, 0))

    def on_read(self, operation: str, wanted: bool, results: Iterable[Register]) -> int:
        """The scope of an atomic; `wanted`: whether it returns the old value.

        If it returns none, or no instruction reads the registers of the results, its place among
        other atomics is an accident of the run and orders nothing: ptxas makes a red of it.
        A warp that draws a on_read by CUDA's atomicAdd or atomicInc (no .sem) need not acquire, but
        for strict runs: in NVIDIA's sample threadFenceReduction the CTA that draws the last one
        reads what others wrote before their fences, without a fence of its own.
        """
        draws = operation in ("add", "inc", "dec") and wanted and not self.sem
        acquires = draws and not self.kind and not self.names.settings.strict
        on_read = abi.AccessKind.ACQUIRE_ON_READ if acquires else 0
        seen = wanted and any(register in self.names.read for register in results)
        return self.kind | on_read | (0 if seen else abi.AccessKind.NO_RESULT)

    def before(self, b: Builder, space: int, count: int = 1) -> None:
        """Emit what comes before the access, which the runtime numbers as `count` of them."""
        if self.sem in ("release", "acq_rel"):
            release(b, self.scope, space, count)
        elif self.races and self.names.tensor_memory:
            pass_tensor_order(b, reads=False)

    def after(self, b: Builder) -> None:
        """Emit what comes after the access."""
        if self.sem in ("acquire", "acq_rel"):
            acquire(b, self.scope)
        elif self.races and self.names.tensor_memory:
            pass_tensor_order(b, reads=True)


def take_order(s: Statement) -> Order:
    """Take memory order and scope."""
    weak = s.flag("weak")
    loose = s.flag("volatile") or s.flag("mmio")
    sem = s.choice("relaxed acquire release acq_rel", "")
    scope = s.choice(_SCOPES, "")
    if weak and (loose or sem):
        s.refuse("weak")
    # atom without a scope has that of the GPU (PTX ISA, atom)
    return Order(sem, scope or "gpu", bool(loose or sem), s.names)


class Elements:
    """The elements of a vector access: how they lie in the 32-bit words that memory moves."""

    def __init__(self, kind: str, count: int) -> None:
        """Take `count` elements of a type; 128-bit ones are pairs of 64 bits."""
        wide = BITS[kind] == 128
        self.bits = 64 if wide else BITS[kind]
        self.count = 2 * count if wide else count
        self.size = self.bits * self.count // 8

    def unpack(self, b: Builder, words: list[Value]) -> list[Value]:
        """Return the elements as integers."""
        if self.bits == 64:
            return [b.alu.join(words[2 * i], words[2 * i + 1]) for i in range(self.count)]
        kind, each = f"i{self.bits}", 32 // self.bits
        return [
            b.alu.trunc(
                b.alu.lshr(words[i // each], b.ir.constant("i32", i % each * self.bits)), kind
            )
            for i in range(self.count)
        ]

    def pack(self, b: Builder, elements: list[Value]) -> list[Value]:
        """Return the words of elements."""
        words: list[Value] = []
        if self.bits == 64:
            for element in elements:
                words += b.alu.split(element)
            return words
        each = 32 // self.bits
        for i in range(0, self.count, each):
            word = b.alu.zext(elements[i], "i32")
            for j, element in enumerate(elements[i + 1 : i + each], 1):
                moved = b.alu.shl(b.alu.zext(element, "i32"), b.ir.constant("i32", j * self.bits))
                word = b.alu.disjoint(word, moved)
            words.append(word)
        return words


def _raw(kind: str) -> str:
    return f"{'s' if kind[0] == 's' else 'b'}{BITS[kind]}"


def _take_count(s: Statement, kind: str) -> int:
    """Take the length of a vector; eight elements have 32 bits (PTX ISA, Vectors; ld; st)."""
    count = int(s.choice("v2 v4 v8", "v1")[1:])
    if count == 8 and BITS[kind] < 32:
        raise OperandError(
            "no syntax table of the PTX ISA has .v8 of 8 or 16 bits; what ptxas makes of it "
            "moves one element only"
        )
    check_access(s.instruction, kind, count)
    return count


def _destinations(s: Statement, kind: str, count: int) -> list[Destination]:
    if BITS[kind] == 128:
        return s.wide_destinations(count)
    return s.destinations(_raw(kind), count)


def _sources(s: Statement, kind: str, count: int) -> list[Source | None]:
    if BITS[kind] == 128:
        return [*s.wide_sources(count)]
    return s.stored(kind if s.holds_float() else _raw(kind), count)


def _runs(sources: list[Source | None]) -> list[tuple[int, list[Source]]]:
    """Split the elements at each `_`: runs of those that are stored, with their first number."""
    found: list[tuple[int, list[Source]]] = []
    for number, source in enumerate(sources):
        if source is None:
            continue
        if not number or sources[number - 1] is None:
            found.append((number, []))
        found[-1][1].append(source)
    return found


@instruction(
    "ld ldu",
    "ld{.order}{.scope}{.space}{.cache}{.vec}.type d, [a]{, policy}; ld.global.nc; ldu",
    cite="PTX ISA, Data Movement and Conversion Instructions: ld, ld.global.nc, ldu",
)
def ld(s: Statement) -> Emit:
    """Load; each element is extended to its register."""
    kind = s.type(_TYPES)
    hinted = s.flag("L2::cache_hint")
    qualifiers(s)
    order, space = take_order(s), take_space(s)
    count = _take_count(s, kind)
    destinations = _destinations(s, kind, count)
    address = s.address(space)
    take_policy(s, hinted)
    s.undefines, s.defines, s.polls = True, True, order.races
    elements = Elements(kind, count)

    def emit(b: Builder) -> None:
        where = address.read(b)
        if order.races:
            note_polling(b)
        plain = space == abi.Space.GLOBAL and elements.size >= 4 and not order.races
        if plain and not where.lanes:
            words = b.memory.load_uniform(space, where, elements.size, align=elements.size)
        else:
            words = b.memory.load(
                space,
                where,
                elements.size,
                align=elements.size,
                relaxed=order.races,
                scope=order.kind,
            )
        order.after(b)
        for destination, value in zip(destinations, elements.unpack(b, words), strict=True):
            destination.write(b, value)

    return emit


@instruction(
    "st",
    "st{.order}{.scope}{.space}{.cache}{.vec}.type [a], b{, policy}",
    cite="PTX ISA, Data Movement and Conversion Instructions: st",
)
def st(s: Statement) -> Emit:
    """Store the low bits of each register; the bytes of an element `_` keep what they have."""
    kind = s.type(_TYPES)
    hinted = s.flag("L2::cache_hint")
    qualifiers(s)
    order, space = take_order(s), take_space(s)
    count = _take_count(s, kind)
    address = s.address(space)
    runs = _runs(_sources(s, kind, count))
    take_policy(s, hinted)
    whole, bits = Elements(kind, count).size, min(BITS[kind], 64)

    def emit(b: Builder) -> None:
        order.before(b, space)
        for first, sources in runs:
            values = [b.alu.bitcast(source.read(b), f"i{bits}") for source in sources]
            where, offset = address.read(b), first * bits // 8
            if offset:
                where = b.alu.add(where, b.ir.constant("i64", offset))
            stored = Elements(f"b{bits}", len(values))
            align = offset & -offset or whole
            b.memory.store(
                space,
                where,
                stored.pack(b, values),
                stored.size,
                align=align,
                relaxed=order.races,
                scope=order.kind,
            )

    return emit


_INTEGER_OPS = {"and": "and", "or": "or", "xor": "xor", "exch": "exchange", "add": "add"}
_ATOMIC_TYPES = "b16 b32 b64 b128 u32 u64 s32 s64 f32 f64 f16 f16x2 bf16 bf16x2"
#: The types of each operation (PTX ISA, atom; red), those of a narrow float apart.
_TYPES_OF = {
    "and": "b32 b64", "or": "b32 b64", "xor": "b32 b64", "exch": "b32 b64 b128",
    "cas": "b16 b32 b64 b128", "add": "u32 s32 u64 f32 f64", "inc": "u32", "dec": "u32",
    "min": "u32 s32 u64 s64 f32", "max": "u32 s32 u64 s64 f32",
}  # fmt: skip
_NARROW_FLOATS = ("f16", "f16x2", "bf16", "bf16x2")


def _operation(s: Statement, name: str, kind: str) -> str:
    """Return the core's name of a read-modify-write."""
    if kind in ("f32", "f64"):
        if name != "add":
            s.refuse(name)
        return "fadd"
    if name in ("min", "max"):
        return kind[0] + name
    return _INTEGER_OPS.get(name, name)


@instruction(
    "atom red",
    "atom{.sem}{.scope}{.space}.op{.noftz}{.hint}{.vec}.type d, [a], b{, c}{, policy}",
    cite="PTX ISA, Parallel Synchronization and Communication Instructions: atom, red",
)
def atom(s: Statement) -> Emit:
    """Read, modify and write; red gives no result. Lanes go one after the other."""
    wanted = s.instruction.opcode == "atom"
    kind = s.type(_ATOMIC_TYPES)
    hinted = s.flag("L2::cache_hint")
    order = replace(take_order(s), races=True)
    space = take_space(s)
    name = s.choice("and or xor cas exch add inc dec min max")
    if kind not in _TYPES_OF[name].split() and kind not in _NARROW_FLOATS:
        raise OperandError(
            f"`{s.instruction.name}`: .{name} takes .{', .'.join(_TYPES_OF[name].split())}"
        )
    s.flag("noftz")
    count = int(s.choice("v2 v4 v8", "v1")[1:])
    s.undefines = s.defines = s.polls = True
    if BITS[kind] == 128:
        return _wide_atomic(s, name, space, order, hinted)
    raw = f"b{BITS[kind]}"
    unwanted = wanted and isinstance(s.next_operand(), Sink)
    destinations = s.destinations(raw, 1 if unwanted else count) if wanted else []
    address = s.address(space)
    operands = s.sources(kind if s.holds_float() else raw, count)
    third = s.source(raw) if name == "cas" else None
    take_policy(s, hinted)
    size = BITS[kind] // 8
    if kind in _NARROW_FLOATS or kind == "b16":
        return _narrow_atomic(s, kind, name, (space, order), destinations, address, operands, third)
    operation = _operation(s, name, kind)
    results = list(s.writes)
    if space in (abi.Space.GLOBAL, abi.Space.GENERIC):
        s.names.drawn.update(results)
    compared = operands[0].register if third is not None else None
    if compared is not None and LLVM_BITS[compared.type] == 8 * size:
        s.writes.append(compared)
    else:
        compared = None

    def emit(b: Builder) -> None:
        flags = order.on_read(name, wanted and not unwanted, results)
        note_polling(b)
        order.before(b, space, len(operands))
        for i, operand in enumerate(operands):
            where = b.alu.add(address.read(b), b.ir.constant("i64", i * size))
            value = b.alu.bitcast(operand.read(b), f"i{8 * size}")
            align = size * count if i == 0 else size
            new, compare = (value, None) if third is None else (third.read(b), value)
            if operation == "fadd":
                old = _added(b, space, where, new, align, flags)
            else:
                old = b.memory.atomic(
                    space, operation, where, new, compare, align=align, flags=flags
                )
            if compared is not None:
                # a value read in a race has been compared with what is there: see `compared`
                again = b.alu.bitcast(b.memory.compared(8 * size), compared.type)
                b.registers.write(compared, again)
            if destinations and not unwanted:
                destinations[i].write(b, old)
        order.after(b)

    return emit


def _added(b: Builder, space: int, where: Value, operand: Value, align: int, flags: int) -> Value:
    """Add the bits of f32 or f64 as PTX does: the old value."""
    b.memory.set_addresses(where)
    b.rows.store(0, [operand])
    b.runtime.call(
        "lm_ptx_add_floats", b.index, space, mask64(b), operand.bits // 8, align, 0, flags
    )
    rows = [b.rows.load(row, not b.plan.precise) for row in range(operand.bits // 32)]
    return rows[0] if len(rows) == 1 else b.alu.join(*rows)


def _wide_atomic(s: Statement, name: str, space: int, order: Order, hinted: bool) -> Emit:
    """Exch and cas of 128 bits."""
    if name not in ("exch", "cas"):
        s.refuse(name)
    low, high = s.wide_destinations(1)
    address = s.address(space)
    operands = [source for _ in range(2 if name == "cas" else 1) for source in s.wide_sources(1)]
    take_policy(s, hinted)

    def emit(b: Builder) -> None:
        note_polling(b)
        order.before(b, space)
        b.memory.set_addresses(address.read(b))
        values = [operand.read(b) for operand in operands]
        # rows 0 to 3: what to store; rows 4 to 7: what to compare with
        b.rows.store(0, values[-2:])
        if name == "cas":
            b.rows.store(4, values[:2])
        b.runtime.call(
            "lm_ptx_wide_atomic", b.index, space, mask64(b), int(name == "cas"), order.kind
        )
        rows = [b.rows.load(row, not b.plan.precise) for row in range(4)]
        low.write(b, b.alu.join(rows[0], rows[1]))
        high.write(b, b.alu.join(rows[2], rows[3]))
        order.after(b)

    return emit


_HALF_OPS = {
    "add": Half.ADD, "min": Half.MIN, "max": Half.MAX, "cas": Half.CAS, "exch": Half.EXCHANGE,
}  # fmt: skip


def _narrow_atomic(
    s: Statement,
    kind: str,
    name: str,
    where: tuple[int, Order],
    destinations: list[Destination],
    address: Source,
    operands: list[Source],
    third: Source | None,
) -> Emit:
    """Atomics on 16-bit values and pairs of them."""
    if name not in _HALF_OPS or (kind == "b16" and name != "cas"):
        s.refuse(name)
    size = BITS[kind] // 8
    bf16 = int(kind.startswith("bf16"))
    count = len(operands)
    space, order = where
    results = list(s.writes)

    def emit(b: Builder) -> None:
        flags = order.on_read(name, len(destinations) == count, results)
        note_polling(b)
        order.before(b, space, len(operands))
        for i, operand in enumerate(operands):
            b.memory.set_addresses(b.alu.add(address.read(b), b.ir.constant("i64", i * size)))
            rows = [operand.read(b)] if third is None else [third.read(b), operand.read(b)]
            b.rows.store(0, rows)
            align = size * count if i == 0 else size
            b.runtime.call(
                "lm_ptx_half_atomic",
                b.index,
                space,
                mask64(b),
                size,
                align,
                _HALF_OPS[name],
                bf16,
                flags,
            )
            if len(destinations) == count:
                old = b.rows.load(0, not b.plan.precise)
                destinations[i].write(b, b.alu.trunc(old, f"i{8 * size}"))
        order.after(b)

    return emit
