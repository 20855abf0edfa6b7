"""The engine under the rules of tcgen05.mma beside mmasim's models of Blackwell, written by others.

mmasim (PyPI, MIT; Peichen Xie, Microsoft) models tcgen05.mma of one CTA without .ws and dense: all
kinds but i8. It needs torch, and a C++ compiler when it is imported. No GPU is involved: that both
agree says that the publication was understood, not that a GPU adds so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lanemap.emulator.ptx.lower.sums import FORMATS, tcgen05_rules
from tests.emulator.runtime.sums import decoded
from tests.emulator.runtime.test_matrix import laid, multiply, width

Codes = NDArray[np.uint64]
ROWS, COLUMNS = 16, 32
NARROW = ("e5m2", "e4m3", "e3m2", "e2m3", "e2m1")
DEPTHS = {"f16": 16, "tf32": 8, "f8f6f4": 32, "mxf8f6f4": 32, "mxf4": 64, "mxf4nvf4": 64}

#: kind, types of D, A and B, scales and the k of one.
Case = tuple[str, str, str, str, str, int]
CASES: list[Case] = [
    ("tf32", "f32", "tf32", "tf32", "", 0), ("f16", "f32", "f16", "f16", "", 0),
    ("f16", "f32", "bf16", "bf16", "", 0), ("f16", "f16", "f16", "f16", "", 0),
    *[("f8f6f4", d, a, b, "", 0) for d in ("f32", "f16") for a in NARROW for b in NARROW],
    *[("mxf8f6f4", "f32", a, b, "ue8m0", 32) for a in NARROW for b in NARROW],
    ("mxf4", "f32", "e2m1", "e2m1", "ue8m0", 32), ("mxf4nvf4", "f32", "e2m1", "e2m1", "ue8m0", 32),
    ("mxf4nvf4", "f32", "e2m1", "e2m1", "ue8m0", 16),
    ("mxf4nvf4", "f32", "e2m1", "e2m1", "ue4m3", 16),
]  # fmt: skip


def random_bits(name: str, shape: tuple[int, int], rng: np.random.Generator) -> Codes:
    """Any code; infinities and NaN in few lines only."""
    codes = rng.integers(0, 1 << width(name), shape, dtype=np.uint64)
    rare = rng.random((shape[0], 1)) < 0.1
    return np.where(np.isfinite(decoded(name, codes)) | rare, codes, codes & np.uint64(1))


def near_one(name: str, shape: tuple[int, int], rng: np.random.Generator) -> Codes:
    """Exponents around that of 1, and some zeros: long sums that are cut off."""
    codes = random_bits(name, shape, rng)
    bits = width(name)
    exponent_bits = {"f16": 5, "bf16": 8, "tf32": 8, "e4m3": 4, "e5m2": 5}.get(name, 2)
    mantissa = bits - 1 - exponent_bits
    keep = np.uint64((1 << mantissa) - 1 | 1 << (bits - 1))
    bias = (1 << (exponent_bits - 1)) - 1
    powers = rng.integers(max(bias - 4, 0), bias + 2, shape, dtype=np.uint64)
    codes = codes & keep | powers << np.uint64(mantissa)
    return np.where(rng.random(shape) < 0.1, 0, codes)


def cancelling(name: str, shape: tuple[int, int], rng: np.random.Generator) -> Codes:
    """The second half of k repeats the first, so that signs can make sums vanish."""
    codes = near_one(name, shape, rng)
    half = shape[1] // 2
    codes[:, half:] = codes[:, :half]
    codes[::2, half:] ^= np.uint64(1 << (width(name) - 1))
    return codes


def tiny(name: str, shape: tuple[int, int], rng: np.random.Generator) -> Codes:
    """Subnormal numbers and the smallest normal ones."""
    mantissa = {"f16": 10, "bf16": 7, "tf32": 23, "e4m3": 3, "e5m2": 2, "e3m2": 2, "e2m3": 3}
    codes = rng.integers(0, 2 << mantissa.get(name, 1), shape, dtype=np.uint64)
    return codes | rng.integers(0, 2, shape, dtype=np.uint64) << np.uint64(width(name) - 1)


def low(name: str, shape: tuple[int, int], rng: np.random.Generator) -> Codes:
    """Products around the smallest sums, where a zero C has an exponent of its own."""
    codes = near_one(name, shape, rng)
    if name not in ("bf16", "tf32"):
        return codes
    mantissa = np.uint64(7 if name == "bf16" else 23)
    powers = rng.integers(127 - 82, 127 - 66, shape, dtype=np.uint64) << mantissa
    return codes & ~(np.uint64(255) << mantissa) | powers


Maker = Callable[[str, tuple[int, int], np.random.Generator], Codes]
MAKERS: tuple[Maker, ...] = (random_bits, near_one, cancelling, tiny, low)


def addends(name: str, rng: np.random.Generator) -> NDArray[Any]:
    """C: zeros, numbers near the sums, subnormal ones, and any bits."""
    kind = np.float16 if name == "f16" else np.float32
    bits = np.dtype(f"u{np.dtype(kind).itemsize}")
    shape = (ROWS, COLUMNS)
    c = (rng.normal(size=shape) * 2.0 ** rng.integers(-12, 6, shape)).astype(kind)
    c[::4] = 0
    c[1::8] = rng.integers(0, 1 << 8 * bits.itemsize, c[1::8].shape).astype(bits).view(kind)
    c[2::8] = rng.integers(0, 1 << 10, c[2::8].shape).astype(bits).view(kind)
    return c


def scale_codes(
    name: str, lines: int, blocks: int, rng: np.random.Generator, make: Maker
) -> NDArray[np.uint8]:
    """Scales within 2^20 of 1, all small ones, or any: NaN in few lines."""
    top, middle = (255, 127) if name == "ue8m0" else (127, 0x38)
    codes = rng.integers(middle - 20, middle + 21, (lines, blocks))
    if make is low and name == "ue8m0":
        codes -= 56
    elif make is random_bits or name == "ue4m3":
        codes = rng.integers(0, 256, (lines, blocks))
        codes[(codes & top == top) & (rng.random((lines, 1)) < 0.9)] = middle
    return codes.astype(np.uint8)


def tensor(torch: Any, name: str, codes: Codes, packed: bool) -> Any:
    """Codes as mmasim takes them: narrow types in bytes; `packed`: two of fp4, the first on top."""
    if packed:
        return torch.from_numpy((codes[:, ::2] << np.uint64(4) | codes[:, 1::2]).astype(np.uint8))
    if width(name) < 8:
        return torch.from_numpy((codes << np.uint64(6 - width(name))).astype(np.uint8))
    types = {"f16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32,
             "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2}  # fmt: skip
    return torch.from_numpy(codes.astype(f"u{width(name) // 8}")).view(types[name])


def modeled(case: Case) -> Any:
    """mmasim's model of a case."""
    sim = pytest.importorskip("mmasim.nv_ptx.sim", exc_type=Exception)
    kind, d, a, b, scales, each = case
    if not scales:
        name = f"m64n8k{DEPTHS[kind]}.kind::{kind}.{d}.{a}.{b}"
        return sim.TCGen05MMA("Blackwell", name)
    name = f"m128n8k{DEPTHS[kind]}.kind::{kind}.block{each}.{d}.{a}.{b}.{scales}"
    return sim.TCGen05MMABlockScale("Blackwell", name)


