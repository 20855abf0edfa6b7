"""Primitives: functions that each do one operation of LLVM IR, on operands in memory.

Bytecode calls them (bytecode.py). Those of all common operations are built with the runtime, for
each level of processors; one that is not among them is compiled when it is first needed.

All have the same parameters: the wave, the result's place, the places of three operands, and an
array of the places of further ones. Values are in memory as everywhere in the wave: an i1 in a
byte, an i1 of every lane as a mask.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import re
from collections.abc import Iterator

from lanemap.emulator.codegen import element_types
from lanemap.emulator.codegen.element_types import BITS, element_of
from lanemap.emulator.codegen.emitter import Emitter
from lanemap.emulator.codegen.ops import (
    Kind,
    Op,
    Printer,
    write_call,
    write_cast,
    write_plain,
    write_shuffle,
)
from lanemap.emulator.codegen.strip_width import Strips

_PREFIX, _GATHER = "lm_do.", "gather"
_INTEGERS = ("i8", "i16", "i32", "i64")
#: The types of the other values: what half and bfloat need, some processors lack.
_WIDE_FLOATS = ("float", "double")
_ARITHMETIC = "add sub mul and or xor shl lshr ashr udiv sdiv urem srem"
_ORDERS = "eq ne ult ule ugt uge slt sle sgt sge"
_FLOAT_ORDERS = "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno"
#: Intrinsics on integers, by their number of operands; on floats.
_ON_INTEGERS = {
    1: "ctpop bswap bitreverse",
    2: "umin umax smin smax sadd.sat ssub.sat uadd.sat usub.sat",
    3: "fshl fshr",
}
_ON_FLOATS = {1: "fabs sqrt floor ceil trunc roundeven", 3: "fma"}
_DEFINITION = re.compile(r"^define ([^@\n]*)@(lm_\w+)\(([^\n]*)\)[^()\n]*\{$", re.M)
_OF_ATTRIBUTE = re.compile(r"\([^()]*\)")


def name_of(op: Op) -> str:
    """The name of an operation's primitive: what it does, and the types of result and operands."""
    opcode, types = op.opcode or "spread", (op.type, *op.types)
    if "," in opcode:  # a shuffle of i1, by its lanes
        opcode = f"shuffle{hashlib.sha256(opcode.encode()).hexdigest()[:16]}"
    short = ("v" + t[1:-1].replace(" x ", "") if t[:1] == "<" else t for t in types)
    return f"{_PREFIX}{opcode.replace(' ', '.')}.{'.'.join(short)}"


@functools.cache
def kept_type(type: str) -> str:
    """The type that a value has in memory."""
    if type[:1] != "<":
        return "i8" if type == "i1" else type
    return f"i{type[1:-6]}" if type.endswith(" x i1>") else type


def bytes_of(type: str) -> int:
    """Bytes of a value in memory."""
    type = kept_type(type)
    if type[0] == "<":
        return int(type[1 : type.index(" ")]) * element_types.bytes_of(element_of(type))
    return element_types.bytes_of(type)


def operands_of(op: Op) -> list[tuple[int, str]]:
    """The operands that lie in memory: number and type.

    Not the wave, which is a parameter, nor an intrinsic's flag, which is a part of the operation.
    """
    intrinsic = op.opcode.startswith("llvm.")
    return [
        (number, type)
        for number, type in enumerate(op.types)
        if type != "ptr" and not (intrinsic and type == "i1")
    ]


