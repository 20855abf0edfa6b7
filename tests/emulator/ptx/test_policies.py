"""createpolicy has three forms, whose modifiers and operands have one order; ptxas agrees."""

from __future__ import annotations

import pytest

import lanemap
from lanemap.errors import UserError
from lanemap.toolchain import ptxas
from tests import ptx

_REGISTERS = ".reg .b64 d<4>; .reg .b32 r<4>; .global .b8 g[64];"
GOOD = (
    "createpolicy.fractional.L2::evict_last.b64 d0;",
    "createpolicy.fractional.L2::evict_last.L2::evict_first.b64 d0, 0.25;",
    "createpolicy.range.global.L2::evict_normal.L2::evict_unchanged.b64 d0, [d1], 64, 128;",
    "createpolicy.range.L2::evict_first.b64 d0, [d1], r0, r1;",
    "createpolicy.cvt.L2.b64 d0, d1;",
)
BAD = (
    "createpolicy.L2::evict_last.fractional.b64 d0;",
    "createpolicy.fractional.b64 d0;",
    "createpolicy.fractional.L2::evict_last.L2::evict_last.b64 d0;",
    "createpolicy.fractional.L2::evict_last.L2::evict_first.L2::evict_first.b64 d0;",
    "createpolicy.range.L2::evict_last.b64 d0, [d1], 64;",
    "createpolicy.cvt.b64 d0, d1;",
)


def _loads(line: str) -> bool:
    device = lanemap.open_device("sm_90a", device="emulator")
    try:
        device.load(ptx.entry(_REGISTERS + line, ""))["k"]
    except UserError:
        return False
    return True


@pytest.mark.parametrize("line", [*GOOD, *BAD])
def test_the_emulator_takes_what_the_isa_has(line: str) -> None:
    assert _loads(line) == (line in GOOD)


@pytest.mark.parametrize("line", [*GOOD, *BAD])
def test_ptxas_agrees(line: str) -> None:
    pytest.importorskip("nvidia")
    cubin, _ = ptxas.judge(ptx.entry(_REGISTERS + line, ""), "sm_90a")
    assert (cubin is not None) == (line in GOOD)
