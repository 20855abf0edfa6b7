"""Memory of the stack, and instructions that are hints: what of their operands is checked.

NVIDIA PTX ISA, Stack Manipulation; Data Movement: cp.async.bulk.prefetch.tensor, prmt.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.emulator.api import Hazard
from tests import ptx


@pytest.mark.parametrize("kind", ["u32", "u64"])
def test_allocations_on_the_stack_are_aligned_and_apart(kind: str) -> None:
    bits = kind[1:]
    sizes = ((1, ""), (3, ", 1"), (40, ""), (5, ", 64"), (16, ", 16"), (1, ", 2"))
    body = f".reg .b{bits} %p<7>, %s, %n; .reg .b64 %x; .reg .b32 %v; stacksave.{kind} %s;\n"
    for i, (size, align) in enumerate(sizes):
        body += f"mov.u{bits} %n, {size}; alloca.{kind} %p{i}, %n{align};\n"
        body += f"st.local.u8 [%p{i}], {i + 1}; st.local.u8 [%p{i} + {size - 1}], {i + 1};\n"
    for i in range(len(sizes)):
        body += f"ld.local.u8 %v, [%p{i}]; st.global.u32 [%out + {8 * i}], %v;"
        body += f"cvt.u32.{kind} %v, %p{i}; st.global.u32 [%out + {8 * i + 4}], %v;\n"
    body += f"stackrestore.{kind} %s; alloca.{kind} %n, 8; cvt.u32.{kind} %v, %n;"
    body += "st.global.u32 [%out + 48], %v;"
    got, *_ = ptx.launch(ptx.entry(body), np.zeros(13, np.uint32), block=1)
    values, places = got[:12:2].tolist(), got[1:12:2].tolist()
    assert values == [1, 2, 3, 4, 5, 6]
    for place, (_, align) in zip(places, sizes, strict=True):
        assert place % int(align[2:] or 8) == 0
    for (place, (size, _)), after in zip(zip(places, sizes, strict=True), places[1:], strict=False):
        assert place + size <= after < place + size + 64
    assert got[12] == places[0]


PREFETCH = """\
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {{
.reg .b64 %m; .reg .b32 %x, %y; .reg .pred %p; mov.b64 %m, map; cvta.param.u64 %m, %m;
mov.b32 %y, 3; setp.ne.b32 %p, %y, {given}; @%p mov.b32 %x, 8;
cp.async.bulk.prefetch.tensor.2d.L2.global{hint} [%m, {{%x, %y}}]{policy}; // here
ret;
}}
"""


@pytest.mark.parametrize(("hint", "policy"), [(".tile", ""), (".L2::cache_hint", ", 0")])
def test_a_prefetch_of_a_box_needs_its_coordinates(hint: str, policy: str) -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    out = device.zeros((64, 64), np.float16)
    box = device.tensor_map(out, (8, 16))

    def run(given: int) -> None:
        text = ptx.module(PREFETCH.format(given=given, hint=hint, policy=policy))
        device.load(text)["k"](1, 1, (box, out))

    run(4)
    with pytest.raises(Hazard, match="which nothing had written"):
        run(3)


def test_a_prefetch_needs_a_map() -> None:
    device: Any = lanemap.open_device("sm_90a", device="emulator")
    out = device.zeros((64, 64), np.float16)
    text = PREFETCH.format(given=4, hint="", policy="").replace(
        "cvta.param.u64 %m, %m", "ld.param.u64 %m, [out]"
    )
    with pytest.raises(Hazard, match="tensor map"):
        device.load(ptx.module(text))["k"](1, 1, (device.tensor_map(out, (8, 16)), out))


@pytest.mark.parametrize(
    "words",
    ["prmt.b32 %v, %w, %w, %u", "prmt.b32.f4e %v, %w, %w, %u", "match.any.sync.b32 %v, %u, -1",
     "bar.warp.sync %u", "barrier.cta.arrive %u, 64", "barrier.cta.arrive 1, %u"],
)  # fmt: skip
def test_an_undefined_operand_that_decides_is_a_hazard(words: str) -> None:
    body = f""".reg .pred %p; .reg .b32 %t, %u, %v, %w; mov.u32 %t, %tid.x; mov.b32 %w, 7;
setp.ne.u32 %p, %w, 7; @%p mov.b32 %u, 1;
{words}; // here"""
    with pytest.raises(Hazard, match="which nothing had written"):
        ptx.launch(ptx.entry(body), np.zeros(8, np.uint32), block=64)
