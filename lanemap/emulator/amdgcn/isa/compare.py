"""Vector comparisons, which write a mask of lanes, and selection by a mask."""

from __future__ import annotations

from lanemap.emulator.amdgcn.isa.scalar import predicate
from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import VOP2, VOPC, instruction
from lanemap.emulator.codegen.element_types import integer_of
from lanemap.emulator.codegen.values import Value

_VOP2 = "AMD CDNA4 ISA, chapter 12, VOP2 instructions"
_VOPC = "AMD CDNA4 ISA, chapter 12, VOPC instructions"

#: LLVM's predicates; a mnemonic that begins with n is the inverse, true for NaN.
_FLOAT = {
    "f": "false", "lt": "olt", "eq": "oeq", "le": "ole", "gt": "ogt", "lg": "one", "ge": "oge",
    "o": "ord", "u": "uno", "nge": "ult", "nlg": "ueq", "ngt": "ule", "nle": "ugt", "neq": "une",
    "nlt": "uge", "tru": "true",
}  # fmt: skip
_INTEGER = ("f", "lt", "eq", "le", "gt", "ne", "ge", "t")
_FLOATS = [(kind, [f"{op}_{kind}" for op in _FLOAT]) for kind in ("f16", "f32", "f64")]
_INTEGERS = [
    (kind if kind != "i64" or sign == "u" else "s64", [f"{op}_{sign}{kind[1:]}" for op in _INTEGER])
    for kind in ("i16", "i32", "i64")
    for sign in "iu"
]


def _integer_compare(c: Context, operation: str, kind: str, a: Value, b: Value) -> Value:
    if operation in ("f", "t"):
        return c.constant("i1", int(operation == "t"))
    plain = {"ne": "lg"}.get(operation, operation)
    return c.alu.compare(predicate(plain, kind), a, b)


def _compared(c: Context, a: Value, b: Value) -> Value:
    """The i1 of the comparison that the mnemonic names."""
    _, operation, kind = c.name.removeprefix("v_").split("_")
    if kind[0] != "f":
        return _integer_compare(c, operation, kind, a, b)
    if operation in ("f", "tru"):
        return c.constant("i1", int(operation == "tru"))
    return c.alu.compare(_FLOAT[operation], a, b)


for _kind, _names in (*_FLOATS, *_INTEGERS):

    @instruction([f"v_cmp_{n}" for n in _names], f"=m x:{_kind} x:{_kind}", VOPC, cite=_VOPC)
    def v_cmp(c: Context, a: Value, b: Value) -> Value:
        return _compared(c, a, b)

    @instruction(
        [f"v_cmpx_{n}" for n in _names], f"=m =(exec) x:{_kind} x:{_kind}", VOPC, cite=_VOPC
    )
    def v_cmpx(c: Context, a: Value, b: Value) -> tuple[Value, Value]:
        """The mask goes to EXEC too."""
        return _with_exec(c, _compared(c, a, b))


def _with_exec(c: Context, flags: Value) -> tuple[Value, Value]:
    mask = c.b.masks.active()
    packed = c.b.lanes.ballot(flags)
    return flags, packed if mask is None else c.alu.and_(packed, mask)


_CLASS = {"f16": (16, 10, 0x7C00), "f32": (32, 23, 0x7F800000), "f64": (64, 52, 0x7FF << 52)}


def _class(c: Context, kind: str, a: Value, wanted: Value) -> Value:
    """Whether the class of a float is among the ten that the bits of S1 pick.

    0 signalling NaN, 1 quiet NaN, 2 -inf, 3 -normal, 4 -subnormal, 5 -0, 6 +0, .., 9 +inf.
    """
    b = c.b
    bits, mantissa, infinity = _CLASS[kind]
    code = b.alu.bitcast(a, integer_of(a.type))
    size = b.alu.and_(code, b.ir.constant(code.type, (1 << (bits - 1)) - 1))
    negative = b.alu.compare("slt", code, b.ir.constant(code.type, 0))

    found = c.constant("i32", 6)
    for least in (1, 1 << mantissa, infinity):
        above = b.alu.compare("uge", size, b.ir.constant(code.type, least))
        found = b.alu.add(found, b.alu.zext(above, "i32"))
    found = b.alu.select(negative, b.alu.sub(c.constant("i32", 11), found), found)
    nan = b.alu.compare("ugt", size, b.ir.constant(code.type, infinity))
    quiet = b.alu.compare("uge", size, b.ir.constant(code.type, infinity | 1 << (mantissa - 1)))
    found = b.alu.select(nan, b.alu.zext(quiet, "i32"), found)
    bit = b.alu.lshr(b.alu.resize(wanted, "i32"), found)
    return b.alu.compare("ne", b.alu.and_(bit, c.constant("i32", 1)), c.constant("i32", 0))


for _kind in _CLASS:

    @instruction(
        f"v_cmp_class_{_kind}", f"=m x:{_kind} x:i32", VOPC, cite=_VOPC, keeps_subnormals=True
    )
    def v_cmp_class(c: Context, a: Value, wanted: Value, kind: str = _kind) -> Value:
        return _class(c, kind, a, wanted)

    @instruction(
        f"v_cmpx_class_{_kind}",
        f"=m =(exec) x:{_kind} x:i32",
        VOPC,
        cite=_VOPC,
        keeps_subnormals=True,
    )
    def v_cmpx_class(c: Context, a: Value, wanted: Value, kind: str = _kind) -> tuple[Value, Value]:
        return _with_exec(c, _class(c, kind, a, wanted))


@instruction(
    "v_cndmask_b32", "=v:i32 x:i32 x:i32 m", VOP2, cite=_VOP2, float_modifiers=True, vcc_last=True
)
def v_cndmask(c: Context, a: Value, b: Value, mask: Value) -> Value:
    return c.alu.select(mask, b, a)
