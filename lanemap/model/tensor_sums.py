"""How tensor cores add products: what ptxas makes of an instruction, and how the hardware adds.

The two are kept apart, because they change for different reasons. `Lowering` belongs to a version
of ptxas: a PTX instruction may become several machine instructions, on converted operands, with C
added by ordinary arithmetic. `Unit` belongs to the hardware: how one machine instruction adds its
products and its addend. Integers are exact under every lowering, so they need no unit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: Bits of an element where a unit multiplies.
_UNIT_BITS = {
    "f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "e3m2": 8, "e2m3": 8, "e2m1": 8,
}  # fmt: skip
#: Bytes of k that a unit adds at once.
BLOCK_BYTES = 32


@dataclass(frozen=True)
class Unit:
    """The rule of one machine instruction for products that are floating-point numbers.

    The addend and `block` products are added at once: aligned to the largest exponent among them,
    truncated `fraction` bits below it and summed exactly. The sum is rounded, and is the addend of
    the next block. `fused` units round after each product instead, in the order of k; if C is added
    apart, they make a chain of each block, and add the chains to C. Units of a `group` sum so many
    products exactly before they scale the sum; the exponents of the scales alone align it.

    Attributes:
        block: Products added at once, or of one chain.
        fraction: Bits kept below the largest exponent.
        zero_exponent: The exponent that an addend of zero counts with.
        bits: Significant bits of the rounded sum.
        nearest: Whether it is rounded to nearest even; otherwise toward zero.
        fused: Whether products are added one by one, by fused multiply-adds to nearest even.
        group: Products of a group that is summed before it is scaled; 0 where each is scaled.
    """

    block: int = 0
    fraction: int = 0
    zero_exponent: int = 0
    bits: int = 24
    nearest: bool = False
    fused: bool = False
    group: int = 0


@dataclass(frozen=True)
class Lowering:
    """The machine instructions that ptxas makes of one PTX instruction, from its SASS.

    Attributes:
        machine: Machine instructions that multiply, in order.
        step_of: Which of them multiplies the elements of each k.
        operands: The type to which A and B are converted; empty where they are not.
        kept: The type of sums, where it is not that of D.
        apart: Whether the first one adds to zero and C is added after the last, as `FADD` and
            `HADD2` add.
        chain: Products of one chain of `FFMA`, where those multiply; 0 where a tensor core does.
    """

    machine: tuple[str, ...]
    step_of: Callable[[int], int] = lambda k: 0
    operands: str = ""
    kept: str = ""
    apart: bool = False
    chain: int = 0

    def order(self, depth: int) -> list[int]:
        """Every k, in the order in which the machine instructions take them."""
        return sorted(range(depth), key=lambda k: (self.step_of(k), k))


_FUSED = Unit(fused=True)


@dataclass(frozen=True)
class _Cores:
    """How HMMA of one generation of tensor cores adds 16-bit and tf32 products.

    Attributes:
        fraction: Bits kept below the largest exponent.
        bytes: Bytes of k that are added at once.
        zero: The exponent that an addend of zero counts with where sums are f32.
        zero_f16: And where they are f16.
    """

    fraction: int
    bytes: int
    zero: int
    zero_f16: int


_VOLTA = _Cores(23, 8, -131, -19)
_AMPERE = _Cores(24, 16, -132, -20)
_HOPPER = _Cores(25, BLOCK_BYTES, -133, -21)
#: Evidence: published, by mmasim 2.1.1 (nv_ptx/sim.py) and arXiv 2511.10909. An H200 has shown it
#: for Hopper (results/sm_90a/cuda/tensor_cores.json).
_CORES = {
    "Turing": _AMPERE,
    "Ampere": _AMPERE,
    "Ada Lovelace": _AMPERE,
    "Hopper": _HOPPER,
    "Blackwell": _HOPPER,
    "RTX Blackwell": _HOPPER,
}
#: Generations whose mma.sync multiplies FP8 as it is (QMMA); the others convert it to f16.
_QMMA = ("Ada Lovelace", "RTX Blackwell")


def unit(kind: str, result: str, depth: int, cores: str = "Hopper") -> Unit:
    """The rule of HMMA, QMMA and DMMA.

    Published by the sources of `_CORES`. They have no rule for a sparse A; its products are taken
    to add up as those of a dense one, as an H200 adds them.

    Args:
        kind: The type that the unit multiplies.
        result: The type of its sums.
        depth: K of the machine instruction.
        cores: `Target.tensor_cores`.
    """
    if kind == "f64":
        return _FUSED
    rule = _CORES[cores]
    if cores == "Turing" and depth == _QUAD_DEPTH:  # HMMA.884, which came with Volta
        rule = _VOLTA
    block = min(depth, 8 * rule.bytes // _UNIT_BITS[kind])
    short = cores == "Ada Lovelace" and kind in _FP8
    fraction = 13 if short else rule.fraction
    if result == "f16":
        return Unit(block, fraction, rule.zero_f16, bits=11, nearest=True)
    return Unit(block, fraction, rule.zero, bits=14 if short else 24)


def scaled_unit(depth: int) -> Unit:
    """The rule of block-scaled mma.sync, which is one machine instruction (QMMA.SF, OMMA.SF).

    Evidence: published, by mmasim 2.1.1 (nv_ptx/sim.py, `MMABlockScale`), which has the rules of
    tcgen05.mma for it. Of a sparse A, the stored products are taken to add up as those of a dense
    one with half the K; no source says that.

    Args:
        depth: K of a dense A; of a sparse one, half of it.
    """
    return tcgen05_unit("mxf4nvf4" if depth == _FP4_DEPTH else "mxf8f6f4", "f32")


_FP8 = ("e4m3", "e5m2")
#: Types of 6 and 4 bits, which only QMMA multiplies.
_NARROW = ("e3m2", "e2m3", "e2m1")
_FP4_DEPTH = 64
_HALF_DEPTHS = {16: "1688", 32: "16816"}
_QUAD_DEPTH = 4


def mma_lowering(rows: int, depth: int, kind: str, result: str, cores: str = "Hopper") -> Lowering:
    """Machine instructions for mma.sync by ptxas 13.0.

    f16, bf16 and tf32 are one HMMA. FP8 is one QMMA on Ada and RTX Blackwell. On the others it is
    converted to f16 (F2FP): one HMMA multiplies the low halves of the registers, another the high
    halves, and FADD or HADD2 adds C. f64 is one DMMA on sm_90a and several of 8x8x4 on the others.
    m8n8k4 with f16 is HMMA.884 on Turing. Later ones have no machine instruction for it: into f32,
    a chain of FFMA adds its products, and FADD adds C; into f16, FADD adds two chains of two
    products to C. Integers are IMMA or BMMA of the same or smaller elements, and exact.

    Args:
        rows: M.
        depth: K.
        kind: The type of A (B has the same, or is the other FP8 type).
        result: The type of D.
        cores: `Target.tensor_cores`.
    """
    if result == "s32":
        return Lowering(("BMMA" if kind == "b1" else "IMMA",))
    if kind in _NARROW or kind in _FP8 and cores in _QMMA:
        return Lowering((f"QMMA.168{depth}.{result.upper()}",))
    if kind in _FP8:
        machine = f"HMMA.{_HALF_DEPTHS[depth]}.{result.upper()}"
        return Lowering((machine, machine), lambda k: k % 4 // 2, "f16", apart=True)
    if kind == "f64":
        return Lowering((f"DMMA.{rows}x8x{depth}",))
    if rows == 8 and cores == "Turing":
        return Lowering((f"HMMA.884.{result.upper()}",))
    if rows == 8:
        return Lowering(("FFMA",), kept="f32", apart=True, chain=2 if result == "f16" else 4)
    shape = {4: "1684", 8: "1688", 16: "16816"}[depth]
    suffix = "" if kind == "f16" else f".{kind.upper()}"
    return Lowering((f"HMMA.{shape}.{result.upper()}{suffix}",))


def wgmma_unit(kind: str, result: str, depth: int) -> Unit:
    """The rule of wgmma, which is one machine instruction (HGMMA, QGMMA) of sm_90a.

    arXiv 2511.10909 and the package mmasim 2.1.1 publish it for dense operands, and an H200 has
    shown it for them (results/sm_90a/cuda/tensor_cores.json). Of a sparse A, half of the products
    of a block are zero, and count for nothing.

    Args:
        kind: The type of A: f16, bf16, tf32, e4m3 or e5m2.
        result: The type of D.
        depth: K.
    """
    if result == "f16":
        return Unit(depth, 13 if kind in _FP8 else 25, -21, bits=11, nearest=True)
    return Unit(depth, 13, -133, bits=14) if kind in _FP8 else Unit(depth, 25, -133)


#: Bits that tcgen05.mma holds an element in, by .kind: 32 bytes of them are one step of K. kind::i8
#: is exact.
TCGEN05_HOLDER_BITS = {
    "f16": 16, "tf32": 32, "f8f6f4": 8, "mxf8f6f4": 8, "mxf4": 4, "mxf4nvf4": 4,
}  # fmt: skip
_FP4_GROUP = 16


def tcgen05_results(kind: str) -> tuple[str, ...]:
    """The types that D can have in a tcgen05.mma of a .kind other than i8."""
    return ("f32", "f16") if kind in ("f16", "f8f6f4") else ("f32",)


def tcgen05_unit(kind: str, result: str) -> Unit:
    """The rule of a dense tcgen05.mma, which is one machine instruction of sm_100a.

    C and all products of one step of K are added at once. FP8 keeps 25 bits below the largest
    exponent, as f16 does: the narrow sums of Hopper's wgmma are not Blackwell's. The kinds of
    4-bit elements sum groups of 16 products first.

    Evidence: published. arXiv 2511.10909 and 2512.07004; mmasim 2.1.1, nv_ptx/sim.py,
    `TCGen05MMA` and `TCGen05MMABlockScale`, which model one CTA without .ws. No sm_100a device has
    shown it to this project. That .ws and cta_group::2 add alike is assumed.

    Args:
        kind: .kind of the instruction without "kind::", but not i8, which is exact.
        result: The type of D: f32, or f16, which only f16 and f8f6f4 have.
    """
    block = 8 * BLOCK_BYTES // TCGEN05_HOLDER_BITS[kind]
    if TCGEN05_HOLDER_BITS[kind] == 4:
        return Unit(block, 35, -139, group=_FP4_GROUP)
    if result == "f16":
        return Unit(block, 25, -21, bits=11, nearest=True)
    return Unit(block, 25, -133)


def wmma_lowering(depth: int, kind: str, d: str, c: str, cores: str = "Hopper") -> Lowering:
    """Machine instructions for wmma.mma by ptxas 13.0.

    f16 and bf16 are two HMMA side by side. Where only one of C and D is f16, sums are kept in f32
    and C or D is converted. tf32 takes its k in two steps, and so does f16 on Turing. f64 is one
    DMMA.

    Args:
        depth: K.
        kind: The type of A and B.
        d: The type of D.
        c: The type of C.
        cores: `Target.tensor_cores`.
    """
    if d == "s32":
        return Lowering(("BMMA" if kind == "b1" else "IMMA",))
    if kind == "f64":
        return Lowering((f"DMMA.8x8x{depth}",))
    if kind == "tf32":
        return Lowering(("HMMA.1684.F32.TF32",) * 2, lambda k: k // 4)
    kept = "f16" if d == c == "f16" else "f32"
    if cores == "Turing":
        return Lowering((f"HMMA.1688.{kept.upper()}",) * 2, lambda k: k // 8, kept=kept)
    suffix = "" if kind == "f16" else f".{kind.upper()}"
    return Lowering((f"HMMA.16816.{kept.upper()}{suffix}",), kept=kept)


def sparse_lowering(depth: int, kind: str, result: str, cores: str = "Hopper") -> Lowering:
    """Machine instructions for mma.sp by ptxas 13.0.

    One HMMA.SP, or IMMA.SP of the same or wider elements. FP8 is one QMMA.SP on Ada and RTX
    Blackwell. On the others it is converted to f16: the low halves of A's registers, which hold
    every other chunk, are multiplied by one HMMA.SP, the high halves by another, and FADD adds C.

    Args:
        depth: K.
        kind: The type of A.
        result: The type of D.
        cores: `Target.tensor_cores`.
    """
    if result == "s32":
        return Lowering(("IMMA.SP",))
    if kind in _NARROW or kind in _FP8 and cores in _QMMA:
        return Lowering((f"QMMA.SP.168{depth}.{result.upper()}",))
    if kind in _FP8:
        return Lowering(("HMMA.SP.16832.F32",) * 2, lambda k: k // 4 % 2, "f16", apart=True)
    suffix = "" if kind == "f16" else f".{kind.upper()}"
    return Lowering((f"HMMA.SP.168{depth}.{result.upper()}{suffix}",))
