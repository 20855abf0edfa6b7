"""What holds for every claim: a citation, spaces that can be compared, something to speak of."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lanemap import model
from lanemap.claims import SUBJECTS, Level, Statement, claims_of, sources, statements
from lanemap.claims.shape_stride import evaluate, size
from lanemap.layout import LayoutMap

NAMES = [each.name for each in model.variants()]


@pytest.mark.parametrize("each", statements(), ids=lambda each: f"{each.source}: {each.covers}")
def test_a_statement_is_cited_and_speaks_of_something(each: Statement) -> None:
    assert len(each.citation) > 20
    covered = [name for name in [*NAMES, *SUBJECTS] if re.fullmatch(each.covers, name)]
    assert covered
    smallest = min(covered, key=lambda name: (len(name), name))
    claim = each.claim(smallest)
    assert claim is not None and isinstance(claim.map, LayoutMap)
    assert claim.map.defined.any()
    if smallest not in SUBJECTS:
        modelled = model.variant(smallest).map
        assert claim.map.destination.names == modelled.destination.names
        assert claim.map.source.names == modelled.source.names


def test_nothing_is_said_of_what_is_no_variant() -> None:
    assert claims_of("ds_read_b64_tr_b9") == []
    assert claims_of("ds_read_b64_tr_b8 ") == []
    assert claims_of("v_mfma_f32_32x32x16_f16") == []


def test_every_source_of_the_facts_is_there() -> None:
    expected = {
        "AITER opus MLA",
        "AMD CDNA4 ISA",
        "AMD matrix instruction calculator",
        "CUTLASS, TMEM copy traits",
        "CUTLASS, TMEM fragments",
        "DeepGEMM",
        "FlashMLA",
        "Modular",
        "PTX ISA, figure of 16x32bx2",
        "PTX ISA, text",
        "Primus-Turbo",
        "TVM",
        "TileLang",
        "Triton, AMD back end",
        "Triton, NVIDIA back end",
        "design notes, TileLang",
        "design notes, broadcast",
        "design notes, stride-8 gather",
        "learn-cuda",
        "rocRoller",
        "rocjitsu",
        "rocjitsu, uncorrected",
        "sunxxuns/aiter, .lessons",
        "sunxxuns/aiter, measured lanes",
        "the octet rule",
        "tinygrad",
    }
    assert expected <= set(sources())


def test_no_claim_is_verified_and_each_level_has_a_word_for_its_evidence() -> None:
    words = {level: level.evidence for level in Level}
    assert set(words.values()) == {"published", "documented", "emulator"}
    assert words[Level.HW] == "published" and words[Level.SIMULATOR] == "documented"
    assert "silicon" not in words.values()


def test_maps_are_built_when_asked_for_and_once() -> None:
    (first,) = [c for c in claims_of("ds_read_b64_tr_b8") if c.source == "Modular"]
    assert "map" not in vars(first)
    assert first.map is first.map


def test_shapes_and_strides_by_hand() -> None:
    """CuTe: (2,3):(1,10) at coordinate 5 is (1, 2), so 21; nested modes run the first fastest."""
    assert size(((2, 3), 4)) == 24
    assert evaluate((2, 3), (1, 10), 5) == 21
    assert evaluate(((2, 2), 3), ((1, 100), 7), np.arange(4)).tolist() == [0, 1, 100, 101]
    assert evaluate((2, 2), (1, 10), 7) == 31, "the last mode goes on"


def test_cutlass_and_triton_agree_with_the_fragments_and_scales_of_mma_sync() -> None:
    agreeing: dict[str, set[str]] = {}
    for each in model.variants():
        if each.family in ("mma.sync fragment", "mma.sync scales"):
            for claim in claims_of(each.name):
                assert claim.map.first_difference(each.map) is None, (claim.citation, each.name)
                agreeing.setdefault(each.name, set()).add(claim.source)
    both = {"CUTLASS, MMA traits", "Triton, NVIDIA back end"}
    for name in ("m16n8k32.e4m3:A", "m16.scale_vec::4X.byte0.thread0:SFA", "m16n8k16.f32:D"):
        assert agreeing[f"mma.sync.{name}"] == both
    for name in ("m16n8k64.e2m1:B", "m16n8k32.e2m1:A", "m8n8k4.row.f16:B", "m16n8k16.f64:A"):
        assert agreeing[f"mma.sync.{name}"] == {"CUTLASS, MMA traits"}
