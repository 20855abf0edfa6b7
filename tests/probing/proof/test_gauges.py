import itertools

import numpy as np
import pytest

from lanemap.errors import UserError
from lanemap.probing.proof.gauges import mma_gauge


def products(a, b, block):
    """What inputs can show of two operand maps, by running them: D for one-hot rows and scales.

    Slot p of the A row holds k = a[p]. The row is one-hot in slot p, the column in slot q; where
    block scales apply, each block's scale of A and of B is a different power of two.
    """
    size = len(a)
    shown = []
    for p, q in itertools.product(range(size), repeat=2):
        row, column = np.zeros(size), np.zeros(size)
        row[a[p]], column[b[q]] = 1, 1
        if block:
            row *= 2.0 ** (np.arange(size) // block)
            column *= 2.0 ** (10 * (np.arange(size) // block))
        shown.append(row @ column)
    return tuple(shown)


@pytest.mark.parametrize("block", [None, 2, 4])
def test_the_gauge_is_the_group_that_running_the_product_leaves(block):
    size, rng = 4, np.random.default_rng(7)
    for _ in range(5):
        a, b = rng.permutation(size), rng.permutation(size)
        shown = products(a, b, block)
        left = [
            rename
            for rename in itertools.permutations(range(size))
            if products(np.array(rename)[a], np.array(rename)[b], block) == shown
        ]
        gauge = mma_gauge(a, b, block)
        assert gauge.order == len(left)
        for rename in left:
            assert all({rename[k] for k in orbit} == set(orbit) for orbit in gauge.orbits)


def test_pairs_of_operand_maps_are_known_modulo_a_common_permutation_only():
    """Of all pairs of maps, those that show the same differ by one permutation of both."""
    size = 3
    parts: dict[object, list[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    for a, b in itertools.product(itertools.permutations(range(size)), repeat=2):
        parts.setdefault(products(a, b, None), []).append((a, b))
    assert len(parts) == 6
    for members in parts.values():
        (a0, b0), gauge = members[0], mma_gauge(np.array(members[0][0]), np.array(members[0][1]))
        assert len(members) == gauge.order == 6
        for a, b in members:
            rename = dict(zip(a0, a, strict=True))
            assert all(rename[k] == other for k, other in zip(b0, b, strict=True))


def test_a_gauge_is_named_with_its_size():
    k = np.arange(128)
    assert mma_gauge(k, k).name == "k permutations common to both operands"
    scaled = mma_gauge(k, k, 32)
    assert scaled.describe() == (
        "k permutations inside a scale block, common to both operands "
        "(4 orbits, S_32); no input can split it"
    )


@pytest.mark.parametrize(
    ("a", "b", "block", "words"),
    [
        ([0, 1], [0, 0], None, "permutations"),
        ([0, 1, 2], [0, 1, 2], 2, "does not divide"),
    ],
)
def test_maps_that_are_none_are_refused(a, b, block, words):
    with pytest.raises(UserError, match=words):
        mma_gauge(np.array(a), np.array(b), block)
