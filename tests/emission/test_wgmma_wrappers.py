"""Wrappers of wgmma: ptxas takes them, and forms that there are not are refused."""

from __future__ import annotations

import re

import pytest

from lanemap.emission.wgmma_wrappers import wrapper
from lanemap.errors import UserError
from lanemap.toolchain import nvrtc, ptxas

FORMS = ("m64n8k16.f32.f16.f16", "m64n80k16.f32.bf16.bf16", "m64n256k32.f32.e4m3.e5m2")


@pytest.mark.parametrize("form", FORMS)
def test_ptxas_takes_both_wrappers(form: str) -> None:
    columns = int(re.findall(r"n(\d+)", form)[0])
    source = (
        wrapper(f"wgmma.{form}")
        + f"""
extern "C" __global__ void kernel(float *out, unsigned long long a, unsigned long long b) {{
  float d[{columns // 2}];
  unsigned r[4] = {{threadIdx.x, 1, 2, 3}};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  wgmma_ss(d, a, b, false);
  wgmma_rs(d, r, b, true);
  asm volatile("wgmma.commit_group.sync.aligned;\\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < {columns // 2}; ++i) out[threadIdx.x * {columns // 2} + i] = d[i];
}}
"""
    )
    text = nvrtc.compile_cuda(source, "sm_90a")
    assert text.count(f"wgmma.mma_async.sync.aligned.{form} ") == 2
    assert ptxas.assemble(text, "sm_90a")


def test_a_b_that_is_n_major() -> None:
    """imm-trans-b is the last operand (PTX ISA 9.0, "wgmma.mma_async"); FP8 has none."""
    text = wrapper("wgmma.m64n64k16.f32.bf16.bf16", transposed_b=True)
    assert " ".join(re.findall(r"add, 1, 1[^;]*;", text)) == "add, 1, 1, 0, 1; add, 1, 1, 1;"
    assert "wgmma_rs" not in wrapper("wgmma.m64n64k16.f32.bf16.bf16", ("ss",))
    with pytest.raises(UserError, match="only a B of f16 or bf16 can be N-major"):
        wrapper("wgmma.m64n64k32.f32.e4m3.e4m3", transposed_b=True)


def test_an_a_that_is_m_major() -> None:
    """imm-trans-a comes before imm-trans-b, and only where A is in shared memory."""
    form = "wgmma.m64n64k16.f32.bf16.bf16"
    text = wrapper(form, ("ss",), transposed_a=True)
    assert "wgmma_ss_transposed(" in text
    assert " ".join(re.findall(r"add, 1, 1[^;]*;", text)) == "add, 1, 1, 1, 0;"
    for name, kinds in ((form, ("ss", "rs")), ("wgmma.m64n64k32.f32.e4m3.e4m3", ("ss",))):
        with pytest.raises(UserError, match="only an A of f16 or bf16 in shared memory"):
            wrapper(name, kinds, transposed_a=True)


@pytest.mark.parametrize(
    ("name", "words"),
    [("wgmma.m64n12k16.f32.f16.f16", "N is a multiple of 8"),
     ("wgmma.m64n264k16.f32.f16.f16", "N is a multiple of 8"),
     ("wgmma.m64n8k32.f32.f16.f16", "no product of f16 and f16 with K 32"),
     ("wgmma.m64n8k16.f32.f16.bf16", "no product of f16 and bf16"),
     ("mma.m16n8k16", "is not a form such as")],
)  # fmt: skip
def test_other_forms_are_refused(name: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        wrapper(name)
