import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanemap.errors import UserError
from lanemap.probing.proof.certificates import (
    AffineMaps,
    Input,
    NamedRules,
    Partition,
    Permutations,
    cheapest_split,
    countable,
)

shown_cells = st.lists(st.integers(0, 3), min_size=1, max_size=5)


def listed_affine_maps(n, m):
    """All maps x -> A x + c as (offset, columns), with the values they take on 0..2**n - 1."""
    for offset, *columns in itertools.product(range(1 << m), repeat=n + 1):
        values = []
        for x in range(1 << n):
            value = offset
            for bit, column in enumerate(columns):
                value ^= column if x >> bit & 1 else 0
            values.append(value)
        yield (offset, *columns), values


def test_a_partition_joins_what_shows_the_same():
    partition = Partition.from_outcomes(np.array([[1, 2], [3, 4], [1, 2], [1, 3]]))
    assert [list(p) for p in partition.parts()] == [[0, 2], [1], [3]]
    assert (partition.count, partition.complete) == (3, False)


@given(shown_cells)
def test_permutations_are_counted_as_brute_force_counts_them(shown):
    cells = np.array(shown)
    seen = Counter(tuple(cells[list(p)]) for p in itertools.permutations(range(len(cells))))
    permutations = Permutations(cells[:, None])
    assert permutations.part_count == len(seen)
    assert {permutations.part_size} == set(seen.values())
    assert permutations.certificate().complete == (len(set(shown)) == len(shown))


def test_permutations_name_the_cells_that_look_alike():
    certificate = Permutations(np.array([[7], [1], [7], [2]])).certificate()
    assert certificate.remaining == "any exchange of source cells within {0, 2}"


@settings(max_examples=25)
@given(st.lists(st.integers(0, 2), min_size=4, max_size=4), st.integers(0, 4**3 - 1))
def test_affine_mates_are_those_that_brute_force_finds(shown, chosen):
    cells = np.array(shown)
    maps = dict(listed_affine_maps(2, 2))
    key = list(maps)[chosen]
    wanted = sorted(
        other for other, values in maps.items() if list(cells[values]) == list(cells[maps[key]])
    )
    affine = AffineMaps(2, cells[:, None])
    assert affine.mates(key[1:], key[0]) == wanted
    if affine.uniform:
        assert affine.part_size == len(wanted)


@pytest.mark.parametrize("hidden", [0b00, 0b01, 0b10, 0b11])
def test_affine_parts_under_bit_slices_are_counted_exactly(hidden):
    # Passes that show the bits of `~hidden` only.
    cells = np.arange(4) & ~hidden
    seen = Counter(tuple(cells[values]) for _, values in listed_affine_maps(3, 2))
    certificate = AffineMaps(3, cells[:, None]).certificate()
    assert certificate.rules == sum(seen.values())
    assert certificate.parts == len(seen)
    assert certificate.complete == (hidden == 0)


def test_affine_parts_of_different_sizes_are_not_given_one_size():
    affine = AffineMaps(1, np.array([[0], [0], [0], [1]]))
    assert not affine.uniform
    with pytest.raises(UserError, match="mates"):
        affine.certificate()


def test_more_mates_than_asked_for_are_refused():
    with pytest.raises(UserError, match="more than 10"):
        AffineMaps(2, np.zeros((4, 1))).mates((1, 2), 0, limit=10)


def test_a_source_that_is_no_power_of_two_is_no_affine_class():
    with pytest.raises(UserError, match="not 3"):
        AffineMaps(2, np.zeros((3, 1)))


def test_huge_counts_are_given_as_powers():
    assert countable(2**53 - 1) == 2**53 - 1
    assert countable(2**90) == "2^90"
    # 25! = 15511210043330985984000000, about 1.55 * 10^25.
    assert countable(15511210043330985984000000) == "about 10^25"


def input_of(name, cost, shown):
    return Input(name, cost, np.array(shown)[:, None])


def test_the_cheapest_input_that_splits_a_part_is_found():
    offers = [
        input_of("dear", 5, [0, 1, 2, 3]),
        input_of("high bit", 1, [0, 0, 1, 1]),
        input_of("low bit", 1, [0, 1, 0, 1]),
        input_of("useless", 0, [0, 0, 0, 0]),
    ]
    split = cheapest_split(np.arange(4), offers)
    assert (split.inputs, split.cost) == (("high bit", "low bit"), 2)
    assert split.describe() == "high bit and low bit (2 passes)"
    # Two members that one input tells apart need no second.
    assert cheapest_split(np.array([0, 2]), offers).inputs == ("high bit",)


def test_what_no_input_splits_is_left_in_parts():
    split = cheapest_split(
        np.arange(3), [input_of("some", 2, [0, 0, 1]), input_of("none", 1, [0] * 3)]
    )
    assert split.inputs == ("some",)
    assert split.describe().endswith("leaving 2 parts")
    nothing = cheapest_split(np.arange(2), [input_of("none", 1, [0, 0])])
    assert nothing.describe() == "none of the inputs on offer tells any of them apart"


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), max_size=4), st.data())
def test_the_cheapest_split_is_the_cheapest_of_all_subsets(rows, data):
    costs = [data.draw(st.integers(0, 5)) for _ in rows]
    offers = [input_of(str(i), c, row) for i, (c, row) in enumerate(zip(costs, rows, strict=True))]
    best = len(set(zip(*rows, strict=True))) if rows else 1
    cost = min(
        sum(costs[i] for i in subset)
        for n in range(len(rows) + 1)
        for subset in itertools.combinations(range(len(rows)), n)
        if (len(set(zip(*(rows[i] for i in subset), strict=True))) if subset else 1) == best
    )
    split = cheapest_split(np.arange(4), offers)
    assert (split.cost, split.partition.count) == (cost, best)


def test_named_rules_are_grouped_and_refuted_with_the_place():
    outcomes = np.array([[[1, 2]], [[1, 2]], [[1, 3]]])
    rules = NamedRules(("a", "b", "c"), outcomes)
    assert rules.groups() == [("a", "b"), ("c",)]
    verdicts = rules.against(np.array([[1, 2]]))
    assert verdicts["a"] is None and verdicts["b"] is None
    assert list(verdicts["c"]) == [0, 1]
    certificate = rules.certificate()
    assert not certificate.complete and certificate.remaining == "a = b"
