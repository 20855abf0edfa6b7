"""Features of targets: which instructions the emulator takes in a text, held to ptxas."""

from __future__ import annotations

import pytest

from lanemap.emulator.ptx import isa as isa  # fills the table of instructions
from lanemap.emulator.ptx.entry import load
from lanemap.emulator.ptx.lower.table import TABLE
from lanemap.emulator.ptx.text.errors import PtxError
from lanemap.targets import FEATURES, features_of
from lanemap.toolchain import ptxas
from tests import ptx

#: An instruction for each of two features, and where it belongs.
FENCE = {"wgmma": "wgmma.fence.sync.aligned;", "tcgen05": "tcgen05.wait::ld.sync.aligned;"}


@pytest.mark.parametrize("target", ["sm_90", "sm_90a", "sm_100", "sm_100f", "sm_100a", "sm_103f"])
@pytest.mark.parametrize("feature", FENCE)
def test_a_text_has_the_features_that_its_target_has(target: str, feature: str) -> None:
    """ptxas and the emulator take the same texts: wgmma of sm_90a, not of sm_90."""
    text = ptx.entry(FENCE[feature], "", target=target)
    cubin, _ = ptxas.judge(text, target, ["-O0"])
    entry = load(text, "k.ptx").kernels["k"]
    if cubin is not None:
        entry.require()
    else:
        with pytest.raises(PtxError, match=f"{target} has no {feature} instructions; "):
            entry.require()
    assert (cubin is not None) == (feature in features_of(target))


def test_every_instruction_needs_a_feature_that_there_is() -> None:
    load(ptx.entry("", ""), "k.ptx").kernels["k"].require()
    needed = {each.needs for each in TABLE.values()} - {""}
    assert needed <= FEATURES.keys() and {"wgmma", "tcgen05"} <= needed
