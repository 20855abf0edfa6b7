"""Typed buffer accesses: components of a format, which a load extends exactly or does not change.

The ISA says that components of 32 bits are not converted, and that integers and floats stay such
(9.1.3); so integers of 8 and 16 bits are extended, and f16 becomes f32, which is exact. What rounds
or saturates is refused: normalized and scaled numbers, packed formats, narrowing.
"""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.buffer import located, uniform
from lanemap.emulator.amdgcn.isa.lds import beside
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.lanes import with_half
from lanemap.emulator.amdgcn.lower.registers import registers_of
from lanemap.emulator.amdgcn.lower.rules import VMCNT, Rule
from lanemap.emulator.amdgcn.lower.table import MTBUF, MUBUF, instruction
from lanemap.emulator.amdgcn.text.modifiers import DATA_FORMATS, DEFAULT_FORMAT, NUMBER_FORMATS
from lanemap.emulator.amdgcn.text.module import Instruction
from lanemap.emulator.codegen.values import Value
from lanemap.emulator.runtime import abi

_MTBUF = "AMD CDNA4 ISA, 9.1.2 to 9.1.6 and chapter 12, MTBUF instructions"
_MUBUF = "AMD CDNA4 ISA, 9.1.2 to 9.1.6 and chapter 12, MUBUF instructions"
_GLOBAL = abi.Space.GLOBAL
_ROLES = "baddr s:w4 soff"
_COUNTS = {"x": 1, "xy": 2, "xyz": 3, "xyzw": 4}
_KEPT = ("UINT", "SINT", "FLOAT")


def _components(data: str) -> tuple[int, int]:
    """Bits and number of the components of a data format; (0, 0) where they differ."""
    parts = data.split("_")
    if not all(part.isdigit() for part in parts) or len(set(parts)) > 1:
        return 0, 0
    return int(parts[0]), len(parts)


def _count(name: str) -> int:
    return _COUNTS[name.rsplit("_", 1)[1]]


def _unsupported(text: Instruction) -> str:
    """Why a typed access would convert in a way that no source settles."""
    code = text.modifiers.get("format", DEFAULT_FORMAT)
    assert isinstance(code, int)
    data, number = DATA_FORMATS[code & 15], NUMBER_FORMATS[code >> 4]
    bits, count = _components(data)
    name = text.mnemonic
    wanted = 16 if "_d16_" in name else 32
    if "_store_" in name:
        fits = bits == wanted and number in _KEPT and count == _count(name)
    else:
        fits = 0 < bits <= wanted and number in _KEPT[: 3 if bits > 8 else 2]
    if fits:
        return ""
    return f"{name} of {data} {number} would convert as no source says, or leave components out"


# -- loads ----------------------------------------------------------------------------------------


def _extended(c: Context, word: Value, bits: int, number: str, wanted: int) -> Value:
    """A component of `bits` bits from the low end of a word, as `wanted` bits in an i32."""
    alu = c.alu
    if bits == wanted:
        return word if bits == 32 else alu.and_(word, c.constant("i32", 0xFFFF))
    if number == "FLOAT":
        half = alu.bitcast(alu.trunc(word, "i16"), "half")
        return alu.bitcast(alu.convert("fpext", half, "float"), "i32")
    low = alu.trunc(word, f"i{bits}")
    wide = alu.sext(low, "i32") if number == "SINT" else alu.zext(low, "i32")
    return wide if wanted == 32 else alu.and_(wide, c.constant("i32", 0xFFFF))


