"""`_` among the elements of a vector store: the bytes of that element are not written.

ptxas 13.0 makes STG.E.ENL2.256 with the mask 0x95 of `{%r0, _, %r0, _, %r0, _, _, %r0}`: elements
0, 2, 4 and 7. LLVM writes such stores for masked vectors (llvm/llvm-project#159387).
"""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.emulator.api import Hazard
from lanemap.emulator.ptx.text.errors import PtxError
from tests import ptx

COPY = """\
.func (.param .align 16 .b8 back[16]) copy(.param .align 16 .b8 given[16])
{
.reg .b32 %x<4>;
ld.param.v4.b32 {%x0, %x1, %x2, %x3}, [given];
st.param.v4.b32 [back], {%x0, %x1, %x2, %x3};
ret;
}
"""
BEGIN = """\
.reg .b64 %d; .reg .b32 %r<9>; .reg .b16 %h;
.param .align 16 .b8 to[16]; .param .align 16 .b8 from[16];
mov.b32 %r1, 1; mov.b32 %r2, 2; mov.b32 %r3, 3; mov.b64 %d, 0x500000004; mov.b16 %h, 6;
"""
#: The words of memory afterward, which were 100, 101, ..
STORES = {
    "st.global.v8.b32 [%out], {%r1, _, %r2, _, %r3, _, _, %r1};": [1, 101, 2, 103, 3, 105, 106, 1],
    "st.v8.b32 [%out], {_, _, %r2, %r3, _, _, _, _};": [100, 101, 2, 3, 104, 105, 106, 107],
    "st.global.v4.b64 [%out], {_, %d, _, %d};": [100, 101, 4, 5, 104, 105, 4, 5],
    "st.global.v8.f32 [%out], {0f00000000, _, _, _, _, _, _, _};": [0, *range(101, 108)],
}  # fmt: skip
CALL = """st.param.v4.b32 [to], {{%r1, {second}, %r2, {last}}};
call (from), copy, (to);
ld.param.b32 %r4, [from]; ld.param.b32 %r5, [from+{offset}];
st.global.v2.b32 [%out], {{%r4, %r5}};"""


def _text(body: str) -> str:
    return ptx.entry(BEGIN + body, before=COPY, target="sm_100a")


def run(body: str, offset: int = 0) -> list[int]:
    at = np.arange(100, 117, dtype=np.uint32)
    (out,) = ptx.launch(_text(body), at, block=1)
    return list(out[:8])


@pytest.mark.parametrize("store", STORES)
def test_the_bytes_of_an_absent_element_stay(store: str) -> None:
    assert run(store) == STORES[store]


@pytest.mark.parametrize(
    "store",
    [
        "st.global.v8.b32 [%out], {%r1, _, %r2, _, %r3, _, _, %r1};",
        "st.global.v4.b64 [%out], {_, %d, _, %d};",
    ],
)
def test_a_misaligned_vector_is_a_hazard(store: str) -> None:
    with pytest.raises(Hazard, match="is not a multiple of"):
        run("add.u64 %out, %out, 4;" + store)


def test_padding_of_an_argument_is_not_given() -> None:
    """The element that was not stored is undefined in the callee; the others are there."""
    assert run(CALL.format(second="%r3", last="_", offset=8))[:2] == [1, 2]
    body = CALL.format(second="_", last="%r3", offset=4)
    with pytest.raises(Hazard, match="decide the address; they come from register to\\[4\\]"):
        run(body + "cvt.u64.u32 %d, %r5; add.u64 %out, %out, %d; st.b32 [%out], %r1;")


def test_a_store_of_nothing_is_refused() -> None:
    with pytest.raises(PtxError, match="stores nothing"):
        run("st.global.v4.b32 [%out], {_, _, _, _};")
