"""What an H200 was seen to do where the PTX ISA says less, or ptxas does not do what it says."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from lanemap.emulator.ptx import load
from lanemap.emulator.ptx.text.errors import PtxError
from tests import ptx
from tests.emulator.ptx import launching


def one(instruction: str, *inputs: int, bits: int = 32, wide: bool = False) -> int:
    """Execute `instruction`, which reads %x0, %x1, .. and writes %y of so many bits."""
    names = re.findall(r"%\w+", instruction)
    long = wide or bits == 64
    widths = {
        name: (64 if long and value >> 32 else 32)
        for name, value in zip(sorted({n for n in names if n[1] == "x"}), inputs, strict=True)
    }
    loads = "".join(
        f".reg .b{width} {name}; ld.param.b{width} {name}, [p+{8 * i}];\n"
        for i, (name, width) in enumerate(widths.items())
    )
    text = ptx.module(
        f".visible .entry k(.param .u64 out, .param .align 8 .b8 p[40]) {{\n"
        f".reg .b64 %o; .reg .b{bits} %y;\nld.param.u64 %o, [out];\n{loads}{instruction}\n"
        f"st.global.b{bits} [%o], %y;\nret; }}\n"
    )
    data = b"".join(value.to_bytes(8, "little") for value in inputs).ljust(40, b"\0")
    (out,) = ptx.launch(text, np.zeros(1, f"u{bits // 8}"), data, block=1)
    return int(out[0])


@pytest.mark.parametrize(
    ("instruction", "inputs", "result"),
    [
        ("vadd.u32.u32.u32.sat %y, %x0, %x1;", (0x1545A1F6, 0xFFFFFFFE), 0x1545A1F4),
        ("vadd.u32.s32.s32.max %y, %x0, %x1, %x2;", (2, 0xEF704DE6, 0xFFFFFFFE), 0xEF704DE8),
        ("vabsdiff.u32.s32.u32.sat %y, %x0, %x1;", (0xD8AD64CD, 0xFFFBFFFF), 0x274E9B32),
        ("vshl.s32.s32.u32.clamp.max %y, %x0, %x1, %x2;", (0x10000, 0x34, 0x03FF8400), 0),
        (
            "vmad.u32.u32.u32.shr7 %y, %x0, %x1, %x2;",
            (0xFF800000, 0xB133683F, 0x7FFFFF),
            0x97C1FFFF,
        ),
        ("vmad.s32.u32.u32.sat %y, %x0, %x1, %x2;", (0x80000000, 0x18101, 0x80000000), 0),
    ],
)
def test_video_instructions_of_whole_words(
    instruction: str, inputs: tuple[int, ...], result: int
) -> None:
    assert one(instruction, *inputs) == result


@pytest.mark.parametrize(
    ("instruction", "inputs", "result"),
    [
        ("bfe.u64 %y, %x0, %x1, %x2;", (0x7FFFFFFFFFFFFFFF, 0x100, 0xFF), 0),
        ("bfe.u64 %y, %x0, %x1, %x2;", (0xF3310698D21ACD91, 0x17, 0x80000000), 0x1E6620D31A4),
        ("bfi.b64 %y, %x0, %x1, %x2, %x3;",
         (0xFFFFFFF800000000, 0xFFFFFFFFFFFFFFF7, 0x10000, 0x12), 0xFFFFFFFFFFFFFFF7),
    ],
)  # fmt: skip
def test_positions_beyond_a_byte_in_64_bits(
    instruction: str, inputs: tuple[int, ...], result: int
) -> None:
    assert one(instruction, *inputs, bits=64) == result


def test_a_product_of_f16_that_rounds_up_to_a_normal_number_is_flushed() -> None:
    instruction = ".reg .b16 %a, %b; mov.b32 {%a, %b}, %x0; mul.rn.FTZf16 %a, %a, %b; "
    instruction += "mov.b32 %y, {%a, %b};"
    assert one(instruction.replace("FTZ", "ftz."), 0x840003FF | 0x3BFF) & 0xFFFF == 0x8000
    assert one(instruction.replace("FTZ", ""), 0x84003BFF) & 0xFFFF == 0x8400


@pytest.mark.parametrize(
    ("instruction", "inputs", "result"),
    [
        # subnormal with unbounded exponents, though its place would round it up
        ("mul.rn.ftz.f32 %y, %x0, %x1;", (0x3F7FFFFF, 0x80800000), 0x80000000),
        ("mul.rn.f32 %y, %x0, %x1;", (0x3F7FFFFF, 0x80800000), 0x80800000),
        ("fma.rn.ftz.f32 %y, %x0, %x1, %x2;", (0x3F7FFFFF, 0x00800000, 0), 0),
        ("fma.rp.ftz.f32 %y, %x0, %x1, %x2;", (0x00FFFFFF, 0x3F000000, 0x80400000), 0),
        ("div.rn.ftz.f32 %y, %x0, %x1;", (0x00FFFFFF, 0x40000000), 0),
        ("div.rn.f32 %y, %x0, %x1;", (0x00FFFFFF, 0x40000000), 0x00800000),
        # rounded to 24 bits it is the smallest normal number
        ("fma.rp.ftz.f32 %y, %x0, %x1, %x2;", (0x00800001, 0x80800001, 0x00800000), 0x00800000),
        ("fma.rn.ftz.f32 %y, %x0, %x1, %x2;", (0x00800001, 0x80800001, 0x00800000), 0x00800000),
        ("cvt.rn.ftz.f32.f64 %y, %x0;", (0x380FFFFFFFFFFFFF,), 0x00800000),
        ("cvt.rz.ftz.f32.f64 %y, %x0;", (0x380FFFFFFFFFFFFF,), 0),
    ],
)
def test_what_is_too_small_for_ftz(instruction: str, inputs: tuple[int, ...], result: int) -> None:
    assert one(instruction, *inputs, wide=inputs[0] >> 32 != 0) == result


def test_the_smallest_offset_of_fns_gives_zero() -> None:
    assert one("fns.b32 %y, %x0, %x1, %x2;", 0xFFFFDFFF, 3, 0x80000000) == 0
    assert one("fns.b32 %y, %x0, %x1, %x2;", 0xFFFFDFFF, 3, 0x80000001) == 0xFFFFFFFF


def test_constants_lie_in_no_global_memory() -> None:
    ask = "mov.u64 %a, c; cvta.const.u64 %a, %a; isspacep.SPACE %p, %a; selp.u32 %y, 1, 0, %p;"
    for space, result in (("const", 1), ("global", 0)):
        body = f"""\
            .reg .b64 %a; .reg .b32 %y; .reg .pred %p;
            {ask.replace("SPACE", space)} st.global.b32 [%out], %y;"""
        text = ptx.entry(body, before=".const .align 4 .b32 c = 7;\n")
        (out,) = ptx.launch(text, np.zeros(1, np.uint32), block=1)
        assert out.tolist() == [result]


def atomic(space: str, kind: str, old: int, operand: int) -> int:
    """What `atom.add` leaves of `old`."""
    bits = int(kind[1:])
    text = ptx.module(
        f".visible .entry k(.param .u64 out, .param .align 8 .b8 p[16]) {{\n"
        f".reg .b64 %o, %c; .reg .b{bits} %x, %y; .shared .align 8 .b8 s[8];\n"
        "ld.param.u64 %o, [out];\nmov.b64 %c, PLACE;\n"
        f"ld.param.b{bits} %x, [p];\nst.{space}.b{bits} [%c], %x;\nld.param.b{bits} %x, [p+8];\n"
        f"atom.{space}.add.{kind} %y, [%c], %x;\nld.{space}.b{bits} %y, [%c];\n"
        f"st.global.b{bits} [%o], %y;\nret; }}\n"
    ).replace("PLACE", "%o" if space == "global" else "s")
    data = old.to_bytes(8, "little") + operand.to_bytes(8, "little")
    (out,) = ptx.launch(text, np.zeros(1, f"u{bits // 8}"), data, block=1)
    return int(out[0])


def test_floats_are_added_in_global_memory_without_subnormals_and_in_shared_with() -> None:
    assert atomic("global", "f32", 0x38800000, 0x007FFFFF) == 0x38800000
    assert atomic("global", "f32", 0x007FFFFF, 0x00000001) == 0
    assert atomic("shared", "f32", 0x007FFFFF, 0x00000001) == 0x00800000


def test_a_sum_in_memory_that_is_no_number() -> None:
    for space in ("global", "shared"):
        assert atomic(space, "f32", 0x7FC00001, 0x3F800000) == 0x7FFFFFFF
    kept = 0xFFF0BADC0DE00000  # a signalling NaN, which stays one
    assert atomic("global", "f64", kept, 0x3FF0000000000000) == kept
    assert atomic("global", "f64", 0x7FF8000000000000, kept) == kept


CLUSTER = ptx.entry("""\
.reg .b32 %t, %v, %a; .reg .b64 %k; .shared .align 4 .b8 s[256];
mov.u32 %t, %tid.x; shl.b32 %t, %t, 2; mov.u32 %a, s; add.u32 %v, %a, %t;
st.shared.b32 [%v], %t;
FENCE
barrier.cluster.arrive.relaxed; barrier.cluster.wait;
xor.b32 %v, %t, 128; add.u32 %v, %v, %a; ld.shared.b32 %v, [%v];
cvt.u64.u32 %k, %t; add.u64 %k, %k, %out; st.global.b32 [%k], %v;""")


def test_a_fence_before_a_relaxed_arrival_orders_what_came_before_it() -> None:
    text = CLUSTER.replace("FENCE", "fence.acq_rel.cluster;")
    (out,) = ptx.launch(text, np.zeros(64, np.uint32), block=64)
    assert out.tolist() == [(4 * i) ^ 128 for i in range(64)]
    with pytest.raises(Hazard, match="without being ordered"):
        ptx.launch(CLUSTER.replace("FENCE", ""), np.zeros(64, np.uint32), block=64)


@pytest.mark.parametrize("kind", ["b8", "u16"])
def test_vectors_of_eight_have_elements_of_32_bits(kind: str) -> None:
    register = ".reg .b16 %h<8>; .reg .b64 %a; mov.b64 %a, 0;"
    vector = "{%h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7}"
    for line in (f"ld.global.v8.{kind} {vector}, [%a];", f"st.global.v8.{kind} [%a], {vector};"):
        with pytest.raises(PtxError, match=r"no syntax table"):
            text = ptx.entry(f"{register} {line}", "")
            launching.require(load(text, "v8.ptx"))
