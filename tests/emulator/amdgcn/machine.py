"""Run a few instructions on many values: a kernel around a body of assembly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import lanemap
from lanemap.toolchain.amdgcn_kernel import Kernel

Words = NDArray[np.uint32]
FIRST_INPUT, FIRST_SCALAR = 10, 16

#: Of a buffer at the scalars, in s[24:27].
DESCRIPTOR = """
s_mov_b32 s24, s8
s_and_b32 s25, s9, 0xffff
s_mov_b32 s26, {bytes}
s_mov_b32 s27, 0x00027000
"""

_BODY = """\
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  s_lshl_b32 s3, s2, 5
  s_waitcnt lgkmcnt(0)
  s_load_dwordx8 s[16:23], s[8:9], s3
  v_lshlrev_b32 v1, 2, v0
  v_lshl_add_u32 v1, s2, 8, v1
{loads}
  s_waitcnt vmcnt(0) lgkmcnt(0)
{body}
  s_mov_b64 exec, -1
  s_nop 4
{stores}
  s_endpgm
"""


def kernel(
    body: str,
    inputs: int,
    outputs: list[str],
    samples: int,
    *,
    lds: int = 65536,
    denormals: int = 3,
    ieee: int = 1,
    data: str = "",
    features: str = "",
    target: str = "gfx950",
) -> str:
    """The text of a kernel that loads v10.., runs the body and stores the output registers."""
    step = f"  s_add_u32 s{{0}}, s{{0}}, {4 * samples}\n  s_addc_u32 s{{1}}, s{{1}}, 0"
    loads = "\n".join(
        f"  global_load_dword v{FIRST_INPUT + i}, v1, s[4:5]\n{step.format(4, 5)}"
        for i in range(inputs)
    )
    stores = "\n".join(
        f"  global_store_dword v1, {register}, s[6:7]\n{step.format(6, 7)}" for register in outputs
    )
    modes = f".amdhsa_float_denorm_mode_32 {denormals}", f".amdhsa_ieee_mode {ieee}"
    around = Kernel(
        "k",
        ("given", "result", "words"),
        (),
        lds,
        512,
        98,
        1024,
        scratch_bytes=256,
        directives=modes,
    )
    text = around.text(_BODY.format(loads=loads, body=body, stores=stores), target)
    return text.replace(f'--{target}"', f'--{target}{features}"') + data


def run(
    body: str,
    vectors: list[Any],
    outputs: list[str],
    *,
    scalars: Any = None,
    hazards: Any = "raise",
    target: str = "gfx950",
    **options: Any,
) -> Words:
    """The output registers, as uint32[outputs, samples].

    Args:
        body: Assembly; v10.. hold `vectors`, s16..s23 the row of `scalars` of the work-group,
            v0 the lane, s2 the work-group. Use v2-v9, v20-v255 and s24.. as you like.
        vectors: Arrays of `samples` 32-bit words, a multiple of 64.
        outputs: VGPRs to return.
        scalars: uint32[groups, 8].
    """
    rows = [np.ascontiguousarray(v).view(np.uint32).reshape(-1) for v in vectors]
    samples = len(rows[0]) if rows else 64
    groups = samples // 64
    device = lanemap.open_device(target, device="emulator", hazards=hazards)
    text = kernel(body, len(rows), outputs, samples, target=target, **options)
    given = device.array(np.concatenate(rows) if rows else np.zeros(1, np.uint32))
    if scalars is None:
        scalars = np.zeros((groups, 8), np.uint32)
    words = device.array(np.ascontiguousarray(scalars, np.uint32).reshape(-1))
    result = device.zeros(len(outputs) * samples, np.uint32)
    device.load(text)["k"]((groups, 1, 1), (64, 1, 1), (given, result, words))
    found: Words = result.get().reshape(len(outputs), samples)
    return found


_EDGES = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000,
          0xFFFF, 0x10000, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000,
          0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0x00010002]  # fmt: skip


def words(seed: int, samples: int = 512) -> Words:
    """Random words mixed with edge values and small numbers."""
    rng = np.random.default_rng(seed)
    random = rng.integers(0, 1 << 32, samples, dtype=np.uint32)
    edges = rng.choice(np.array(_EDGES, np.uint32), samples)
    small = rng.integers(0, 40, samples).astype(np.uint32)
    return np.choose(rng.integers(0, 3, samples), [random, edges, small]).astype(np.uint32)


def int_list(values: Words) -> list[int]:
    """As Python integers."""
    return [int(value) for value in values]
