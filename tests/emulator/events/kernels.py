"""Kernels of one body for the tests of counts, on the emulator device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lanemap
from lanemap.devices.emulator import Counts, EmulatorDevice, InstructionCount
from lanemap.toolchain.amdgcn_kernel import Kernel
from tests.ptx import module

_PTX = """\
{functions}
.visible .entry k({parameters}) {{
.reg .pred %p, %q; .reg .b16 %h<4>; .reg .b32 %t, %c, %r<40>; .reg .b64 %d<20>; .reg .f32 %f<8>;
.shared .align 128 .b8 tile[{shared}];
{body}
ret;
}}
"""

_GFX = Kernel("k", ("a", "b"), (), 65536, 128, 62, 128)


def ptx(
    body: str,
    *,
    parameters: str = ".param .u64 a, .param .u64 b",
    shared: int = 65536,
    functions: str = "",
    target: str = "sm_90a",
) -> str:
    """A text whose kernel k has this body, and as many registers and shared bytes as it likes."""
    text = _PTX.format(body=body, parameters=parameters, shared=shared, functions=functions)
    return module(text, target)


def gfx(body: str) -> str:
    """An assembly text whose kernel k has this body and two pointers as arguments."""
    return _GFX.text(f"{body}\n  s_endpgm")


def device(target: str = "sm_90a", **more: Any) -> EmulatorDevice:
    """An emulator of its own."""
    opened = lanemap.open_device(target, "emulator", **more)
    assert isinstance(opened, EmulatorDevice)
    return opened


def counted(
    opened: EmulatorDevice, text: str, grid: Any, block: Any, args: Sequence[Any], **more: Any
) -> Counts:
    """What one launch of k does."""
    kernel = opened.load(text)["k"]
    with opened.count() as counts:
        kernel(grid, block, args, **more)
    assert counts.launches == 1
    return counts


def of(counts: Counts, begins: str) -> list[InstructionCount]:
    """The instructions whose text begins so."""
    return [one for one in counts.instructions if one.text.startswith(begins)]


def waves_and_lanes(counts: Counts, begins: str) -> tuple[int, int]:
    """Executions of the only instruction whose text begins so."""
    (one,) = of(counts, begins)
    return one.executed.waves, one.executed.lanes
