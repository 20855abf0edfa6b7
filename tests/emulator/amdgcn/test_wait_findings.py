"""One gap without wait states is one finding, however many instructions it is too short for.

Counts are by hand from AMD CDNA4 ISA, 7.6, table 38: after the f64 matrix instruction of 16x16x4 a
VALU instruction that reads its result needs 19 wait states.
"""

from __future__ import annotations

import numpy as np
import pytest

import lanemap
from lanemap.devices.findings import Finding
from lanemap.toolchain.amdgcn_kernel import Kernel

ISSUE = "v_mfma_f64_16x16x4_f64 v[4:11], v[2:3], v[2:3], 0"
OTHER = "v_mfma_f64_16x16x4_f64 v[12:19], v[2:3], v[2:3], 0"
LONG = "s_nop 15\ns_nop 7"
START = """
    v_mov_b32_e32 v2, 0
    v_mov_b32_e32 v3, 0
    s_nop 1
"""


def _findings(*lines: str) -> tuple[tuple[Finding, ...], int]:
    """The findings of a kernel, and its hazards."""
    device = lanemap.open_device("gfx950", "emulator", hazards="report")
    body = "\n".join([START, *lines, "s_endpgm"])
    text = Kernel("k", (), ("unused",), 0, 32, 16, 64).text(body)
    device.load(text)["k"](1, 64, (np.uint32(0),))
    return device.findings, len(device.hazards)


@pytest.mark.parametrize("loops", [False, True])
def test_two_readers_behind_one_gap(loops: bool) -> None:
    """The readers lie in the block of the matrix instruction, or in the next one."""
    readers = ["v_mov_b32_e32 v20, v5", "v_mov_b32_e32 v21, v6", "v_add_u32_e32 v22, v7, v8"]
    between = ["s_branch .Lnext", ".Lnext:"] if loops else []
    (finding,), hazards = _findings(ISSUE, *between, *readers)
    assert hazards == 3 and finding.met == 3
    assert finding.cause == "wait states are missing"
    side = finding.first.facts.other
    assert side is not None and side.instruction == ISSUE and side.did == "issued"
    lines = finding.to_json()["lines"]
    assert len(lines) == 4 and lines[0] == side.line and lines[-1] - lines[1] == 2
    assert _findings(ISSUE, *between, LONG, *readers) == ((), 0)


def test_one_reader_of_two_results() -> None:
    """A matrix instruction needs 2 wait states after a VALU instruction that writes A or B."""
    writers = ["v_mov_b32_e32 v2, 1.0", "v_mov_b32_e32 v3, 1.0"]
    (finding,), _ = _findings(*writers, ISSUE)
    assert finding.cause == "wait states are missing"
    assert _findings(*writers, "s_nop 1", ISSUE) == ((), 0)


def test_two_gaps_are_two_findings() -> None:
    first = [ISSUE, "v_mov_b32_e32 v20, v5", "v_mov_b32_e32 v21, v6"]
    second = [OTHER, "v_mov_b32_e32 v22, v13"]
    found, hazards = _findings(*first, LONG, *second)
    assert hazards == 3 and [len(one.hazards) for one in found] == [2, 1]
    (left,), _ = _findings(first[0], LONG, *first[1:], LONG, *second)
    assert left.met == 1
