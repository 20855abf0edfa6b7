"""The four transpose probes on stand-in devices with a rule of the test's own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.layout import LayoutMap, Space
from lanemap.probing.probe import find_probe
from lanemap.probing.proof.certificates import NamedRules
from tests.probing.lds.standin import StandIn, chunk_rule, grid

WIDTHS = {"tr16": (16, 4), "tr8": (8, 8), "tr4": (4, 16), "tr6": (6, 16)}


def transpose(width):
    """Out[i][j] = M[j][i] in each group of 16 lanes, worked out on the matrix itself.

    The chunks of 16 lanes, laid end to end, are a matrix of 16-element rows (AMD CDNA4 ISA, LDS
    transpose loads): rows are numbered as elements come, 16 of them to a row.
    """
    cells = 64 // width if width != 6 else 16
    lane, cell = grid(cells)
    element = 16 * cell + lane % 16
    return lane // 16 * 16 + element // cells, element % cells


def find(name, rule, **axes):
    probe = find_probe(name).with_axes(axes)
    readings = probe.readings(StandIn(rule))
    return probe, readings, probe.analysis.explain(readings)


@pytest.mark.parametrize("name", WIDTHS)
def test_the_transpose_is_observed_on_every_bit(name):
    width, cells = WIDTHS[name]
    source_lane, source_cell = transpose(width)
    _, _, finding = find(name, chunk_rule(source_lane, source_cell, width))
    assert finding.explained and finding.map.is_total
    assert np.array_equal(finding.cell_map.table, (source_lane * cells + source_cell).ravel())
    wanted = (source_lane * cells + source_cell).ravel()[:, None] * width + np.arange(width)
    assert np.array_equal(finding.map.table, wanted.ravel())
    assert [c.complete for c in finding.certificates] == [True] * 4
    assert all(p.agrees for p in finding.patterns)
    assert all(family["refuted"] for family in finding.facts["families"])


@settings(max_examples=12, deadline=None)
@given(name=st.sampled_from(sorted(WIDTHS)), seed=st.integers(0, 2**32 - 1))
def test_any_rule_of_the_class_is_recovered(name, seed):
    width, cells = WIDTHS[name]
    rng = np.random.default_rng(seed)
    lane, cell = rng.integers(0, 64, (64, cells)), rng.integers(0, cells, (64, cells))
    _, _, finding = find(name, chunk_rule(lane, cell, width))
    assert np.array_equal(finding.cell_map.table, (lane * cells + cell).ravel())


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_bits_that_do_not_move_in_whole_bytes_are_still_found(seed):
    rng = np.random.default_rng(seed)
    lane, bit = rng.integers(0, 64, (64, 64)), rng.integers(0, 64, (64, 64))
    _, _, finding = find("tr8", chunk_rule(lane, bit, 1))
    assert np.array_equal(finding.map.table, (lane * 64 + bit).ravel())
    assert finding.cell_map is None


# Rules for b8 that have been published or believed, as (source lane, source byte) of (lane, byte).
LANE, BYTE = grid(8)
RULES = {
    "transpose of 16 lanes": ((LANE & 48) + 2 * BYTE + ((LANE >> 3) & 1), LANE & 7),
    "grouping of gfx1250": (
        (LANE & 48) + 8 * (BYTE // 4) + 4 * ((LANE >> 3) & 1) + BYTE % 4,
        LANE & 7,
    ),
    "transpose of each octet": ((LANE & ~7) + BYTE, LANE & 7),
    "neighbours share a byte": ((LANE & 48) + 2 * BYTE + (LANE & 1), (LANE >> 1) & 7),
}


def as_map(lane, byte):
    bits = (lane * 8 + byte).reshape(-1, 1) * 8 + np.arange(8)
    return LayoutMap(
        Space("register", (("lane", 64), ("register", 2), ("bit", 32))),
        Space("chunk", (("lane", 64), ("bit", 64))),
        bits.ravel(),
    )


@pytest.mark.parametrize("obeyed", RULES)
@pytest.mark.parametrize(
    ("axes", "together"),
    [
        ({}, []),
        (
            {"pattern": ["uniform"]},
            ["transpose of 16 lanes", "grouping of gfx1250", "transpose of each octet"],
        ),
    ],
)
def test_rival_rules_are_told_apart_as_the_certificate_says(obeyed, axes, together):
    """A device that obeys one rule refutes exactly the rules of the other parts."""
    probe, readings, _ = find("tr8", chunk_rule(*RULES[obeyed], 8), **axes)
    shown = probe.analysis.shown_by([as_map(*rule) for rule in RULES.values()], readings)
    rules = NamedRules(tuple(RULES), np.stack(shown))
    left = [list(group) for group in rules.groups() if len(group) > 1]
    assert left == ([together] if together else [])
    verdicts = rules.against(probe.analysis.seen(readings)[0])
    standing = [name for name, place in verdicts.items() if place is None]
    assert standing == next(list(group) for group in rules.groups() if obeyed in group)


def test_a_uniform_address_is_certified_to_hide_the_lane():
    _, _, finding = find("tr8", chunk_rule(*RULES["transpose of 16 lanes"], 8), pattern=["uniform"])
    on_bytes = finding.certificates[0]
    assert (on_bytes.rules, on_bytes.parts, on_bytes.complete) == (512, 8, False)
    assert on_bytes.remaining == "8 parts of every lane at one offset"
    assert on_bytes.splits == "pattern=consecutive cell_bits=8 (3 passes)"
    assert not finding.map.defined.any()
    # 8 sets of 64 alike cells; the lane's 6 bits are hidden in each of 9 columns and the offset.
    permutations, affine = finding.certificates[-2:]
    assert math.factorial(512) // permutations.parts == math.factorial(64) ** 8
    assert affine.rules // affine.parts == 2 ** (6 * 10)
    assert affine.to_json()["rules_per_cell"] == "2^90"


def outside(first):
    """A rule that reads byte by byte from wherever `first(addresses, lane, byte)` says."""

    def rule(addresses, bits):
        start = 8 * first(addresses, *grid(bits // 8))
        return (start[..., None] + np.arange(8)).reshape(64, bits)

    return rule


OUTSIDE = {
    "leader of the wave": (lambda a, lane, j: a[0] + 8 * lane + j, [False, False, True]),
    "leader of 16 lanes": (
        lambda a, lane, j: a[lane & 48] + 8 * (lane & 15) + j,
        [True, False, True],
    ),
    "own address plus stride 8": (lambda a, lane, j: a[lane] + 8 * j, [True, True, False]),
    "own address plus stride 16": (lambda a, lane, j: a[lane] + 16 * j, [True, True, False]),
}


@pytest.mark.parametrize("name", OUTSIDE)
def test_rules_outside_the_class_are_recognised(name):
    first, refuted = OUTSIDE[name]
    _, _, finding = find("tr8", outside(first))
    assert not finding.explained
    assert [family["refuted"] for family in finding.facts["families"]] == refuted
    # The pattern lane * 8 alone would have taken the rule for one of the class.
    _, _, fooled = find("tr8", outside(first), pattern=["consecutive"])
    assert fooled.explained or name != "leader of the wave"


def test_a_wave_that_uses_another_waves_addresses_is_unexplained():
    class FirstWave(StandIn):
        def _launch(self, grid, block, args, **_):
            addresses, images, output, threads = args
            shared = np.tile(addresses.data[:64], int(threads) // 64)
            super()._launch(grid, block, [self.array(shared), images, output, threads])

    probe = find_probe("tr8")
    device = FirstWave(chunk_rule(*RULES["transpose of 16 lanes"], 8))
    assert not probe.analysis.explain(probe.readings(device)).explained
    alone = probe.with_axes({"pattern": ["consecutive", "permuted", "strided", "overlapping"]})
    assert alone.analysis.explain(alone.readings(device)).explained


def test_output_that_nothing_wrote_is_unexplained():
    _, _, finding = find("tr8", chunk_rule(LANE, BYTE, 8))
    assert finding.explained

    class Silent(StandIn):
        def _launch(self, grid, block, args, **_):
            pass

    probe = find_probe("tr8")
    finding = probe.analysis.explain(probe.readings(Silent(chunk_rule(LANE, BYTE, 8))))
    assert not finding.explained and not finding.map.defined.any()
