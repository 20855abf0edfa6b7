"""What is cut out of Triton's kernels for sm_100a is missed, by default and with the words for it.

The kernels are clean (test_triton_matrix.py), though Triton leaves the fences of tcgen05 out. Here
each loses one thing that no source makes optional.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import lanemap
from lanemap.emulator.host.hazards import Hazard
from tests.emulator.ptx.triton_cases import CASES, Compiled

_WAIT = r"mbarrier\.try_wait\S+ complete, [^;]*;\s*@!complete bra\.uni waitLoop;"
_PRODUCT = "matmul_bf16"
#: The kernel, what is cut out everywhere, and words of the hazard.
FAULTS: dict[str, tuple[str, str, str]] = {
    "wait for stores": (_PRODUCT, r"tcgen05\.wait::st\S+;", r"tcgen05\.wait::st by "),
    "fence between proxies": (
        _PRODUCT, r"fence\.proxy\.async\S+;", r"fence\.proxy\.async is missing"
    ),
    "wait for products": (_PRODUCT, _WAIT, r"tcgen05\.commit and a wait for its mbarrier"),
    "wait for cp.async": (
        _PRODUCT, r"cp\.async\.wait_group\s+\S+;", r"cp\.async\.wait_group .* is missing"
    ),
    "barriers": (_PRODUCT, r"bar\.sync\s+0;", "decide the matrix operand"),
    "deallocation": (_PRODUCT, r"@%p\d+ tcgen05\.dealloc[^;]*;", "not deallocated"),
    "commit": (_PRODUCT, r"@%p\d+ tcgen05\.commit[^;]*;", "lacks 1 of its 1 arrivals"),
    "wait for TMA": ("matmul_described", _WAIT, "a wait for it is missing"),
    "wait for stores of p": (
        "attention_fp16_64", r"tcgen05\.wait::st\S+;", r"tcgen05\.wait::st by "
    ),
    "wait for stores of scales": (
        "matmul_nvfp4", r"tcgen05\.wait::st\S+;", r"tcgen05\.wait::st by "
    ),
    "scales of one product": (
        "matmul_described_nvfp4", r"@%p\d+ tcgen05\.cp\.[^;]*\+ 0 \], %rd6;",
        "decide the matrix operand; they come from tensor memory",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_cut_out_is_missed(name: str, tmp_path: Path) -> None:
    stored, cut, words = FAULTS[name]
    kernel = Compiled(stored, "sm_100a")
    text, count = re.subn(cut, "", kernel.path.read_text())
    assert count
    kernel.path = tmp_path / "faulty.ptx"
    kernel.path.write_text(text)
    device = lanemap.open_device("sm_100a", "emulator")
    with pytest.raises(Hazard, match=words):
        CASES[stored](device, kernel, np.random.default_rng(5))
