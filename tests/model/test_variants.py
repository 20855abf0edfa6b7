"""What holds for every variant of the model."""

from __future__ import annotations

import re

import pytest

from lanemap.model import Variant, variant, variants
from lanemap.targets import TARGETS

ALL = variants()


WIDE = re.compile(r"n(80|128|256)\.(s32|f16|f32):D$")


def is_replicated(name: str) -> bool:
    """Whether a source cell goes to several destinations.

    Multicast copies, scale factors, A where D has two blocks of lanes (two CTAs with M = 128, .ws
    with M = 64), and small fragments of wmma.
    """
    multicast = ".warpx" in name
    twice = "cta_group::2.kind" in name and ".m128." in name
    twice |= ".ws.cta_group::1.kind" in name and ".m64." in name
    # Lane 30 and lane 31 both hold what lane 31 held.
    if name == "tcgen05.shift.down":
        return True
    # Eight registers of f16 whatever the size of the matrix: only 32 rows or columns fill them.
    copies = re.fullmatch(r"wmma\.(m16n16k16\.f16:[AB]|m8n32k16\.f16:A|m32n8k16\.f16:B)", name)
    scales = name.startswith("tcgen05") and name.endswith((":SFA", ":SFB"))
    return multicast or scales or twice or copies is not None


def test_names_are_unique_and_found() -> None:
    names = [each.name for each in ALL]
    assert len(set(names)) == len(names)
    assert all(variant(name).name == name for name in names)


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.name)
def test_the_statement_is_whole(each: Variant) -> None:
    assert each.formula and each.legality and each.citations and each.family
    assert each.targets and set(each.targets) <= TARGETS.keys()
    for citation in each.citations:
        assert any(word in citation for word in ("ISA", "NVIDIA", "AMD", "Triton", "ROCm", "/"))


@pytest.mark.parametrize(
    "family", sorted({each.family for each in ALL}), ids=lambda f: f.replace(" ", "_")
)
def test_maps_are_whole_and_one_to_one_unless_they_say_otherwise(family: str) -> None:
    for each in ALL:
        # The widest accumulators repeat the formula of the narrower ones.
        if each.family != family or WIDE.search(each.name):
            continue
        layout = each.map
        assert layout.is_total == (not each.rest), each.name
        assert layout.is_one_to_one != is_replicated(each.name), each.name


def test_a_map_is_built_once_and_only_when_needed() -> None:
    calls = []
    base = variant("ds_read_b64_tr_b8")

    def build() -> object:
        calls.append(1)
        return base.map

    each = Variant("x", ("gfx950",), "f", "f", ("c",), "l", build)  # type: ignore[arg-type]
    assert not calls
    assert each.map is each.map
    assert len(calls) == 1
