"""What an instruction computes: the operations that ptxas makes of it, each under its own rule.

Operations follow the SASS of ptxas 13.0 for sm_90a, which a silicon row keeps beside its results.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lanemap.conformance.tensor_cores.ieee import fma_f32, fma_f64
from lanemap.conformance.tensor_cores.inputs import decoded
from lanemap.conformance.tensor_cores.kinds import FORMATS, Codes, Kind
from lanemap.conformance.tensor_cores.rule import Rule, multiply_add

_FLOATS = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
_FP8 = ("e4m3", "e5m2")


def is_aligned(kind: Kind) -> bool:
    """Whether the hardware adds by the rule of rule.py, directly or in parts."""
    return kind.a not in ("f64",) and kind.products == 1 and FORMATS[kind.a].exponent > 0


def is_split(kind: Kind) -> bool:
    """Whether two operations on f16 take its place: FP8 of mma.sync."""
    return kind.family == "mma.sync" and kind.a in _FP8


def published(kind: Kind) -> Rule:
    """The rule that arXiv 2511.10909 and mmasim 2.1.1 publish for its hardware on Hopper."""
    fp8 = kind.a in _FP8 and not is_split(kind)
    block = min(kind.depth, 32 * 8 // FORMATS["f16" if is_split(kind) else kind.a].bits)
    fraction = 13 if fp8 else 25
    if kind.d == "f16":
        return Rule(block, fraction, zero=-21, bits=11, rounding="nearest")
    return Rule(block, fraction, zero=-133, bits=14 if fp8 else 24)


def steps(kind: Kind) -> list[npt.NDArray[np.int64]]:
    """The k that each operation multiplies: FP8 of mma.sync takes low, then high 16 bits."""
    k = np.arange(kind.depth)
    return [k[k % 4 < 2], k[k % 4 >= 2]] if is_split(kind) else [k]


def _as_f16(codes: Codes, name: str) -> Codes:
    with np.errstate(invalid="ignore"):
        return np.asarray(decoded(codes, name).astype(np.float16).view(np.uint16))


def _canonical(values: npt.NDArray[np.floating], name: str) -> Codes:
    """Codes of a type; every NaN is that whose bits but the sign are ones."""
    f = FORMATS[name]
    with np.errstate(over="ignore", invalid="ignore"):
        codes = values.astype(_FLOATS[name]).view(f.dtype)
    return np.where(np.isnan(values), f.dtype((1 << (f.bits - 1)) - 1), codes)


def _ieee_sum(x: Codes, y: Codes, name: str) -> Codes:
    """FADD of f32, HADD2 of f16: f64 holds a sum of two f16."""
    wide = np.float32 if name == "f32" else np.float64
    with np.errstate(over="ignore", invalid="ignore"):
        total = x.view(_FLOATS[name]).astype(wide) + y.view(_FLOATS[name]).astype(wide)
    return _canonical(total, name)


def _aligned(kind: Kind, a: Codes, b: Codes, c: Codes, rule: Rule) -> Codes:
    if not is_split(kind):
        return multiply_add(a, b, c, (kind.d, kind.a, kind.b, kind.c), rule)
    a, b = _as_f16(a, kind.a), _as_f16(b, kind.b)
    total = np.zeros_like(c)
    for k in steps(kind):
        total = multiply_add(a[..., k], b[..., k], total, (kind.d, "f16", "f16", kind.d), rule)
    return _ieee_sum(total, c, kind.d)


def _quads(kind: Kind, a: Codes, b: Codes, c: Codes) -> Codes:
    """Four products at once: FFMA in f32 on f16 that are converted, then FADD of C.

    Into f32 there is one chain of FFMA from zero. Into f16 there are two chains of two products,
    which are added to C one after the other.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        left = a.view(np.float16).astype(np.float32)[:, :, None, :]
        right = b.view(np.float16).astype(np.float32)[:, None, :, :]
        total = c.view(_FLOATS[kind.c]).astype(np.float32)
        if kind.d == "f32":
            chain = np.zeros_like(total)
            for k in range(4):
                chain = fma_f32(left[..., k], right[..., k], chain)
            return _canonical(total + chain, "f32")
        for k in (0, 2):
            first = left[..., k] * right[..., k]
            total = total + fma_f32(left[..., k + 1], right[..., k + 1], first)
    return _canonical(total, "f16")


def _doubles(kind: Kind, a: Codes, b: Codes, c: Codes) -> Codes:
    """DMMA: a fused multiply-add for each k, in order; a NaN of B goes before C's, then A's."""
    quiet, default = np.uint64(1 << 51), np.uint64(0xFFF8000000000000)
    total = c
    for k in range(kind.depth):
        left = np.ascontiguousarray(np.broadcast_to(a[:, :, None, k], c.shape))
        right = np.ascontiguousarray(np.broadcast_to(b[:, None, :, k], c.shape))
        values = fma_f64(left.view(np.float64), right.view(np.float64), total.view(np.float64))
        found = np.where(np.isnan(values), default, values.view(np.uint64))
        for codes in (left, total, right):
            found = np.where(np.isnan(codes.view(np.float64)), codes | quiet, found)
        total = found
    return total


def _integers(kind: Kind, a: Codes, b: Codes, c: Codes) -> Codes:
    """Exact sums; `satfinite` clamps the last one, which is the sum of all products and C."""
    left, right = (
        (codes.astype(np.int32) ^ half) - half
        for codes, name in ((a, kind.a), (b, kind.b))
        for half in [1 << (FORMATS[name].bits - 1) if name[0] == "s" else 0]
    )
    total = c.view(np.int32).astype(np.int64)
    for k in range(kind.depth):
        x, y = left[:, :, None, k], right[:, None, :, k]
        total = total + (x ^ y if kind.modifier == "xor.popc" else x * y)
    if kind.modifier == "satfinite":
        total = np.clip(total, -(1 << 31), (1 << 31) - 1)
    return (total & 0xFFFFFFFF).astype(np.uint32)


def predicted(kind: Kind, a: Codes, b: Codes, c: Codes, rule: Rule | None = None) -> Codes:
    """D of an instruction: [tile, row, column].

    Args:
        kind: The instruction.
        a: As `inputs.chunk` gives them; `b` and `c` likewise.
        rule: Of its hardware operation, where that aligns; the published one unless given.
    """
    if is_aligned(kind):
        return _aligned(kind, a, b, c, rule or published(kind))
    if kind.products == 4:
        return _quads(kind, a, b, c)
    return _doubles(kind, a, b, c) if kind.a == "f64" else _integers(kind, a, b, c)


def of_block(rule: Rule, kind: Kind) -> Rule:
    """A rule whose block is no larger than one operation's k."""
    return replace(rule, block=min(rule.block, len(steps(kind)[0])))
