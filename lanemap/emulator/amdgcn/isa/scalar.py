"""Scalar arithmetic, logic, shifts, selects and comparisons."""

from __future__ import annotations

from lanemap.emulator.amdgcn.lower.context import Context
from lanemap.emulator.amdgcn.lower.table import SOP1, SOP2, SOPC, SOPK, instruction
from lanemap.emulator.codegen.arithmetic import Arithmetic
from lanemap.emulator.codegen.values import Value

_SOP1 = "AMD CDNA4 ISA, chapter 12, SOP1 instructions"
_SOP2 = "AMD CDNA4 ISA, chapter 12, SOP2 instructions"
_SOPC = "AMD CDNA4 ISA, chapter 12, SOPC instructions"
_SOPK = "AMD CDNA4 ISA, chapter 12, SOPK instructions"
Pair = tuple[Value, Value]


def nonzero(c: Context, value: Value) -> Value:
    """Whether an integer is not 0, for SCC."""
    return c.alu.compare("ne", value, c.constant(value.type, 0))


# -- sums -----------------------------------------------------------------------------------------


@instruction("s_add_u32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
def s_add_u32(c: Context, a: Value, b: Value) -> Pair:
    total = c.alu.add(a, b)
    return total, c.alu.compare("ult", total, a)


@instruction("s_sub_u32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
def s_sub_u32(c: Context, a: Value, b: Value) -> Pair:
    return c.alu.sub(a, b), c.alu.compare("ult", a, b)


def signed_overflow(c: Context, a: Value, b: Value, total: Value) -> Value:
    """Whether a + b = total overflowed as signed integers."""
    differs = c.alu.and_(c.alu.xor(total, a), c.alu.xor(total, b))
    return c.alu.compare("slt", differs, c.constant(a.type, 0))


@instruction("s_add_i32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
def s_add_i32(c: Context, a: Value, b: Value) -> Pair:
    total = c.alu.add(a, b)
    return total, signed_overflow(c, a, b, total)


@instruction("s_sub_i32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
def s_sub_i32(c: Context, a: Value, b: Value) -> Pair:
    difference = c.alu.sub(a, b)
    return difference, signed_overflow(c, difference, b, a)


@instruction("s_addc_u32", "=s:i32 =(scc) s:i32 s:i32 (scc)", SOP2, cite=_SOP2)
def s_addc_u32(c: Context, a: Value, b: Value, carry: Value) -> Pair:
    wide = c.alu.add(
        c.alu.add(c.alu.zext(a, "i64"), c.alu.zext(b, "i64")), c.alu.zext(carry, "i64")
    )
    low, high = c.alu.split(wide)
    return low, nonzero(c, high)


@instruction("s_subb_u32", "=s:i32 =(scc) s:i32 s:i32 (scc)", SOP2, cite=_SOP2)
def s_subb_u32(c: Context, a: Value, b: Value, borrow: Value) -> Pair:
    taken = c.alu.add(c.alu.zext(b, "i64"), c.alu.zext(borrow, "i64"))
    low, high = c.alu.split(c.alu.sub(c.alu.zext(a, "i64"), taken))
    return low, nonzero(c, high)


_SHIFTED = "s_lshl1_add_u32 s_lshl2_add_u32 s_lshl3_add_u32 s_lshl4_add_u32"


@instruction(_SHIFTED, "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
def s_lshl_add_u32(c: Context, a: Value, b: Value) -> Pair:
    moved = c.alu.shl(c.alu.zext(a, "i64"), c.constant("i64", int(c.name[6])))
    low, high = c.alu.split(c.alu.add(moved, c.alu.zext(b, "i64")))
    return low, nonzero(c, high)


@instruction("s_addk_i32", "+s:i32 =(scc) simm", SOPK, cite=_SOPK)
def s_addk_i32(c: Context, a: Value, k: Value) -> Pair:
    total = c.alu.add(a, k)
    return total, signed_overflow(c, a, k, total)


@instruction("s_abs_i32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
def s_abs_i32(c: Context, a: Value) -> Pair:
    size = c.alu.select(c.alu.compare("slt", a, c.constant("i32", 0)), c.alu.neg(a), a)
    return size, nonzero(c, size)


@instruction("s_absdiff_i32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
def s_absdiff_i32(c: Context, a: Value, b: Value) -> Pair:
    return s_abs_i32(c, c.alu.sub(a, b))


# -- products -------------------------------------------------------------------------------------


@instruction("s_mul_i32", "=s:i32 s:i32 s:i32", SOP2, cite=_SOP2)
def s_mul_i32(c: Context, a: Value, b: Value) -> Value:
    return c.alu.mul(a, b)


@instruction("s_mul_hi_u32 s_mul_hi_i32", "=s:i32 s:i32 s:i32", SOP2, cite=_SOP2)
def s_mul_hi(c: Context, a: Value, b: Value) -> Value:
    return c.alu.mul_high(a, b, signed=c.name == "s_mul_hi_i32")


@instruction("s_mulk_i32", "+s:i32 simm", SOPK, cite=_SOPK)
def s_mulk_i32(c: Context, a: Value, k: Value) -> Value:
    return c.alu.mul(a, k)


# -- logic ----------------------------------------------------------------------------------------

_LOGIC = ("and", "or", "xor", "andn2", "orn2", "nand", "nor", "xnor")


def logic(c: Context, operation: str, a: Value, b: Value) -> Value:
    """A two-operand logic operation by the name that the mnemonics use."""
    if operation.endswith("n2"):
        b, operation = c.alu.not_(b), operation.removesuffix("n2")
    if operation.endswith("n1"):
        a, operation = c.alu.not_(a), operation.removesuffix("n1")
    inverted = operation in ("nand", "nor", "xnor")
    plain = {"nand": "and", "nor": "or", "xnor": "xor"}.get(operation, operation)
    result = {"and": c.alu.and_, "or": c.alu.or_, "xor": c.alu.xor}[plain](a, b)
    return c.alu.not_(result) if inverted else result


@instruction([f"s_{n}_b32" for n in _LOGIC], "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
@instruction([f"s_{n}_b64" for n in _LOGIC], "=s:i64 =(scc) s:i64 s:i64", SOP2, cite=_SOP2)
def s_logic(c: Context, a: Value, b: Value) -> Pair:
    result = logic(c, c.name[2:-4], a, b)
    return result, nonzero(c, result)


@instruction("s_not_b32", "=s:i32 =(scc) s:i32", SOP1, cite=_SOP1)
@instruction("s_not_b64", "=s:i64 =(scc) s:i64", SOP1, cite=_SOP1)
def s_not(c: Context, a: Value) -> Pair:
    result = c.alu.not_(a)
    return result, nonzero(c, result)


_SAVEEXEC = (*_LOGIC, "andn1", "orn1")


@instruction(
    [f"s_{n}_saveexec_b64" for n in _SAVEEXEC],
    "=s:i64 =(exec) =(scc) s:i64 (exec)",
    SOP1,
    cite=_SOP1,
)
def s_saveexec(c: Context, a: Value, lanes: Value) -> tuple[Value, Value, Value]:
    operation = c.name[2:].removesuffix("_saveexec_b64")
    # All ones are known to be all ones: what follows needs no mask.
    every = operation == "or" and a.constant == (1 << 64) - 1
    result = a if every else logic(c, operation, a, lanes)
    return lanes, result, nonzero(c, result)


@instruction(
    "s_andn1_wrexec_b64 s_andn2_wrexec_b64", "=s:i64 =(exec) =(scc) s:i64 (exec)", SOP1, cite=_SOP1
)
def s_wrexec(c: Context, a: Value, lanes: Value) -> tuple[Value, Value, Value]:
    result = logic(c, c.name[2:].removesuffix("_wrexec_b64"), a, lanes)
    return result, result, nonzero(c, result)


# -- shifts ---------------------------------------------------------------------------------------

_SHIFTS = {"s_lshl": Arithmetic.shl, "s_lshr": Arithmetic.lshr, "s_ashr": Arithmetic.ashr}


@instruction("s_lshl_b32 s_lshr_b32 s_ashr_i32", "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
@instruction("s_lshl_b64 s_lshr_b64", "=s:i64 =(scc) s:i64 s:i32", SOP2, cite=_SOP2)
@instruction("s_ashr_i64", "=s:i64 =(scc) s:s64 s:i32", SOP2, cite=_SOP2)
def s_shift(c: Context, a: Value, amount: Value) -> Pair:
    result = _SHIFTS[c.name[:6]](c.alu, a, amount)
    return result, nonzero(c, result)


# -- extremes -------------------------------------------------------------------------------------

_BETTER = {"s_min_i32": "slt", "s_min_u32": "ult", "s_max_i32": "sge", "s_max_u32": "uge"}


@instruction(list(_BETTER), "=s:i32 =(scc) s:i32 s:i32", SOP2, cite=_SOP2)
def s_extremum(c: Context, a: Value, b: Value) -> Pair:
    first = c.alu.compare(_BETTER[c.name], a, b)
    return c.alu.select(first, a, b), first


# -- moves and selects ----------------------------------------------------------------------------


@instruction("s_mov_b32", "=s:i32 s:i32", SOP1, cite=_SOP1)
@instruction("s_mov_b64", "=s:i64 s:i64", SOP1, cite=_SOP1)
@instruction("s_movk_i32", "=s:i32 simm", SOPK, cite=_SOPK)
def s_mov(c: Context, a: Value) -> Value:
    return a


@instruction("s_cmov_b32", "+s:i32 s:i32 (scc)", SOP1, cite=_SOP1)
@instruction("s_cmov_b64", "+s:i64 s:i64 (scc)", SOP1, cite=_SOP1)
@instruction("s_cmovk_i32", "+s:i32 simm (scc)", SOPK, cite=_SOPK)
def s_cmov(c: Context, old: Value, a: Value, scc: Value) -> Value:
    return c.alu.select(scc, a, old)


@instruction("s_cselect_b32", "=s:i32 s:i32 s:i32 (scc)", SOP2, cite=_SOP2)
@instruction("s_cselect_b64", "=s:i64 s:i64 s:i64 (scc)", SOP2, cite=_SOP2)
def s_cselect(c: Context, a: Value, b: Value, scc: Value) -> Value:
    return c.alu.select(scc, a, b)


# -- comparisons ----------------------------------------------------------------------------------

_PREDICATES = {"eq": "eq", "lg": "ne", "gt": "gt", "ge": "ge", "lt": "lt", "le": "le"}
_SIGNED = [f"{op}_i32" for op in _PREDICATES]
_UNSIGNED = [f"{op}_u32" for op in _PREDICATES]


def predicate(operation: str, kind: str) -> str:
    """LLVM's integer predicate for a mnemonic's comparison of signed or unsigned integers."""
    plain = _PREDICATES[operation]
    return plain if plain in ("eq", "ne") else ("s" if kind[0] == "i" else "u") + plain


@instruction([f"s_cmp_{n}" for n in (*_SIGNED, *_UNSIGNED)], "=(scc) s:i32 s:i32", SOPC, cite=_SOPC)
@instruction("s_cmp_eq_u64 s_cmp_lg_u64", "=(scc) s:i64 s:i64", SOPC, cite=_SOPC)
def s_cmp(c: Context, a: Value, b: Value) -> Value:
    _, _, operation, kind = c.name.split("_")
    return c.alu.compare(predicate(operation, kind), a, b)


@instruction([f"s_cmpk_{n}" for n in (*_SIGNED, *_UNSIGNED)], "=(scc) s:i32 simm", SOPK, cite=_SOPK)
def s_cmpk(c: Context, a: Value, k: Value) -> Value:
    _, _, operation, kind = c.name.split("_")
    if kind == "u32":
        k = c.alu.and_(k, c.constant("i32", 0xFFFF))
    return c.alu.compare(predicate(operation, kind), a, k)
