"""Each fault of wgmma is caught at its line; its corrected twin is clean and right."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.hazards.runner import (  # noqa: F401
    pytest_generate_tests,
    suite,
    test_every_file_is_in_the_table,
    test_the_assembler_takes_it,
    test_the_corrected_twin_is_clean_and_right,
    test_the_corrected_twin_is_clean_in_strict_mode,
    test_the_fault_is_caught,
    test_the_report_holds_the_fault_too,
    test_what_sources_disagree_over_is_no_hazard_otherwise,
)
from tests.hazards.wgmma_pairs import SUITE as SUITE


@pytest.mark.parametrize(
    ("fault", "remarks"),
    [
        ("d_read_before_commit", {"C7514"}),  # "serialized due to .. reading accumulator registers"
        ("d_zeroed_after_fence", set()),  # the addend of the SASS is RZ
        ("d_set_after_fence", {"C7519"}),  # another arrive
    ],
)
def test_what_ptxas_says_of_it(fault: str, remarks: set[str], tmp_path: Path) -> None:
    pytest.importorskip("nvidia")
    from lanemap.toolchain.places import find_program

    text = tmp_path / "kernel.ptx"
    text.write_text(SUITE.source(fault, corrected=False))
    words = [find_program("ptxas", "nvidia-cuda-nvcc"), "-arch=sm_90a", "-v", str(text)]
    told = subprocess.run([*words, "-o", str(tmp_path / "cubin")], capture_output=True, text=True)
    assert remarks <= set(re.findall(r"\((C75\d\d)\)", told.stderr)), told.stderr
    assert remarks or "(C75" not in told.stderr