def _loaded(c: Context, bits: int, count: int, number: str, wanted: int) -> list[Value]:
    """The components of every lane; 0 outside the buffer, and where the format has none."""
    b = c.b
    size = bits * count // 8
    place, inside = located(c, 1, size, whole=True)
    with b.guarded(inside):
        words = b.memory.load(_GLOBAL, place, size, align=bits // 8)
    found = []
    for at in range(0, 32 * _count(c.name), 32):
        first = at // 32 * bits
        if at // 32 >= count:
            found.append(c.constant("i32", 0))
            continue
        word = b.alu.lshr(words[first // 32], c.constant("i32", first % 32))
        part = _extended(c, word, bits, number, wanted)
        found.append(b.alu.select(inside, part, c.constant("i32", 0)))
    return found


def _finish(c: Context, parts: list[Value], wanted: int) -> None:
    """One component a register, or two; beside a last one alone as beside any d16 load."""
    registers = registers_of(c.bound.operands[0])
    if wanted == 16:
        pairs = [parts[at : at + 2] for at in range(0, len(parts), 2)]
        parts = [
            with_half(c, pair[0], pair[1], True) if len(pair) == 2 else beside(c, register, pair[0])
            for pair, register in zip(pairs, registers, strict=True)
        ]
    for register, word in zip(registers, parts, strict=True):
        c.b.registers.write_issued(register, word)
    c.b.pending.issue(VMCNT, registers, _GLOBAL)


def _format(c: Context) -> tuple[int, int, str]:
    code = c.modifier("format", DEFAULT_FORMAT)
    return (*_components(DATA_FORMATS[code & 15]), NUMBER_FORMATS[code >> 4])


def _parts(c: Context) -> list[Value]:
    """The components that a store names, in the low bits of words."""
    words = c.words(0)
    if "_d16_" not in c.name:
        return words
    if "_hi_" in c.name:
        return [c.alu.lshr(words[0], c.constant("i32", 16))]
    halves = [c.alu.lshr(word, c.constant("i32", at)) for word in words for at in (0, 16)]
    return halves[: _count(c.name)]


def _store(c: Context, bits: int) -> None:
    b, parts = c.b, _parts(c)
    if bits == 16:
        pairs = [parts[at : at + 2] for at in range(0, len(parts), 2)]
        parts = [
            with_half(c, p[0], c.alu.and_(p[1], c.constant("i32", 0xFFFF)), True)
            if len(p) == 2
            else p[0]
            for p in pairs
        ]
    size = bits * _count(c.name) // 8
    place, inside = located(c, 1, size, whole=True)
    with b.guarded(inside):
        b.memory.store(_GLOBAL, place, parts, size, align=bits // 8)
    b.pending.issue(VMCNT, (), _GLOBAL)


def _by_descriptor(c: Context, bits: int) -> None:
    """The format of the descriptor must be that of the instruction, and no component moved."""
    word = uniform(c, c.words(2)[3])
    count = _count(c.name)
    data = DATA_FORMATS.index("_".join([str(bits)] * count))
    selects = sum(4 + at << 3 * at for at in range(count))
    mask = (1 << 3 * count) - 1 | 15 << 15
    same = c.alu.compare(
        "eq", c.alu.and_(word, c.constant("i32", mask)), c.constant("i32", data << 15 | selects)
    )
    number = c.alu.and_(c.alu.lshr(word, c.constant("i32", 12)), c.constant("i32", 7))
    kept = c.constant("i1", 0)
    for name in _KEPT:
        code = c.constant("i32", NUMBER_FORMATS.index(name))
        kept = c.alu.or_(kept, c.alu.compare("eq", number, code))
    c.b.checks.rule(c.alu.not_(c.alu.and_(same, kept)), Rule.TYPED_BUFFER)


def _define(suffix: str, words: int, bits: int) -> None:
    """All accesses of components to and from `words` registers."""
    count = _COUNTS[suffix.rsplit("_", 1)[-1]]
    alone = bits == 16 and count % 2 == 1

    @instruction(
        f"tbuffer_load_format_{suffix}",
        f"{'+' if alone else '='}va:w{words} {_ROLES}",
        MTBUF,
        cite=_MTBUF,
        raw=True,
        kind="load",
        check=_unsupported,
        half=alone,
    )
    def tbuffer_load(c: Context) -> None:
        _finish(c, _loaded(c, *_format(c), bits), bits)

    if alone and count == 3:
        return  # no format has three components of 16 bits

    @instruction(
        f"tbuffer_store_format_{suffix}",
        f"va:w{words} {_ROLES}",
        MTBUF,
        cite=_MTBUF,
        raw=True,
        kind="store",
        check=_unsupported,
    )
    def tbuffer_store(c: Context) -> None:
        _store(c, bits)

    @instruction(
        f"buffer_load_format_{suffix}",
        f"{'+' if alone else '='}va:w{words} {_ROLES}",
        MUBUF,
        cite=_MUBUF,
        raw=True,
        kind="load",
        half=alone,
    )
    def buffer_load(c: Context) -> None:
        _by_descriptor(c, bits)
        _finish(c, _loaded(c, bits, count, "UINT", bits), bits)

    @instruction(
        f"buffer_store_format_{suffix}",
        f"va:w{words} {_ROLES}",
        MUBUF,
        cite=_MUBUF,
        raw=True,
        kind="store",
    )
    def buffer_store(c: Context) -> None:
        _by_descriptor(c, bits)
        _store(c, bits)


for _suffix, _words in _COUNTS.items():
    _define(_suffix, _words, 32)
    _define(f"d16_{_suffix}", (_words + 1) // 2, 16)


@instruction(
    "buffer_load_format_d16_hi_x",
    f"+va:i32 {_ROLES}",
    MUBUF,
    cite=_MUBUF,
    raw=True,
    kind="load",
    half=True,
)
def buffer_load_high(c: Context) -> None:
    _by_descriptor(c, 16)
    (half,) = _loaded(c, 16, 1, "UINT", 16)
    registers = registers_of(c.bound.operands[0])
    old = c.peek(registers[0]) if c.values["keeps_halves"] else c.constant("i32", 0)
    c.b.registers.write_issued(registers[0], with_half(c, old, half, True))
    c.b.pending.issue(VMCNT, registers, _GLOBAL)


@instruction(
    "buffer_store_format_d16_hi_x", f"va:i32 {_ROLES}", MUBUF, cite=_MUBUF, raw=True, kind="store"
)
def buffer_store_high(c: Context) -> None:
    _by_descriptor(c, 16)
    _store(c, 16)
