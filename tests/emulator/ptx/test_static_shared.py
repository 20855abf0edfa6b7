"""How many bytes of shared memory an entry has: those that `ptxas -v` of CUDA 13.0 names.

For sm_90a and sm_100a ptxas takes up to 232,448 bytes ("uses too much shared data (0x38c01 bytes,
0x38c00 max)" of one more). The 49,152 bytes of other targets do not hold there.
"""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.errors import UserError
from tests import ptx

ENTRY = ".visible .entry k(.param .u64 at) {{ .reg .b32 %a; .reg .b64 %d; ld.param.u64 %d, [at]; "
BIG, SMALL = ".shared .align 4 .b8 big[49156];", ".shared .align 4 .b8 small[30000];"
USE, ANSWER = "st.shared.b32 [big], 7; ld.shared.b32 %a, [big]; ", "st.global.b32 [%d], 1; ret; }}"
FUNCTION = f".func f() {{{{ .reg .b32 %a; {BIG} {USE} ret; }}}} "
MOST = 232448
#: The text of a module, and the bytes of smem that ptxas 13.0 -v -arch=sm_90a prints of its entry.
TEXTS = {
    "used": (ENTRY + BIG + USE + ANSWER, 49156),
    "address": (ENTRY + BIG + "mov.u32 %a, big; st.global.b32 [%d], %a; " + ANSWER, 49156),
    "unused": (ENTRY + BIG + ANSWER, 49156),
    "two, one used": (ENTRY + SMALL + SMALL.replace("small", "big") + USE + ANSWER, 60000),
    "of the module": (BIG + ENTRY + USE + ANSWER, 49156),
    "of the module, unused": (BIG + ENTRY + ANSWER, 0),
    "of a function": (FUNCTION + ENTRY + "call f; " + ANSWER, 49156),
    "of a function, not called": (FUNCTION + ENTRY + ANSWER, 0),
    "beside an extern one": (
        ".extern .shared .align 16 .b8 more[];" + ENTRY + BIG + USE + "mov.u32 %a, more; " + ANSWER,
        49168,
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_an_entry_has_the_shared_memory_that_ptxas_counts(name: str) -> None:
    text, wanted = TEXTS[name]
    device = lanemap.open_device("sm_90a", device="emulator")
    kernel = device.load(ptx.module(text.format()))["k"]
    kernel(1, 1, (device.zeros(1, np.uint32),), shared_bytes=MOST - wanted)
    with pytest.raises(UserError, match=f"asks for {MOST + 1} bytes of shared memory"):
        kernel(1, 1, (device.zeros(1, np.uint32),), shared_bytes=MOST - wanted + 1)


@pytest.mark.parametrize("target", ["sm_90a", "sm_100a", "sm_103a"])
def test_more_than_ptxas_takes_is_refused(target: str) -> None:
    text = ptx.module(ENTRY + BIG.replace("49156", "{0}") + USE + ANSWER, target)
    device = lanemap.open_device(target, device="emulator")
    result = device.zeros(1, np.uint32)
    device.load(text.format(MOST))["k"](1, 1, (result,))
    assert result.get()[0] == 1
    with pytest.raises(UserError, match=f"k asks for {MOST + 1} bytes of shared memory; a CTA has"):
        device.load(text.format(MOST + 1))["k"](1, 1, (result,))
