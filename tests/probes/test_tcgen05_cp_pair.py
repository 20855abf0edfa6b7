"""tcgen05.cp of two CTAs on the emulator: each copies from its own shared memory.

So DeepGEMM's kernels need it (deepseek-ai/DeepGEMM at 54e2261: both CTAs of a pair stage their own
scale factors, and one of them issues the copy).
"""

from __future__ import annotations

import numpy as np
import pytest

from lanemap.devices import open_device
from lanemap.errors import MissingEnvironment
from lanemap.probing.probe import find_probe
from lanemap.probing.run import ProbeReport, observe
from lanemap.toolchain import places, ptxas, sass


@pytest.fixture(scope="module")
def report() -> ProbeReport:
    forms = ["32x128b.warpx4", "4x256b"]
    probe = find_probe("tcgen05_cp_pair").with_axes({"form": forms, "source": ["swizzled"]})
    return observe(probe, open_device("sm_100a", "emulator"))


def test_each_cta_receives_its_own_rows(report: ProbeReport) -> None:
    warped, four = report.parts
    assert report.agrees
    for part in (warped, four):
        facts = part.finding.facts
        assert facts == {
            "cta_0_receives_shared_memory_of": [0],
            "cta_1_receives_shared_memory_of": [1],
        }
        assert part.finding.certificates[0].complete and part.finding.settles_all
    table = warped.finding.map.table.reshape(2, 128, 4 * 32)
    rows = np.arange(2 * 32 * 128).reshape(2, 32, 128)
    assert np.array_equal(table, np.tile(rows, (1, 4, 1)))
    # Lanes that receive nothing: all but four of each CTA.
    assert int((four.finding.map.table < 0).sum()) == 2 * 124 * 8 * 32


def test_the_machine_copies_for_both() -> None:
    try:
        places.find_program("ptxas", ptxas.PACKAGE)
        places.find_program("nvdisasm", sass.PACKAGE)
    except MissingEnvironment as missing:
        pytest.skip(str(missing))
    source = find_probe("tcgen05_cp_pair").source
    for kernel, code in sass.disassemble(ptxas.assemble(source, "sm_100a")).items():
        if not kernel.startswith("tcgen05_cp_pair"):
            continue
        found = [i.opcode for i in code if i.opcode.startswith(("UTCCP", "UTCBAR"))]
        assert len(found) == 2 and all("2CTA" in opcode for opcode in found), (kernel, found)
