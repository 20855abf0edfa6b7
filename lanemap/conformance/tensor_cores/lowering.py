"""The operations that ptxas makes of an instruction, each with its own rule.

Operations follow the SASS of ptxas 13.0 for sm_90a, which a silicon row keeps beside its results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import permutations

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
    bits = FORMATS["f16" if is_split(kind) else kind.a].bits
    block = min(len(steps(kind)[0]), 32 * 8 // bits)
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


def in_steps(
    kind: Kind,
    a: Codes,
    b: Codes,
    c: Codes,
    rule: Rule,
    order: list[npt.NDArray[np.int64]] | None = None,
    apart: bool = True,
) -> Codes:
    """FP8 of mma.sync: operations on f16 from zero, then C as IEEE 754 adds it.

    `rule` is that of the operation on f16. `order` has the k of each operation, by default as the
    SASS takes them. Unless C is `apart`, the first operation adds it.
    """
    a, b = _as_f16(a, kind.a), _as_f16(b, kind.b)
    total = np.zeros_like(c) if apart else c
    for k in order or steps(kind):
        total = multiply_add(a[..., k], b[..., k], total, (kind.d, "f16", "f16", kind.d), rule)
    return _ieee_sum(total, c, kind.d) if apart else total


def _aligned(kind: Kind, a: Codes, b: Codes, c: Codes, rule: Rule) -> Codes:
    if is_split(kind):
        return in_steps(kind, a, b, c, rule)
    if kind.form == "negated":
        a = a ^ FORMATS[kind.a].dtype(1 << (FORMATS[kind.a].bits - 1))
    return multiply_add(a, b, c, (kind.d, kind.a, kind.b, kind.c), rule)


def quads(kind: Kind, a: Codes, b: Codes, c: Codes, pairs: bool) -> Codes:
    """Four products at once: FFMA in f32 on f16 that are converted, then FADD of C.

    Without `pairs` there is one chain of FFMA from zero. With them there are two chains of two
    products, which are added to C one after the other.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        left = a.view(np.float16).astype(np.float32)[:, :, None, :]
        right = b.view(np.float16).astype(np.float32)[:, None, :, :]
        total = c.view(_FLOATS[kind.c]).astype(np.float32)
        chain = np.zeros_like(total)
        for k in range(4):
            if not pairs:
                chain = fma_f32(left[..., k], right[..., k], chain)
            elif k % 2:
                total = total + fma_f32(left[..., k], right[..., k], chain)
            else:
                chain = left[..., k] * right[..., k]
        return _canonical(total if pairs else total + chain, kind.d)


def doubles(
    a: Codes, b: Codes, c: Codes, order: Sequence[int], nan: str = "bca", last: bool = False
) -> Codes:
    """DMMA: a fused multiply-add for each k.

    `order` is that of the k. `nan` says whose NaN is the result, made quiet, if there are several.
    With `last`, C is added at the end.
    """
    quiet, default = np.uint64(1 << 51), np.uint64(0xFFF8000000000000)
    total = np.full_like(c, np.uint64(1 << 63)) if last else c
    for k in order:
        left = np.ascontiguousarray(np.broadcast_to(a[:, :, None, k], c.shape))
        right = np.ascontiguousarray(np.broadcast_to(b[:, None, :, k], c.shape))
        values = fma_f64(left.view(np.float64), right.view(np.float64), total.view(np.float64))
        found = np.where(np.isnan(values), default, values.view(np.uint64))
        operands = {"a": left, "b": right, "c": total}
        for codes in (operands[name] for name in reversed(nan)):
            found = np.where(np.isnan(codes.view(np.float64)), codes | quiet, found)
        total = found
    if last:
        with np.errstate(over="ignore", invalid="ignore"):
            total = (total.view(np.float64) + c.view(np.float64)).view(np.uint64)
    return total


def integers(kind: Kind, a: Codes, b: Codes, c: Codes, each: bool = False) -> Codes:
    """Exact sums; `satfinite` clamps the sum of all products and C, or if `each`, every sum."""
    left, right = (
        (codes.astype(np.int32) ^ half) - half
        for codes, name in ((a, kind.a), (b, kind.b))
        for half in [1 << (FORMATS[name].bits - 1) if name[0] == "s" else 0]
    )
    low, high = -(1 << 31), (1 << 31) - 1
    total = c.view(np.int32).astype(np.int64)
    if each:
        for k in range(kind.depth):
            total = np.clip(total + left[:, :, None, k] * right[:, None, :, k], low, high)
    else:  # matrix products of f64 are exact here
        x, y = left.astype(np.float64), right.astype(np.float64)
        products = x @ y.transpose(0, 2, 1)
        if kind.modifier == "xor.popc":
            products = x.sum(axis=-1)[:, :, None] + y.sum(axis=-1)[:, None, :] - 2 * products
        total = total + products.astype(np.int64)
    if kind.modifier == "satfinite":
        total = np.clip(total, low, high)
    return (total & 0xFFFFFFFF).astype(np.uint32)


def predicted(kind: Kind, a: Codes, b: Codes, c: Codes, rule: Rule | None = None) -> Codes:
    """D of an instruction: [tile, row, column].

    `a`, `b` and `c` are as `inputs.chunk` gives them. `rule` is that of the hardware operation,
    where it aligns; the published one unless given.
    """
    if kind.form == "fresh":
        c = np.zeros_like(c)
    if is_aligned(kind):
        return _aligned(kind, a, b, c, rule or published(kind))
    if kind.products == 4:
        return quads(kind, a, b, c, kind.d == "f16")
    return doubles(a, b, c, range(kind.depth)) if kind.a == "f64" else integers(kind, a, b, c)


def alternatives(kind: Kind) -> Mapping[str, Callable[[Codes, Codes, Codes], Codes]]:
    """Other operations that the instruction might be; some dot product must refute each."""
    k = np.arange(kind.depth)
    if kind.a == "f64":
        found = {
            f"NaN of {' before '.join(order)}": partial(
                doubles, order=k.tolist(), nan="".join(order)
            )
            for order in permutations("abc")
            if order != ("b", "c", "a")
        }
        found["the last k first"] = partial(doubles, order=k[::-1].tolist())
        found["C last"] = partial(doubles, order=k.tolist(), last=True)
        return found
    if kind.products == 4:
        name = "one chain" if kind.d == "f16" else "two chains of two products"
        return {name: partial(quads, kind, pairs=kind.d != "f16")}
    if is_split(kind):
        low, high = steps(kind)
        half, rule = len(low), published(kind)
        return {
            "high 16 bits first": partial(in_steps, kind, rule=rule, order=[high, low]),
            "halves of k": partial(in_steps, kind, rule=rule, order=[k[:half], k[half:]]),
            "even k, then odd": partial(in_steps, kind, rule=rule, order=[k[::2], k[1::2]]),
            "one operation": partial(in_steps, kind, rule=replace(rule, block=len(k)), order=[k]),
            "C by the first operation": partial(in_steps, kind, rule=rule, apart=False),
        }
    if kind.modifier == "satfinite":
        others = {"not clamped": partial(integers, replace(kind, modifier=""))}
        if "s" in kind.a + kind.b:  # sums of products without a sign never come back
            others["clamped after each product"] = partial(integers, kind, each=True)
        return others
    return {}
