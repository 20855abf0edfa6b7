"""Rules of any offset, against brute force on three lanes and a memory of 12 bytes."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.probing.lds import free_offsets
from lanemap.probing.lds.chunk_rules import Reading
from lanemap.probing.tags.cells import whole_memory

LANES, MEMORY = 3, 12
TAGS = whole_memory(MEMORY, 8)


def reading(addresses, cells=None):
    """A reading of tagged bytes; `cells` (lanes, 4) are the memory bytes that arrive."""
    values = np.zeros((TAGS.passes, LANES, 4), np.uint8)
    if cells is not None:
        values = TAGS.images()[:, np.asarray(cells)]
    output = np.ascontiguousarray(values).view("<u4")
    return Reading(str(addresses), 0, np.asarray(addresses, np.int64), TAGS.images(), output, TAGS)


addresses = st.lists(st.integers(0, MEMORY - 1), min_size=LANES, max_size=LANES)


@settings(max_examples=80)
@given(st.lists(addresses, min_size=1, max_size=3))
def test_lanes_are_together_exactly_when_some_offsets_make_them_read_alike(patterns):
    parts = free_offsets.lane_partition([reading(p) for p in patterns]).part
    for one, two in itertools.combinations(range(LANES), 2):
        alike = any(
            all(p[one] + b == p[two] + c for p in patterns)
            for b, c in itertools.product(range(-MEMORY, MEMORY + 1), repeat=2)
        )
        assert (parts[one] == parts[two]) == alike


def test_one_pattern_leaves_all_lanes_together_and_a_second_splits_them():
    one = free_offsets.certificate([reading([0, 4, 8])], 8)
    assert one is not None and not one.complete
    assert (one.rules, one.parts, one.remaining) == (36, 12, "lanes 0, 1, 2")
    two = free_offsets.certificate([reading([0, 4, 8]), reading([4, 4, 4])], 8)
    assert two is not None and two.complete and two.remaining is None


def test_without_tags_there_is_no_certificate():
    assert free_offsets.certificate([reading([0, 4, 8])], 1) is None
    assert free_offsets.families([reading([0, 4, 8])], 1) == []


def seen_under(rule, patterns):
    """Readings of an instruction that follows rule(lane, byte, addresses) -> memory byte."""
    lane, byte = np.meshgrid(np.arange(LANES), np.arange(4), indexing="ij")
    return [reading(p, rule(lane, byte, np.asarray(p)) % MEMORY) for p in patterns]


PATTERNS = ([0, 4, 8], [4, 0, 4])


def stands(readings):
    return [not family.refuted for family in free_offsets.families(readings, 8, group=LANES)]


def test_a_leaders_address_for_all_is_recognised_and_nothing_else():
    readings = seen_under(lambda lane, byte, a: a[1] + 2 * lane + byte, PATTERNS)
    assert stands(readings) == [True, True, False]


def test_the_own_address_plus_a_stride_is_recognised_and_nothing_else():
    readings = seen_under(lambda lane, byte, a: a[lane] + 3 * byte, ([0, 1, 0], [1, 0, 2]))
    assert stands(readings) == [False, False, True]


def test_a_transpose_refutes_both_with_a_witness():
    readings = seen_under(lambda lane, byte, a: a[byte % LANES] + lane, PATTERNS)
    families = free_offsets.families(readings, 8, group=LANES)
    assert [f.refuted for f in families] == [True, True, True]
    # Lane 0 byte 1 comes from lane 1's address, 4 bytes from lane 0's in the first pattern and
    # 4 before it in the second.
    assert families[2].witness == (
        "lane 0 cell 1 lies 32 bits from lane 0's address in [0, 4, 8] wave=0, "
        "-32 bits in [4, 0, 4] wave=0"
    )


def test_what_carries_no_cell_refutes_every_family_by_name():
    readings = seen_under(lambda lane, byte, a: a[lane] + byte, ([0, 4, 8], [1, 4, 8]))
    readings[1].output[:, 2] = 0
    families = free_offsets.families(readings, 8, group=LANES)
    assert families[2].witness == "lane 2 cell 0 carries no cell of the memory in [1, 4, 8] wave=0"