def definition(op: Op, lanes: int) -> tuple[str, dict[str, str]]:
    """The text of an operation's primitive, and declarations that it needs, by name."""
    declarations: dict[str, str] = {}
    if op.opcode == _GATHER:
        return _gather_text(op, lanes), declarations
    printer = Printer(lanes, Strips(lanes, True, True), declarations)
    lines = [f"define void @{name_of(op)}(ptr %w, ptr %o, ptr %p0, ptr %p1, ptr %p2, ptr %p) {{"]
    operands = [x if isinstance(x, str) else "" for x in op.operands]
    for place, (number, type) in enumerate(operands_of(op)):
        if place > 2:
            lines += [
                f"%q{place} = getelementptr ptr, ptr %p, i64 {place - 3}",
                f"%p{place} = load ptr, ptr %q{place}",
            ]
        operands[number] = _loaded(lines, f"%x{number}", f"%p{place}", type)
    if op.kind is Kind.BROADCAST:
        lines.append(f"%h = insertelement {op.type} poison, {op.types[0]} {operands[0]}, i32 0")
        text = f"shufflevector {op.type} %h, {op.type} poison, <{lanes} x i32> zeroinitializer"
    else:
        text = op.write(op, operands, printer)
    lines.append(f"%r = {text}" if op.type else text)
    if op.type:
        lines += _stored("%r", op.type)
    return "\n".join([*lines, "ret void", "}"]), declarations


@functools.cache
def gather(type: str) -> Op:
    """The operation of a shuffle whose lanes are a second operand, of i32."""
    lanes = type[1 : type.index(" ")]
    return Op(Kind.FENCE, write_shuffle, _GATHER, type, ("%x", "%x"), (type, f"<{lanes} x i32>"))


def _gather_text(op: Op, lanes: int) -> str:
    return f"""\
define void @{name_of(op)}(ptr %w, ptr %o, ptr %p0, ptr %p1, ptr %p2, ptr %p) {{
begin:
br label %lane
lane:
%i = phi i64 [0, %begin], [%n, %lane]
%a = getelementptr i32, ptr %p1, i64 %i
%l = load i32, ptr %a
%b = getelementptr {op.element}, ptr %p0, i32 %l
%x = load {op.element}, ptr %b
%c = getelementptr {op.element}, ptr %o, i64 %i
store {op.element} %x, ptr %c
%n = add i64 %i, 1
%e = icmp eq i64 %n, {lanes}
br i1 %e, label %end, label %lane
end:
ret void
}}"""


def module(op: Op, lanes: int) -> str:
    """The text of a module with an operation's primitive alone."""
    text, declarations = definition(op, lanes)
    return "\n".join([*declarations.values(), text])


def _loaded(lines: list[str], name: str, place: str, type: str) -> str:
    kept = kept_type(type)
    lines.append(f"{name} = load {kept}, ptr {place}, align 1")
    if kept == type:
        return name
    cast = "trunc" if type == "i1" else "bitcast"
    lines.append(f"{name}.c = {cast} {kept} {name} to {type}")
    return f"{name}.c"


def _stored(name: str, type: str) -> list[str]:
    kept = kept_type(type)
    if kept == type:
        return [f"store {type} {name}, ptr %o, align 1"]
    cast = "zext" if type == "i1" else "bitcast"
    return [f"{name}.c = {cast} {type} {name} to {kept}", f"store {kept} {name}.c, ptr %o, align 1"]


@functools.cache
def copy(type: str) -> Op:
    """The operation that copies a value from one place to another."""
    kept = kept_type(type)
    return Op(Kind.PURE, write_cast, "bitcast", kept, ("%x",), (kept,))


# -- what is built with the runtime ----------------------------------------------------------------
def common(ir: str) -> str:
    """The primitives of common operations, and of calls of the functions that some IR defines.

    Args:
        ir: The runtime's IR, to which the result can be appended.
    """
    defined = set(re.findall(r"^(?:define|declare) [^@\n]*@([\w.]+)\(", ir, re.M))
    texts, declarations = {}, {}
    for lanes in (32, 64):
        for op in itertools.chain(_computing(lanes), _calls(ir)):
            name = name_of(op)
            if name not in texts:
                texts[name], more = definition(op, lanes)
                declarations.update(more)
    wanted = [text for name, text in declarations.items() if name not in defined]
    return "\n".join([*wanted, *texts.values()]) + "\n"


