"""v_trig_preop_f64, by which sines of large numbers are reduced, against 2 / pi and clang."""

from __future__ import annotations

import re
import struct
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from .clang import C
from .clang import run as clang
from .machine import words
from .numbers import rounded
from .test_convert import one

KERNEL = """
#define TRIG __builtin_amdgcn_trig_preop
__attribute__((amdgpu_kernel)) void k(__attribute__((address_space(1))) double *out) {{
{stores}
}}
"""


def expected(bits: int, segment: int) -> float:
    """53 bits of 2 / pi from the segment's on, in their place (AMD CDNA4 ISA, V_TRIG_PREOP_F64)."""
    exponent = bits >> 52 & 0x7FF
    shift = 53 * (segment & 31) + max(exponent - 1077, 0)
    with mpmath.workprec(1400):
        two_by_pi = int(mpmath.floor(2 / mpmath.pi * mpmath.mpf(2) ** 1300))
    window = two_by_pi >> 1300 - 53 - shift & (1 << 53) - 1
    return rounded(window * Fraction(2) ** (-53 - shift + (128 if exponent >= 1968 else 0)), "f64")


def test_bits_of_two_by_pi() -> None:
    """For every segment that a reduction asks for, of small and of large numbers."""
    rng = np.random.default_rng(760)
    number = rng.integers(0, 1 << 63, 512, dtype=np.uint64)
    exponents = np.resize([0, 1, 1023, 1076, 1077, 1078, 1500, 1967, 1968, 2000, 2046], 512)
    number = (number & np.uint64((1 << 52) - 1)) | exponents.astype(np.uint64) << np.uint64(52)
    segment = words(761).astype(np.uint32) % 3
    found = one(
        "v_trig_preop_f64 v[20:21], v[10:11], v12",
        [number.view(np.float64), segment.view(np.float32)],
        2,
    )
    values = (found[0].astype(np.uint64) | found[1].astype(np.uint64) << np.uint64(32)).view(
        np.float64
    )
    assert values.tolist() == [
        expected(int(x), int(s)) for x, s in zip(number, segment, strict=True)
    ]


def test_as_clang_folds_it() -> None:
    """Also behind the bits that the hardware holds, and of a NaN."""
    pytest.importorskip("ziglang")
    cases = [(1.0, 20), (1.0, 21), (1.0, 22), (2.0**500, 9), (1e308, 2), (1e308, 3), (5e-324, 1),
             (3.0**600, 35), (float("inf"), 1), (float("inf"), 31)]  # fmt: skip
    stores = "\n".join(
        f"out[{i}] = TRIG({value.hex() if value < 1e400 else '__builtin_inf()'}, {segment});"
        for i, (value, segment) in enumerate(cases)
    )
    text = clang([*C, "-O2", "-S", "-emit-llvm", "-", "-o", "-"], KERNEL.format(stores=stores))
    assert text.returncode == 0, text.stderr
    folded = [
        struct.unpack(">d", bytes.fromhex(match.zfill(16)))[0] if match else float(plain)
        for match, plain in re.findall(r"store double (?:0x([0-9A-F]+)|([-+.e\d]+)),", text.stdout)
    ]
    assert len(folded) == len(cases) and 0 in folded
    numbers = np.resize(np.array([x for x, _ in cases]), 64)
    segments = np.resize(np.array([s for _, s in cases], np.uint32), 64)
    found = one("v_trig_preop_f64 v[20:21], v[10:11], v12", [numbers, segments.view(np.float32)], 2)
    values = (found[0].astype(np.uint64) | found[1].astype(np.uint64) << np.uint64(32)).view(
        np.float64
    )
    assert values[: len(cases)].tolist() == folded
