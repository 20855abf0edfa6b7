"""Conversions from and to ue8m0x2, held to the definition of E8M0.

A code n stands for 2^(n - 127), and 0xff for NaN (OCP Microscaling Formats 1.0, 5.4.1). What a
conversion makes of infinity and of what no code is great enough for is said by NVIDIA's
cuda_fp8.hpp, __nv_cvt_float_to_e8m0.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests import ptx

LANES = 32
# Registers of the widths that conversions need; %x and %y are a lane's inputs.
_BODY = """\
.reg .b64 %at; .reg .b32 %lane, %x, %y, %wide; .reg .b16 %codes;
mov.u32 %lane, %tid.x; mul.wide.u32 %at, %lane, 8;
add.u64 %out, %out, %at; add.u64 %in, %in, %at;
ld.global.v2.b32 {{%x, %y}}, [%in];
{body}
st.global.b32 [%out], %wide; st.global.b32 [%out+4], 0;"""
POWERS = [2.0 ** (n - 127) for n in range(256)]  # the last one is too great for any code
MAGNITUDES = [
    0.0, 2.0**-149, 2.0**-128, 2.0**-127, 2.0**-127 + 2.0**-149, 2.0**-126, 1.5 * 2.0**-126, 0.75,
    1.0, 1.0 + 2.0**-23, 2.0 - 2.0**-23, 3.0, 2.0**126, 2.0**127, 1.5 * 2.0**127, math.inf,
]  # fmt: skip
VALUES = [*MAGNITUDES, *(-each for each in MAGNITUDES), math.nan]


def _run(body: str, pairs: np.ndarray) -> np.ndarray:
    """What `body` leaves in %wide for each pair of 32-bit inputs."""
    text = ptx.entry(_BODY.format(body=body), "out in", target="sm_100a")
    results = []
    for at in range(0, len(pairs), LANES):
        some = pairs[at : at + LANES]
        out = np.zeros((len(some), 2), np.uint32)
        out, _ = ptx.launch(text, out, some, block=len(some))
        results.append(out[:, 0])
    return np.concatenate(results)


def _code(value: float, up: bool, finite: bool) -> int:
    """The nearest power below or above, by search."""
    if math.isnan(value) or (math.isinf(value) and not finite):
        return 255
    if math.isinf(value):
        return 254
    if up:
        code = next(n for n, power in enumerate(POWERS) if power >= abs(value))
    else:
        code = max((n for n, power in enumerate(POWERS) if power <= abs(value)), default=0)
    return min(code, 254) if finite else code


@pytest.mark.parametrize("source", ["f32", "bf16x2"])
@pytest.mark.parametrize("finite", [False, True])
@pytest.mark.parametrize("up", [False, True])
def test_exponents_of_floats(up: bool, finite: bool, source: str) -> None:
    """The first operand goes to the upper byte; the upper half of a bf16x2 does too."""
    bits = np.array(VALUES, np.float32).view(np.uint32)
    if source == "bf16x2":
        bits &= np.uint32(0xFFFF0000)
    pairs = np.stack([bits, np.roll(bits, 5)], axis=1)
    convert = f"cvt.{'rp' if up else 'rz'}{'.satfinite' * finite}.ue8m0x2.{source}"
    body = f"{convert} %codes, %x, %y;\n"
    if source == "bf16x2":
        body = f"prmt.b32 %x, %y, %x, 0x7632;\n{convert} %codes, %x;\n"
    got = _run(f"{body}cvt.u32.u16 %wide, %codes;", pairs)
    codes = [_code(float(each), up, finite) for each in bits.view(np.float32)]
    expected = [high << 8 | low for high, low in zip(codes, np.roll(codes, 5), strict=True)]
    assert got.tolist() == expected


def test_floats_of_exponents() -> None:
    """All codes, each beside another one. NaN is the canonical one of bf16x2, 0x7fff."""
    low = np.arange(256)
    high = np.roll(low, 77)
    pairs = np.stack([high << 8 | low, 0 * low], axis=1).astype(np.uint32)
    got = _run("cvt.u16.u32 %codes, %x;\ncvt.rn.bf16x2.ue8m0x2 %wide, %codes;", pairs)
    powers = np.array(POWERS[:255], np.float32).view(np.uint32) >> 16
    halves = np.append(powers, 0x7FFF)
    assert got.tolist() == (halves[high] << 16 | halves[low]).tolist()
