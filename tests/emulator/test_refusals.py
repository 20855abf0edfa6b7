"""What an entry needs and the emulator does not know is refused when the entry is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lanemap
from lanemap.errors import UserError
from lanemap.toolchain.amdgcn_kernel import Kernel, file
from tests import ptx

_PTX = ptx.module("""\
.extern .global .u32 lost;
.func (.param .b32 r) helper(.param .b32 a) {
  .reg .b32 x;
  frobnicate.b32 x, x;
  ret;
}
.visible .entry good(.param .u64 out) {
  .reg .b64 at;
  ld.param.u64 at, [out];
  st.global.u32 [at], 7;
  ret;
}
.visible .entry bad() {
  .reg .b32 x; .reg .pred p; .param .b32 a, r;
  frobnicate.b32 x, x;
  mov.u32 x, %envreg9;
@p bar.frob 0;
  st.param.b32 [a], x;
  call (r), helper, (a);
  ld.global.u32 x, [lost];
  ret;
}
""")


def _lines(text: str, what: str) -> list[int]:
    return [n for n, line in enumerate(text.splitlines(), 1) if what in line]


def test_ptx_is_refused_entry_by_entry_and_all_at_once() -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    module = device.load(_PTX)
    assert module.entries == ("good", "bad")
    out = device.zeros(1, np.uint32)
    module["good"](1, 1, (out,))
    assert out.get().tolist() == [7]
    for _ in range(2):
        with pytest.raises(UserError) as refused:
            module["bad"]
        sentence = str(refused.value)
        assert "\n" not in sentence
        first, second = _lines(_PTX, "frobnicate")
        assert sentence.startswith(
            f"the source:{first}: `frobnicate.b32` is not supported by the emulator "
            f"(also in line {second}); "
        )
        for what in ("%envreg9", "bar.frob", "[lost]"):
            (line,) = _lines(_PTX, what)
            assert f"; line {line}: " in sentence, sentence
    module["good"](1, 1, (out,))


@pytest.mark.parametrize(("right", "wrong"), [
    ("ld.param.u64 at, [out];", "ld.param.u64 at, [out;"), (".reg .b64 at;", ".reg .b64;"),
    ("  ret;\n}\n.visible .entry bad", "  ret\n}\n.visible .entry bad"), ("call (r)", "call (r"),
])  # fmt: skip
def test_malformed_ptx_does_not_load(right: str, wrong: str) -> None:
    device = lanemap.open_device("sm_90a", "emulator")
    assert right in _PTX
    with pytest.raises(UserError, match="^the source:"):
        device.load(_PTX.replace(right, wrong))


_GOOD = """  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32 v1, 0
  v_mov_b32 v2, 7
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[4:5]"""
_BAD = """  s_getreg_b32 s3, hwreg(HW_REG_STATUS)
  s_frobnicate_b32 s3, s4
  s_cbranch_scc1 over
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 3
  s_set_gpr_idx_on s3, gpr_idx(SRC1)
  v_mov_b32 v1, v2
  s_set_gpr_idx_off
over:
  v_add_u32 v9, v1, v2
  v_add_u32 v1, v2
  s_branch nowhere
  v_never_reached v1"""


def _assembly(more: str = "") -> str:
    good = Kernel("good", ("out",), (), 0, 8, 16, 64)
    bad = Kernel("bad", (), (), 0, 8, 16, 64, directives=(more,))
    return file(((good, f"{_GOOD}\n  s_endpgm"), (bad, f"{_BAD}\n  s_endpgm")))


def test_assembly_is_refused_entry_by_entry_and_all_at_once() -> None:
    device = lanemap.open_device("gfx950", "emulator")
    text = _assembly(".amdhsa_float_round_mode_32 2")
    module = device.load(text)
    assert module.entries == ("good", "bad")
    out = device.zeros(1, np.uint32)
    module["good"](1, 1, (out,))
    assert out.get().tolist() == [7]
    with pytest.raises(UserError) as refused:
        module["bad"]
    sentence = str(refused.value)
    assert sentence.startswith("the source:") and "\n" not in sentence
    expected: dict[str, Any] = {
        "HW_REG_STATUS": "only HW_REG_MODE", "s_frobnicate_b32": "does not execute",
        "HW_REG_MODE, 0, 2": "rounding to nearest", "v_mov_b32 v1, v2": "VGPR indexing",
        "v_add_u32 v9": "beyond the 8 VGPRs", "v_add_u32 v1, v2": "takes 3 operands",
        "s_branch nowhere": "does not define nowhere",
    }  # fmt: skip
    parts = sentence.removeprefix("the source:").split("; line ")
    for what, why in expected.items():
        (line,) = _lines(text, what)
        (part,) = (part for part in parts if part.startswith(f"{line}: "))
        assert why in part, part
    assert ".amdhsa_float_round_mode_32 2" in sentence
    assert "v_never_reached" not in sentence and len(parts) == len(expected) + 1
    module["good"](1, 1, (out,))


def test_malformed_assembly_does_not_load() -> None:
    device = lanemap.open_device("gfx950", "emulator")
    for damaged in (
        _assembly().replace("hwreg(HW_REG_STATUS)", "hwreg("),
        _assembly().replace("v_mov_b32 v1, 0", "v_mov_b32 v[1:, 0"),
    ):
        with pytest.raises(UserError, match="^the source:"):
            device.load(damaged)
