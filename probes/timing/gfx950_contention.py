"""gfx950: contention, from which pipes are inferred as from the group contention of NVIDIA's.

Sixteen waves, four of each SIMD, issue independent instructions of one class, or of two in turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanemap.timing.elements import ONES
from lanemap.timing.series import SeriesProbe
from lanemap.timing.waves import TARGET, WaveSeries

#: Independent strands of a wave; a link has each class once for each.
STRANDS = 4
WAVES = 16
#: Where the registers of the first class of a pair begin, and those of the second: vector, scalar.
_PLACES = ((64, 30), (96, 36))
#: Behind a class's strands: two constants of 64 bits, and A and B of a matrix.
_CONSTANTS, _MATRICES = 16, (20, 24)
#: Software must leave so many slots between an MFMA and what reads its D (CDNA 4 ISA, 4.5).
_SETTLE = "s_nop 15; s_nop 15;"


@dataclass(frozen=True)
class Class:
    """A class of instructions.

    Attributes:
        opcode: The opcode in assembly.
        operands: {d} is a strand's own register, {k} and {m} are constants, {a} and {b} matrices;
            v10 is the address of the thread's own word of LDS, and {n} a strand's number.
        size: Registers of a strand; 0 if it has none.
        kind: What strands begin with: u32, f32, f16, f64, scalar, or a type of a matrix.
        exact: Whether the ISA fixes every bit.
    """

    opcode: str
    operands: str
    size: int = 1
    kind: str = "u32"
    exact: bool = True


_CLASSES = (
    Class("v_add_u32", "{d}, {k}, {d}"),
    Class("v_perm_b32", "{d}, {d}, {k}, {m}"),
    Class("v_mul_lo_u32", "{d}, {d}, {k}"),
    Class("v_fma_f32", "{d}, {d}, {k}, {m}", kind="f32"),
    Class("v_pk_fma_f16", "{d}, {d}, {k}, {m}", kind="f16"),
    Class("v_fma_f64", "{d}, {d}, {k}, {m}", 2, "f64"),
    Class("v_exp_f32", "{d}, {d}", kind="f32", exact=False),
    Class("v_mfma_f32_16x16x32_f16", "{d}, {a}, {b}, {d}", 4, "matrix of f16"),
    Class("v_mfma_i32_16x16x64_i8", "{d}, {a}, {b}, {d}", 4, "matrix of s8"),
    Class("s_xor_b32", "{d}, {d}, {k}", kind="scalar"),
    Class("s_mul_i32", "{d}, {d}, {k}", kind="scalar"),
    Class("ds_read_b32", "{d}, v10"),
    Class("ds_write_b32", "v10, v5 offset:{n}", 0),
    Class("ds_bpermute_b32", "{d}, v10, v5"),
)
#: Makes a number of a type of random bits: the register twice.
_BEGUN = {
    "u32": "",
    "f32": "v_and_b32_e32 {r}, 0x7fffff, {r}; v_or_b32_e32 {r}, 1.0, {r};",
    "f16": "v_and_b32_e32 {r}, 0x3ff03ff, {r}; v_or_b32_e32 {r}, 0x3c003c00, {r};",
}


def _register(file: str, first: int, size: int = 1) -> str:
    return f"{file}{first}" if size == 1 else f"{file}[{first}:{first + size - 1}]"


def _link(each: Class, place: tuple[int, int], strand: int) -> str:
    vector, scalar = place
    if each.kind == "scalar":
        own = {"d": f"s{scalar + strand}", "k": f"s{scalar + STRANDS}"}
        return f"{each.opcode} {each.operands.format(**own)};"
    size, at = max(each.size, 1), vector + _CONSTANTS
    pair = 2 if each.kind == "f64" else 1
    a, b = (_register("v", vector + first, 4) for first in _MATRICES)
    own = {
        "d": _register("v", vector + strand * size, size),
        "k": _register("v", at, pair), "m": _register("v", at + 2, pair),
        "a": a, "b": b, "n": str(4096 * (strand + 1)),
    }  # fmt: skip
    return f"{each.opcode} {each.operands.format(**own)};"


def _begin(each: Class, place: tuple[int, int]) -> str:
    """Initial values of a round: strands from x and the strand's number, constants from k0 and k1.

    For matrices, D is 0 and A and B have random bits, or elements that are 0 or 1.
    """
    vector, scalar = place
    at = vector + _CONSTANTS
    if each.kind == "scalar":
        return (
            "s_nop 1;"
            + "".join(
                f"v_readfirstlane_b32 s{scalar + n}, v{5 + n % 4};" for n in range(STRANDS + 1)
            )
            + "s_nop 4;"
        )
    if each.kind.startswith("matrix"):
        text = "".join(f"v_mov_b32_e32 v{vector + n}, 0;" for n in range(STRANDS * each.size))
        for number, first in enumerate(range(vector + _MATRICES[0], vector + _MATRICES[1] + 4)):
            text += f"v_lshrrev_b32_e32 v{first}, {number % 7}, v{5 + number % 4};"
            if each.kind.endswith("f16"):
                bits, one = ONES["f16"]
                text += f"v_and_b32_e32 v{first}, {bits:#x}, v{first};"
                text += f"v_mul_u32_u24_e32 v{first}, {one:#x}, v{first};"
        return text + "s_nop 4;"
    if each.kind == "f64":
        return "".join(
            f"v_cvt_f64_u32_e32 {_register('v', vector + first, 2)}, v{4 + n};"
            for n, first in enumerate((0, 2, 4, 6))
        ) + "".join(f"v_cvt_f64_u32_e32 {_register('v', at + 2 * n, 2)}, v{5 + n};" for n in (0, 1))
    text = "".join(f"v_add_u32_e32 v{vector + n}, {n}, v4;" for n in range(STRANDS))
    text += f"v_mov_b32_e32 v{at}, v5; v_mov_b32_e32 v{at + 2}, v6;"
    return text + "".join(
        _BEGUN[each.kind].format(r=f"v{register}")
        for register in (*range(vector, vector + STRANDS), at, at + 2)
    )


def _folded(each: Class, place: tuple[int, int]) -> str:
    vector, scalar = place
    if each.kind == "scalar":
        return "".join(f"v_xor_b32_e32 v4, s{scalar + n}, v4;" for n in range(STRANDS))
    return "".join(
        f"v_xor_b32_e32 v4, v4, v{vector + n}; v_alignbit_b32 v4, v4, v4, 27;"
        for n in range(STRANDS * each.size)
    )


def _series(*classes: Class) -> WaveSeries:
    first, *others = (each.opcode for each in classes)
    own = tuple(zip(classes, _PLACES, strict=False))
    return WaveSeries(
        " with ".join(each.opcode for each in classes),
        first,
        (
            f"issue of {' and '.join((first, *others))}",
            "issue of the next of each by the same wave"
            if others
            else f"issue of the next independent {first} of the wave",
        ),
        "rate",
        "".join(_link(each, place, strand) for strand in range(STRANDS) for each, place in own),
        {each.opcode: STRANDS for each in classes},
        {"waves": WAVES},
        warps=WAVES,
        per_link=STRANDS,
        trips=8,
        lengths=(4, 6, 8, 10, 12),
        setup="v_lshlrev_b32_e32 v10, 2, v0; ds_write_b32 v10, v10; s_waitcnt lgkmcnt(0);",
        begin="".join(_begin(*each) for each in own),
        after=_SETTLE + "".join(_folded(*each) for each in own),
        exact=all(each.exact for each in classes),
    )


gfx950_contention = SeriesProbe(
    "gfx950_contention",
    tuple(_series(each) for each in _CLASSES)
    + tuple(
        _series(first, second)
        for number, first in enumerate(_CLASSES)
        for second in _CLASSES[number + 1 :]
    ),
    (TARGET,),
)
