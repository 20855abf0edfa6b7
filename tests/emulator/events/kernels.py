"""Kernels of one body for the tests of counts, on the emulator device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lanemap
from lanemap.devices.emulator import Counts, EmulatorDevice, InstructionCount

_PTX = """.version 8.7
.target {target}
.address_size 64
{functions}
.visible .entry k({parameters}) {{
.reg .pred %p, %q; .reg .b16 %h<4>; .reg .b32 %t, %c, %r<40>; .reg .b64 %d<20>; .reg .f32 %f<8>;
.shared .align 128 .b8 tile[{shared}];
{body}
ret;
}}
"""

_GFX = """.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
.text
.p2align 8
k:
{body}
  s_endpgm
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 16
  .amdhsa_next_free_vgpr 256
  .amdhsa_next_free_sgpr 64
  .amdhsa_accum_offset 128
  .amdhsa_group_segment_fixed_size 65536
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
      - {{.offset: 0, .size: 8, .value_kind: global_buffer}}
      - {{.offset: 8, .size: 8, .value_kind: global_buffer}}
...
.end_amdgpu_metadata
"""


def ptx(
    body: str,
    *,
    parameters: str = ".param .u64 a, .param .u64 b",
    shared: int = 65536,
    functions: str = "",
    target: str = "sm_90a",
) -> str:
    """A text whose kernel k has this body, and as many registers and shared bytes as it likes."""
    return _PTX.format(
        body=body, parameters=parameters, shared=shared, functions=functions, target=target
    )


def gfx(body: str) -> str:
    """An assembly text whose kernel k has this body and two pointers as arguments."""
    return _GFX.format(body=body)


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