def outcome(case: Case, make: Maker, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    """D of mmasim and of the engine, as codes."""
    torch = pytest.importorskip("torch")
    kind, d, *types, scales, each = case
    model, depth = modeled(case), DEPTHS[kind]
    sides = [make(name, (n, depth), rng) for name, n in zip(types, (ROWS, COLUMNS), strict=True)]
    c = addends(d, rng)
    codes = [
        scale_codes(scales, n, depth // each, rng, make) if scales else None
        for n in (ROWS, COLUMNS)
    ]
    packed = kind.startswith("mxf4")
    a, b = (tensor(torch, name, side, packed) for name, side in zip(types, sides, strict=True))
    given = [a, b.T, torch.from_numpy(c)]
    if scales:
        form = torch.float8_e8m0fnu if scales == "ue8m0" else torch.float8_e4m3fn
        alpha, beta = (torch.from_numpy(each).view(form) for each in codes)
        given += [alpha, beta.T]
    bits = np.dtype(f"u{c.dtype.itemsize}")
    theirs = model(*given).numpy().view(bits)
    lines = [
        laid(
            side,
            name,
            how,
            rng,
            **({} if code is None else {"scales": code, "scale_format": FORMATS[scales]}),
        )
        for side, name, how, code in zip(sides, types, ("rows", "chunks"), codes, strict=True)
    ]
    multiply(lines[0], lines[1], tcgen05_rules(kind)[d], c)
    return theirs, c.view(bits)


@pytest.mark.parametrize("case", CASES, ids=lambda case: ".".join(map(str, case)))
def test_mmasim_gives_the_same_bits(case: Case) -> None:
    rng = np.random.default_rng(CASES.index(case))
    for make in MAKERS:
        theirs, ours = outcome(case, make, rng)
        assert np.array_equal(theirs, ours), (make.__name__, np.argwhere(theirs != ours)[:4])
