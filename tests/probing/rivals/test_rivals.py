"""Probes find or refuse rivals: other layouts, fields and sums than those that documents name."""

from __future__ import annotations

import pytest

from .families import EXECUTED, verdicts
from .score import scores, stored

#: One variant of each family, and rivals of it that a quick run executes.
QUICK = {
    "mma_d": ("tcgen05.mma.cta_group::1.m128n8.f32:D", 12),
    "scale_factors": ("tcgen05.mma.cta_group::1.n64.scale_vec::4X.id0:SFB", 4),
    "smem_descriptor": ("shared.k_major.128b.16bit", 6),
    "wgmma_d": ("wgmma.m64n8.f32:D", 40),
    "mfma_operands": ("v_mfma_f64_4x4x4_4b_f64", 60),
}


@pytest.mark.parametrize("probe", QUICK)
def test_a_sample_of_rivals_is_found_or_refused(probe: str) -> None:
    variant, wanted = QUICK[probe]
    made, told = verdicts(probe, variant, wanted)
    assert len(told) == wanted < made
    assert not {name for name, each in told if each not in ("found", "refused", "stated")}


@pytest.mark.slow
@pytest.mark.parametrize("probe", EXECUTED)
def test_the_stored_score_is_that_of_a_rerun(probe: str) -> None:
    assert scores(probe) == stored()[probe]


def test_every_stored_rival_was_found_or_refused_or_a_certificate_names_it() -> None:
    assert set(stored()) == set(EXECUTED)
    for probe, score in stored().items():
        told = score["found"] + score["refused"] + score["stated"]
        assert told == score["executed"] >= 100 and not score["wrong"], probe
        # Bits of descriptors that no operand inside the tested bytes can set.
        assert bool(score["stated"]) == (probe == "smem_descriptor")
