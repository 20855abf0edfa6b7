"""Which argument an address comes from: named where one alone is reached, and else not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap

HEAD = """.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 a_ptr, .param .u64 b_ptr, .param .u64 c_ptr, .param .u32 stride)
{
  .reg .b32 %r<9>; .reg .b64 %rd<12>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [a_ptr];
  ld.param.u64 %rd2, [b_ptr];
  ld.param.u64 %rd3, [c_ptr];
  ld.param.u32 %r1, [stride];
  mov.u32 %r2, %tid.x;
  mul.lo.u32 %r3, %r2, %r1;
  cvt.u64.u32 %rd4, %r3;
"""
B_BYTES = 262_144


def launched(body: str, stride: int = B_BYTES // 4, head: str = HEAD) -> Any:
    """The device after a launch of four threads, the last of which is past the end of `b`."""
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    a = device.zeros(1024, np.uint32, name="a")
    b = device.zeros(B_BYTES // 4, np.uint32, name="b")
    c = device.zeros(64, np.uint32, name="c")
    device.load(f"{head}{body}\n  ret;\n}}")["k"](1, 5, (a, b, c, np.uint32(stride)))
    return device


FROM_B = {
    "an offset": "  add.u64 %rd5, %rd2, %rd4;",
    "another space": "  cvta.to.global.u64 %rd6, %rd2;\n  add.u64 %rd5, %rd6, %rd4;",
    "a loop": """  mov.u64 %rd5, %rd2;
  mov.u32 %r4, 0;
again:
  add.u64 %rd5, %rd5, %rd4;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 1;
  @%p1 bra again;""",
    "an index from memory": """  ld.global.u32 %r4, [%rd1];
  cvt.u64.u32 %rd6, %r4;
  add.u64 %rd6, %rd6, %rd4;
  add.u64 %rd5, %rd2, %rd6;""",
    "a condition on another": """  setp.ne.u64 %p1, %rd1, 0;
  selp.b64 %rd5, %rd4, 0, %p1;
  add.u64 %rd5, %rd2, %rd5;""",
    "a register of another before": "  mov.u64 %rd5, %rd1;\n  add.u64 %rd5, %rd2, %rd4;",
}
FROM_NOBODY = {
    "one of two": """  setp.ne.u32 %p1, %r2, 9;
  selp.b64 %rd5, %rd2, %rd1, %p1;
  add.u64 %rd5, %rd5, %rd4;""",
    "one of two paths": """  mov.u64 %rd5, %rd1;
  setp.ne.u32 %p1, %r2, 9;
  @%p1 mov.u64 %rd5, %rd2;
  add.u64 %rd5, %rd5, %rd4;""",
    "a pointer from memory": """  st.global.u64 [%rd1], %rd2;
  ld.global.u64 %rd5, [%rd1];
  add.u64 %rd5, %rd5, %rd4;""",
    "a difference": """  sub.u64 %rd6, %rd2, %rd1;
  add.u64 %rd5, %rd1, %rd6;
  add.u64 %rd5, %rd5, %rd4;""",
}


def beyond(body: str) -> Any:
    found = launched(f"{body}\n  ld.global.u32 %r5, [%rd5];\n  st.global.u32 [%rd3], %r5;").findings
    (finding,) = (each for each in found if each.kind == "out-of-bounds")
    return finding


@pytest.mark.parametrize("how", FROM_B)
def test_the_argument_is_named(how: str) -> None:
    finding = beyond(FROM_B[how])
    assert finding.to_json()["argument"] == {
        "number": 1,
        "name": "b_ptr",
        "array": "array `b`",
        "size": B_BYTES,
    }
    assert "; the address is derived from b_ptr (CTA 0" in finding.message()


@pytest.mark.parametrize("how", FROM_NOBODY)
def test_no_argument_is_named_where_several_may_be_meant(how: str) -> None:
    finding = beyond(FROM_NOBODY[how])
    assert finding.to_json()["argument"] is None and "derived" not in finding.message()


def test_an_argument_of_cpp_is_named_by_its_place() -> None:
    """nvcc calls the parameters of `k` k_param_0, k_param_1, .."""
    head = HEAD
    for place, name in enumerate(("a_ptr", "b_ptr", "c_ptr", "stride")):
        head = head.replace(name, f"k_param_{place}")
    body = f"{FROM_B['an offset']}\n  ld.global.u32 %r5, [%rd5];"
    (finding,) = launched(body, head=head).findings
    assert "derived from argument 1 " in finding.message()


STRIDES = """  add.u64 %rd5, %rd2, %rd4;
  mul.wide.u32 %rd7, %r2, 4;
  add.u64 %rd8, %rd3, %rd7;
  st.global.u32 [%rd8], %r2;
  ld.global.u32 %r5, [%rd5];
  add.u64 %rd9, %rd1, %rd7;
  st.global.u32 [%rd9], %r5;"""


def test_the_wrong_stride_comes_before_the_race_that_it_makes() -> None:
    """`b` is 262,144 bytes, and a guard of 65,536 lies behind it: byte 327,680 from it is c's 0."""
    device = launched_apart(STRIDES)
    races = [hazard for hazard in device.hazards if hazard.kind == "order"]
    assert races and "array `c`" in str(races[0])
    first = device.findings[0]
    assert first.kind == "out-of-bounds"
    assert (
        "is derived from b_ptr, array `b` of 262,144 bytes, but lies in array `c`"
        in first.message()
    )
    assert all(finding.kind == "out-of-bounds" for finding in device.findings)


def launched_apart(body: str) -> Any:
    """Two CTAs of a thread: one stores c[0], the other reads it, from b."""
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    a = device.zeros(1024, np.uint32, name="a")
    b = device.zeros(B_BYTES // 4, np.uint32, name="b")
    c = device.array(np.ones(64, np.uint32), name="c")
    assert c.address - b.address == B_BYTES + 65_536
    head = HEAD.replace("%tid.x", "%ctaid.x")
    device.load(f"{head}{body}\n  ret;\n}}")["k"](2, 1, (a, b, c, np.uint32(c.address - b.address)))
    a.get()
    return device