def _calls(ir: str) -> Iterator[Op]:
    """Calls of the functions that take a wave, or another pointer, and then numbers alone."""
    for found in _DEFINITION.findall(ir):
        before, name, inside = (_OF_ATTRIBUTE.sub("", text) for text in found)
        returns = before.split()[-1]
        types = [words.split()[0] for words in inside.split(", ") if words]
        if types[:1] == ["ptr"] and {*types[1:], returns} <= {"void", "i32", "i64"}:
            result = "" if returns == "void" else returns
            operands = ("%w", *["%x"] * (len(types) - 1))
            yield Op(Kind.FENCE, write_call, name, result, operands, tuple(types))


def _computing(lanes: int) -> Iterator[Op]:
    """Operations on uniform values and on those of so many lanes."""
    ir = Emitter(lanes, False)
    for wide in (False, True):
        flag = ir.typed("i1", wide)
        for kind in BITS:
            type = ir.typed(kind, wide)
            yield ir.select(flag, "%x", type, "%x", "%x")
            if not wide:
                yield copy(kind)
                continue
            yield copy(type)
            yield Op(Kind.BROADCAST, write_cast, "", type, ("%x",), (kind,))
            yield Op(Kind.EXTRACT, write_plain, "extractelement", kind, ("%x",) * 2, (type, "i32"))
            if kind != "i1":
                yield ir.insert(kind, "%x", "%x", "%x", "i32")
                yield gather(type)
        for opcode in ("and", "or", "xor", "icmp eq", "icmp ne"):
            yield ir.binary(opcode, flag, "%x", "%x", flag)
        yield from _on_integers(ir, wide, flag)
        yield from _on_floats(ir, wide, flag)


def _on_integers(ir: Emitter, wide: bool, flag: str) -> Iterator[Op]:
    for kind in _INTEGERS:
        type = ir.typed(kind, wide)
        for opcode in _ARITHMETIC.split():
            yield ir.binary(opcode, type, "%x", "%x")
        for order in _ORDERS.split():
            yield ir.binary(f"icmp {order}", type, "%x", "%x", flag)
        for count, names in _ON_INTEGERS.items():
            for name in names.split():
                if name != "bswap" or kind != "i8":
                    yield ir.intrinsic(name, type, ["%x"] * count, [type] * count, [type])
        for name in ("ctlz", "cttz"):
            yield ir.intrinsic(name, type, ["%x", "false"], [type, "i1"], [type])
        for other in ("i1", *_INTEGERS):
            if BITS[other] < BITS[kind]:
                narrow = ir.typed(other, wide)
                yield ir.cast("zext", narrow, "%x", type)
                yield ir.cast("sext", narrow, "%x", type)
                yield ir.cast("trunc", type, "%x", narrow)
        if wide and kind == "i32":
            for name in ("umin", "umax", "smin", "smax", "add", "or", "and"):
                yield ir.reduce(name, kind, "%x")


def _on_floats(ir: Emitter, wide: bool, flag: str) -> Iterator[Op]:
    for kind in _WIDE_FLOATS:
        type = ir.typed(kind, wide)
        for opcode in ("fadd", "fsub", "fmul", "fdiv"):
            yield ir.binary(opcode, type, "%x", "%x")
        for order in _FLOAT_ORDERS.split():
            yield ir.binary(f"fcmp {order}", type, "%x", "%x", flag)
        for count, names in _ON_FLOATS.items():
            for name in names.split():
                yield ir.intrinsic(name, type, ["%x"] * count, [type] * count, [type])
        for other in ("i32", "i64"):
            whole = ir.typed(other, wide)
            for opcode in ("sitofp", "uitofp"):
                yield ir.cast(opcode, whole, "%x", type)
            for opcode in ("fptosi", "fptoui"):
                yield ir.cast(opcode, type, "%x", whole)
    single, double = (ir.typed(kind, wide) for kind in _WIDE_FLOATS)
    yield ir.cast("fpext", single, "%x", double)
    yield ir.cast("fptrunc", double, "%x", single)
