"""Which argument an address comes from: named where one alone is reached, and else not at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from tests import ptx

PARAMETERS = ("a_ptr", "b_ptr", "c_ptr", "stride")
BEGIN = """\
  .reg .b32 %r<9>; .reg .b64 %rd<12>; .reg .pred %p<4>;
  mov.u32 %r2, %tid.x;
  mul.lo.u32 %r3, %r2, %stride;
  cvt.u64.u32 %rd4, %r3;
"""
B_BYTES = 262_144


def text(body: str, begin: str = BEGIN) -> str:
    return ptx.entry(f"{begin}{body}", "a_ptr b_ptr c_ptr stride:u32", target="sm_100a")


def launched(source: str, stride: int = B_BYTES // 4) -> Any:
    """The device after a launch of four threads, the last of which is past the end of `b`."""
    device = lanemap.open_device("sm_100a", device="emulator", hazards="report")
    a = device.zeros(1024, np.uint32, name="a")
    b = device.zeros(B_BYTES // 4, np.uint32, name="b")
    c = device.zeros(64, np.uint32, name="c")
    ptx.launch(source, a, b, c, np.uint32(stride), block=5, device=device)
    return device


FROM_B = {
    "an offset": "  add.u64 %rd5, %b_ptr, %rd4;",
    "another space": "  cvta.to.global.u64 %rd6, %b_ptr;\n  add.u64 %rd5, %rd6, %rd4;",
    "a loop": """  mov.u64 %rd5, %b_ptr;
  mov.u32 %r4, 0;
again:
  add.u64 %rd5, %rd5, %rd4;
  add.u32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, 1;
  @%p1 bra again;""",
    "an index from memory": """  ld.global.u32 %r4, [%a_ptr];
  cvt.u64.u32 %rd6, %r4;
  add.u64 %rd6, %rd6, %rd4;
  add.u64 %rd5, %b_ptr, %rd6;""",
    "a condition on another": """  setp.ne.u64 %p1, %a_ptr, 0;
  selp.b64 %rd5, %rd4, 0, %p1;
  add.u64 %rd5, %b_ptr, %rd5;""",
    "a register of another before": "  mov.u64 %rd5, %a_ptr;\n  add.u64 %rd5, %b_ptr, %rd4;",
}
FROM_NOBODY = {
    "one of two": """  setp.ne.u32 %p1, %r2, 9;
  selp.b64 %rd5, %b_ptr, %a_ptr, %p1;
  add.u64 %rd5, %rd5, %rd4;""",
    "one of two paths": """  mov.u64 %rd5, %a_ptr;
  setp.ne.u32 %p1, %r2, 9;
  @%p1 mov.u64 %rd5, %b_ptr;
  add.u64 %rd5, %rd5, %rd4;""",
    "a pointer from memory": """  st.global.u64 [%a_ptr], %b_ptr;
  ld.global.u64 %rd5, [%a_ptr];
  add.u64 %rd5, %rd5, %rd4;""",
    "a difference": """  sub.u64 %rd6, %b_ptr, %a_ptr;
  add.u64 %rd5, %a_ptr, %rd6;
  add.u64 %rd5, %rd5, %rd4;""",
}


def beyond(body: str) -> Any:
    found = launched(
        text(f"{body}\nld.global.u32 %r5, [%rd5];\nst.global.u32 [%c_ptr], %r5;")
    ).findings
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
    source = text(f"{FROM_B['an offset']}\n  ld.global.u32 %r5, [%rd5];")
    for place, name in enumerate(PARAMETERS):
        source = source.replace(name, f"k_param_{place}")
    (finding,) = launched(source).findings
    assert "derived from argument 1 " in finding.message()


STRIDES = """  add.u64 %rd5, %b_ptr, %rd4;
  mul.wide.u32 %rd7, %r2, 4;
  add.u64 %rd8, %c_ptr, %rd7;
  st.global.u32 [%rd8], %r2;
  ld.global.u32 %r5, [%rd5];
  add.u64 %rd9, %a_ptr, %rd7;
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
    source = text(body, BEGIN.replace("%tid.x", "%ctaid.x"))
    stride = np.uint32(c.address - b.address)
    ptx.launch(source, a, b, c, stride, grid=2, block=1, device=device)
    a.get()
    return device
