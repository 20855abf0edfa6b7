"""redux.sync of floats held to NumPy, with what the PTX ISA says of NaN, .abs and zeros.

PTX ISA, redux.sync: +0 is greater than -0; a NaN does not count unless all are NaN, but is the
result with .NaN; the NaN that comes out is the canonical one.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests import ptx

NAN = 0x7FFFFFFF
_BODY = """\
.reg .b64 %at; .reg .b32 %lane; .reg .f32 %v, %r;
mov.u32 %lane, %tid.x; mul.wide.u32 %at, %lane, 4;
add.u64 %out, %out, %at; add.u64 %in, %in, %at; ld.global.f32 %v, [%in];
redux.sync.{name}.f32 %r, %v, -1;
st.global.f32 [%out], %r;"""


def _reduced(name: str, values: np.ndarray) -> int:
    """The bits that every lane gets."""
    text = ptx.entry(_BODY.format(name=name), "out in", target="sm_100a")
    out, _ = ptx.launch(text, np.zeros(32, np.uint32), values.astype(np.float32))
    (only,) = set(out.tolist())
    return int(only)


def _bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


@pytest.mark.parametrize("sign", [1, -1, 0])
@pytest.mark.parametrize("magnitude", ["", ".abs"])
@pytest.mark.parametrize("operation", ["min", "max"])
def test_the_least_and_the_greatest(operation: str, magnitude: str, sign: int) -> None:
    """All positive, all negative, or of both signs; with one NaN, which counts only with .NaN."""
    chance = np.random.default_rng(3)
    values = chance.permutation(np.exp2(np.linspace(-140, 120, 32))).astype(np.float32)
    values *= sign or chance.choice([-1, 1], 32)
    name = f"{operation}{magnitude}"
    counted = np.abs(values) if magnitude else values
    assert _reduced(name, values) == _bits(getattr(np, operation)(counted))
    assert _reduced(f"{name}.NaN", values) == _bits(getattr(np, operation)(counted))
    values[11] = np.nan
    counted = np.delete(counted, 11)
    assert _reduced(name, values) == _bits(getattr(np, operation)(counted))
    assert _reduced(f"{name}.NaN", values) == NAN


@pytest.mark.parametrize("name", ["min", "max", "min.abs.NaN", "max.NaN"])
def test_nothing_but_nan(name: str) -> None:
    assert _reduced(name, np.full(32, np.nan)) == NAN


def test_zeros_have_an_order() -> None:
    zeros = np.zeros(32, np.float32)
    zeros[5] = -0.0
    assert (_reduced("min", zeros), _reduced("max", -zeros)) == (0x80000000, 0)
